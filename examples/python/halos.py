"""usage: halos.py SNAPSHOT [PICTURE]: how many halos of which mass there are; a picture by matplotlib."""

import sys

import numpy as np
import weft

snapshot = sys.argv[1]

# %% A catalogue of halos: its columns are NumPy arrays.
halos = weft.halos(snapshot)
mass, unit = halos["mass"], halos.columns["mass"].unit
print(halos, f"the largest has {mass[0]:.0f} {unit}")

# %% How many there are of which mass.
edges = np.geomspace(mass.min(), mass.max() * 1.000001, 9)
counts = np.histogram(mass, edges)[0]
per_volume = counts / np.diff(np.log(edges)) / np.prod(halos.header["box"])
for low, count, n in zip(edges, counts, per_volume):
    print(f"from {low:8.1f} {unit}: {count:4} halos, dn/dlnM = {n:.3e} / ({halos.header['length_unit']})^3")

# %% Where they are, and the same as a picture.
if len(sys.argv) > 2:
    halos.plot(bins=128).savefig(sys.argv[2])
