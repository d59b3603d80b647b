"""What the tests of weft sheet share. Arguments: WEFT BACKENDS... They run in a folder of their own."""
import os
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError:
    sys.exit(77)

weft, backends = os.path.abspath(sys.argv[1]), sys.argv[2:]
os.chdir(tempfile.mkdtemp())


def run(*arguments, status=0, before=()):
    done = subprocess.run([*before, weft, 'sheet', *arguments], capture_output=True, text=True, timeout=120,
                          check=False)
    assert done.returncode == status, (arguments, done)
    return done


def refused(words, *arguments, status=1, before=()):
    """One sentence with these words, and no file left behind."""
    there = sorted(os.listdir())
    done = run(*arguments, status=status, before=before)
    assert words in done.stderr, (words, done.stderr)
    assert done.stdout == '' and sorted(os.listdir()) == there, arguments
    assert status != 1 or done.stderr.count('weft sheet:') == 1, done.stderr


def misused(words, *arguments):
    refused(words, *arguments, status=2)


def write(name, x, ids=None, masses=None, velocities=None, box=None):
    """A snapshot; particles of 2.5 each where no masses are given."""
    with h5py.File(name, 'w') as file:
        header = file.create_group('Header')
        header.attrs['BoxSize'] = box
        header.attrs['Time'] = 1.0
        for entry in 'NumPart_ThisFile', 'NumPart_Total':
            header.attrs[entry] = np.array([0, len(x), 0, 0, 0, 0])
        header.attrs['NumFilesPerSnapshot'] = 1
        header.attrs['MassTable'] = np.array([0, 2.5, 0, 0, 0, 0]) if masses is None else np.zeros(6)
        group = file.create_group('PartType1')
        group['Coordinates'] = x
        for field, values in ('ParticleIDs', ids), ('Masses', masses), ('Velocities', velocities):
            if values is not None:
                group[field] = values


def arrays(name):
    """What a file has, and its header."""
    with h5py.File(name) as file:
        names = [at for at in file if isinstance(file[at], h5py.Dataset) and not at.startswith('grid_')]
        for at in names:
            assert file[at].attrs['unit'] and file[at].attrs['description'], at
        return {at: file[at][:] for at in names}, dict(file['header'].attrs)


def moved(side, box, far, seed):
    """Particles of a lattice, each up to `far` from where it began, in the order of their sites."""
    random = np.random.default_rng(seed)
    site = np.stack(np.unravel_index(np.arange(side**3), (side,) * 3), axis=1)
    return (site * box / side + random.uniform(-far, far, site.shape)) % box
