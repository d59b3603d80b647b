"""usage: test_ics.py BUILD/python WEFT: initial conditions are the command's, their defaults too."""

import inspect
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

from support import raises

build, command = sys.argv[1:3]
folder = tempfile.TemporaryDirectory()
sys.path.insert(0, build)
import weft  # noqa: E402

TABLE = os.path.join(folder.name, "table.txt")
K = np.geomspace(0.01, 10, 200)
P = 1e4 * K / (1 + (K / 0.02)**2)**1.3


def run(name, *options):
    path = os.path.join(folder.name, name)
    subprocess.run([command, "ics", "-q", "-o", path, *options], check=True)
    return path


def defaults():
    """Options of the command are parameters of the same defaults, but for those of devices."""
    text = subprocess.run([command, "ics", "--help"], check=True, capture_output=True, text=True).stdout
    said = text[text.index("What is made"):text.index("What is written")]
    parameters = inspect.signature(weft.ics).parameters
    options = re.split(r"^ {2,6}(?:-\w, )?--", said, flags=re.M)[1:]
    assert len(options) == 13, options
    for option in options:
        default = parameters[re.match(r"[a-z0-9-]+", option)[0].replace("-", "_")].default
        told = re.search(r"\(default: ([^),]*)", option)
        if told and default is not None:
            assert type(default)(told[1]) == default, option
        else:
            assert told is None or told[1] == "0.81" and default is None, option


def same(found, path):
    """Arrays, units and cosmology are those of the file."""
    read = weft.read(path)
    assert (found.positions == read.positions).all() and (found.velocities == read.velocities).all()
    assert (found.ids == read.ids).all() and (found.masses == read.masses).all()
    assert found.positions.dtype == "f8" and found.velocities.dtype == "f4" and len(found) == len(read)
    for name in ("box", "periodic", "h", "omega_matter", "omega_lambda", "omega_baryon", "length_unit", "mass_unit",
                 "particles", "types"):
        assert found.info[name] == read.info[name], name
    assert np.isclose(found.info["redshift"], read.info["redshift"], rtol=1e-12)


def files():
    asked = {"z": 9, "seed": 2**64 - 1, "fixed": True, "order": 1, "omega_m": 0.3, "omega_b": 0.05, "h": 0.7,
             "n_s": 0.96, "sigma8": 0.8}
    line = []
    for name, value in asked.items():
        line.append(f"--{name.replace('_', '-')}" + ("" if value is True else f"={value}"))
    path = run("asked.hdf5", "--n=6", "--box=80", *line)
    same(weft.ics(6, 80, **asked), path)
    plain = run("plain.hdf5", "--n=8", "--box=100")
    own = os.path.join(folder.name, "own.hdf5")
    for name in ("pthreads", "checking"):
        same(weft.ics(8, 100, output=own, device=weft.Device(name)), plain)
    same(weft.ics(8, 100), own)
    np.savetxt(TABLE, np.array([K, P]).T, fmt="%.17g")
    path = run("table.hdf5", "--n=6", "--box=80", "--power", TABLE)
    same(weft.ics(6, 80, power=TABLE), path)
    same(weft.ics(6, 80, power=(K, P)), path)
    assert not (weft.ics(6, 80).positions == weft.read(path).positions).all()


def file_of_command():
    """What is written is the command's, data set by data set."""
    try:
        import h5py
    except ImportError:
        return print("h5py is not installed: files were not compared")
    names = []
    with h5py.File(os.path.join(folder.name, "own.hdf5")) as a, h5py.File(
            os.path.join(folder.name, "plain.hdf5")) as b:
        def compare(name, there):
            here = a[name]
            names.append(name)
            assert set(here.attrs) == set(there.attrs), name
            for attribute in set(there.attrs) - {"command"}:
                assert np.array_equal(here.attrs[attribute], there.attrs[attribute]), (name, attribute)
            if isinstance(there, h5py.Dataset):
                assert here.dtype == there.dtype and (here[...] == there[...]).all(), name
        b.visititems(compare)
    assert len(names) > 6


def refusals():
    raises(ValueError, "n: 22 is no even product", weft.ics, 22, 80)
    raises(ValueError, "n: 4.0 is not a whole number", weft.ics, 4.0, 80)
    raises(ValueError, "seed: -1", weft.ics, 4, 80, seed=-1)
    raises(ValueError, "order: 3", weft.ics, 4, 80, order=3)
    raises(ValueError, "no power spectrum: the formula has", weft.ics, 4, 80, omega_m=0.02, omega_b=0.0199)
    raises(ValueError, "no f32 holds", weft.ics, 4, 80, power=([1e-3, 1e3], [1e200, 1e200]))
    raises(ValueError, "box is missing", weft.ics, 4, float("nan"))
    for name in ("box", "omega_m", "omega_b", "h", "n_s", "sigma8"):
        raises(ValueError, f"{name}: 0 is not above 0", weft.ics, 4, **{"box": 80, name: 0})
    raises(ValueError, "z: -0.5", weft.ics, 4, 80, z=-0.5)
    raises(ValueError, "omega_b: 0.5 is not below", weft.ics, 4, 80, omega_b=0.5)
    raises(ValueError, "'eh98'", weft.ics, 4, 80, transfer="bbks")
    raises(ValueError, "one length", weft.ics, 4, 80, power=(K, P[1:]))
    raises(TypeError, "k and P", weft.ics, 4, 80, power=3)
    raises(ValueError, "row 1 of power is not k and P", weft.ics, 4, 80, power=([1, 2], [1, np.inf]))
    raises(ValueError, "row 1 of power: k does not", weft.ics, 4, 80, power=([2, 1], [1, 1]))
    raises(ValueError, "the box needs 0.0785398", weft.ics, 4, 80, power=([1, 2], [1, 1]))
    raises(OSError, "cannot open none.txt", weft.ics, 4, 80, power="none.txt")
    raises(OSError, "there is no folder /nowhere", weft.ics, 4, 80, output="/nowhere/at.hdf5")


for test in (defaults, files, file_of_command, refusals):
    test()
