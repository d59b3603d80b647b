"""usage: test_swiftsimio.py BUILD/python: swiftsimio reads what weft.ics and weft.convert(format="swift") write, and
gives what weft.halos takes. Where it is not installed h5py looks up what it asks for."""

import os
import sys
import tempfile
import warnings

import numpy as np

from support import raises

try:
    import h5py
except ImportError:
    sys.exit(print("h5py is not installed: what is written was not read by it"))
try:
    import swiftsimio
except ImportError:
    swiftsimio = None

sys.path.insert(0, sys.argv[1])
import weft  # noqa: E402

warnings.simplefilter("ignore")
MPC, MSUN = 3.0856775814913673e24, 1.98841e33


def physical(path):
    """Positions in Mpc, velocities in km/s and masses in Msun, by powers of the units and of the scale factor, as
    swiftsimio works them out; and the ids."""
    with h5py.File(path) as file:
        about, arrays = file["Header"].attrs, file["PartType1"]
        a = about["Scale-factor"][0]
        assert np.isclose(a, 1 / (1 + about["Redshift"][0]), rtol=1e-15) and about["NumPart_ThisFile"][1] == len(
            arrays["ParticleIDs"])

        def in_cgs(name):
            of, unit = arrays[name].attrs, file["Units"].attrs
            powers = (unit[f"Unit {word} in cgs (U_{letter})"][0] ** of[f"U_{letter} exponent"][0] for word, letter in (
                ("mass", "M"), ("length", "L"), ("time", "t"), ("current", "I"), ("temperature", "T")))
            return arrays[name][:] * (np.prod(list(powers)) * a ** of["a-scale exponent"][0])

        ids = arrays["ParticleIDs"][:]
        return in_cgs("Coordinates") / MPC, in_cgs("Velocities") / 1e5, in_cgs("Masses") / MSUN, ids


def same(path, positions, velocities, masses, ids, digits=1e-14):
    """Read in both ways, in physical units. swiftsimio rounds units that have no name: `digits` for it."""
    found = physical(path)
    assert (found[3] == ids).all()
    for got, expected, to in zip(found, (positions, velocities, masses), (1e-14, 1e-6, 1e-6)):
        assert np.allclose(got, expected, rtol=to, atol=0), path
    if not swiftsimio:
        return
    matter = swiftsimio.load(path).dark_matter
    assert (matter.particle_ids == ids).all()
    assert np.allclose(matter.coordinates.to_physical().to("Mpc").value, positions, rtol=digits)
    digits = max(digits, 1e-5)  # its year is another
    assert np.allclose(matter.velocities.to_physical().to("km/s").value, velocities, rtol=digits)
    assert np.allclose(matter.masses.to("Msun").value, masses, rtol=1e-4)


with tempfile.TemporaryDirectory() as folder:
    ics, converted, per_h = (os.path.join(folder, name) for name in ("ics.hdf5", "converted.hdf5", "h.hdf5"))
    made = weft.ics(8, 50, z=9, output=ics)
    expected = made.positions / 10, made.velocities, 1e10 * made.masses, made.ids
    same(ics, *expected)
    weft.convert(ics, converted, format="swift")
    same(converted, *expected)
    with h5py.File(converted) as file:
        assert file["Cosmology"].attrs["Omega_m"][0] == made.info["omega_matter"]

    # Lengths and masses in units of 1/h: the units of the file are without h, and the data sets tell it.
    with h5py.File(ics, "r+") as file:
        h = file["Cosmology"].attrs["h"][0]
        for name in ("Coordinates", "Masses"):
            file["PartType1/" + name].attrs["h-scale exponent"] = np.array([-1.0])
    weft.convert(ics, per_h, format="swift")
    assert weft.info(per_h)["length_unit"] == "Mpc/h" and weft.info(per_h)["mass_unit"] == "1e10 Msun/h"
    same(per_h, expected[0] / h, expected[1], expected[2] / h, expected[3], digits=1e-4)

    # Without units there is no such file.
    np.save(os.path.join(folder, "x.npy"), made.positions)
    raises(OSError, "needs units of length and mass", weft.convert, os.path.join(folder, "x.npy"), per_h, "swift")

    # What it gives goes into weft.halos as it is: of a lattice each particle is alone.
    if swiftsimio:
        data = swiftsimio.load(converted)
        about, matter = data.metadata, data.dark_matter
        assert about.boxsize.to("Mpc").value.max() == 50 and about.z == 9 and about.n_dark_matter == 512
        halos = weft.halos(matter.coordinates.value, ids=np.asarray(matter.particle_ids.value), box=50,
                           masses=matter.masses.value, min_members=1, linking_length=0.01, so="none")
        assert len(halos) == 512 and (np.sort(halos["tag"]) == np.arange(512)).all()
    else:
        print("swiftsimio is not installed: h5py read what is written")
