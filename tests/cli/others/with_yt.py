"""yt opens our catalogue with its own frontend: usage: with_yt.py WEFT DATA."""
import os
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
    import yt
except ImportError:
    sys.exit(77)

weft, data = map(os.path.abspath, sys.argv[1:3])
yt.set_log_level("error")
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)


def find_halos(snapshot, name, *options):
    subprocess.run([weft, "halos", snapshot, "-q", "-o", name, *options], check=True)
    return h5py.File(name, "r")


ours = find_halos(data + "/lcdm64.hdf5", "halos.0.h5", "--members")
halos, members = ours["halos"], ours["members"]
theirs = yt.load("halos.0.h5")
every = theirs.all_data()
assert np.array_equal(every["halos", "particle_identifier"], halos["tag"])
assert np.allclose(every["halos", "particle_mass"].to_value("Msun"), 1e10 * halos["mass"][:], 1e-12)
position = every["halos", "particle_position"].to_value("Mpc")
assert np.allclose(position, halos["center_of_mass"], 1e-12)
for k, axis in enumerate("xyz"):
    assert np.allclose(every["halos", "particle_velocity_" + axis].to_value("km/s"),
                       halos["velocity"][:, k], 1e-12)
assert np.allclose(theirs.domain_width.to_value("Mpc"), ours["header"].attrs["box"], 1e-12)
assert abs(theirs.hubble_constant - 0.68) < 0.01 and abs(theirs.omega_matter - 0.31) < 0.01

radius, box = 8.0, ours["header"].attrs["box"]
apart = halos["center_of_mass"][:] - halos["center_of_mass"][0]
apart -= box * np.round(apart / box)
near = np.sum((apart ** 2).sum(1) < radius ** 2)
assert len(theirs.sphere(theirs.arr(position[0], "Mpc"), (radius, "Mpc"))["halos", "particle_mass"]) == near > 1
for number in 0, 2, len(halos["tag"]) - 1:
    begin, end = members["offset"][number:number + 2]
    assert np.array_equal(theirs.halo("halos", number)["member_ids"],
                          members["particle_id"][begin:end])

# Comoving and with h: the same halos in other units, at another redshift.
subprocess.run(["cp", data + "/lcdm64.hdf5", "other.hdf5"], check=True)
with h5py.File("other.hdf5", "r+") as other:
    for group in "Header", "Cosmology":
        if "Redshift" in other[group].attrs:
            other[group].attrs["Redshift"] = np.ones_like(other[group].attrs["Redshift"])
            other[group].attrs["Scale-factor"] /= 2
    h = float(np.squeeze(other["Cosmology"].attrs["h"]))
    for array in "Coordinates", "Masses":
        other["PartType1/" + array].attrs["h-scale exponent"] = -1.0
ours = find_halos(os.path.abspath("other.hdf5"), "with_h.0.h5")
assert ours["halos/mass"].attrs["unit"] == "1e10 Msun/h"
theirs = yt.load("with_h.0.h5")
every = theirs.all_data()
assert np.allclose(every["halos", "particle_position"].to_value("Mpc") * h * 2,
                   ours["halos/center_of_mass"], 1e-12)
assert np.allclose(every["halos", "particle_mass"].to_value("Msun") * h, 1e10 * ours["halos/mass"][:],
                   1e-12)

# Nothing is made up where the units are not known.
np.save("points.npy", np.random.default_rng(1).random((4000, 3)) ** 4)
ours = find_halos("points.npy", "points.0.h5", "--box", "1")
assert len(ours["halos/tag"]) > 0 and "data_type" not in ours.attrs
