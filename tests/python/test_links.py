"""usage: test_links.py BUILD/python WEFT: links by their definition, and merger trees as the command writes them."""

import os
import subprocess
import sys
import tempfile

import numpy as np

from support import raises

build, command = sys.argv[1:3]
folder = tempfile.TemporaryDirectory()
sys.path.insert(0, build)
import weft  # noqa: E402


def definition(groups, others, ordered, tags):
    found = []
    for group in groups:
        best = (0, 0, 0), -1
        for k, other in enumerate(others):
            ranks = np.nonzero(np.isin(group, other))[0]
            weights = (2**32 / (1 + np.sqrt(ranks * ordered))).astype("u8")
            of_this = (int(weights.sum()), len(ranks), -tags[k]), k
            best = max(best, of_this, key=lambda one: one[0])
        found.append((best[1], *best[0][:2]))
    return np.array(found, "i8").T if found else np.empty((3, 0))


def of_groups(groups):
    return np.cumsum([0] + [len(group) for group in groups]), np.concatenate([np.empty(0, int), *groups])


def random_groups(rng, count, particles):
    """Of which some may be empty, and some particles in none."""
    ids = rng.permutation(particles)[:int(0.9 * particles)] * 1000003 - 5
    return np.split(ids, np.sort(rng.integers(0, len(ids) + 1, count - 1))) if count else []


def pairs():
    rng = np.random.default_rng(1)
    for name in ("serial", "pthreads", "checking"):
        with weft.Device(name):
            for count, number in ((0, 3), (3, 0), (1, 1), (7, 5)):
                groups, others = (random_groups(rng, n, 40) for n in (count, number))
                for ordered in (False, True):
                    found = weft.links(of_groups(groups), of_groups(others), ordered)
                    expected = definition(groups, others, ordered, list(range(number)))
                    assert all((a == b).all() for a, b in zip(found, expected)), (count, number, ordered)
                    assert found.target.dtype == found.shared.dtype == "i8" and found.weight.dtype == "u8"
    given = np.array([0, 2]), np.array([1, 2], "u2")
    assert weft.links(given, given).weight[0] == 2 * 2**32


def ties():
    """Half of a halo goes to each of two: that of the smaller tag takes it, though it is not the first."""
    x = np.full((50, 3), 5.0)
    x[40:] += np.arange(10)[:, None]
    later = np.where(np.arange(50) < 20, 5.0, 20.0)[:, None] * np.ones(3)
    early, late = (weft.halos(place, box=40, linking_length_absolute=0.1, members=True, centers="none")
                   for place in (x, later))
    assert list(early["count"]) == [41] and list(late["tag"]) == [20, 0]
    assert list(weft.links(([0, 40], np.arange(40)), late).target) == [1]


def clumps(shift):
    """Three clumps, of which two touch at last, and a part of one that another takes along."""
    rng = np.random.default_rng(2)
    centers = np.array([[10, 10, 10], [14 - shift, 10, 10], [30, 30, 30.0]])
    x = (centers[:, None] + rng.normal(0, 0.2, (3, 200, 3))).reshape(-1, 3)
    x[:20] += 20 * (shift > 0)
    return x


def trees():
    asked = {"box": 50, "members": True, "h": 0.7, "omega_matter": 0.3, "omega_lambda": 0.7, "length_unit": "Mpc",
             "mass_unit": "1e10 Msun", "masses": 1.0, "so": "none", "linking_length_absolute": 0.4, "subhalos": True,
             "velocities": np.zeros((600, 3), "f4"), "ids": np.arange(600)[::-1]}
    found = [weft.halos(clumps(3.5 * (1 - z)), redshift=z, **asked) for z in (1, 0.5, 0)]
    paths = [os.path.join(folder.name, f"{k}.hdf5") for k in range(3)]
    for halos, path in zip(found, paths):
        halos.to_hdf5(path)
    for option, kind in (("--halos", "halos"), ("--backend=serial", "subhalos")):
        output = os.path.join(folder.name, "trees.hdf5")
        subprocess.run([command, "link", "-q", option, *paths, "-o", output], check=True)
        own = os.path.join(folder.name, "own.hdf5")
        made = weft.link([found[0], *paths[1:]], halos=kind == "halos", output=own)
        assert made.kind == kind and (made.redshift == [1, 0.5, 0]).all() and len(made["SnapNum"]) == made.offset[-1] > 5
        assert (made["TreeDescendant"][made.offset[:-1]] == -1).all() and made.columns["SubhaloMass"].unit == "1e10 Msun/h"
        same(made, own, output)
    halos, others = found[0], found[1]
    for a, b, ordered in ((halos, others, False), (halos.subhalos, others.subhalos, True)):
        groups, goals = (np.split(g.members, g.offset[1:-1]) for g in (a, b))
        expected = definition(groups, goals, ordered, b["tag"])
        assert all((one == other).all() for one, other in zip(weft.links(a, b), expected))
        assert (weft.links(a, b, not ordered).weight != expected[1]).any()


def same(made, own, output):
    try:
        import h5py
    except ImportError:
        return print("h5py is not installed: trees were not compared")
    with h5py.File(own) as a, h5py.File(output) as b:
        assert set(made) == set(b["TreeHalos"])
        for name, there in b["TreeHalos"].items():
            assert made[name].dtype == there.dtype and (made[name] == there[...]).all(), name
            assert made.columns[name] == (there.attrs["unit"], there.attrs["description"])
        for group in b:
            for name, there in b[group].items():
                assert (a[group][name][...] == there[...]).all(), name
            for name in set(b[group].attrs) - {"command"}:
                assert np.array_equal(a[group].attrs[name], b[group].attrs[name]), name


def refusals():
    group = [0, 2], [1, 2]
    raises(ValueError, "two at least", weft.link, ["one.hdf5"])
    raises(ValueError, "two at least", weft.link, "one.hdf5")
    raises(TypeError, "catalogues[1]", weft.link, ["one.hdf5", 3])
    raises(OSError, "nowhere.hdf5", weft.link, ["nowhere.hdf5", "there.hdf5"])
    early = os.path.join(folder.name, "0.hdf5")
    raises(OSError, "order of time", weft.link, [early, early])
    raises(ValueError, "is the input", weft.link, [early, early], output=early)
    halos = weft.halos(clumps(0), box=50, min_members=10)
    raises(ValueError, "catalogues[0]: has no members", weft.link, [halos, halos])
    raises(ValueError, "groups: has no members", weft.links, halos, group)
    raises(ValueError, "others: offset rises from 0 to 2", weft.links, group, ([0, 1], [1, 2]))
    raises(ValueError, "groups: offset rises", weft.links, ([0, 3, 2], [1, 2]), group)
    raises(TypeError, "groups: ids", weft.links, ([0, 1], [1.5]), group)
    raises(ValueError, "of shape (n,)", weft.links, ([0, 1], [[1]]), group)
    raises(TypeError, "others: a catalogue", weft.links, group, 5)
    raises(ValueError, "id 2", weft.links, group, ([0, 2], [2, 2]))


for test in (pairs, ties, trees, refusals):
    test()
