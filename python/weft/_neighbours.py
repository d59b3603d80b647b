"""Nearest neighbours."""

from __future__ import annotations

from typing import NamedTuple, Optional, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _library
from ._arrays import F64, U32, Numbers, box_of, device_of, points
from ._centers import Groups, groups_of, lend_groups
from ._device import Device, Use


class Neighbours(NamedTuple):
    """The k nearest others of each point, nearest first."""

    #: (n, k) int64, their indices; -1 where there are fewer.
    index: np.ndarray  # type: ignore[assignment]
    #: (n, k) float64; infinite where there are fewer.
    distance: np.ndarray


def neighbours(positions: Numbers, count: int, groups: Union[Groups, ArrayLike, None] = None,
               ids: Optional[ArrayLike] = None, box: Optional[ArrayLike] = None,
               device: Optional[Device] = None) -> Neighbours:
    """The nearest neighbours of each point, itself left out; exactly.

    positions : (n, 3) or (n, 2) of float32 or float64
    count : k, 1 to 64
    groups : labels (n,), negative for points in no group, or weft.Groups: neighbours are sought
        in a point's own group alone, and points in none have none; None: all are in one
    ids : (n,) int64, unique, the smaller first of those at one distance; None: the indices.
        With groups alone
    box : the period, or one for each axis, 0 for axes that are not periodic; None: no axis is
    Returns Neighbours.

    >>> weft.neighbours([[0.0, 0], [1, 0], [3, 0]], 1).index[:, 0]
    array([1, 0, 1])
    """
    if not 1 <= count <= 64:
        raise ValueError(f"count: 1 to 64 neighbours, not {count}")
    if ids is not None and groups is None:
        raise ValueError("ids: they are for groups")
    options = _library.NeighboursOptions(count=count)
    options.box[:] = box_of(box)
    device = device_of(device, positions)
    with Use(device) as use:
        where = points(use, positions)
        n = where.count
        among = None if groups is None else groups_of(groups, n, ids, device)
        rows = n if among is None else len(among.member)
        place, square = np.empty((rows, count), "u4"), np.empty((rows, count))
        halos = None if among is None else lend_groups(use, among)
        use.call("weft_neighbours", where, options, halos, use.lend_out(place, U32), use.lend_out(square, F64))
        use.check()
    index, distance = place.astype("i8"), np.sqrt(square)
    index[place == 2**32 - 1] = -1
    if among is None:
        return Neighbours(index, distance)
    found = Neighbours(np.full((n, count), -1), np.full((n, count), np.inf))
    found.index[among.member] = np.where(index < 0, -1, among.member[index])
    found.distance[among.member] = distance
    return found
