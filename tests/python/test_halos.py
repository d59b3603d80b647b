"""usage: test_halos.py BUILD/python LCDM64.hdf5 WEFT: weft.halos against the command, its files and its defaults."""

import gc
import inspect
import os
import re
import signal
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


def run(name, *options):
    path = os.path.join(folder.name, name)
    subprocess.run([command, "halos", snapshot, "-q", "-o", path, *options], check=True)
    return path


def written(catalogue, name):
    path = os.path.join(folder.name, name)
    catalogue.to_hdf5(path)
    return path


def contents(path):
    return open(path, "rb").read()


def defaults():
    """Options of the command are parameters of the same defaults, but for those of files and devices."""
    text = subprocess.run([command, "halos", "--help"], check=True, capture_output=True, text=True).stdout
    elsewhere = {"no-periodic", "comments", "output", "plot", "plot-halo", "xdmf", "resume", "summary", "backend", "device", "devices", "quiet",
                 "threads", "timings", "allow-external", "assume", "help", "no-clobber", "no-mpi", "verify"}
    parameters = inspect.signature(weft.halos).parameters
    options = re.split(r"^ {2,6}(?:-\w, )?--", text, flags=re.M)[1:]
    assert len(options) > 25
    for option in options:
        name = re.match(r"[a-z-]+", option)[0]
        if name in elsewhere:
            continue
        default = parameters[name.replace("-", "_")].default
        said = re.search(r"\(default: ([^)]*)\)", re.sub(r"\s+", " ", option))
        if said is None or re.search("what the file|where|by the number|no limit", said[1]):
            assert default is None or default is False, name
        else:
            assert type(default)(said[1]) == default, (name, said[1], default)


def arrays_of(particles):
    info = particles.info
    return {"velocities": particles.velocities, "masses": particles.masses, "ids": particles.ids,
            **{name: info[name] for name in ("box", "redshift", "h", "omega_matter", "omega_lambda", "length_unit",
                                             "mass_unit")}}


def same_files(ours, theirs, but):
    try:
        import h5py
    except ImportError:
        return print("h5py is not installed: HDF5 catalogues were not compared")
    names = []
    with h5py.File(ours) as a, h5py.File(theirs) as b:
        def compare(name, there):
            names.append(name)
            here = a[name]
            assert set(here.attrs) == set(there.attrs), name
            for attribute in set(there.attrs) - but:
                assert np.array_equal(here.attrs[attribute], there.attrs[attribute]), (name, attribute)
            if isinstance(there, h5py.Dataset):
                assert here.dtype == there.dtype and (here[...] == there[...]).all(), name
        b.visititems(compare)
        assert len(names) > 40 and len(a["halos"]) == len(b["halos"])


def files():
    """The command's catalogue, of a file, and of arrays at once and in pieces."""
    options = {"members": True, "profiles": True, "shapes": True, "labels": True}
    labels = os.path.join(folder.name, "labels.npy")
    path = run("command.hdf5", "--members", "--profiles", "--shapes", "--labels", labels)
    table = run("command.csv")
    particles = weft.read(snapshot)
    before = particles.positions.copy()
    arrays = arrays_of(particles)
    but = {"command", "options_hash", "source_hash"}
    of_file = weft.halos(snapshot, **options)
    tables(of_file)
    in_pieces = weft.halos(particles.positions, memory_limit="44M", **options, **arrays)
    for halos, besides in ((of_file, but), (in_pieces, but | {"source_file", "scale_factor"})):
        same_files(written(halos, "python.hdf5"), path, besides)
        assert (halos.labels == np.load(labels)).all()
    assert (particles.positions == before).all()
    assert contents(written(weft.halos(particles.positions, **arrays), "python.csv")) == contents(table)
    header = of_file.header
    assert header["box"] == particles.info["box"] and header["length_unit"] == "Mpc" and header["h"] == 0.68


def clumps():
    """Subhalos are the command's, of a file, in pieces, and of arrays."""
    path = run("command.hdf5", "--subhalos", "--members", "--so=none", "--min-members=1000")
    particles = weft.read(snapshot)
    asked = {"subhalos": True, "so": "none", "min_members": 1000}
    for halos in (weft.halos(snapshot, members=True, **asked),
                  weft.halos(snapshot, members=True, memory_limit="3M", **asked),
                  weft.halos(particles.positions, members=True, **asked, **arrays_of(particles))):
        assert len(halos.subhalos) > halos["n_subhalos"].sum() > 0 and halos.subhalos.columns["vmax"].unit == "km/s"
        try:
            import h5py
        except ImportError:
            print("h5py is not installed: subhalos were not compared")
            break
        with h5py.File(path) as file:
            own = {**{name: halos.subhalos[name] for name in halos.subhalos}, "offset": halos.subhalos.offset,
                   "particle_id": halos.subhalos.members}
            own.update(mbp_id=own["tag"], mbp_position=own["position"])  # the file has both names
            assert set(own) == set(file["subhalos"])
            for name, there in file["subhalos"].items():
                assert own[name].dtype == there.dtype and (own[name] == there[...]).all(), name
    assert weft.halos(snapshot, **asked).subhalos.members is None


def options():
    asked = {"linking_length": 0.17, "min_members": 40, "min_friends": 2, "periodic": "xz",
             "centers": ["mcp", "mbp", "poisson"], "softening": 0.05, "poisson_grid": 9, "poisson_boundary": "open",
             "so": ["200m", "300c"], "properties": "300c"}
    line = []
    for name, value in asked.items():
        line.append(f"--{name.replace('_', '-')}={value if isinstance(value, (str, int, float)) else ','.join(value)}")
    halos = weft.halos(snapshot, poisson_prove=True, **asked)
    assert contents(written(halos, "asked.csv")) == contents(run("line.csv", "--poisson-prove", *line))
    region = weft.halos(snapshot, 0.2, region="10:30,:,60:20", centers="none", linking_length_absolute=0.2)
    assert contents(written(region, "asked.csv")) == contents(
        run("line.csv", "--region=10:30,:,60:20", "--centers=none", "--linking-length-absolute=0.2"))
    for name, column in halos.columns.items():
        assert column.unit and column.description and len(halos[name]) == len(halos)


def tables(halos):
    """Of pandas and astropy, where they are installed."""
    try:
        frame = halos.to_pandas()
        assert len(frame) == len(halos) and (frame["center_of_mass_y"] == halos["center_of_mass"][:, 1]).all()
        assert (frame["shape_axes_8"] == halos["shape_axes"][:, 2, 2]).all()
    except ImportError:
        print("pandas is not installed: no table of it was made")
    try:
        table = halos.to_astropy()
    except ImportError:
        return print("astropy is not installed: no table of it was made")
    assert table["mass"].unit.to("solMass") == 1e10 and table["mass"].description == halos.columns["mass"].description
    assert (table["profile_density"] == halos["profile_density"]).all() and table["count"].unit is None
    assert np.isclose(table["profile_density"].unit.to("g/cm3"), 6.7698e-31, rtol=1e-4)
    from weft._catalogue import _astropy_unit
    assert _astropy_unit("Msun/h / kpc/h").is_equivalent("g/cm") and str(_astropy_unit("kpc/h")) == "kpc / littleh"
    assert np.isclose(_astropy_unit("3e21 cm").to("kpc"), 0.97223, rtol=1e-4)


def several():
    """A list of paths gives a list of catalogues."""
    paths = []
    for k in range(1, 3):
        paths.append(os.path.join(folder.name, f"{k}.npy"))
        np.save(paths[-1], np.zeros((20 * k, 3)))
    found = weft.halos(paths, linking_length_absolute=1.0)
    assert [halos["count"][0] for halos in found] == [20, 40]


def assumed():
    """What a file does not tell; it holds for one call, and what the file tells is not assumed."""
    path, want = os.path.join(folder.name, "a.gio"), weft.halos(snapshot, so="200c", members=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        weft.convert(snapshot, path)
    universe = {"length_unit": "Mpc", "mass_unit": "1e10 Msun", "redshift": 0, "h": 0.68, "omega_matter": 0.31}
    found = weft.halos(path, so="200c", **universe)
    assert (found["tag"] == want["tag"]).all() and np.allclose(found["mass_200c"], want["mass_200c"], rtol=1e-12)
    assert found.columns["mass_200c"].unit == "1e10 Msun" and found.header["omega_lambda"] == 0.69
    assert "mass_200c" not in list(weft.halos(path))
    raises(OSError, "it is not taken to be 0.7", weft.halos, snapshot, h=0.7)
    raises(ValueError, "of arrays", weft.halos, snapshot, velocities=np.zeros((1, 3)))
    raises(ValueError, "no unit of length", weft.halos, snapshot, length_unit="m")
    assert "mass_200c" in list(weft.halos(snapshot))
    flat = weft.halos(np.full((30, 3), 0.5), box=1, h=0.7, omega_matter=0.25)
    assert flat.header["omega_lambda"] == 0.75
    assert weft.halos(np.full((30, 3), 0.5), box=1, h=0.7, omega_matter=0.25, omega_lambda=0).header["omega_lambda"] == 0


def interrupts():
    """^C, and an exception, at each step: nothing is left behind."""
    small = np.random.default_rng(1).random((700, 3))

    def find(progress, limit):
        return weft.halos(small, 0.6, box=1, centers="mbp,mcp", min_members=5, memory_limit=limit, progress=progress)

    for limit in (None, "4M"):
        steps: list = []
        expected = find(steps.append, limit)
        assert len(steps) > 1 and len(expected)
        for at in steps:
            told: list = []

            def stop(line):
                told.append(line)
                if line == at:
                    signal.raise_signal(signal.SIGINT)

            def fail(line):
                if line == at:
                    raise LookupError(line)

            raises(KeyboardInterrupt, "", find, stop, limit)
            assert told[-1] == at
            raises(LookupError, at, find, fail, limit)
            gc.collect()
            raises(LookupError, at, find, fail, limit)
            assert gc.collect() == 0  # nothing stays in circles
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    raises(KeyboardInterrupt, "", weft.halos, [snapshot, snapshot], progress=lambda line: signal.raise_signal(2))
    assert (find(None, None)["mbp_id"] == expected["mbp_id"]).all()


def refusals():
    x = np.zeros((2, 3))
    raises(OSError, "nowhere", weft.halos, [snapshot + ".nowhere"])
    raises(ValueError, "exclude", weft.halos, snapshot, 0.3, linking_length_absolute=1)
    raises(ValueError, "linking_length", weft.halos, snapshot, float("nan"))
    raises(ValueError, "needs a box", weft.halos, x)
    for z in -1, -2.0, float("inf"):
        raises(ValueError, "redshift", weft.halos, x, box=1, redshift=z)
    raises(ValueError, "memory_limit", weft.halos, snapshot, memory_limit="much")
    raises(OSError, "memory_limit", weft.halos, snapshot, memory_limit=1)
    raises(ValueError, "memory_limit", weft.halos, x, box=1, memory_limit=1)
    raises(ValueError, "center poisson", weft.halos, snapshot, poisson_grid=7)
    raises(ValueError, "center poisson", weft.halos, snapshot, poisson_prove=True)
    raises(ValueError, "3 to 255", weft.halos, snapshot, poisson_grid=1, centers="poisson")
    raises(ValueError, "zero", weft.halos, snapshot, poisson_boundary="none", centers="poisson")
    raises(ValueError, "softening", weft.halos, snapshot, softening=1, centers="mcp")
    raises(ValueError, "of files", weft.halos, x, types="0,1")
    raises(TypeError, "ids", weft.halos, x, box=1, ids=np.array([1.5, 2.5]))
    raises(TypeError, "centers", weft.halos, x, centers=[1])


for test in (defaults, files, clumps, options, several, assumed, interrupts, refusals):
    test()
