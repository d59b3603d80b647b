"""usage: ranks.py WEFT MPIRUN BACKENDS...

weft power on several ranks: the bytes of one process, of particles by every window and of densities; with
more ranks than particles, than planes of the mesh and than rows; and one sentence where a rank fails.
"""
import json
import os
import subprocess
import sys
import tempfile

from snapshots import BOX, h5py, np, write

weft, mpirun, backends = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3:]
os.chdir(tempfile.mkdtemp())
every = os.environ.get('WEFT_TEST') == 'all'


def run(*arguments, ranks=1, status=0, command='power', **more):
    before = [mpirun, '--oversubscribe', '--bind-to', 'none', '-n', str(ranks)] if ranks > 1 else []
    done = subprocess.run([*before, weft, command, *arguments], capture_output=True, text=True, timeout=240,
                          check=False, env={**os.environ, **more})
    assert done.returncode == status, (arguments, ranks, done)
    return done


def content(name):
    with open(name, 'rb') as file:
        return file.read()


def same(counts, *options, **more):
    """The file that one process writes, from so many ranks."""
    run(*options, '--backend', 'serial', '-q', '-o', 'alone.csv')
    for count in counts:
        done = run(*options, '--threads', '1', '-o', 'ranks.csv', ranks=count, **more)
        assert f'{count} ranks, which sent' in done.stdout and done.stdout.count('wrote') == 1, done.stdout
        assert content('ranks.csv') == content('alone.csv'), (options, count, more)


generator = np.random.default_rng(3)
points = BOX * generator.random((3000, 3)) ** 2
points[:40] += generator.integers(-3, 4, (40, 3)) * BOX  # outside of the box
points[40:80] = np.floor(points[40:80] * 1.6) / 1.6      # on points of the mesh
write('points.hdf5', points, masses=1 + generator.random(3000))
write('narrow.hdf5', points.astype('f4'), masses=(1 + generator.random(3000)).astype('f4'))
write('equal.hdf5', points)
for k, window in enumerate(('ngp', 'cic', 'tsc', 'pcs')):
    for plain in [], ['--no-interlacing']:
        counts = [2 + (k + len(plain)) % 3]
        same([2, 3, 4] if every else counts, 'points.hdf5', '--grid', '16', '--window', window, *plain)
same([2, 3] if every else [2], 'narrow.hdf5')
same([2], 'equal.hdf5', '--grid', '20', WEFT_STYLE='simt')
same([2], 'points.hdf5', '--grid', '64')  # wide enough for pencils of particles

# More ranks than planes, which share slabs or have nothing to do; than particles; and with none.
same([7, 9, 12] if every else [9], 'points.hdf5', '--grid', '8')
same([5, 7] if every else [7], 'points.hdf5', '--grid', '4')
write('few.hdf5', points[:2], masses=[1.0, 3.0])
same([3, 4] if every else [4], 'few.hdf5', '--grid', '6')
write('one.hdf5', points[:1])
same([3], 'one.hdf5', '--grid', '4')

# Densities, of which each rank reads some planes.
lattice = (np.array(np.meshgrid(*[np.arange(8)] * 3, indexing='ij')).reshape(3, -1).T + 0.5) * BOX / 8
write('sheet.hdf5', lattice + 0.3 * np.sin(2 * np.pi * lattice[:, ::-1] / BOX))
run('sheet.hdf5', '--grid', '12,10,14', '-o', 'grid.hdf5', '-q', command='sheet')
same([2, 3, 4, 13] if every else [3, 13], '--density', 'grid.hdf5')
with h5py.File('grid.hdf5', 'r+') as file:
    del file['mass_units']
same([3], '--density', 'grid.hdf5')

# Ranks whose devices are of different kinds, and what a run tells.
if len(backends) > 1:
    run('points.hdf5', '--grid', '16', '--backend', 'serial', '-q', '-o', 'alone.csv')
    mixed = []
    for backend in backends[:3]:
        mixed += [':'] * (len(mixed) > 0) + ['-n', '1', '-x', f'WEFT_BACKEND={backend}', weft, 'power', 'points.hdf5',
                                             '--grid', '16', '-q', '-o', 'mixed.csv']
    subprocess.run([mpirun, '--oversubscribe', '--bind-to', 'none', *mixed], check=True, timeout=240)
    assert content('mixed.csv') == content('alone.csv')
run('points.hdf5', '-q', '-o', '-', '--timings', 'timings.json', ranks=2)
with open('timings.json', encoding='utf-8') as file:
    assert json.load(file)['ranks']['count'] == 2
streamed = run('points.hdf5', '--grid', '16', '-o', '-', ranks=3).stdout
run('points.hdf5', '--grid', '16', '-q', '-o', 'alone.csv')
assert streamed == content('alone.csv').decode()


def refused(words, *arguments, status=1, ranks=3):
    before = sorted(os.listdir())
    done = run(*arguments, status=status, ranks=ranks)
    told = [line for line in done.stderr.splitlines() if line.startswith('weft power: ')]
    assert len(told) == 1 and words in told[0], done.stderr
    assert sorted(os.listdir()) == before, arguments


# What is wrong with the last rank's particles or planes, and with what all ranks read.
wrong = points.copy()
wrong[2900, 1] = np.nan
write('wrong.hdf5', wrong)
refused('the position of particle 2900', 'wrong.hdf5')
wrong[2900, 1] = 1e200
write('wrong.hdf5', wrong)
refused('1e+200', 'wrong.hdf5')
masses = np.ones(3000)
masses[1700] = -1
write('wrong.hdf5', points, masses=masses)
refused('the mass of particle 1700', 'wrong.hdf5')
with h5py.File('grid.hdf5', 'r+') as file:
    file['density'][11, 3, 2] = np.inf
refused(f'density {(11 * 10 + 3) * 14 + 2} is not finite', '--density', 'grid.hdf5')
refused('nowhere.hdf5', 'nowhere.hdf5')
refused('no backend', 'points.hdf5', '--backend', 'none', status=2)
refused('the next one is 28', 'points.hdf5', '--grid', '26', status=2)
write('light.hdf5', points % BOX, masses=np.full(len(points), 1e-306))
refused('have no squares in f64: choose another unit', 'light.hdf5', '--grid', '8')
write('kpc.hdf5', 1e3 * points)
told = run('kpc.hdf5', '--grid', '8', '-o', 'kpc.csv', ranks=2).stderr
assert told.count('lie outside of the box') == 1, told
