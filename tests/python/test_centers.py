"""usage: test_centers.py BUILD/python LCDM64.hdf5: centers, spheres, profiles and neighbours of arrays, against the
definition and the columns of weft.halos."""

import doctest
import sys

import numpy as np

from support import raises

build, snapshot = sys.argv[1:3]
sys.path.insert(0, build)
import weft  # noqa: E402


def same(ours, theirs):
    assert ours.dtype == theirs.dtype and ours.shape == theirs.shape, (ours.dtype, ours.shape, theirs.shape)
    assert (ours == theirs).all(), [(k, ours[k], theirs[k]) for k in np.argwhere(ours != theirs)[0]]


def backends():
    there = {info.name for info in weft.devices()}
    return [name for name in ("serial", "pthreads", "checking") if name in there]


def columns_of_halos():
    """From arrays the columns of the catalogue."""
    particles = weft.read(snapshot)
    info, x, m = particles.info, particles.positions, particles.masses
    halos = weft.halos(snapshot, centers="mbp,mcp,poisson", profiles=True, members=True, labels=True)
    box, ids = info["box"], particles.ids
    about = halos.about
    found = weft.groups(weft.fof(x, about.linking_length, box), ids, min_members=20)
    same(found.tag, halos["tag"]), same(found.offset, halos.offset), same(ids[found.member], halos.members)
    for groups in (found, halos.labels):
        centers = weft.mcp(x, groups, about.linking_length, ids, box)
        same(ids[centers.index], halos["mcp_id"]), same(centers.value, halos["mcp_friends"])
    for name, find in (("mbp", weft.mbp), ("poisson", weft.poisson)):
        centers = find(x, found, m, ids, box)
        same(ids[centers.index], halos[f"{name}_id"]), same(centers.position, halos[f"{name}_position"])
        same(centers.value, halos[f"{name}_potential"])
    a, at = 1 / (1 + info["redshift"]), halos["mbp_position"]
    names = ("vir", "200m", "200c", "500c", "2500c")
    densities = [weft.density(name, info["h"], info["omega_matter"], info["omega_lambda"], info["redshift"]) * (
        a * a * a / 1e10) for name in names]  # lengths in Mpc, masses in 1e10 Msun
    spheres = weft.so(x, at, densities, m, ids, box)
    for k, name in enumerate(names):
        same(spheres.mass[k], halos[f"mass_{name}"]), same(spheres.radius[k], halos[f"radius_{name}"])
        same(spheres.count[k], halos[f"count_{name}"])
    same(weft.so(x, at[:3], densities[2], m, ids, box).mass, halos["mass_200c"][:3])
    edges = np.array(about.profile_edge[:about.profile_bins + 1])
    shells = weft.profiles(x, at, halos["radius_200c"], edges, particles.velocities, halos["velocity_200c"], m, ids,
                           box)
    for name, numbers in shells._asdict().items():
        same(numbers, halos[f"profile_{name}"])


def definitions():
    rng = np.random.default_rng(1)
    for backend in backends():
        with weft.Device(backend):
            x = rng.random((90, 3)).astype("f4" if backend == "serial" else "f8")
            label, m, ids = rng.integers(-1, 4, 90) * 1000, rng.uniform(1, 2, 90), rng.permutation(90)
            groups = weft.groups(label, ids, 2)
            sizes = sorted((int((label == k).sum()) for k in np.unique(label[label >= 0])), reverse=True)
            assert list(np.diff(groups.offset)) == [size for size in sizes if size > 1]
            best = weft.mbp(x, groups, m, ids, softening=0.1)
            d2 = ((x[:, None].astype("f8") - x[None]) ** 2).sum(2)
            friends = (d2 <= 0.2**2).sum(1) - 1
            most = weft.mcp(x, label, 0.2, ids)
            near = weft.neighbours(x, 3, label)
            for g, tag in enumerate(groups.tag):
                member = groups.member[groups.offset[g]:groups.offset[g + 1]]
                assert ids[member].min() == tag and (label[member] == label[member[0]]).all()
                pull = m[member] / np.sqrt(d2[np.ix_(member, member)] + 0.01)
                np.fill_diagonal(pull, 0)
                phi = -pull.sum(1)
                assert best.index[g] == member[phi.argmin()] and np.isclose(best.value[g], phi.min())
                assert most.value[g] == friends[member].max() == friends[most.index[g]]
                for i in member:
                    others = member[member != i]
                    assert set(near.index[i]) == set(others[np.argsort(d2[i, others])[:3]])
            assert (near.index[label < 0] == -1).all() and np.isinf(near.distance[label < 0]).all()
            all_near = weft.neighbours(x, 5)
            assert (all_near.index == np.argsort(d2 + 9 * np.eye(90))[:, :5]).all()
            assert np.allclose(all_near.distance, np.sqrt(np.sort(d2)[:, 1:6]))


def labels():
    for given in ([5, 7, 7, -5], [0, 3, 3, -5], np.array([2, 3, 3, -1], "i1"), np.array([2**63, 1, 1, 9], "u8")):
        found = weft.groups(given, min_members=1 + (given[3] == 9))
        assert list(found.tag) == ([1, 0] if given[3] < 0 else [1]) and list(found.member)[:2] == [1, 2]


def nothing():
    empty = np.empty((0, 3))
    assert len(weft.groups(np.empty(0, int)).tag) == 0
    for find in (weft.mbp, weft.poisson):
        assert find(empty, np.empty(0, int)).position.shape == (0, 3)
    assert len(weft.mcp(empty, np.empty(0, int), 1).index) == 0
    assert weft.neighbours(empty, 2).index.shape == (0, 2)
    assert weft.so(np.ones((1, 3)), empty, [1.0, 2.0]).mass.shape == (2, 0)
    alone = weft.neighbours([[1.0, 2, 3]], 2)
    assert (alone.index == -1).all() and np.isinf(alone.distance).all()
    assert weft.profiles([[1.0, 0, 0]], empty, [], [0, 1]).radial_velocity is None


def refusals():
    x, label = np.zeros((3, 3)), [0, 0, 0]
    raises(ValueError, "ids: of shape (3,)", weft.groups, label, [1])
    raises(ValueError, "ids: two members of a group have the id 7", weft.groups, label, [7, 8, 7])
    raises(TypeError, "ids", weft.groups, label, [1.0, 2, 3])
    raises(ValueError, "labels", weft.groups, [[1]])
    raises(ValueError, "min_members", weft.groups, label, min_members=0)
    for wide in (2**64 + 1, 2**63, -2**64 + 1):  # which ctypes cuts to 64 bits
        raises(ValueError, "min_members", weft.groups, label, min_members=wide)
        raises(ValueError, "fit 64 bits", weft.fof, x, 0.1, min_friends=wide)
        raises(ValueError, "fit 64 bits", weft.poisson, x, label, grid=wide)
    raises(TypeError, "", weft.groups, label, min_members=1.5)
    raises(ValueError, "ids: they tell", weft.lattice, x, None, 1.0)
    for bad in (-1.0, 0.0, np.nan, np.inf):
        for find in weft.mbp, weft.poisson:
            raises(ValueError, "of particle 1 is not above 0", find, x, label, [1.0, bad, 1.0])
    raises(ValueError, "particle 2 has a coordinate", weft.mbp, [[0.0, 0, 0], [1, 1, 1], [1, np.nan, 1]], label)
    raises(ValueError, "of shape (3,), not (2,)", weft.mbp, x, [0, 0])
    raises(ValueError, "not above 0", weft.mbp, x, label, 0)
    raises(ValueError, "masses: of shape", weft.mbp, x, label, [1.0])
    raises(ValueError, "softening", weft.mbp, x, label, softening=-1)
    raises(ValueError, "group 0 has no members", weft.mbp, x, weft.Groups([0], [0, 0], np.empty(0, int)))
    raises(ValueError, "from 0 to 2", weft.mbp, x, weft.Groups([0], [0, 1], [3]))
    raises(ValueError, "the id 0", weft.mbp, x, weft.Groups([0], [0, 2], [1, 0]))
    raises(ValueError, "one more than tags", weft.mbp, x, weft.Groups([0], [0, 1, 2], [0, 1]))
    raises(ValueError, "boundary", weft.poisson, x, label, boundary="none")
    raises(ValueError, "grid", weft.poisson, x, label, grid=2)
    raises(ValueError, "linking", weft.mcp, x, label, -1)
    raises(ValueError, "1 to 64", weft.neighbours, x, 65)
    raises(ValueError, "for groups", weft.neighbours, x, 1, ids=[1, 2, 3])
    raises(ValueError, "densities", weft.so, x, x, [])
    raises(ValueError, "densit", weft.so, x, x, -1)
    raises(ValueError, "centers: of shape", weft.so, x, [0.0, 0, 0], 1)
    raises(ValueError, "edge", weft.profiles, x, x, 1, [1, 0])
    raises(ValueError, "edges", weft.profiles, x, x, 1, [1])
    raises(ValueError, "center_velocities", weft.profiles, x, x, 1, [0, 1], x, [1.0])
    raises(ValueError, "200x", weft.density, "200x", 0.7, 0.3)


for test in (columns_of_halos, definitions, labels, nothing, refusals):
    test()
for module in ("_centers", "_spheres", "_neighbours", "_files"):
    __import__("weft." + module)
    assert doctest.testmod(sys.modules["weft." + module], extraglobs={"weft": weft}).failed == 0
