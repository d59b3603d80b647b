"""weft.halos: catalogues of snapshots or of arrays, as `weft halos` finds them."""

from __future__ import annotations

import ctypes
import os
import re
from typing import TYPE_CHECKING, Any, Callable, Iterable, List, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _command, _ranks
from ._arrays import box_of, floats_of, numbers_of
from ._catalogue import Catalogue
from ._device import Device, Use, current_device
from ._files import Path

if TYPE_CHECKING:
    from typing_extensions import TypeGuard  # typing has it from 3.10 on


def is_path(thing: Any) -> TypeGuard[Path]:
    return isinstance(thing, (str, bytes, os.PathLike))


def _list(name: str, given: Union[str, Iterable[str], None]) -> Optional[str]:
    """Texts as the command line has them, with commas between."""
    if given is None or isinstance(given, str):
        return given
    words = list(given)
    if not all(isinstance(word, str) for word in words):
        raise TypeError(f"{name}: a text, or several")
    return ",".join(words)


def _bytes(size: Union[int, str, None]) -> int:
    """A number of bytes; "1G" is 2^30."""
    if size is None:
        return 0
    found = re.fullmatch(r"(\d+\.?\d*|\.\d+)([KMGT]?)(?:i?B)?", str(size))
    if found is None:
        raise ValueError(f"memory_limit: {size!r} is not a number of bytes, as 5000000 or '5G'")
    count = float(found[1]) * 1024 ** " KMGT".index(found[2] or " ")
    if not 1 <= count < 2**62:
        raise ValueError(f"memory_limit: {size!r} is not 1 byte or more")
    return int(count)


def _given(positions, velocities, masses, ids, box, redshift, h, omega_matter, omega_lambda, length_unit,
           mass_unit, keep):
    if not (np.isnan(redshift) or -1 < redshift < np.inf):
        raise ValueError(f"redshift: {redshift} is not above -1 and finite")
    if omega_lambda is None:
        omega_lambda = 1 - omega_matter if omega_matter > 0 else 0
    given = _command.Snapshot(length_unit=length_unit.encode(), mass_unit=mass_unit.encode(), mass=1.0,
                              redshift=redshift, scale_factor=1.0 if np.isnan(redshift) else 1 / (1 + redshift),
                              h=h, omega_matter=omega_matter, omega_lambda=omega_lambda)
    fields = [("positions", positions), ("velocities", velocities), ("masses", masses), ("ids", ids)]
    for k, (name, numbers) in enumerate(fields):
        if numbers is None:
            continue
        if name == "masses" and np.ndim(numbers) == 0:
            given.mass = float(numbers)
            if not 0 < given.mass < np.inf:
                raise ValueError(f"masses: {given.mass} is not above 0")
            continue
        host = numbers_of(numbers, name, kinds="iu").astype("i8", copy=False) if name == "ids" else \
            floats_of(numbers, name)
        if name == "positions":
            given.n = len(host) if host.ndim else 0
        shape = (given.n,) if k > 1 else (given.n, 3)
        if host.shape != shape:
            raise ValueError(f"{name}: of shape {'(n, 3)' if k == 0 else shape}, not {host.shape}")
        keep.append(host)
        given.field[k], given.bytes[k] = host.ctypes.data, host.dtype.itemsize
    if box is not None:
        given.box[:] = box_of(box)
        given.periodic[:] = [int(length > 0) for length in given.box]
    return given


def _assumed(velocities, masses, ids, redshift, h, omega_matter, omega_lambda, length_unit, mass_unit) -> bytes:
    """What a file does not tell, as --assume has it."""
    if velocities is not None or ids is not None or np.ndim(masses) > 0:
        raise ValueError("velocities, masses and ids are of arrays: a file has its own")
    words = [("redshift", None if np.isnan(redshift) else redshift), ("h", h or None), ("omega_m", omega_matter or None),
             ("omega_lambda", omega_lambda), ("particle", masses)]
    units = [("length", None if length_unit == "code" else length_unit), ("mass", mass_unit)]
    return ",".join([f"{name}={float(value)!r}" for name, value in words if value is not None] +
                    [f"{name}={value}" for name, value in units if value is not None]).encode()


def _request(linking_length, linking_length_absolute, min_members, min_friends, periodic, box, region, types, centers,
             softening, poisson_grid, poisson_boundary, poisson_prove, so, properties, profiles, shapes, subhalos,
             members, labels, memory_limit) -> _command.Request:
    """Options as the command has them; those that are the default are not given."""
    centers = centers if centers is None or isinstance(centers, str) else list(centers)
    if min_members < 1 or min_friends < 0:
        raise ValueError("min_members is at least 1, and min_friends at least 0")
    for name, length in (("linking_length", linking_length), ("softening", softening),
                         ("linking_length_absolute", linking_length_absolute)):
        if length is not None and not 0 <= length < np.inf:
            raise ValueError(f"{name}: {length} is not a finite number of at least 0")
    with_grid = "poisson" in (_list("centers", centers) or "").split(",")
    if not with_grid and (poisson_grid is not None or poisson_boundary != "zero" or poisson_prove):
        raise ValueError("poisson_grid, poisson_boundary and poisson_prove are for the center poisson")
    if poisson_boundary not in ("zero", "open"):
        raise ValueError(f"poisson_boundary: 'zero' or 'open', not {poisson_boundary!r}")
    if poisson_grid is not None and not 3 <= poisson_grid <= 255:
        raise ValueError(f"poisson_grid: 3 to 255 points, not {poisson_grid}")
    request = _command.Request(
        linking_length=-1.0 if linking_length in (None, 0.2) else linking_length,
        linking_length_absolute=-1.0 if linking_length_absolute is None else linking_length_absolute,
        min_members=min_members, min_friends=min_friends, softening=softening or -1.0, poisson_grid=poisson_grid or 0,
        poisson_boundary=None if poisson_boundary == "zero" else poisson_boundary.encode(),
        poisson_prove=poisson_prove, profiles=profiles, shapes=shapes, members=members, labels=labels,
        subhalos=subhalos, memory_limit=_bytes(memory_limit))
    for name, given in (("periodic", periodic), ("centers", centers), ("so", so), ("properties", properties),
                        ("types", None if types == "1" else types), ("region", region)):
        text = _list(name, given)
        setattr(request, name, None if text is None else text.encode())
    if box is not None:
        request.box[:] = box_of(box)
    return request


def halos(snapshot: Union[Path, Sequence[Path], ArrayLike], linking_length: float = 0.2, *,
          linking_length_absolute: Optional[float] = None, min_members: int = 20, min_friends: int = 0,
          periodic: Optional[str] = None, box: Optional[ArrayLike] = None, region: Optional[str] = None,
          types: str = "1", centers: Union[str, Iterable[str]] = "mbp", softening: float = 0.0,
          poisson_grid: Optional[int] = None, poisson_boundary: str = "zero", poisson_prove: bool = False,
          so: Union[str, Iterable[str], None] = None, properties: Optional[str] = None, profiles: bool = False,
          shapes: bool = False, subhalos: bool = False, members: bool = False, labels: bool = False,
          memory_limit: Union[int, str, None] = None, velocities: Optional[ArrayLike] = None,
          masses: Optional[ArrayLike] = None, ids: Optional[ArrayLike] = None, redshift: float = float("nan"),
          h: float = 0.0, omega_matter: float = 0.0, omega_lambda: Optional[float] = None, length_unit: str = "code",
          mass_unit: Optional[str] = None, progress: Optional[Callable[[str], object]] = None, comm: Any = None,
          device: Optional[Device] = None) -> Union[Catalogue, List[Catalogue]]:
    """A catalogue of the halos of a snapshot, or of arrays.

    snapshot : the path of a file that `weft halos` reads; a list of paths, for a list of
        catalogues; or positions (n, 3) of float32 or float64, which are not copied
    linking_length : of the mean separation of particles
    linking_length_absolute : in the snapshot's unit of length, instead
    min_members : of the smallest halo that is kept
    min_friends : particles with fewer others within the linking length are left out
    periodic : which axes are, "xyz"; "" for none; None: what the snapshot says, of arrays
        those with a box
    box : its size, or one for each axis, of arrays and of files that tell none
    region : "X0:X1,Y0:Y1,Z0:Z1", of files: work on the particles there alone
    types : of files: "1,2,3" are dark matter, linked together; "0,4,5" are attached
    centers : of "mbp", "mcp", "poisson", as a list or with commas; or "none"
    softening : Plummer's, of the potential, in the snapshot's unit of length
    poisson_grid : points along an axis; None: 7, 15, 31 or 63, by the number of members
    poisson_boundary : "zero" or "open"
    poisson_prove : prove the Poisson center, or take the most bound particle; poisson_proven tells
    so : spherical overdensities, "vir,200c,200m" or a list of such; "none"; None:
        vir,200m,200c,500c,2500c where cosmology, units and masses are known
    properties : inside which of them more is measured, or "none"; None: 200c where it is found
    profiles : also profiles around those spheres, as columns profile_... of 21 shells
    shapes : also shapes by iterated ellipsoids of the spheres' volume
    subhalos : also the clumps in halos of 50 and more particles that are bound, as
        `catalogue.subhalos`
    members : also the particle ids of each halo, and of each subhalo
    labels : also the tag of each particle's halo
    memory_limit : bytes of the device, or "1G": the particles are processed in pieces, of
        arrays as a copy
    velocities (n, 3), masses (n,) or one number, ids (n,) : of arrays; one number for masses
        of files without masses, too
    redshift, h, omega_matter, omega_lambda, length_unit ("Mpc/h"), mass_unit ("1e10 Msun/h") :
        of arrays, and of files that do not tell them; omega_lambda None: the universe is flat
    progress : called with a line of text as each step begins; ^C, or an exception of it, ends
        the call there
    comm : a communicator of mpi4py, as MPI.COMM_WORLD: all its ranks call this with the same
        options, each with its own share of the particles (arrays) or the same snapshot. Rank 0
        has the catalogue, which is that of all particles, the others one without halos; labels
        are each rank's own. Without ids the index counts through the ranks
    """
    def ask():
        made = _request(linking_length, linking_length_absolute, min_members, min_friends, periodic, box, region,
                        types, centers, softening, poisson_grid, poisson_boundary, poisson_prove, so, properties, profiles,
                        shapes, subhalos, members, labels, memory_limit)
        return {name: tuple(value) if name == "box" else value.decode() if isinstance(value, bytes) else value
                for name, value in ((name, getattr(made, name)) for name, _ in made._fields_) if name != "given"}, made

    request = _ranks.agree(comm, ask)
    device = current_device(device)
    several = isinstance(snapshot, (list, tuple)) and snapshot and all(map(is_path, snapshot))
    if several or is_path(snapshot):
        request.assume = _assumed(velocities, masses, ids, redshift, h, omega_matter, omega_lambda, length_unit,
                                  mass_unit)
    if several:
        catalogues = []
        for path in snapshot:
            catalogues.append(_find(request, os.fsencode(path), device, OSError, progress, comm))
        return catalogues
    if is_path(snapshot):
        return _find(request, os.fsencode(snapshot), device, OSError, progress, comm)
    if types != "1" or region is not None:
        raise ValueError("types and region are of files: choose among the arrays")
    keep: list = []

    def give():
        given = _given(snapshot, velocities, masses, ids, box, redshift, h, omega_matter, omega_lambda, length_unit,
                       mass_unit or ("1" if masses is None else "code"), keep)
        told = {name: f"{size} bytes" for name, size in zip(("positions", "velocities", "masses", "ids"), given.bytes)}
        names = ("mass", "redshift", "h", "omega_matter", "omega_lambda", "length_unit", "mass_unit")
        return {**told, **{name: repr(getattr(given, name)) for name in names}}, given

    request.given = ctypes.pointer(_ranks.agree(comm, give))
    found = _find(request, b"the arrays", device, ValueError, progress, comm)
    found._positions = keep[0]
    return found


def _find(request: _command.Request, name: bytes, device: Device, fault, progress, comm) -> Catalogue:
    request.snapshot = name
    status = ctypes.c_int()
    with Use(device) as use, _command.listening(progress, depth=5), _ranks.joined(comm):
        handle = _command.halos(use.handle, request, status)
        if handle is None:
            use.check()
            _command.fail(status.value, fault)
    found = Catalogue(handle, device)
    found._positions = os.fsdecode(name)
    return found
