"""usage: test_weft.py BUILD/python LCDM64.hdf5 WEFT: the Python package against brute force, NumPy and the command."""

import os
import re
import subprocess
import sys
import tempfile
import threading

import numpy as np

from support import raises

build, snapshot, command, surface = sys.argv[1:5]
folder = tempfile.mkdtemp()
sys.path.insert(0, build)
import weft  # noqa: E402
from weft import _library  # noqa: E402


def definition(x, length, box):
    """Groups by brute force."""
    d = x[:, None].astype("f8") - x[None].astype("f8")
    if box:
        d -= box * np.rint(d / box)
    near = (d**2).sum(2) <= length**2
    labels = np.arange(len(x))
    while True:
        least = np.array([labels[row].min() for row in near])
        if (least == labels).all():
            return labels
        labels = least


def structs():
    """Sizes and places as they are recorded."""
    text = open(surface).read()
    names = {"Array": "array", "Points": "points", "Bodies": "bodies", "FofOptions": "fof_options",
             "DbscanOptions": "dbscan_options", "Halos": "halos", "HaloProperties": "halo_properties",
             "MbpOptions": "mbp_options", "PoissonOptions": "poisson_options", "SoOptions": "so_options",
             "SoSpheres": "so_spheres", "SoMeasures": "so_measures", "SoProperties": "so_properties",
             "ProfilesOptions": "profiles_options", "Profiles": "profiles", "Lattice": "lattice",
             "SheetOptions": "sheet_options", "NearestOptions": "nearest_options",
             "NeighboursOptions": "neighbours_options", "DeviceInfo": "device_info",
             "LinksGroups": "links_groups", "PowerOptions": "power_options",
             "Memory": "memory", "Cosmology": "cosmology"}
    for name, recorded in names.items():
        struct = getattr(_library, name)
        size = int(re.search(rf"^struct weft_{recorded}: (\d+) bytes", text, re.M)[1])
        assert _library.ctypes.sizeof(struct) == size, name
        for place, member in re.findall(rf"^struct weft_{recorded}: at +(\d+) (\w+):", text, re.M):
            assert getattr(struct, member).offset == int(place), (name, member)


def groups():
    rng = np.random.default_rng(1)
    for dtype in ("f4", "f8"):
        for box in (None, 1.0):
            x = rng.random((150, 3)).astype(dtype)
            assert (weft.fof(x, 0.1, box) == definition(x, 0.1, box)).all()
            assert (weft.fof(np.asfortranarray(x), 0.1, box) == weft.fof(x, 0.1, box)).all()
            assert (weft.fof(x[:, :2], 0.05, box) == definition(x[:, :2], 0.05, box)).all()
    for backend in ("serial", "pthreads"):
        with weft.Device(backend) as device:
            assert weft.current_device() is device
            assert len(weft.fof(np.empty((0, 3)), 1)) == 0


def refusals():
    raises(ValueError, "particle 1", weft.fof, [[0.0, 0, 0], [np.nan, 0, 0]], 1)
    raises(ValueError, "linking length", weft.fof, [[0.0, 0, 0]], -1)
    raises(ValueError, "(4,)", weft.fof, np.zeros(4), 1)
    raises(TypeError, "complex128", weft.fof, np.zeros((2, 3), complex), 1)
    raises(ValueError, "masked", weft.fof, np.ma.masked_equal(np.zeros((2, 3)), 0), 1)
    raises(weft.Error, "nonsense", weft.Device, "nonsense")
    raises(OSError, "No such file", weft.halos, "/nonexistent")
    raises(ValueError, "nonsense", weft.halos, snapshot, so="nonsense")
    raises(ValueError, "not above 0", weft.halos, np.zeros((2, 3)), box=1, masses=np.array([1.0, 0]))
    raises(ValueError, "comes twice", weft.halos, np.zeros((2, 3)), box=1, ids=np.array([1, 1]))
    for odd in np.array([1, -2]), np.array([1, 2**63], dtype="u8"):
        raises(ValueError, "the id of particle 1 in the arrays is not from 0 to 2^63 - 1", weft.halos,
               np.zeros((2, 3)), box=1, ids=odd)


def primitives():
    rng = np.random.default_rng(2)
    for n in (0, 1, 1000):
        for dtype in ("i4", "u8", "f4", "f8"):
            x = (rng.random(n) * 50).astype(dtype)
            order = np.argsort(x, kind="stable")
            assert (weft.sort(x) == x[order]).all() and (weft.argsort(x) == order).all()
            assert (weft.unique(x) == np.unique(x)).all()
            for side in ("left", "right"):
                assert (weft.searchsorted(x[order], x, side) == np.searchsorted(x[order], x, side)).all()
        assert (weft.cumsum(np.arange(n)) == np.cumsum(np.arange(n))).all()
    y = weft.array(np.arange(6.0).reshape(3, 2))
    assert (y[1:].numpy() == [[2, 3], [4, 5]]).all() and (y.view() == y.numpy()).all()


def counts_and_sums():
    for dtype in ("?", "i1", "u2", ">i4", "u4", "i8", "f4"):  # whose sums would not fit
        x = np.full(3, 1 if dtype in ("?", "f4") else np.iinfo(dtype).max // (3 if dtype == "i8" else 1), dtype)
        assert weft.cumsum(x).dtype == x.cumsum().dtype and (weft.cumsum(x) == x.cumsum()).all(), dtype
        assert weft.segmented_sum(x, [0, 3]).dtype == x.sum().dtype and weft.segmented_sum(x, [0, 3]) == x.sum()
    rng = np.random.default_rng(5)
    for backend in {"serial", "pthreads", "checking"} & {info.name for info in weft.devices()}:
        with weft.Device(backend):
            for n in (0, 1, 1000):
                x = rng.integers(0, 50, n)
                assert (weft.bincount(x, 3) == np.bincount(x, minlength=3)).all()
                offsets = np.sort(np.append(rng.integers(0, n + 1, 40), [0, n]))
                sums = [x[a:b].sum() for a, b in zip(offsets, offsets[1:])]
                assert (weft.segmented_sum(x, offsets) == sums).all()
                for y in (x, np.append(x / 7, np.nan)):
                    edges = np.arange(5, 50, 10).astype(y.dtype)  # some numbers are 45
                    assert (weft.histogram(y, edges) == np.histogram(y, edges)[0]).all()
    raises(ValueError, "from 0", weft.bincount, [-1])
    raises(ValueError, "fall", weft.segmented_sum, [1, 2], [2, 0])
    raises(ValueError, "fall", weft.histogram, [1.0], [2, 0])
    raises(ValueError, "wider", weft.histogram, [1], [0, 2.0**63])
    raises(ValueError, "wider", weft.histogram, weft.array(np.arange(3, dtype="u1")), [0, 255])
    raises(TypeError, "edges", weft.histogram, [1], ["a", "b"])
    tenths = np.arange(-1, 12) / 10
    for numbers, edges in (  # edges that are no numbers of the type
            (tenths.astype("f4"), tenths), (np.nextafter(tenths.astype("f4"), np.float32(9)), tenths),
            (np.arange(256, dtype="u1"), np.arange(0, 257, 16)), (np.arange(-5, 9), [-2.5, 0, 0.5, 4, 7.5]),
            (np.arange(9, dtype="u4"), [-3, 2, 5]), (np.arange(9.0), np.array([2, 5, 8], "i1")),
            (np.array([2**63, 2**64 - 2], "u8"), np.array([0, 2**63, 2**64 - 2], "u8"))):
        assert (weft.histogram(numbers, edges) == np.histogram(numbers, edges)[0]).all(), (numbers, edges)


def catalogues():
    ours = weft.halos(snapshot)
    path = os.path.join(folder, "command.csv")
    subprocess.run([command, "halos", snapshot, "-q", "-o", path], check=True)
    ours.to_hdf5(os.path.join(folder, "python.csv"))
    kept = weft.halos(snapshot, members=True)
    assert open(path).read() == open(os.path.join(folder, "python.csv")).read()
    assert len(kept.members) == ours["count"].sum() and ours.columns["mass"].unit


def threads_and_forks():
    x = np.random.default_rng(4).random((3000, 3))
    expected, found = weft.fof(x, 0.05), []
    team = [threading.Thread(target=lambda: found.append(weft.fof(x, 0.05))) for _ in range(4)]
    for thread in team:
        thread.start()
    for thread in team:
        thread.join()
    assert len(found) == 4 and all((labels == expected).all() for labels in found)
    child = os.fork()
    if child == 0:
        os._exit(0 if (weft.fof(x, 0.05) == expected).all() else 1)
    assert os.waitpid(child, 0)[1] == 0


for test in (structs, groups, refusals, primitives, counts_and_sums, catalogues, threads_and_forks):
    test()
