"""DBSCAN with scikit-learn's interface."""

from __future__ import annotations

from typing import Optional

import numpy as np

from . import _library
from ._arrays import I64, TYPES, U32, box_of, device_of, floats_of, points
from ._device import Device, Use

try:
    from sklearn.base import BaseEstimator, ClusterMixin
except ImportError:  # what is needed of them
    class BaseEstimator:
        def get_params(self, deep: bool = True):
            return {name: getattr(self, name) for name in ("eps", "min_samples", "box")}

        def set_params(self, **parameters):
            for name, value in parameters.items():
                if name not in self.get_params():
                    raise ValueError(f"there is no parameter {name!r}")
                setattr(self, name, value)
            return self

    class ClusterMixin:
        def fit_predict(self, X, y=None):
            return self.fit(X).labels_


class DBSCAN(ClusterMixin, BaseEstimator):
    """Clusters among noise: scikit-learn's labels, exactly decided, in one to three dimensions.

    eps : distance within which points are neighbours
    min_samples : a core point has so many points within eps, itself counted
    box : the period, or one for each axis; None: not periodic
    After ``fit(X)``: ``labels_`` (-1: noise), ``core_sample_indices_``, ``components_``.

    >>> weft.DBSCAN(eps=1.5, min_samples=2).fit_predict([[0.0, 0], [1, 0], [9, 9]])
    array([ 0,  0, -1])
    """

    def __init__(self, eps: float = 0.5, min_samples: int = 5, box=None):
        self.eps = eps
        self.min_samples = min_samples
        self.box = box

    def fit(self, X, y=None) -> "DBSCAN":
        X = floats_of(X, "X")
        if X.ndim != 2 or not 1 <= X.shape[1] <= 3:
            raise ValueError(f"X: of shape (n, 1), (n, 2) or (n, 3), not {X.shape}")
        n, axes = X.shape
        if n == 0:
            raise ValueError("X: there are no points")
        where = np.column_stack([X, np.zeros_like(X)]) if axes == 1 else X
        box = box_of(self.box, axes)
        labels, friends = np.empty(n, "i8"), np.empty(n, "u4")
        options = _library.DbscanOptions(eps=self.eps, min_points=self.min_samples)
        rule = _library.FofOptions(linking_length=self.eps)
        options.box[:] = rule.box[:] = box
        with Use(device_of(None)) as use:
            at = points(use, where, "X")
            use.call("weft_dbscan", at, options, use.lend_out(labels, I64))
            use.call("weft_friends_count", at, rule, None, use.lend_out(friends, U32))
        self.labels_ = labels
        self.core_sample_indices_ = np.flatnonzero(friends.astype("i8") + 1 >= self.min_samples)
        self.components_ = X[self.core_sample_indices_].copy()
        self.n_features_in_ = axes
        return self
