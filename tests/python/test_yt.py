"""usage: test_yt.py BUILD/python LCDM64.hdf5: yt reads what the package writes, and gives what it takes."""

import os
import sys
import tempfile
import warnings

import numpy as np

build, snapshot = sys.argv[1:3]
folder = tempfile.TemporaryDirectory()
os.environ["XDG_CONFIG_HOME"] = folder.name  # yt keeps a file there
try:
    import yt
except ImportError:
    sys.exit(print("yt is not installed: what is written was not read by it"))

sys.path.insert(0, build)
import weft  # noqa: E402

yt.set_log_level("error")
warnings.simplefilter("ignore")

# Halos, in its units.
halos = weft.halos(snapshot, so="200c")
path = os.path.join(folder.name, "lcdm64.0.h5")
halos.to_hdf5(path)
data = yt.load(path).all_data()
order = np.argsort(np.array(data["halos", "particle_identifier"]))
tags = np.argsort(halos["tag"])
assert (np.array(data["halos", "particle_identifier"])[order] == halos["tag"][tags]).all()
masses = np.array(data["halos", "particle_mass"].to("Msun"))[order]
assert np.allclose(masses, 1e10 * halos["mass"][tags], rtol=1e-3)
for k, axis in enumerate("xyz"):
    numbers = np.array(data["halos", f"particle_position_{axis}"].to("Mpccm"))[order]
    assert np.allclose(numbers, halos["center_of_mass"][tags, k], rtol=1e-3)

# Particles in another format, and from there into weft.halos.
converted = os.path.join(folder.name, "lcdm64.hdf5")
weft.convert(snapshot, converted)
particles = weft.read(snapshot)
dataset = yt.load(converted)
data = dataset.all_data()
ids = np.array(data["PartType1", "ParticleIDs"]).astype("i8")
positions = np.array(data["PartType1", "Coordinates"].to("code_length"))
back = np.argsort(ids)
assert (np.sort(particles.ids) == ids[back]).all()
assert (positions[back] == particles.positions[np.argsort(particles.ids)]).all()
again = weft.halos(positions, ids=ids, box=particles.info["box"], so="none", centers="none")
assert (again["tag"] == halos["tag"]).all() and (again["count"] == halos["count"]).all()
