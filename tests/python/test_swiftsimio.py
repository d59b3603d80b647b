"""usage: test_swiftsimio.py BUILD/python: swiftsimio reads the initial conditions that the package writes, and gives what
it takes."""

import os
import sys
import tempfile
import warnings

import numpy as np

try:
    import swiftsimio
except ImportError:
    sys.exit(print("swiftsimio is not installed: what is written was not read by it"))

sys.path.insert(0, sys.argv[1])
import weft  # noqa: E402

warnings.simplefilter("ignore")
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "ics.hdf5")
    made = weft.ics(8, 50, z=9, output=path)
    data = swiftsimio.load(path)
    about, matter = data.metadata, data.dark_matter
    assert about.boxsize.to("Mpc").value.tolist() == [50] * 3 and about.z == 9 and about.n_dark_matter == 512
    assert (matter.particle_ids == made.ids).all()
    assert np.allclose(matter.coordinates.to("Mpc").value, made.positions, rtol=1e-14)
    assert np.allclose(matter.velocities.to("km/s").value, made.velocities, rtol=1e-5)  # (its year is another)
    assert np.allclose(matter.masses.to("Msun").value, 1e10 * made.masses, rtol=1e-4)

    # What it gives goes into weft.halos as it is: of a lattice each particle is alone.
    halos = weft.halos(matter.coordinates.value, ids=np.asarray(matter.particle_ids.value), box=about.boxsize.value,
                       masses=matter.masses.value, min_members=1, linking_length=0.01, so="none")
    assert len(halos) == 512 and (np.sort(halos["tag"]) == np.arange(512)).all()
