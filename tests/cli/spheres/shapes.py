"""usage: shapes.py WEFT DATA

--shapes of some halos of a real snapshot, against their definition; and what excludes it.
"""
import os
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError:
    sys.exit(77)

weft, snapshot = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]) + '/lcdm64.hdf5'
os.chdir(tempfile.mkdtemp())


def run(*arguments, status=0, words=''):
    done = subprocess.run([weft, 'halos', snapshot, '-q', '-o', 'c.hdf5', *arguments], capture_output=True, text=True,
                          timeout=120, check=False)
    assert done.returncode == status and words in done.stderr, (arguments, done)


def define(x, radius, reduced):
    """Axis ratios and axes, of places from the center."""
    ratio, axes = np.ones(3), np.eye(3)
    x = x[(x ** 2).sum(axis=1) <= 4 * radius ** 2]
    for _ in range(20):
        r2 = np.prod(ratio) ** (2 / 3) * ((x @ axes.T / ratio) ** 2).sum(axis=1)
        weight = (r2 <= radius ** 2) * np.divide(1, r2, out=np.zeros_like(r2), where=r2 > 0) ** reduced
        if np.count_nonzero(r2 <= radius ** 2) < 20:
            return np.zeros(3), np.zeros((3, 3))
        value, vector = np.linalg.eigh((x * weight[:, None]).T @ x)
        before, ratio, axes = ratio, np.sqrt(value[::-1] / value[2]), vector.T[::-1]
        if np.all(abs(ratio - before) < 1e-4):
            break
    return ratio, axes * np.sign(np.take_along_axis(axes, abs(axes).argmax(axis=1)[:, None], 1))


run('--shapes', '--backend', 'serial')
with h5py.File(snapshot) as file:
    position = file['PartType1/Coordinates'][...].astype(float)
    box = np.max(file['Header'].attrs['BoxSize'])
with h5py.File('c.hdf5') as file:
    halos = {name: file['halos/' + name][...] for name in file['halos']}
for row in 0, 1, 7, 50, 300, len(halos['tag']) - 1:
    away = position - halos['mbp_position'][row]
    away -= box * np.round(away / box)
    for kind in '', '_reduced':
        ratio, axes = define(away, halos['radius_200c'][row], bool(kind))
        found = halos['shape_iterated' + kind][row]
        want = [ratio[2], ratio[1], (1 - ratio[1] ** 2) / (1 - ratio[2] ** 2) if ratio[2] < 1 and ratio[0] else 0]
        assert np.allclose(found, want, atol=1e-8), (row, kind, found, want)
        assert np.allclose(halos[f'shape_iterated{kind}_axes'][row].reshape(3, 3), axes, atol=1e-5), (row, kind)
for arguments, words in ((('--properties=none',), '--shapes and --properties=none exclude each other'),
                         (('--so', 'vir'), '--shapes: 200c is not one of --so')):
    run('--shapes', *arguments, status=2, words=words)
