"""Groups of points, and the particles in their middle."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, Optional

import numpy as np
from numpy.typing import ArrayLike

from . import _library
from ._arrays import (DTYPES, F64, I64, NOTHING, TYPES, U32, Array, Numbers, box_of, device_of, floats_of,
                      numbers_of, points)
from ._device import Device, Use

_NONE = 2**32 - 1  # a label of the library: in no group


def _rule(linking_length, box, min_friends) -> _library.FofOptions:
    rule = _library.FofOptions(linking_length=linking_length, min_friends=min_friends)
    rule.box[:] = box_of(box)
    return rule


def _labels(use: Use, positions, rule) -> np.ndarray:
    where = points(use, positions)
    labels = np.empty(where.count, "u4")
    use.call("weft_fof", where, rule, use.lend_out(labels, U32))
    return labels


def fof(positions: Numbers, linking_length: float, box: Optional[ArrayLike] = None, min_friends: int = 0,
        min_members: int = 1, device: Optional[Device] = None) -> np.ndarray:
    """Friends-of-friends groups.

    Two points are friends where their distance is at most the linking length, decided
    exactly in 64-bit arithmetic; a group is all that friends connect.

    positions : (n, 3) or (n, 2) of float32 or float64
    linking_length : in the unit of the positions
    box : the period, or one for each axis, 0 for axes that are not periodic; None: no axis is
    min_friends : points with fewer friends are left out
    min_members : so are groups with fewer points
    Returns (n,) int64: the smallest index in the point's group; -1: left out.

    >>> weft.fof([[0.1, 0, 0], [9.9, 0, 0], [5, 0, 0]], linking_length=0.3, box=10)
    array([0, 0, 2])
    """
    with Use(device_of(device, positions)) as use:
        labels = _labels(use, positions, _rule(linking_length, box, min_friends))
        use.check()
    groups = labels.astype(np.int64)
    if min_friends > 0:
        groups[labels == _NONE] = -1
    if min_members > 1:
        known = groups >= 0
        members = np.bincount(groups[known], minlength=len(groups))
        groups[known] = np.where(members[groups[known]] < min_members, -1, groups[known])
    return groups
