"""DBSCAN of points with more features than space has axes: all pairs, by NumPy."""

from __future__ import annotations

from typing import Iterator

import numpy as np

BLOCK = 1 << 22  # distances at a time


def _near(rows: np.ndarray, X: np.ndarray, eps: float) -> Iterator[np.ndarray]:
    """For some points after others: whether each point is within eps of them, itself too."""
    step = max(1, BLOCK // len(X))
    for first in range(0, len(rows), step):
        some = X[rows[first : first + step]]
        squares = np.zeros((len(some), len(X)))
        for axis in range(X.shape[1]):
            squares += (some[:, axis, None] - X[:, axis]) ** 2
        yield squares <= eps * eps


def dbscan(X: np.ndarray, eps: float, min_points: int) -> np.ndarray:
    """Labels as weft_dbscan gives them with borders_apart: clusters by the smallest index of their core
    points, -1 for noise, -2 - c for what joins cluster c without being core."""
    wide = np.asarray(X, "f8")
    bad = np.flatnonzero(~np.isfinite(wide).all(axis=1))
    if len(bad):
        raise ValueError(f"X: particle {bad[0]} has a coordinate that is not finite")
    is_core = np.concatenate([near.sum(axis=1) for near in _near(np.arange(len(wide)), wide, eps)]) >= min_points
    cluster = np.full(len(wide), -1, "i8")
    number = 0
    for i in np.flatnonzero(is_core):
        if cluster[i] >= 0:
            continue
        cluster[i] = number
        front = np.array([i])
        while len(front):
            reached = np.zeros(len(wide), bool)
            for near in _near(front, wide, eps):
                reached |= near.any(axis=0)
            reached &= cluster < 0
            cluster[reached] = number
            front = np.flatnonzero(reached & is_core)
        number += 1
    return np.where(is_core | (cluster < 0), cluster, -2 - cluster)
