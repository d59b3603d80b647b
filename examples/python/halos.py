"""usage: halos.py SNAPSHOT [PICTURE]: how many halos of which mass there are; a picture by matplotlib."""

import sys

import numpy as np
import weft

halos = weft.halos(sys.argv[1])
mass, unit = halos["mass"], halos.columns["mass"].unit
edges = np.geomspace(mass.min(), mass.max() * 1.000001, 9)
counts = np.histogram(mass, edges)[0]
per_volume = counts / np.diff(np.log(edges)) / np.prod(halos.about.box)
for low, count, n in zip(edges, counts, per_volume):
    print(f"from {low:8.1f} {unit}: {count:4} halos, dn/dlnM = {n:.3e} / ({halos.about.length_unit.decode()})^3")
if len(sys.argv) > 2:
    from matplotlib import pyplot
    pyplot.loglog(edges[:-1], per_volume, drawstyle="steps-post")
    pyplot.gca().set(xlabel=f"mass / ({unit})", ylabel="dn / dlnM")
    pyplot.savefig(sys.argv[2])
