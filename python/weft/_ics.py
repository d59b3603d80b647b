"""weft.ics: initial conditions, as `weft ics` makes them."""

from __future__ import annotations

import os
from typing import Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _command
from ._arrays import floats_of
from ._device import Device, Use, current_device
from ._files import Particles, Path, told
from ._halos import is_path


def _table(power, asked: _command.Ics):
    """Into asked; gives what must live as long."""
    if power is None:
        return None
    if is_path(power):
        asked.table = os.fsencode(power)
        return asked.table
    try:
        columns = [floats_of(column, "power").astype("f8", copy=False) for column in power]
    except TypeError:
        raise TypeError("power: the name of a file, or k and P") from None
    if len(columns) != 2 or columns[0].ndim != 1 or columns[0].shape != columns[1].shape:
        raise ValueError("power: k and P, two arrays of one length")
    asked.k, asked.p, asked.rows = columns[0].ctypes.data, columns[1].ctypes.data, len(columns[0])
    return columns


def ics(n: int, box: float, *, z: float = 49.0, seed: int = 1, fixed: bool = False, order: int = 2,
        power: Union[Path, Sequence[ArrayLike], None] = None, transfer: str = "eh98", omega_m: float = 0.31,
        omega_b: float = 0.049, h: float = 0.68, n_s: float = 0.967, sigma8: Optional[float] = None,
        output: Optional[Path] = None, device: Optional[Device] = None) -> Particles:
    """Initial conditions of a simulation of dark matter in a flat universe: particles of a
    lattice, displaced by Gaussian modes. The same bytes on every device.

    n : particles along each axis: even, a product of 2, 3, 5 and 7
    box : side of the periodic box in comoving Mpc, without h
    z : redshift
    seed : number of the universe, from 0: the same has the same modes at any n
    fixed : modes of exactly the mean power, with random phases
    order : of displacements, 1 (Zel'dovich's) or 2 (2LPT)
    power : linear power spectrum at z = 0: a file of two columns, or arrays k (m,) in 1/Mpc,
        ascending, and P (m,) in Mpc^3; None: the formula
    transfer : the formula: "eh98", Eisenstein and Hu's without oscillations
    omega_m, omega_b : matter, and the baryons that are a part of it
    h : H0 in 100 km/s/Mpc
    n_s : spectral index of the formula
    sigma8 : fluctuations in spheres of 8 Mpc/h today; None: 0.81, or as the table has it
    output : a file to write, too, as `weft ics` does: SWIFT's HDF5
    Returns Particles: positions (n^3, 3) float64 in comoving Mpc, velocities (n^3, 3) float32,
    peculiar km/s, masses one number in 1e10 Msun, ids (n^3,) by place on the lattice.

    >>> particles = weft.ics(4, 50, seed=7)
    >>> particles.positions.shape, round(particles.masses, 1)
    ((64, 3), 7770.2)
    """
    if transfer != "eh98":
        raise ValueError(f"transfer: 'eh98', not {transfer!r}")
    for name, whole, most in (("n", n, 2**31), ("seed", seed, 2**64), ("order", order, 2**31)):
        if not isinstance(whole, (int, np.integer)) or not 0 <= whole < most:
            raise ValueError(f"{name}: {whole!r} is not a whole number of 0 to {most - 1}")
    asked = _command.Ics(n=n, order=order, seed=seed, box=box, redshift=z, h=h, omega_matter=omega_m,
                         omega_baryon=omega_b, n_s=n_s, sigma8=float("nan") if sigma8 is None else sigma8,
                         output=None if output is None else os.fsencode(output), fixed=fixed)
    found, kept = _command.Snapshot(), _table(power, asked)
    with Use(current_device(device)) as use, _command.listening():
        status = _command.ics(use.handle, asked, found)
        if status:
            use.check()
            _command.fail(status)
    del kept
    return Particles(found, told(found))
