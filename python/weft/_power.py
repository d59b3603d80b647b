"""Power spectra of particles, and of densities on a grid."""

from __future__ import annotations

import ctypes
import os
from typing import NamedTuple, Optional, Union, cast

import numpy as np
from numpy.typing import ArrayLike

from . import _library
from ._arrays import F64, I64, Numbers, box_of, device_of, floats_of, numbers_of, points, type_of
from ._device import Device, Use
from ._files import Path, read
from ._halos import is_path
from ._library import functions

WINDOWS = ("ngp", "cic", "tsc", "pcs")


class Spectrum(NamedTuple):
    """The power of shells of wave numbers, each 2 pi / L wide."""

    #: (shells,) float64, the mean wave number of the modes, 2 pi in it.
    k: np.ndarray
    #: (shells,) float64, the mean of V |delta_k|^2.
    power: np.ndarray
    #: (shells,) int64, how many modes; k and -k are two.
    modes: np.ndarray
    #: What particles that are nowhere in particular have; it is part of `power`. 0 of densities.
    shot_noise: float


def _side(n: int) -> int:
    """Points of the mesh for n particles: at least twice the cube root along an axis."""
    side = 1
    while side**3 < n:
        side += 1
    return functions["weft_fourier_side"](max(2 * side, 4))


def _options(points_of_mesh, box, window: int, plain: bool) -> _library.PowerOptions:
    options = _library.PowerOptions(window=window, plain=plain)
    options.n[:], options.box[:] = points_of_mesh, box_of(box)
    return options


def _room(options: _library.PowerOptions) -> Spectrum:
    shells = functions["weft_power_shells"](options)
    return Spectrum(np.empty(shells), np.empty(shells), np.empty(shells, "i8"), 0.0)


def _addresses(found: Spectrum):
    return [array.ctypes.data for array in found[:3]]


def _of_density(density, box, device: Optional[Device]) -> Spectrum:
    """A sheet's masses are whole numbers, and averages over cells."""
    host = numbers_of(density, "density")
    host = host.astype("i8" if host.dtype.kind in "iu" else "f8", copy=False)
    options = _options(host.shape, box, 1, False)
    with Use(device_of(device, density)) as use:
        found = _room(options)
        lent = use.lend(host.reshape(-1), F64 if host.dtype.kind == "f" else I64)
        use.call("weft_power_density", lent, options, *_addresses(found))
    return found


def _of_particles(positions, masses, box, grid, window: str, interlacing: bool,
                  device: Optional[Device]) -> Spectrum:
    noise = ctypes.c_double()
    with Use(device_of(device, positions)) as use:
        where = points(use, positions, axes=(3,))
        given = np.asarray(_side(where.count) if grid is None else grid)
        if given.dtype.kind not in "iu" or given.shape not in ((), (3,)):
            raise ValueError(f"grid: one or three whole numbers, not {grid!r}")
        options = _options(np.broadcast_to(given, (3,)), box, WINDOWS.index(window) + 1, not interlacing)
        mass = _library.Array()
        if masses is not None and np.ndim(masses):
            host = floats_of(masses, "masses")
            if host.shape != (where.count,):
                raise ValueError(f"masses: of shape ({where.count},), not {host.shape}")
            mass = use.lend(host, type_of(host.dtype))
        found = _room(options)
        use.call("weft_power_particles", where, mass, options, *_addresses(found), noise)
    return found._replace(shot_noise=noise.value)


def power(snapshot: Union[Path, Numbers], grid: Optional[ArrayLike] = None, *, window: str = "pcs",
          interlacing: bool = True, masses: Optional[ArrayLike] = None, box: Optional[ArrayLike] = None,
          device: Optional[Device] = None) -> Spectrum:
    """The power spectrum of the particles of a periodic box, or of a density on a grid. The
    window of the mesh is divided out; shot noise is told, and not subtracted.

    snapshot : the path of a file that `weft power` reads; or positions (n, 3) of float32 or
        float64; or a density (nx, ny, nz), as `weft.sheet` gives it, in any unit
    grid : points of the mesh, one number or three: even products of 2, 3, 5 and 7; None: at
        least twice the cube root of n. Not of a density, which is the mesh
    window : "ngp", "cic", "tsc" or "pcs", how particles are spread over the mesh
    interlacing : two meshes half a point apart in place of one
    masses : (n,) of positions; one number, or None, where they are equal
    box : the period, or one for each axis, of arrays
    Returns Spectrum, in the unit of lengths.

    >>> x = np.indices((8, 8, 8)).reshape(3, -1).T + 0.5
    >>> found = weft.power(x, box=8)  # a lattice has none, but where it repeats itself
    >>> bool(found.power[:6].max() < 1e-6 * found.shot_noise)
    True
    """
    if window not in WINDOWS:
        raise ValueError(f"window: 'ngp', 'cic', 'tsc' or 'pcs', not {window!r}")
    if is_path(snapshot):
        if masses is not None or box is not None:
            raise ValueError("masses and box are of arrays: the snapshot has its own")
        particles = read(snapshot, ("positions", "masses"))
        if not all(particles.info["periodic"]):
            raise OSError(f"{os.fsdecode(snapshot)}: there is no periodic box: a power spectrum needs one along each axis")
        return _of_particles(particles.positions, particles.masses, particles.info["box"], grid, window, interlacing,
                             device)
    if box is None:
        raise ValueError("box: a power spectrum needs the period of each axis")
    if len(np.shape(cast(ArrayLike, snapshot))) != 3:
        return _of_particles(snapshot, masses, box, grid, window, interlacing, device)
    if grid is not None or masses is not None:
        raise ValueError("grid and masses are of particles: a density is on its own grid")
    return _of_density(snapshot, box, device)
