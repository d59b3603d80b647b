"""usage: test_power.py BUILD/python WEFT: power spectra are the command's, and what they are defined as."""

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

snapshot = os.path.join(folder.name, "snapshot.hdf5")
weft.ics(12, 60, z=0, output=snapshot)


def of_command(*arguments):
    """Columns of the command's CSV, and its shot noise."""
    output = os.path.join(folder.name, "power.csv")
    subprocess.run([command, "power", *arguments, "-q", "-o", output], check=True)
    with open(output) as file:
        lines = file.readlines()
    noise = [float(line.split(":")[1]) for line in lines if line.startswith("# shot_noise")]
    return np.genfromtxt([line for line in lines if line[0] != "#"], delimiter=",", names=True), sum(noise)


def same(found, columns, noise):
    assert len(found.k) > 5 and (found.k == columns["k"]).all() and (found.power == columns["power"]).all()
    assert (found.modes == columns["modes"]).all() and found.shot_noise == noise


def snapshots():
    same(weft.power(snapshot, 32), *of_command(snapshot, "--grid", "32"))
    same(weft.power(snapshot, 40, window="tsc", interlacing=False),
         *of_command(snapshot, "--grid", "40", "--window", "tsc", "--no-interlacing"))


def densities():
    path = os.path.join(folder.name, "sheet.hdf5")
    subprocess.run([command, "sheet", snapshot, "--grid", "24", "-o", path, "-q"], check=True)
    found = weft.sheet(snapshot, 24)
    whole, real = weft.power(found.mass_units, box=found.box), weft.power(found.density, box=found.box)
    same(whole, *of_command("--density", path))
    assert np.allclose(real.power, whole.power, rtol=1e-12)


def definition():
    """Direct sums over particles, of masses of their own, in a box that is no cube."""
    rng = np.random.default_rng(3)
    box, n, m = np.array([3.1, 4.4, 6.0]), 300, rng.uniform(0.5, 2, 300)
    x = rng.uniform(0, 1, (n, 3)) * box
    found = weft.power(x, (24, 32, 48), masses=m, box=box)
    side = np.arange(-12, 13)
    wave = np.stack(np.meshgrid(side, side, side, indexing="ij"), -1).reshape(-1, 3) * (2 * np.pi / box)
    length = np.sqrt((wave**2).sum(1))
    for shell in (1, 2, 3):
        among = wave[(length >= (shell - 0.5) * 2 * np.pi / 6) & (length < (shell + 0.5) * 2 * np.pi / 6)]
        amplitude = np.exp(-1j * among @ x.T) @ m / m.sum()
        assert found.modes[shell - 1] == len(among)
        assert abs(found.power[shell - 1] / (box.prod() * (abs(amplitude)**2).mean()) - 1) < 1e-3
    assert abs(found.shot_noise / (box.prod() * (m**2).sum() / m.sum()**2) - 1) < 1e-12
    for device in ("serial", "checking"):
        again = weft.power(x.astype("f4"), 8, box=box, masses=m.astype("f4"), device=weft.Device(device))
        assert (again.power == weft.power(x.astype("f4"), 8, box=box, masses=m.astype("f4")).power).all()


def transforms():
    """NumPy's, to rounding; the same bytes on two backends, and back."""
    rng = np.random.default_rng(4)
    for shape in ((2,), (70,), (9, 10), (3, 5, 14), (8, 1, 6)):
        for dtype, few in (("f4", 2e-6), ("f8", 4e-15)):
            x = rng.normal(size=shape).astype(dtype)
            found, expected = weft.rfftn(x), np.fft.rfftn(x)
            assert found.dtype == {"f4": "c8", "f8": "c16"}[dtype] and found.shape == expected.shape
            assert abs(found - expected).max() < few * np.sqrt(x.size)
            assert (weft.rfftn(x, device=weft.Device("serial")) == found).all()
            kept = found.copy()
            back = weft.irfftn(found)
            assert back.dtype == dtype and abs(back - x).max() < few * 4 and (found == kept).all()
    strided = rng.normal(size=(4, 6, 2))[:, :, 0]
    assert np.allclose(weft.rfftn(strided), np.fft.rfftn(strided)) and np.allclose(
        weft.irfftn(np.fft.rfftn(strided).T.copy().T), strided)
    raises(ValueError, "which is odd", weft.rfftn, np.ones(3))
    raises(ValueError, "n[0] is 11", weft.rfftn, np.ones((11, 2, 2)))
    raises(ValueError, "is 0, not 1", weft.rfftn, np.ones((0, 4)))
    raises(ValueError, "one to three axes", weft.rfftn, np.ones((2, 2, 2, 2)))
    raises(ValueError, "one to three axes", weft.rfftn, 1.0)
    raises(TypeError, "complex numbers", weft.irfftn, np.ones(3))
    raises(ValueError, "of two at least", weft.irfftn, np.ones(1, complex))
    raises(ValueError, "masked", weft.irfftn, np.ma.array([1j, 2], mask=[0, 1]))


def refused():
    x = np.zeros((3, 3))
    raises(ValueError, "the period of each axis", weft.power, x)
    raises(ValueError, "box[2] is 0", weft.power, x, box=(1, 1, 0))
    raises(ValueError, "'pcs'", weft.power, x, box=1, window="pixie")
    raises(ValueError, "grid: one or three", weft.power, x, 8.5, box=1)
    raises(ValueError, "masses: of shape (3,)", weft.power, x, 8, box=1, masses=[1.0, 2.0])
    raises(ValueError, "on its own grid", weft.power, np.ones((4, 4, 4)), 4, box=1)
    raises(ValueError, "the snapshot has its own", weft.power, snapshot, 8, box=1)
    raises(OSError, "nowhere.hdf5", weft.power, "nowhere.hdf5", 8)
    raises(ValueError, "particle 1", weft.power, [[0.0, 0, 0], [np.nan, 0, 0]], 8, box=1)


for test in (snapshots, densities, definition, transforms, refused):
    test()
