"""Groups of particles, and the particles in their middle."""

from __future__ import annotations

import operator
from typing import NamedTuple, Optional, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _library
from ._arrays import (F64, I64, NOTHING, TYPES, U32, Array, Numbers, box_of, device_of, floats_of, numbers_of,
                      points)
from ._device import Device, Use
from ._library import functions

_MOST = 2**32 - 1  # so many particles are too many; as a label: in no group


class Groups(NamedTuple):
    """Groups of particles, their members side by side: those of group g are
    ``member[offset[g]:offset[g + 1]]``. ``weft.groups`` makes them of labels."""

    #: (g,) int64, the smallest id of the group's members.
    tag: np.ndarray
    #: (g + 1,) int64, where the members of each group begin, and where the last end.
    offset: np.ndarray
    #: (members,) int64, indices of particles, by ascending id in each group; no group is empty.
    member: np.ndarray


class Centers(NamedTuple):
    """One particle of each group."""

    #: (g,) int64, its index.
    index: np.ndarray  # type: ignore[assignment]
    #: (g, 3) or (g, 2), its position as it was given.
    position: np.ndarray
    #: (g,) float64, its potential; of ``weft.mcp`` int64, how many friends it has.
    value: np.ndarray


def ids_of(ids, n: int) -> Optional[np.ndarray]:
    """Ids of n particles as the library has them; None stays so."""
    if ids is None:
        return None
    host = numbers_of(ids, "ids", kinds="iu").astype("i8", copy=False)
    if host.shape != (n,):
        raise ValueError(f"ids: of shape ({n},), not {host.shape}")
    return host


def _ascend(groups: Groups, ids: Optional[np.ndarray], what: str) -> None:
    order = groups.member if ids is None else ids[groups.member]
    fall = order[1:] <= order[:-1]
    fall[groups.offset[1:-1] - 1] = False
    if fall.any():
        raise ValueError(f"{what} {order[1:][fall][0]}")


def groups(labels: ArrayLike, ids: Optional[ArrayLike] = None, min_members: int = 1,
           device: Optional[Device] = None) -> Groups:
    """The groups that labels tell, by descending number of members, ties by ascending tag.

    labels : (n,) of integers, of any finder: equal for the members of a group, negative for
        particles in none
    ids : (n,) int64, unique; None: the indices
    min_members : groups with fewer are left out
    Returns Groups.

    >>> weft.groups([5, 7, 7, -1]).tag
    array([1, 0])
    """
    given = numbers_of(labels, "labels", kinds="iu")
    if given.ndim != 1 or len(given) >= _MOST:
        raise ValueError(f"labels: of shape (n,), n below 2^32 - 1, not {given.shape}")
    if not 1 <= operator.index(min_members) < 2**63:
        raise ValueError(f"min_members: {min_members} is not at least 1, or does not fit 64 bits")
    n = len(given)
    outside = given < 0
    if n and given.max() >= n:  # the library's are below n
        given = np.unique(given, return_inverse=True)[1]
    label = given.astype("u4")
    label[outside] = _MOST
    id_of = ids_of(ids, n)
    found = _library.Halos()
    with Use(device_of(device)) as use:
        use.call("weft_halos_group", use.lend(label, U32),
                 NOTHING if id_of is None else use.lend(id_of, I64), min_members, found)
        use.check()
        parts = [np.empty(array.length, dtype) for array, dtype in
                 ((found.tag, "i8"), (found.offset, "i8"), (found.member, "u4"))]
        for array, numbers in zip((found.tag, found.offset, found.member), parts):
            use.read(array, numbers)
        functions["weft_halos_free"](use.handle, found)
    made = Groups(parts[0], parts[1], parts[2].astype("i8"))
    _ascend(made, id_of, "ids: two members of a group have the id")
    return made


def _check(given: Groups, n: int, ids: Optional[np.ndarray]) -> Groups:
    tag, offset, member = (numbers_of(part, name, kinds="iu").astype("i8", copy=False)
                           for part, name in zip(given, Groups._fields))
    if offset.shape != (len(tag) + 1,) or offset[0] != 0 or offset[-1] != len(member):
        raise ValueError(f"offset: {len(tag) + 1} numbers from 0 to {len(member)}, one more than tags")
    if (offset[1:] <= offset[:-1]).any():
        raise ValueError(f"offset: group {np.argmax(offset[1:] <= offset[:-1])} has no members")
    if len(member) and not 0 <= member.min() <= member.max() < n:
        raise ValueError(f"member: indices of particles, from 0 to {n - 1}")
    made = Groups(tag, offset, member)
    _ascend(made, ids, "member: the ids of a group's members ascend, up to one that comes before or at the id")
    return made


def lend_groups(use: Use, given: Groups) -> _library.Halos:
    """Groups as the library has them."""
    return _library.Halos(len(given.tag), len(given.member), use.lend(given.tag, I64), use.lend(given.offset, I64),
                          use.lend(given.member.astype("u4"), U32))


def groups_of(given: Union[Groups, ArrayLike], n: int, ids, device: Device) -> Groups:
    """Labels, or groups, of n particles as groups."""
    if isinstance(given, Groups):
        return _check(given, n, ids_of(ids, n))
    if np.shape(given) != (n,):
        raise ValueError(f"groups: weft.Groups, or labels of shape ({n},), not {np.shape(given)}")
    return groups(given, ids, device=device)


def bodies(use: Use, positions, masses, box, velocities=None) -> _library.Bodies:
    """Particles with mass: one number for all, or an array."""
    found = _library.Bodies(points=points(use, positions), particle_mass=1.0)
    found.box[:] = box_of(box)
    n = found.points.count
    if np.ndim(masses) == 0:
        found.particle_mass = float(masses)
        if not 0 < found.particle_mass < np.inf:
            raise ValueError(f"masses: {found.particle_mass} is not above 0 and finite")
    for name, numbers, shape in (("mass", masses, (n,)), ("velocity", velocities, (n, 3))):
        if numbers is None or np.ndim(numbers) == 0:
            continue
        host = floats_of(numbers, "masses" if name == "mass" else "velocities")
        if host.shape != shape:
            raise ValueError(f"{'masses' if name == 'mass' else 'velocities'}: of shape {shape}, not {host.shape}")
        setattr(found, name, use.lend(host, TYPES[host.dtype]))
    return found


def _length(positions) -> int:
    return len(positions) if isinstance(positions, Array) else np.shape(positions)[0] if np.ndim(positions) else 0


def _find(name: str, positions, given, ids, device, arguments) -> Centers:
    """Calls a finder of the library; `arguments` gives what is between device and groups."""
    device = device_of(device, positions)
    given = groups_of(given, _length(positions), ids, device)
    n = len(given.tag)
    index, value = np.empty(n, "u4"), np.empty(n, "u4" if name == "weft_mcp" else "f8")
    with Use(device) as use:
        use.call(name, *arguments(use), lend_groups(use, given), use.lend_out(index, U32),
                 use.lend_out(value, U32 if name == "weft_mcp" else F64))
    place = index.astype("i8")
    return Centers(place, np.asarray(positions)[place], value.astype("i8") if name == "weft_mcp" else value)


def mbp(positions: Numbers, groups: Union[Groups, ArrayLike], masses: ArrayLike = 1.0,
        ids: Optional[ArrayLike] = None, box: Optional[ArrayLike] = None, softening: float = 0.0,
        device: Optional[Device] = None) -> Centers:
    """The most bound particle of each group, exactly: the member with the smallest
    - sum m_j / sqrt(r_ij^2 + softening^2) over the other members, ties to the smallest id.

    positions : (n, 3) of float32 or float64
    groups : labels (n,), negative for particles in no group; or weft.Groups
    masses : (n,), or one number for all
    ids : (n,) int64, unique; None: the indices
    box : the period, or one for each axis, 0 for axes that are not periodic; None: no axis is
    softening : Plummer's, in the unit of the positions
    Returns Centers by descending number of members; ``value`` is the potential, in units of
    mass and length.

    >>> weft.mbp([[0.0, 0, 0], [1, 0, 0], [3, 0, 0]], [0, 0, 0]).index
    array([1])
    """
    return _find("weft_mbp", positions, groups, ids, device,
                 lambda use: (bodies(use, positions, masses, box), _library.MbpOptions(softening=softening)))


def mcp(positions: Numbers, groups: Union[Groups, ArrayLike], linking_length: float,
        ids: Optional[ArrayLike] = None, box: Optional[ArrayLike] = None,
        device: Optional[Device] = None) -> Centers:
    """The most connected particle of each group: the member with the most friends, which are
    the others of all particles within the linking length; ties go to the smallest id.

    positions : (n, 3) or (n, 2) of float32 or float64
    linking_length : in the unit of the positions
    groups, ids, box : as for ``weft.mbp``
    Returns Centers; ``value`` is the number of friends.

    >>> weft.mcp([[0.0, 0], [1, 0], [2, 0]], [0, 0, 0], linking_length=1).index
    array([1])
    """
    rule = _library.FofOptions(linking_length=linking_length, min_friends=1)  # among all particles
    rule.box[:] = box_of(box)
    return _find("weft_mcp", positions, groups, ids, device, lambda use: (points(use, positions), rule, None))


def poisson(positions: Numbers, groups: Union[Groups, ArrayLike], masses: ArrayLike = 1.0,
            ids: Optional[ArrayLike] = None, box: Optional[ArrayLike] = None, softening: float = 0.0,
            grid: Optional[int] = None, boundary: str = "zero", device: Optional[Device] = None) -> Centers:
    """The most bound of the members near the minimum of a potential on a grid, for each group.
    It need not be the most bound of all, which ``weft.mbp`` finds in less time.

    grid : points of the grid along an axis, 3 to 255; None: 7, 15, 31 or 63, by the number of
        members
    boundary : "zero", no potential beyond the grid, or "open", empty space around it
    positions, groups, masses, ids, box, softening : as for ``weft.mbp``
    Returns Centers; ``value`` is the potential, exactly.

    >>> weft.poisson([[0.0, 0, 0], [1, 0, 0], [3, 0, 0]], [0, 0, 0]).index
    array([1])
    """
    if boundary not in ("zero", "open"):
        raise ValueError(f"boundary: 'zero' or 'open', not {boundary!r}")
    options = _library.PoissonOptions(softening=softening, grid=grid or 0, boundary=int(boundary == "open"))
    return _find("weft_poisson", positions, groups, ids, device,
                 lambda use: (bodies(use, positions, masses, box), options))
