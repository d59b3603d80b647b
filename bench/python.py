"""usage: bench/python.py BUILD SNAPSHOT [--dbscan] [--fof]: what Python costs beside C, or scikit-learn on the same
points.

Beside C both sides in turn, the median of the rounds; scikit-learn once. The figures of docs/measurements/python.md are from it.
"""

import os
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

build, snapshot = sys.argv[1:3]
root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(build, "python"))
import weft  # noqa: E402

# Reads n, a box, a linking length and positions of f32; a line that says how often to find
# groups is answered by the least seconds.
PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <weft/weft.h>
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
int main(int argc, char **argv) {
    const int64_t n = atoll(argv[1]);
    const double box = atof(argv[2]);
    const weft_fof_options rule = {.linking_length = atof(argv[3]), .box = {box, box, box}};
    float *x = malloc(12 * (size_t)n);
    uint32_t *label = malloc(4 * (size_t)n);
    int64_t *out = malloc(8 * (size_t)n);
    FILE *file = fopen(argv[4], "rb");
    if (argc < 5 || !file || fread(x, 12, (size_t)n, file) != (size_t)n) return 1;
    weft_device *device = weft_open(NULL);
    for (char line[32]; fgets(line, sizeof line, stdin);) {
        double least = 1e9;
        for (int k = atoi(line); k > 0; k--) {
            const double begin = now();
            const weft_array at = weft_borrow_const(device, WEFT_F32, x, 3 * n);
            const weft_array labels = weft_borrow(device, WEFT_U32, label, n);
            const weft_points points = weft_points_interleaved(device, at);
            weft_fof(device, &points, &rule, labels);
            weft_return(device, labels);
            weft_return(device, at);
            for (int64_t i = 0; i < n; i++) out[i] = label[i];
            const double taken = now() - begin;
            least = taken < least ? taken : least;
        }
        if (weft_check(device)) return fputs(weft_error(device), stderr), 1;
        printf("%.9f\n", least);
        fflush(stdout);
    }
    return 0;
}
"""


def least(rounds, call):
    taken = []
    for _ in range(rounds):
        begin = time.perf_counter()
        call()
        taken.append(time.perf_counter() - begin)
    return min(taken)


def beside_c(folder, x, length, box, rounds, times):
    """(Python's seconds, C's): medians of rounds in turn, each the least of some calls; one round before warms up."""
    path = os.path.join(folder, "points")
    x.tofile(path)
    c = subprocess.Popen([os.path.join(folder, "program"), str(len(x)), str(box), repr(length), path], text=True,
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    ours, theirs = [], []
    for _ in range(rounds + 1):
        ours.append(least(times, lambda: weft.fof(x, length, box)))
        c.stdin.write(f"{times}\n")
        c.stdin.flush()
        theirs.append(float(c.stdout.readline()))
    c.communicate()
    return float(np.median(ours[1:])), float(np.median(theirs[1:]))


with h5py.File(snapshot) as file:
    x = np.ascontiguousarray(file["PartType1/Coordinates"][:], "f4")
    box = float(np.max(file["Header"].attrs["BoxSize"]))
length = float(0.2 * box / len(x) ** (1 / 3))


def all_beside_c(folder):
    with open(os.path.join(folder, "program.c"), "w") as file:
        file.write(PROGRAM)
    subprocess.run(["cc", "-std=gnu11", "-O2", "-I", os.path.join(root, "include"), os.path.join(folder, "program.c"),
                    "-L", build, "-lweft", "-Wl,-rpath," + os.path.abspath(build), "-o",
                    os.path.join(folder, "program")], check=True)
    few = np.random.default_rng(1).random((1000, 3), "f4")
    python, c = beside_c(folder, few, 0.02, 1.0, 20, 200)
    print(f"fof of 1,000 points: Python {python * 1e6:.1f} us, C {c * 1e6:.1f} us: {(python - c) * 1e6:.1f} us beyond C")
    python, c = beside_c(folder, x, length, box, 25, 1)
    print(f"fof of {len(x):,} points: Python {python:.4f} s, C {c:.4f} s, beyond C {100 * (python / c - 1):.1f} %")


if len(sys.argv) == 3:
    with tempfile.TemporaryDirectory() as work:
        all_beside_c(work)


def beside_theirs(words, seconds_of, theirs):
    begin = time.perf_counter()
    found = theirs()
    taken = time.perf_counter() - begin
    ours = least(7, seconds_of)
    print(f"{words}: weft {ours:.3f} s, scikit-learn {taken:.1f} s, {taken / ours:.0f} times", flush=True)
    return found


if "--dbscan" in sys.argv[3:]:
    from sklearn.cluster import DBSCAN

    def race(words, points, eps, least):
        labels = beside_theirs(f"DBSCAN of {len(points):,} {words}", lambda: weft.DBSCAN(eps, least).fit(points),
                               lambda: DBSCAN(eps=eps, min_samples=least, n_jobs=-1).fit_predict(points))
        assert (weft.DBSCAN(eps, least).fit_predict(points) == labels).all()

    race("points of a plane, ten neighbours", np.random.default_rng(2).random((10**6, 2)), (10 / np.pi / 10**6)**0.5, 5)
    rng = np.random.default_rng(1)  # as in examples/python/clusters.py
    blobs = [rng.normal(rng.uniform(0, 100, 2), rng.uniform(0.2, 2), (2000, 2)) for _ in range(100)]
    blobs = np.concatenate([*blobs, rng.uniform(0, 100, (50000, 2))])
    race("points in blobs", blobs, 0.5, 15)
    race("points in blobs, half the length", blobs, 0.25, 15)
if "--fof" in sys.argv[3:]:
    from sklearn.cluster import DBSCAN
    groups = beside_theirs(f"fof of {len(x):,} points, no axis periodic", lambda: weft.fof(x, length),
                           lambda: DBSCAN(eps=length, min_samples=1, n_jobs=2).fit_predict(x))
    assert len(np.unique(weft.fof(x, length))) == groups.max() + 1
