"""DBSCAN with scikit-learn's interface."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike

from . import _features, _library
from ._arrays import Array, Numbers, box_of, device_of, floats_of, points, type_of
from ._device import Use

try:
    from sklearn.base import BaseEstimator, ClusterMixin
except ImportError:  # what is needed of them
    class BaseEstimator:  # type: ignore[no-redef]
        def get_params(self, deep: bool = True):
            return {name: getattr(self, name) for name in ("eps", "min_samples", "box")}

        def set_params(self, **parameters):
            for name, value in parameters.items():
                if name not in self.get_params():
                    raise ValueError(f"there is no parameter {name!r}")
                setattr(self, name, value)
            return self

    class ClusterMixin:  # type: ignore[no-redef]
        def fit_predict(self, X, y=None):
            return self.fit(X).labels_


def _floats(estimator, X) -> np.ndarray:
    """X as scikit-learn checks it, where that is installed; f4 and f8 as they lie."""
    checked = getattr(estimator, "_validate_data", None)
    if isinstance(X, np.ma.MaskedArray):
        return floats_of(X, "X")
    try:
        from sklearn.utils.validation import validate_data
    except ImportError:  # before scikit-learn 1.6 it was a method
        return checked(X, dtype=["f8", "f4"], order="C") if checked else floats_of(X, "X")
    return validate_data(estimator, X, dtype=["f8", "f4"], order="C")


class DBSCAN(ClusterMixin, BaseEstimator):
    """Clusters among noise: scikit-learn's labels, exactly decided.

    eps : distance within which points are neighbours, above 0
    min_samples : a core point has so many points within eps, itself counted
    box : the period, or one for each axis; None: not periodic
    After ``fit(X)``: ``labels_`` (n,) int64 (-1: noise), ``core_sample_indices_``, ``components_``.

    X is (n, features), a NumPy array or a ``weft.Array``. With one to three features it runs on the
    device; with more, all pairs are tried by NumPy, and there is no ``box``. Points have no weights.

    >>> weft.DBSCAN(eps=1.5, min_samples=2).fit_predict([[0.0, 0], [1, 0], [9, 9]])
    array([ 0,  0, -1])
    """

    def __init__(self, eps: float = 0.5, min_samples: int = 5, box: Optional[ArrayLike] = None):
        self.eps = eps
        self.min_samples = min_samples
        self.box = box

    def fit(self, X: Numbers, y: Any = None, **others: Any) -> "DBSCAN":
        """Finds the clusters of X. ``y`` is not used.

        >>> weft.DBSCAN(eps=1.5, min_samples=2).fit([[0.0, 0], [1, 0], [9, 9]]).core_sample_indices_
        array([0, 1])
        """
        if others.pop("sample_weight", None) is not None:
            raise ValueError("sample_weight: points have no weights here: give those of weight 2 twice")
        for name in others:
            raise TypeError(f"fit: there is no argument {name!r}")
        X = X if isinstance(X, Array) else _floats(self, X)
        if X.ndim != 2 or X.shape[1] < 1:
            raise ValueError(f"X: points of one feature at least, not {X.shape[1:]} (n_samples={(*X.shape, 1)[0]})")
        n, axes = X.shape
        if n == 0:
            raise ValueError("X: there are no points")
        where: Any = X
        if axes == 1:
            where = np.column_stack([np.asarray(X), np.zeros((n, 1), X.dtype)])
        elif axes > 3:  # of none of them the device checks the options
            where = np.zeros((0, 3), X.dtype)
            if self.box is not None:
                raise ValueError(f"box: for one to three features, not {axes}")
        labels = np.empty(len(where), "i8")
        options = _library.DbscanOptions(eps=self.eps, min_points=self.min_samples, borders_apart=1)
        options.box[:] = box_of(self.box, axes)
        device = device_of(None, where)
        with Use(device) as use:
            use.call("weft_dbscan", points(use, where, "X"), options, use.lend_out(labels, type_of(labels.dtype)))
        if axes > 3:
            labels = _features.dbscan(np.asarray(X), self.eps, self.min_samples)
        self.core_sample_indices_ = np.flatnonzero(labels >= 0)
        borders = np.flatnonzero(labels < -1)
        labels[borders] = -2 - labels[borders]
        self.labels_ = labels
        self.components_ = np.take(np.asarray(X), self.core_sample_indices_, axis=0)
        self.n_features_in_ = axes
        return self

    def fit_predict(self, X: Numbers, y: Any = None, **others: Any) -> np.ndarray:
        """``fit(X).labels_``.

        >>> weft.DBSCAN(eps=1.5, min_samples=1).fit_predict([[0.0], [1], [9]])
        array([0, 0, 1])
        """
        return self.fit(X, y, **others).labels_
