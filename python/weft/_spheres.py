"""Spheres around centers: their masses, and what shells of them are like."""

from __future__ import annotations

import ctypes
from typing import NamedTuple, Optional

import numpy as np
from numpy.typing import ArrayLike

from . import _library
from ._arrays import F64, I64, NOTHING, Numbers, device_of, floats_of, points
from ._centers import bodies, ids_of
from ._device import Device, Use, current_device
from ._library import functions


class Spheres(NamedTuple):
    """Spheres of d densities around c centers; all 0 where there is none. With one number as
    the density the first axis is left out."""

    #: (d, c) float64, in the unit of the masses.
    mass: np.ndarray
    #: (d, c) float64, in the unit of the positions.
    radius: np.ndarray
    #: (d, c) int64, particles.
    count: np.ndarray  # type: ignore[assignment]


class Profiles(NamedTuple):
    """Shells around c centers; all 0 in empty ones. The last two are None without velocities."""

    #: (c, bins) int64, particles.
    count: np.ndarray  # type: ignore[assignment]
    #: (c, bins) float64.
    mass: np.ndarray
    #: (c, bins) float64, mass over the volume of the shell.
    density: np.ndarray
    #: (c, bins) float64, the mean velocity outward, without Hubble flow.
    radial_velocity: Optional[np.ndarray]
    #: (c, bins) float64, of one dimension: sqrt(sum m |v - mean v|^2 / (3 sum m)).
    velocity_dispersion: Optional[np.ndarray]


def density(name: str, h: float, omega_matter: float, omega_lambda: Optional[float] = None,
            redshift: float = 0.0, device: Optional[Device] = None) -> float:
    """A density of the universe by its name, in Msun/Mpc^3, physical; times a^3 it is that of
    comoving lengths.

    name : "200c", any number times the critical density; "200m", times the mean density of
        matter; or "vir", of Bryan and Norman 1998
    h, omega_matter, omega_lambda : today's; omega_lambda None: the universe is flat

    >>> round(weft.density("200c", h=0.7, omega_matter=0.3) / 1e12, 2)
    27.2
    """
    cosmology = _library.Cosmology(h=h, omega_matter=omega_matter,
                                   omega_lambda=1 - omega_matter if omega_lambda is None else omega_lambda)
    found = ctypes.c_double()
    with Use(current_device(device)) as use:
        use.call("weft_cosmology_density", cosmology, redshift, name.encode(), found)
    return found.value


def _options(use: Use, densities, ids, n: int) -> _library.SoOptions:
    if not 1 <= len(densities) <= 16:
        raise ValueError(f"densities: 1 to 16 of them, not {len(densities)}")
    options = _library.SoOptions(densities=len(densities))
    options.density[:len(densities)] = densities
    if ids is not None:
        options.id = use.lend(ids_of(ids, n), I64)
    return options


def so(positions: Numbers, centers: Numbers, densities: ArrayLike, masses: ArrayLike = 1.0,
       ids: Optional[ArrayLike] = None, box: Optional[ArrayLike] = None,
       device: Optional[Device] = None) -> Spheres:
    """Spherical overdensities: around each center the sphere inside which the mean density of
    all particles is a given one, the largest of them that density falls through first.

    positions : (n, 3) of float32 or float64
    centers : (c, 3) of float32 or float64; they need not be particles
    densities : one number, or up to 16, above 0, in mass / length^3 of the input; see
        ``weft.density``
    masses : (n,), or one number for all
    ids : (n,) int64, unique, which order particles at one distance; None: the indices
    box : the period, or one for each axis, 0 for axes that are not periodic; None: no axis is
    Returns Spheres.

    >>> weft.so([[0.0, 0, 0], [1, 0, 0], [9, 0, 0]], [[0, 0, 0]], 0.1).count
    array([2])
    """
    several = np.ndim(densities) > 0
    thresholds = floats_of(np.atleast_1d(densities), "densities").astype("f8")
    with Use(device_of(device, positions, centers)) as use:
        particles, found = bodies(use, positions, masses, box), _library.SoSpheres()
        around = points(use, centers, "centers", (3,))
        use.call("weft_so", particles, around, _options(use, thresholds, ids, particles.points.count), found)
        use.check()
        shape = (len(thresholds), around.count) if several else (around.count,)
        made = Spheres(np.empty(shape), np.empty(shape), np.empty(shape, "i8"))
        for array, numbers in zip((found.mass, found.radius, found.count), made):
            use.read(array, numbers)
        functions["weft_so_free"](use.handle, found)
    return made


def profiles(positions: Numbers, centers: Numbers, radius: ArrayLike, edges: ArrayLike,
             velocities: Optional[ArrayLike] = None, center_velocities: Optional[ArrayLike] = None,
             masses: ArrayLike = 1.0, ids: Optional[ArrayLike] = None, box: Optional[ArrayLike] = None,
             device: Optional[Device] = None) -> Profiles:
    """Shells around centers, of all particles: from edges[b] R on to before edges[b + 1] R.

    positions, centers, masses, ids, box : as for ``weft.so``
    radius : (c,), or one number: R of each center; where it is 0 all shells are empty
    edges : (bins + 1,), up to 129, rising from 0 or above
    velocities : (n, 3); None: unknown
    center_velocities : (c, 3), what radial velocities are relative to; None: at rest
    Returns Profiles.

    >>> weft.profiles([[0.0, 0, 0], [1, 0, 0]], [[0, 0, 0]], 1, [0, 0.5, 2]).count
    array([[1, 1]])
    """
    bounds = np.asarray(edges, "f8")
    if bounds.ndim != 1 or not 2 <= len(bounds) <= 129:
        raise ValueError(f"edges: 2 to 129 numbers, not of shape {bounds.shape}")
    with Use(device_of(device, positions, centers)) as use:
        particles, found = bodies(use, positions, masses, box, velocities), _library.Profiles()
        around = points(use, centers, "centers", (3,))
        how = _library.ProfilesOptions(bins=len(bounds) - 1, velocity=NOTHING)
        how.edge[:len(bounds)] = bounds
        sizes = np.ascontiguousarray(np.broadcast_to(np.asarray(radius, "f8"), (around.count,)))
        how.radius = use.lend(sizes, F64)
        if center_velocities is not None:
            frame = floats_of(center_velocities, "center_velocities").astype("f8")
            if frame.shape != (around.count, 3):
                raise ValueError(f"center_velocities: of shape ({around.count}, 3), not {frame.shape}")
            how.velocity = use.lend(frame, F64)
        use.call("weft_profiles_measure", particles, around, _options(use, [1.0], ids, particles.points.count), how,
                 found)
        use.check()
        made: list = []
        for name in Profiles._fields:
            array = getattr(found, name)
            made.append(np.empty((around.count, len(bounds) - 1), "i8" if name == "count" else "f8")
                        if array.type else None)
            if array.type:
                use.read(array, made[-1])
        functions["weft_profiles_free"](use.handle, found)
    return Profiles(*made)
