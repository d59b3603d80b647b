"""usage: clusters.py [PICTURE]: clusters of points in a plane, as scikit-learn finds them; a picture by matplotlib."""

import sys
import time

import numpy as np
import weft

# %% Blobs of points, and noise.
rng = np.random.default_rng(1)
blobs = [rng.normal(rng.uniform(0, 100, 2), rng.uniform(0.2, 2), (2000, 2)) for _ in range(100)]
points = np.concatenate([*blobs, rng.uniform(0, 100, (50000, 2))])

# %% Their clusters. (The first call opens the device, and is not timed.)
finder = weft.DBSCAN(eps=0.5, min_samples=15).fit(points)
start = time.perf_counter()
labels = finder.fit_predict(points)
seconds = time.perf_counter() - start
print(f"{labels.max() + 1} clusters of {len(points)} points, {np.mean(labels < 0):.0%} of them noise")

# %% The same by scikit-learn on all cores, where it is installed: labels are equal, the time is not.
try:
    from sklearn.cluster import DBSCAN
except ImportError:
    print("scikit-learn is not installed")
else:
    theirs = DBSCAN(eps=0.5, min_samples=15, n_jobs=-1)
    theirs.fit(points[:1000])  # starts its threads
    start = time.perf_counter()
    same = (theirs.fit_predict(points) == labels).all()
    ratio = (time.perf_counter() - start) / seconds
    print("labels are", "equal;" if same else "different;", f"{ratio:.0f} times as fast")

# %% A color for each cluster.
if len(sys.argv) > 1:
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(5, 5), layout="constrained")
    axes.scatter(*points.T, s=0.05, c=np.where(labels < 0, np.nan, labels % 20), cmap="tab20", plotnonfinite=True)
    figure.savefig(sys.argv[1])
