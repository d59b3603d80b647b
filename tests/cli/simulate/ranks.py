"""usage: ranks.py WEFT MPIRUN

weft simulate on several ranks: the bytes of one process, forward, after a restart and back; and
one sentence where a rank fails.
"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError:
    sys.exit(77)

weft, mpirun = (os.path.abspath(path) for path in sys.argv[1:])
os.chdir(tempfile.mkdtemp())


def run(*arguments, ranks=1, status=0, command='simulate'):
    before = [mpirun, '--oversubscribe', '--bind-to', 'none', '-n', str(ranks)] if ranks > 1 else []
    done = subprocess.run([*before, weft, command, *arguments], capture_output=True, text=True, timeout=240,
                          check=False)
    assert (done.returncode == 0) == (status == 0), (arguments, done)
    return done


def content(name):
    with open(name, 'rb') as file:
        return file.read()


run('--n', '16', '--box', '12', '--z', '49', '--seed', '3', '-q', '-o', 'ics.hdf5', command='ics')
plan = ['ics.hdf5', '--steps', '4', '--substeps', '2', '--snapshots', '4', '--halos', '0', '--power', '--genericio=3',
        '--checkpoint', '3', '--threads', '1', '-o', 'run']
names = [f'run{name}' for name in ('_000.hdf5', '_001.hdf5', '_001.gio', '_001.gio#0', '_001.gio#2', '_001.halos.hdf5', '.power_001.csv',
                                   '.energy.csv', '.checkpoint.hdf5')]
run(*plan)
run('run_001.hdf5', 'as.gio', '--files', '3', '-q', command='convert')
for end in '', '#0', '#1', '#2':
    assert content(f'as.gio{end}') == content(f'run_001.gio{end}'), end
alone = [content(name) for name in names]
for ranks in 1, 3:
    run('run_001.hdf5', '-q', '-o', 'power.csv', ranks=ranks, command='power')
    assert content('power.csv') == content('run.power_001.csv'), ranks
run('run_001.hdf5', '--reverse', '-o', 'back', '-q')
for ranks in 2, 3, 4:
    done = run(*plan, ranks=ranks)
    assert f'{ranks} ranks' in done.stdout and done.stdout.count('wrote run_001.hdf5') == 1, done.stdout
    for name, was in zip(names, alone):
        assert content(name) == was, (ranks, name)
done = run(*plan, '--restart', ranks=2)
assert ' 1 steps of 2' in done.stdout, done.stdout
for name, was in zip(names, alone):
    assert content(name) == was, name
was = content('back_000.hdf5')
run('run_001.hdf5', '--reverse', '-o', 'back', '-q', ranks=3)
assert content('back_000.hdf5') == was

# More ranks than particles that some of them would have; ids that are not as they come.
with h5py.File('ics.hdf5', 'r+') as file:
    group = file['PartType1']
    group['ParticleIDs'][...] = group['ParticleIDs'][:][::-1]
names = ['run_000.hdf5', 'run_000.halos.hdf5']
run(*plan[:5], '--halos', '0', '--threads', '1', '-o', 'run', '-q')
alone = [content(name) for name in names]
for ranks in 2, 5:
    run(*plan[:5], '--halos', '0', '--threads', '1', '-o', 'run', '-q', ranks=ranks)
    for name, was in zip(names, alone):
        assert content(name) == was, (ranks, name)
# More ranks than the mesh has planes: a slab each, and pencils, three to a slab.
small = [*plan[:5], '--mesh', '8', '--energy', '2', '--threads', '1', '-q', '-o', 'small']
names = ['small_000.hdf5', 'small.energy.csv']
run(*small)
alone = [content(name) for name in names]
for ranks in 9, 12:
    run(*small, ranks=ranks)
    assert [content(name) for name in names] == alone, ranks
with h5py.File('run_000.hdf5') as file:
    assert (file['PartType1/ParticleIDs'][:] == np.arange(4096)[::-1]).all()


def refused(words, *arguments):
    done = run(*arguments, ranks=2, status=1)
    assert done.stderr.count('weft simulate:') == 1 and words in done.stderr, done.stderr


shutil.copy('ics.hdf5', 'bad.hdf5')
with h5py.File('bad.hdf5', 'r+') as file:
    file['PartType1/Masses'][4000] *= 2
refused('the mass of particle 4000 is not that of particle 0', 'bad.hdf5', '-q')
refused('nowhere/run', 'ics.hdf5', '-o', 'nowhere/run')
os.mkdir('taken_000.gio#1')
refused('cannot write taken_000.gio#1: Is a directory', *plan[:5], '--genericio=2', '-q', '-o', 'taken')
assert not os.path.exists('taken_000.gio') and not glob.glob('.weft-*'), os.listdir()

# The second of two ranks may write no more than 200 KiB of a snapshot of 256: nothing is left of it.
was = sorted(os.listdir())
done = subprocess.run([mpirun, '--oversubscribe', '--bind-to', 'none', '-n', '1', weft, 'simulate', *plan[:5], '-q',
                       '-o', 'cut', ':', '-n', '1', 'bash', '-c', 'ulimit -f 200; exec "$@"', '', weft, 'simulate',
                       *plan[:5], '-q', '-o', 'cut'], capture_output=True, text=True, timeout=240, check=False)
assert done.returncode != 0 and 'cannot write cut_000.hdf5: File too large' in done.stderr, done
assert done.stderr.count('weft simulate:') == 1, done.stderr
assert sorted(os.listdir()) == was and not glob.glob('.weft-*'), os.listdir()
