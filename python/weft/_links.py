"""Who became whom: links between groups of two snapshots, and merger trees of several."""

from __future__ import annotations

import ctypes
import os
import tempfile
from typing import Dict, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _command, _library
from ._arrays import I64, TYPES, U32, Owner, numbers_of
from ._catalogue import Catalogue, Subhalos
from ._device import Device, Use, current_device
from ._files import Path
from ._halos import is_path
from ._table import Column, Table

_U64 = TYPES[np.dtype("u8")]

#: Groups with the ids of their members: a catalogue or subhalos with members, or (offset, ids).
Linked = Union[Catalogue, Subhalos, Tuple[ArrayLike, ArrayLike]]


class Links(NamedTuple):
    """For each group of one snapshot the one of another that it goes to."""

    #: (g,) int64, its number there; -1: no particle is in any.
    target: np.ndarray
    #: (g,) uint64, the weight of the particles in both.
    weight: np.ndarray
    #: (g,) int64, how many they are.
    shared: np.ndarray


def _whole(numbers, name: str) -> np.ndarray:
    host = numbers_of(numbers, name, kinds="iu").astype("i8", copy=False)
    if host.ndim != 1:
        raise ValueError(f"{name}: of shape (n,), not {host.shape}")
    return host


def _parts(given: Linked, name: str):
    """Offset, ids and tags; whether members are in an order of importance."""
    if isinstance(given, (Catalogue, Subhalos)):
        if given.members is None or len(given.members) != given.offset[-1]:
            raise ValueError(f"{name}: has no members: weft.halos(..., members=True)")
        return given.offset, given.members, given["tag"], isinstance(given, Subhalos)
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise TypeError(f"{name}: a catalogue, subhalos, or offset and ids, not {type(given).__name__}")
    offset, ids = _whole(given[0], f"{name}: offset"), _whole(given[1], f"{name}: ids")
    if not len(offset) or offset[0] != 0 or offset[-1] != len(ids) or (offset[1:] < offset[:-1]).any():
        raise ValueError(f"{name}: offset rises from 0 to {len(ids)}")
    return offset, ids, None, False


def links(groups: Linked, others: Linked, ordered: Optional[bool] = None, device: Optional[Device] = None) -> Links:
    """Who became whom. A particle that is number r of its group, from 0, has the weight
    2^32 / (1 + sqrt(r)), rounded down; a group goes to the one with the largest weight of
    particles in both, then with most of them, then with the smallest tag, then to the first.

    groups : a catalogue of `weft.halos` with members, its subhalos, or (offset, ids): the
        members of group g have the ids ``ids[offset[g]:offset[g + 1]]``, each in one group
    others : the groups of the other snapshot. A later one: these are descendants; an earlier
        one: main progenitors
    ordered : whether members come in order of importance; if not all have the weight 2^32;
        None: those of subhalos are
    Returns Links.

    >>> weft.links(([0, 2, 5], [1, 2, 3, 4, 5]), ([0, 3], [5, 4, 1])).target
    array([0, 0])
    """
    offset, ids, tag, by_energy = _parts(groups, "groups")
    other_offset, other_ids, other_tag, _ = _parts(others, "others")
    n = len(offset) - 1
    target, weight, shared = np.empty(n, "u4"), np.empty(n, "u8"), np.empty(n, "u4")
    with Use(current_device(device)) as use:
        source, goal = _library.LinksGroups(n, len(ids)), _library.LinksGroups(len(other_offset) - 1, len(other_ids))
        for struct, parts in ((source, (offset, ids, tag)), (goal, (other_offset, other_ids, other_tag))):
            for name, numbers in zip(("offset", "id", "tag"), parts):
                if numbers is not None:
                    setattr(struct, name, use.lend(numbers, I64))
        if not (by_energy if ordered is None else ordered):
            source.rank = use.lend(np.zeros(len(ids), "u4"), U32)
        use.call("weft_links", source, goal, use.lend_out(target, U32), use.lend_out(weight, _U64),
                 use.lend_out(shared, U32))
    found = target.astype("i8")
    found[target == 2**32 - 1] = -1
    return Links(found, weight, shared.astype("i8"))


class Trees(Table):
    """Merger trees; ``trees["SubhaloMass"]`` is a column of TreeHalos in GADGET-4's layout
    (docs/links.md), and ``columns`` tells what each is.

    Tree t is the rows ``offset[t]:offset[t + 1]``, its root first; ``redshift`` that of each
    snapshot, ``kind`` "halos" or "subhalos"; ``len()`` the number of trees.
    """

    def __init__(self, handle: int):
        owner, about = Owner(_command.trees_free, handle), _command.Forest()
        _command.trees_about(handle, about)
        self.kind: str = about.kind.decode()
        self.offset = np.append(owner.array(about.start, "i8", (about.trees,)), about.halos)
        self.redshift = owner.array(about.redshift, "f8", (about.snapshots,))
        self.columns: Dict[str, Column] = {}
        self._data: Dict[str, np.ndarray] = {}
        for k in range(about.columns):
            found = _command.Column()
            _command.trees_column(handle, k, found)
            name = found.name.decode()
            shape = (found.rows,) if found.components == 1 else (found.rows, found.components)
            self.columns[name] = Column(found.unit.decode(), found.description.decode())
            self._data[name] = owner.array(found.data, found.type.decode(), shape)

    def __len__(self) -> int:
        return len(self.offset) - 1

    def __repr__(self) -> str:
        return f"<weft.Trees: {len(self)} of {self.offset[-1]} {self.kind}>"


def link(catalogues: Sequence[Union[Path, Catalogue]], *, halos: bool = False, output: Optional[Path] = None,
         device: Optional[Device] = None) -> Trees:
    """Merger trees of the halos or subhalos of several snapshots.

    catalogues : in order of time, each of `weft.halos(..., members=True)`, or the HDF5 file of
        one; where they have subhalos these are linked
    halos : link halos, also where there are subhalos
    output : a file to write, too, as `weft link` does
    Returns Trees.

    >>> x = np.random.default_rng(1).normal(25, 1, (100, 3))
    >>> found = [weft.halos(x, 0.2, box=50, members=True, redshift=z, h=0.7) for z in (1, 0)]
    >>> weft.link(found)["TreeDescendant"]
    array([-1,  0])
    """
    if is_path(catalogues) or len(catalogues) < 2:
        raise ValueError("catalogues: two at least, in order of time")
    status = ctypes.c_int()
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for k, given in enumerate(catalogues):
            if isinstance(given, Catalogue):
                if given.members is None or len(given.members) != given.offset[-1]:
                    raise ValueError(f"catalogues[{k}]: has no members: weft.halos with members=True gives them")
                paths.append(os.fsencode(os.path.join(folder, f"catalogues[{k}].hdf5")))
                given.to_hdf5(paths[-1])
            elif is_path(given):
                paths.append(os.fsencode(given))
            else:
                raise TypeError(f"catalogues[{k}]: a catalogue or its file, not {type(given).__name__}")
        listed = (ctypes.c_char_p * len(paths))(*paths)
        with Use(current_device(device)) as use, _command.listening():
            handle = _command.link(use.handle, listed, len(paths), int(halos),
                                   None if output is None else os.fsencode(output), status)
            if handle is None:
                use.check()
                _command.fail(status.value)
    return Trees(handle)
