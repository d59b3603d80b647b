"""usage: test_rockstar.py PACKAGE SNAPSHOT ROCKSTAR.list.gz

Rockstar's strict masses of lcdm128 are last crossings and ours first ones, of the same particles: each
of its counts must be a crossing, and mostly ours. Where the counts differ all distances decide.
"""
import gzip
import os
import sys

sys.path.insert(0, sys.argv[1])
if not all(os.path.exists(path) for path in sys.argv[2:4]):
    sys.exit(77)
try:
    import h5py
    import numpy as np
except ImportError:
    sys.exit(77)
import weft

PARTICLE, H, OMEGA, LEAST = 4.10253e10, 0.68, 0.31, 20
with gzip.open(sys.argv[3], 'rt') as file:
    lines = file.readlines()
column = lines[0][1:].split()
rows = np.array([line.split() for line in lines if line[0] != '#'], float)
rows = rows[rows[:, -1] < 0]  # the parent's; some columns before it have names but no numbers
with h5py.File(sys.argv[2]) as file:
    x = file['PartType1/Coordinates'][:].astype('f8')
    box = float(np.atleast_1d(file['Header'].attrs['BoxSize'])[0])
centers = rows[:, [column.index(axis) for axis in 'XYZ']] / H % box
mean = len(x) / box ** 3
along = np.argsort(x[:, 0])
x = x[along]


def crosses(center, density, count):
    """Whether the sphere of `count` particles is dense, and that of one more is not."""
    reach = 1.1 * (3 * count / (4 * np.pi * density)) ** (1 / 3)
    near = [x[slice(*np.searchsorted(x[:, 0], [center[0] + k * box - reach, center[0] + k * box + reach]))]
            for k in (-1, 0, 1)]
    away = np.concatenate(near) - center
    r = np.sort(np.linalg.norm(away - box * np.round(away / box), axis=1))
    volume = 4 / 3 * np.pi * r[count - 1:count + 1] ** 3
    return count > density * volume[0] and not count + 1 > density * volume[1]


# As many hosts as have a strict mass; in how many ours is the same; in how many others it is a crossing.
for name, density, known in (('M200c', 200 / OMEGA, (3919, 3710, 198)),
                             ('M500c', 500 / OMEGA, (2752, 2488, 251))):
    theirs = np.rint(rows[:, column.index(name)] / PARTICLE).astype(int)
    ours = weft.so(x, centers, density * mean, box=box).count
    some = theirs >= LEAST
    other = np.flatnonzero(some & (ours != theirs))
    later = sum(crosses(centers[h], density * mean, theirs[h]) for h in other)
    found = (int(some.sum()), int((ours == theirs)[some].sum()), int(later))
    assert found == known, (name, found)
    assert (ours[other] < theirs[other]).mean() > 0.9, name
