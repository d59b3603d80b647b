"""The dark-matter sheet: the lattice that particles began on, and exact densities of it."""

from __future__ import annotations

from typing import NamedTuple, Optional, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _library
from ._arrays import I64, Numbers, box_of, device_of, points
from ._centers import ids_of
from ._device import Device, Use
from ._files import Path, read
from ._halos import is_path
from ._library import functions

TESSELLATIONS = ("abel", "kuhn", "mean")
_PARTS = 64  # of the sheet, between which ^C ends the call


class Lattice(NamedTuple):
    """Where particles began."""

    #: (n0, n1, n2) int64, the index of the particle that began at each site, x slowest.
    particle: np.ndarray
    #: Of neighbours, from where they began to where they are: |dx| + |dy| + |dz| in boxes, the
    #: mean.
    separation: float


class Sheet(NamedTuple):
    """Densities of the sheet on a grid."""

    #: (nx, ny, nz) float64, in units of the mean density, x slowest.
    density: np.ndarray
    #: (nx, ny, nz) int64, the mass in each cell; all together have units_per_tetrahedron
    #: tetrahedra.
    mass_units: np.ndarray
    units_per_tetrahedron: int
    tetrahedra: int
    #: The size of the box along each axis, in the unit of the positions.
    box: Tuple[float, float, float]
    lattice: Lattice


def _three(name: str, sizes) -> Tuple[int, int, int]:
    given = np.asarray(sizes)
    if given.dtype.kind not in "iu" or given.shape not in ((), (3,)) or (given < 1).any():
        raise ValueError(f"{name}: one or three whole numbers above 0, not {sizes!r}")
    return tuple(int(size) for size in np.broadcast_to(given, (3,)))  # type: ignore[return-value]


def _find(use: Use, positions, ids, box, n) -> _library.Lattice:
    where, periods, found = points(use, positions, axes=(3,)), box_of(box), _library.Lattice()
    if not (periods > 0).all():
        raise ValueError("box: a lattice needs the period of each axis")
    if ids is None:
        raise ValueError("ids: they tell where particles began on the lattice")
    sides = None if n is None else np.array(_three("n", n), "i8")
    use.call("weft_lattice_find", where, use.lend(ids_of(ids, where.count), I64),
             None if sides is None else sides.ctypes.data,
             periods.ctypes.data_as(_library.POINTER(_library.c_double)), found)
    use.check()
    return found


def _told(use: Use, found: _library.Lattice) -> Lattice:
    particle = np.empty(tuple(found.n), "u4")
    use.read(found.particle, particle)
    return Lattice(particle.astype("i8"), found.separation)


def lattice(positions: Numbers, ids: ArrayLike, box: ArrayLike, n: Optional[ArrayLike] = None,
            device: Optional[Device] = None) -> Lattice:
    """Which particle began where on the lattice of a simulation, told by the ids.

    positions : (n, 3) of float32 or float64, all particles of the box
    ids : (n,) integers, a permutation of n numbers that count the sites in one of six orders
    box : the period, or one for each axis
    n : three numbers of sites, in the order of the ids, the last running fastest; None: as many
        along each axis
    Returns Lattice.

    >>> sites = np.indices((4, 4, 4)).reshape(3, -1).T
    >>> weft.lattice(sites + 0.5, np.arange(64), box=4).particle[0, 0]
    array([0, 1, 2, 3])
    """
    with Use(device_of(device, positions)) as use:
        found = _find(use, positions, ids, box, n)
        made = _told(use, found)
        functions["weft_lattice_free"](use.handle, found)
    return made


def _deposit(use: Use, found: _library.Lattice, tessellation: int, mass: np.ndarray) -> None:
    """Into mass, which is filled once `use` is at its end."""
    units, sites = use.lend_out(mass, I64), int(np.prod(found.n))
    options = _library.SheetOptions(tessellation=tessellation)
    options.grid[:] = mass.shape
    for part in range(_PARTS):
        options.begin, options.end = sites * part // _PARTS, sites * (part + 1) // _PARTS
        if options.begin < options.end:
            use.call("weft_sheet_deposit", found, options, units)
            use.check()


def _particles(path):
    """Positions, ids and box of a snapshot whose particles have one mass."""
    particles = read(path, ("positions", "masses", "ids"))
    info, masses = particles.info, particles.masses
    if not all(info["periodic"]):
        raise OSError(f"{path}: there is no periodic box: a sheet needs one along each axis")
    if particles.ids is None:
        raise OSError(f"{path}: a sheet needs the ids of particles, which tell where each began")
    if np.ndim(masses) and (masses != masses[:1]).any():
        at = int(np.argmax(masses != masses[0]))
        raise OSError(f"{path}: the masses of particles 0 and {at} differ, {masses[0]:.9g} and {masses[at]:.9g}: a "
                      "sheet has equal ones")
    return particles.positions, particles.ids, info["box"]


def sheet(snapshot: Union[Path, Numbers], grid: ArrayLike, *, tessellation: str = "abel",
          lattice: Optional[ArrayLike] = None, ids: Optional[ArrayLike] = None, box: Optional[ArrayLike] = None,
          device: Optional[Device] = None) -> Sheet:
    """Densities of the dark-matter sheet: particles began on a lattice, whose cubes, cut into
    tetrahedra of one mass, move with them; each cell of a grid has what lies in it, exactly.

    snapshot : the path of a file that `weft sheet` reads; or positions (n, 3) of float32 or
        float64, of particles of one mass, with `ids` (n,) and `box`
    grid : cells of the box along each axis, one number or three
    tessellation : "abel", "kuhn" or "mean"
    lattice : three numbers of particles, in the order of the ids, the last running fastest;
        None: as many along each axis
    Returns Sheet.

    >>> sites = np.indices((4, 4, 4)).reshape(3, -1).T
    >>> weft.sheet(sites + 0.5, 2, ids=np.arange(64), box=4).density[0, 0]
    array([1., 1.])
    """
    if tessellation not in TESSELLATIONS:
        raise ValueError(f"tessellation: 'abel', 'kuhn' or 'mean', not {tessellation!r}")
    kind, cells = TESSELLATIONS.index(tessellation), _three("grid", grid)
    if is_path(snapshot):
        if ids is not None or box is not None:
            raise ValueError("ids and box are of arrays: the snapshot has its own")
        positions, ids, box = _particles(snapshot)
    else:
        positions = snapshot
        if ids is None or box is None:
            raise ValueError("positions need their ids and box")
    with Use(device_of(device, positions)) as use:
        found = _find(use, positions, ids, box, lattice)
        try:
            told, mass = _told(use, found), np.zeros(cells, "i8")
            _deposit(use, found, kind, mass)
            tetrahedra = functions["weft_sheet_tetrahedra"](found, kind)
            units = functions["weft_sheet_units"](found, kind)
        finally:
            functions["weft_lattice_free"](use.handle, found)
    mean = float(tetrahedra) * float(units) / mass.size
    return Sheet(mass / mean, mass, units, tetrahedra, tuple(float(length) for length in box_of(box)),  # type: ignore
                 told)
