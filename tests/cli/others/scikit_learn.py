"""weft dbscan against scikit-learn: usage: scikit_learn.py WEFT BACKEND SNAPSHOT-OR-NOTHING.

Its kd_tree decides exact ties as the definition does where a few far points are added."""
import subprocess
import sys
import tempfile

try:
    import numpy as np
    from sklearn.cluster import DBSCAN
except ImportError:
    sys.exit(77)

weft, backend = sys.argv[1:3]
folder = tempfile.TemporaryDirectory()
random = np.random.default_rng(1)
wrong = 0


def compare(name, points, eps, min_points):
    global wrong
    axes = points.shape[1]
    extent = np.abs(points).max() + 10 * eps
    far = np.array([[100 * extent * (k + 2)] * axes for k in range(50)])
    expected = DBSCAN(eps=eps, min_samples=min_points, algorithm="kd_tree").fit(
        np.concatenate([points.astype("f8"), far])).labels_[:len(points)]
    np.save(folder.name + "/points.npy", points)
    subprocess.run([weft, "dbscan", folder.name + "/points.npy", "--eps", repr(eps),
                    "--min-points", str(min_points), "-q", "--backend", backend,
                    "-o", folder.name + "/labels"], check=True)
    got = np.fromfile(folder.name + "/labels", "<i8")
    if not np.array_equal(got, expected):
        wrong += 1
        print(f"{name}, eps {eps}, min_points {min_points}: {(got != expected).sum()} of "
              f"{len(points)} labels differ")


for axes in 2, 3:
    lattice = np.stack(np.meshgrid(*[np.arange(12.0)] * axes), -1).reshape(-1, axes)
    sets = {
        "uniform": random.random((4000, axes)) * (12 if axes == 2 else 8),
        "clumps": random.normal(size=(4000, axes)) ** 3,
        "float32": (random.normal(size=(4000, axes)) * 3).astype("f4"),
        "lattice": random.permutation(lattice),
        "duplicates": random.permutation(lattice[random.integers(len(lattice), size=3000)]),
    }
    for name, points in sets.items():
        for eps, min_points in ((0.5, 4), (0.25, 2), (1.0, 1), (1.0, 4), (1.0, 7),
                                (1.0, 30), (2.0 ** 0.5, 5), (2.0 ** 0.5, 9), (2.0, 13)):
            compare(f"{name} {axes}D", points, eps, min_points)
sys.exit(wrong > 0)
