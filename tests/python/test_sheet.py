"""usage: test_sheet.py BUILD/python LCDM64.hdf5 WEFT: the sheet, lattices, files of particles and pictures."""

import doctest
import os
import subprocess
import sys
import tempfile
import warnings

import numpy as np

from support import raises

build, snapshot, command = sys.argv[1:4]
folder = tempfile.TemporaryDirectory()
sys.path.insert(0, build)
import weft  # noqa: E402


def run(*arguments):
    subprocess.run([command, *arguments, "-q"], check=True)


def path(name):
    return os.path.join(folder.name, name)


def sheets():
    """The command's densities, from the file; all mass is there."""
    weft.ics(12, 60, z=0, output=path("crossed.hdf5"))
    run("sheet", path("crossed.hdf5"), "--grid", "20,24,16", "--tessellation", "kuhn", "-o", path("sheet.hdf5"))
    found = weft.sheet(path("crossed.hdf5"), (20, 24, 16), tessellation="kuhn", lattice=(12, 12, 12))
    assert found.mass_units.sum() == found.tetrahedra * found.units_per_tetrahedron and found.tetrahedra == 6 * 12**3
    assert abs(found.density.mean() - 1) < 1e-12 and found.box == (60, 60, 60)
    try:
        import h5py
    except ImportError:
        return print("h5py is not installed: weft sheet was not compared")
    with h5py.File(path("sheet.hdf5")) as file:
        assert (file["density"][...] == found.density).all() and (file["mass_units"][...] == found.mass_units).all()


def lattices():
    rng = np.random.default_rng(1)
    sites = np.indices((3, 4, 5)).reshape(3, -1).T
    order = rng.permutation(60)
    x = (sites * [5 / 3, 5 / 4, 1] + rng.uniform(-0.1, 0.1, (60, 3)))[order]
    found = weft.lattice(x, order + 7, box=5, n=(3, 4, 5))
    assert (order[found.particle] == np.arange(60).reshape(3, 4, 5)).all() and 0 < found.separation < 0.1
    numbers = np.column_stack([sites + 0.5, np.arange(60)])
    np.savetxt(path("even.csv"), numbers, "%.9g", ",", header="x,y,z,id", comments="")
    raises(OSError, "no periodic box", weft.sheet, path("even.csv"), 3)
    even = weft.sheet(sites, 3, ids=np.arange(60), box=(3, 4, 5), lattice=(3, 4, 5), tessellation="mean")
    assert even.density.shape == (3, 3, 3) and np.allclose(even.density, 1)
    raises(ValueError, "places on a lattice", weft.lattice, x, order * 2, 5, n=(3, 4, 5))
    raises(ValueError, "period", weft.lattice, x, order, (5, 5, 0))
    raises(ValueError, "n: one or three", weft.lattice, x, order, 5, n=(3, 4))
    raises(ValueError, "ids: of shape", weft.lattice, x, order[1:], 5)
    raises(ValueError, "grid", weft.sheet, snapshot, 0)
    raises(ValueError, "ids and box", weft.sheet, x, 4)
    raises(ValueError, "its own", weft.sheet, snapshot, 4, box=1)
    raises(ValueError, "tessellation", weft.sheet, snapshot, 4, tessellation="delaunay")


def files():
    """What is read is what was written, in any format."""
    rng = np.random.default_rng(2)
    x = rng.random((50, 3)).astype("f4")
    np.save(path("x.npy"), x)
    plain = weft.read(path("x.npy"))
    assert plain.positions.dtype == "f4" and (plain.positions == x).all() and len(plain) == 50
    assert plain.ids is None and plain.velocities is None and plain.masses == 1
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        weft.convert(snapshot, path("x.gadget2"), precision="f8")
        weft.convert(snapshot, path("positions"), format="npy")
    assert any("does not hold" in str(warning.message) for warning in told)
    run("convert", snapshot, path("command.gadget2"), "--precision", "f8")
    assert open(path("x.gadget2"), "rb").read() == open(path("command.gadget2"), "rb").read()
    particles, info = weft.read(snapshot, ["positions", "ids"]), weft.info(snapshot)
    assert (np.load(path("positions")) == particles.positions).all() and particles.velocities is None
    assert (np.sort(particles.ids) == np.arange(particles.ids.min(), particles.ids.min() + 64**3)).all()
    assert info == particles.info and info["types"] == {1: 64**3} and info["periodic"] == (True,) * 3
    positions = particles.positions
    del particles
    assert positions.sum() > 0  # the memory is there as long as an array is
    raises(OSError, "nowhere", weft.info, path("nowhere"))
    assert len(weft.read(snapshot, type=4)) == 0
    raises(TypeError, "path", weft.read, 3)
    raises(ValueError, "fields", weft.read, snapshot, "colours")
    raises(ValueError, "tells no format", weft.convert, snapshot, path("nothing"))
    raises(ValueError, "no format", weft.convert, snapshot, path("nothing"), format="bmp")
    raises(ValueError, "precision", weft.convert, snapshot, path("x.npy"), precision="f2")
    raises(ValueError, "is the input", weft.convert, path("x.npy"), path("x.npy"))


def pictures():
    try:
        import matplotlib
    except ImportError:
        return print("matplotlib is not installed: no pictures were drawn")
    matplotlib.use("Agg")
    halos = weft.halos(snapshot, so="none", centers="none")
    particles = weft.read(snapshot)
    given = weft.halos(particles.positions, so="none", centers="none", box=particles.info["box"])
    images = []
    for catalogue, unit in ((halos, "Mpc"), (given, "code")):
        left, right = catalogue.plot(bins=50, axis="x").axes
        images.append(left.images[0].get_array())
        assert len(left.patches) == 200 and left.get_xlabel() == f"y / ({unit})"
    assert (images[0] == images[1]).all() and round((10**images[0] - 1).sum()) == 64**3
    nothing = weft.halos(np.ones((9, 3)), 0.0, so="none", centers="none", box=8)
    nothing.plot(bins=9).savefig(path("nothing.png"), dpi=20)
    assert os.path.getsize(path("nothing.png")) > 1000
    raises(ValueError, "axis", halos.plot, axis="w")


for test in (sheets, lattices, files, pictures):
    test()
assert doctest.testmod(sys.modules["weft._sheet"], extraglobs={"weft": weft}).failed == 0
