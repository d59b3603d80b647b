"""Snapshots that the tests of weft power write."""
import sys

try:
    import h5py
    import numpy as np
except ImportError:
    sys.exit(77)

BOX = 10.0


def write(name, x, box=BOX, masses=None):
    with h5py.File(name, 'w') as file:
        header = file.create_group('Header')
        header.attrs['BoxSize'] = box
        header.attrs['NumPart_ThisFile'] = np.array([0, len(x), 0, 0, 0, 0])
        header.attrs['NumFilesPerSnapshot'] = 1
        group = file.create_group('PartType1')
        group['Coordinates'] = x
        group['ParticleIDs'] = np.arange(len(x))
        if masses is not None:
            group['Masses'] = masses
