"""Fourier transforms of real numbers, the same bytes on every device."""

from __future__ import annotations

import ctypes
from typing import Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import floats_of, type_of, unmasked
from ._device import Device, Use, current_device


def _transform(device: Optional[Device], shape: Tuple[int, ...], direction: int, real: np.ndarray,
               spectrum: np.ndarray) -> None:
    """From the one into the other; both are C-contiguous."""
    sides = (ctypes.c_int64 * 3)(*[1] * (3 - len(shape)), *shape)
    kind = type_of(real.dtype)
    with Use(current_device(device)) as use:
        lent = (use.lend_out if direction else use.lend)(real.reshape(-1), kind)
        use.call("weft_fourier_transform", sides, direction, lent, use.lend_out(spectrum.reshape(-1).view(real.dtype), kind))


def rfftn(numbers: ArrayLike, device: Optional[Device] = None) -> np.ndarray:
    """The Fourier transform of real numbers, as ``numpy.fft.rfftn`` has it; float32 stays single.

    numbers : (n,), (m, n) or (l, m, n) of float32 or float64: sides that are products of 2, 3, 5
        and 7, the last even
    Returns (..., n / 2 + 1) complex.

    >>> weft.rfftn([1, 2, 3, 4]).real
    array([10., -2., -2.])
    """
    host = floats_of(numbers, "numbers")
    if not 1 <= host.ndim <= 3:
        raise ValueError(f"numbers: of one to three axes, not {host.shape}")
    spectrum = np.empty((*host.shape[:-1], host.shape[-1] // 2 + 1), "c8" if host.dtype.itemsize == 4 else "c16")
    _transform(device, host.shape, 0, host, spectrum)
    return spectrum


def irfftn(spectrum: ArrayLike, device: Optional[Device] = None) -> np.ndarray:
    """The real numbers of a Fourier transform: ``irfftn(rfftn(x))`` is x but for rounding.

    spectrum : (..., n / 2 + 1) complex, of one to three axes, as ``rfftn`` gives it
    Returns (..., n) of float32 or float64.

    >>> weft.irfftn(weft.rfftn([1, 2, 3, 4]))
    array([1., 2., 3., 4.])
    """
    given = np.asarray(unmasked(spectrum, "spectrum"))
    if given.dtype.kind != "c" or given.dtype.itemsize not in (8, 16):
        raise TypeError(f"spectrum: complex numbers of 64 or 128 bits, not {given.dtype}")
    if not 1 <= given.ndim <= 3 or given.shape[-1] < 2:
        raise ValueError(f"spectrum: of one to three axes, the last of two at least, not {given.shape}")
    work = np.array(given, given.dtype.newbyteorder("="), order="C")  # which the library overwrites
    real = np.empty((*work.shape[:-1], 2 * (work.shape[-1] - 1)), work.real.dtype)
    _transform(device, real.shape, 1, real, work)
    real /= real.size
    return real
