"""usage: test_dbscan.py BUILD/python: weft.DBSCAN and weft.fof beside scikit-learn's DBSCAN, and as its estimator."""

import os
import sys
import warnings

os.environ["OMP_NUM_THREADS"] = "1"  # scikit-learn's threads would wait for each other most of the time
import numpy as np  # noqa: E402

from support import raises  # noqa: E402

sys.path.insert(0, sys.argv[1])
import weft  # noqa: E402


def refusals():
    points = np.zeros((3, 2))
    raises(ValueError, "sample_weight: points have no weights", weft.DBSCAN().fit, points, sample_weight=[1, 2, 1])
    raises(ValueError, "no weights", weft.DBSCAN().fit_predict, points, sample_weight=[1, 2, 1])
    raises(TypeError, "'weight'", weft.DBSCAN().fit, points, weight=1)
    raises(ValueError, "box: for one to three features, not 4", weft.DBSCAN(box=1).fit, np.zeros((3, 4)))
    raises(ValueError, "feature", weft.DBSCAN().fit, np.zeros((3, 0)))
    raises(ValueError, "eps", weft.DBSCAN(eps=-1).fit, np.zeros((3, 4)))
    raises(ValueError, "masked", weft.DBSCAN().fit, np.ma.masked_equal(points, 0))
    raises(ValueError, "eps", weft.DBSCAN(eps=-1).fit, points)


def same_as_theirs(theirs):
    """Random points, and points of a lattice, at whose spacing distances tie. (f4 is exact in f8.)"""
    rng = np.random.default_rng(3)
    for case in range(200):
        axes, n, ties = 5 if case % 5 == 4 else 1 + case % 3, int(rng.integers(1, 120)), case % 4 == 0
        x = rng.integers(0, 6, (n, axes)) / 8 if ties else rng.random((n, axes))
        x = x.astype("f4" if case % 2 else "f8")
        eps, least = float(rng.integers(1, 3) / 8 if ties else rng.uniform(0.01, 0.2) * (1 if axes < 4 else 3)), int(rng.integers(1, 8))
        how = "brute" if ties else "auto"  # which decides ties as they are
        expected = theirs(eps=eps, min_samples=least, algorithm=how).fit(x.astype("f8"))
        ours = weft.DBSCAN(eps, least).fit(x)
        assert (ours.labels_ == expected.labels_).all(), case
        assert (ours.core_sample_indices_ == expected.core_sample_indices_).all(), case
        assert ours.components_.dtype == x.dtype and (ours.components_ == x[ours.core_sample_indices_]).all()
        if 1 < axes < 4:
            groups = theirs(eps=eps, min_samples=1, algorithm=how).fit(x.astype("f8")).labels_
            first = np.unique(groups, return_index=True)[1]
            assert (weft.fof(x, eps) == first[groups]).all(), case
            on = weft.DBSCAN(eps, least).fit(weft.array(x))
            assert (on.labels_ == expected.labels_).all(), case


refusals()
try:
    from sklearn.cluster import DBSCAN
    from sklearn.utils.estimator_checks import check_estimator
except ImportError:
    sys.exit(print("skipped: scikit-learn is not installed") or 77)
same_as_theirs(DBSCAN)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    check_estimator(weft.DBSCAN())
