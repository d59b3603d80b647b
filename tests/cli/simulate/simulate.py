"""usage: simulate.py WEFT BACKENDS...

A small universe that weft simulate lets fall together: the same bytes on every backend, after a
kill and after a way back; what its files tell; and what it refuses.
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

try:
    import h5py
    import numpy as np
except ImportError:
    sys.exit(77)

weft, backends = os.path.abspath(sys.argv[1]), sys.argv[2:]
os.chdir(tempfile.mkdtemp())
BOX, N, Z, H = 8.0, 8, 49.0, 0.68


def run(*arguments, command='simulate', status=0, backend=''):
    done = subprocess.run([weft, command, *arguments], capture_output=True, text=True, timeout=240,
                          check=False, env={**os.environ, **({'WEFT_BACKEND': backend} if backend else {})})
    assert done.returncode == status, (arguments, done)
    return done


def refused(words, *arguments, status=1):
    before = sorted(os.listdir())
    done = run(*arguments, status=status)
    assert words in done.stderr, (words, done.stderr)
    assert done.stdout == '' and sorted(os.listdir()) == before, arguments


def content(name):
    with open(name, 'rb') as file:
        return file.read()


def state(name):
    """Positions and momenta as the integers that a file stands for, by particle."""
    with h5py.File(name) as file:
        a, group = file['Header'].attrs['Scale-factor'][0], file['PartType1']
        x, v = group['Coordinates'][:] / BOX * 2**32, group['Velocities'][:].astype(np.float64)
        p = v * a / (100 * H * BOX) * 2**40
        return np.round(x).astype(np.int64) % 2**32, np.round(p).astype(np.int64)


run('--n', str(N), '--box', str(BOX), '--z', str(Z), '--seed', '3', '-q', '-o', 'ics.hdf5', command='ics')
plan = ['ics.hdf5', '--to-z', '0', '--steps', '12', '--substeps', '2', '--snapshots', '4', '--halos', '0,9', '-q']
said = run(*plan[:-1], '-o', 'whole', '--power', '--genericio', '--backend', backends[0]).stdout
assert sorted(re.findall('wrote (.*)', said)) == [name for name in sorted(os.listdir()) if 'whole' in name], said
names = ['whole_000.hdf5', 'whole_001.hdf5', 'whole_002.hdf5']
assert not os.path.exists('whole_001.halos.hdf5')
for name, z in zip(names, (9, 4, 0)):
    with h5py.File(name) as file:
        assert abs(file['Header'].attrs['Redshift'][0] - z) < 1e-12
        assert (file['PartType1/ParticleIDs'][:] == np.arange(N**3)).all()
        x = file['PartType1/Coordinates'][:]
        assert (x >= 0).all() and (x < BOX).all()
        # What pulls is pulled: all together stay at rest.
        v = file['PartType1/Velocities'][:]
        assert abs(v.mean(0)).max() < 1e-6 * v.std(), (v.mean(0), v.std())

for backend in backends[1:]:
    run(*plan, '-o', 'other', '--backend', backend)
    assert content('other.energy.csv') == content('whole.energy.csv'), backend
    for k, name in enumerate(names):
        assert content(f'other_00{k}.hdf5') == content(name), (backend, name)

# Halos are found in the memory that forces had.
run('--n', '64', '--box', '50', '--z', str(Z), '-q', '-o', 'large.hdf5', command='ics')
most = []
for more in [], ['--halos', '40']:
    done = run('large.hdf5', '--to-z', '40', '--steps', '1', '--substeps', '1', '--threads', '2', '--backend',
               'pthreads', '-o', 'large', '--timings', 'large.json', *more)
    with open('large.json') as file:
        assert json.load(file)['peak_memory']['device'] < 100 * 64**3 + 16 * 128**3
    most.append(float(done.stdout.split('peak memory ')[1].split()[0]))
assert most[1] < 1.05 * most[0], most

# Energies and momentum, of the particles that the snapshot has; and they balance.
def rows(name):
    return np.loadtxt(name, delimiter=',', comments=('#', 'step'), ndmin=2)


energy = rows('whole.energy.csv')
assert (energy[:, 0] == np.arange(13)).all()
with h5py.File('whole_002.hdf5') as file:
    v = file['PartType1/Velocities'][:].astype(np.float64)
assert np.isclose(energy[-1, 2], (v**2).sum(1).mean() / 2, rtol=1e-9)
assert np.allclose(energy[-1, 5:], v.mean(0), rtol=1e-6, atol=1e-9 * v.std())
steps = [energy[k:k + 2] for k in range(12)]
total = [a * (t + w) for _, a, t, w in energy[:, :4]]
done = sum((two[0, 2] + two[1, 2]) / 2 * (two[1, 1] - two[0, 1]) for two in steps)
assert np.isclose(energy[-1, 4], total[-1] - total[0] + done, rtol=1e-6)

# In steps that are short enough the energy equation holds to a hundredth.
run('ics.hdf5', '--steps', '60', '--substeps', '4', '-q', '-o', 'fine')
energy = rows('fine.energy.csv')
assert abs(energy[-1, 4] / energy[-1, 3]) < 0.01 and energy[-1, 3] < -5000, energy[-1]
run('ics.hdf5', '--steps', '60', '--substeps', '4', '-q', '-o', 'other', '--split', 'hacc')
other = rows('other.energy.csv')
assert abs(other[-1, 4] / other[-1, 3]) < 0.03, other[-1]
assert abs(other[0, 3] / energy[0, 3] - 1) < 0.15, (other[0], energy[0])

# Back from the last snapshot to the integers of the initial conditions, and forward again.
run('whole_002.hdf5', '--reverse', '-o', 'back', '-q', '--backend', backends[0])
for was, came in zip(state('ics.hdf5'), state('back_000.hdf5')):
    assert (was == came).all(), abs(was - came).max()
run('back_000.hdf5', *plan[1:], '-o', 'again')
assert content('again_002.hdf5') == content('whole_002.hdf5')

# Killed once a checkpoint is there; what was written goes on to the same bytes.
killed = subprocess.Popen([weft, 'simulate', *plan, '-o', 'cut', '--checkpoint', '1'])
while not os.path.exists('cut.checkpoint.hdf5') and killed.poll() is None:
    time.sleep(0.001)
killed.send_signal(signal.SIGKILL)
killed.wait()
shutil.copy('cut.checkpoint.hdf5', 'cut.copy.hdf5')
with open('cut.energy.csv') as file:
    assert len(file.readlines()) > 5
done = run(*plan[:-1], '-o', 'cut', '--restart')
for k, name in enumerate(names):
    assert content(f'cut_00{k}.hdf5') == content(name), name
assert content('cut.energy.csv') == content('whole.energy.csv')
# (Rows beyond the checkpoint are made again.)
run(*plan, '-o', 'cut', '--restart')
assert content('cut.energy.csv') == content('whole.energy.csv')
with h5py.File('cut.copy.hdf5') as file:
    step = int(file['Weft'].attrs['Step'])
    assert f'{12 - step} steps of 2' in done.stdout, (step, done.stdout)
run('cut.copy.hdf5', '--reverse', '-o', 'back', '-q')
assert (state('back_000.hdf5')[0] == state('ics.hdf5')[0]).all()
refused('cut.checkpoint.hdf5 is of another run', *plan[:3], '-o', 'cut', '--restart')
# The same plan from other initial conditions: not what another universe left.
run('--n', str(N), '--box', str(BOX), '--z', str(Z), '--seed', '4', '-q', '-o', 'second.hdf5', command='ics')
refused('cut.checkpoint.hdf5 is of a run from another file than second.hdf5', 'second.hdf5', *plan[1:], '-o', 'cut',
        '--restart')
done = run(*plan[:-1], '-o', 'new', '--restart')
assert 'new.checkpoint.hdf5 is not there: the run begins anew' in done.stderr
assert content('new_002.hdf5') == content('whole_002.hdf5')
run('ics.hdf5', '--to-z', '4', '--steps', '5', '--energy', '3', '-q', '-o', 'rare')
assert (rows('rare.energy.csv')[:, 0] == [0, 3, 5]).all()
run('ics.hdf5', '--to-z', '9', '--steps', '2', '--energy', '0', '-q', '-o', 'none')
assert not os.path.exists('none.energy.csv')

# In place the same catalogue as of the snapshot.
for name, least in (('whole_000', 0), ('whole_002', 1)):
    found = content(f'{name}.halos.hdf5')
    run(f'{name}.hdf5', '-o', f'{name}.halos.hdf5', command='halos', backend=backends[0])
    assert found == content(f'{name}.halos.hdf5'), name
    with h5py.File(f'{name}.halos.hdf5') as file:
        assert len(file['halos/tag']) >= least
assert 'redshift    0,' in run('whole_002.hdf5', command='info').stdout


made = content('whole_001.gio')
run('whole_001.hdf5', 'whole_001.gio', command='convert')
assert made == content('whole_001.gio') and not os.path.exists('whole.checkpoint.gio')
assert '512 particles' in run('whole_001.gio', command='info').stdout

power = content('whole.power_001.csv')
run('whole_001.hdf5', '-o', 'whole.power_001.csv', command='power', backend=backends[0])
assert power == content('whole.power_001.csv')

# HACC's split: another force, and the same way back, which files tell.
run('ics.hdf5', '--steps', '6', '--substeps', '2', '-q', '-o', 'hacc', '--split', 'hacc')
with h5py.File('hacc_000.hdf5') as file:
    assert file['Weft'].attrs['Split'] == 1
    far = abs(file['PartType1/Coordinates'][:] - x)
assert 1e-4 < np.median(np.minimum(far, BOX - far)) < 0.1 * BOX
run('hacc_000.hdf5', '--reverse', '-o', 'back', '-q')
for was, came in zip(state('ics.hdf5'), state('back_000.hdf5')):
    assert (was == came).all()


def changed(change, name='bad.hdf5', source='ics.hdf5'):
    shutil.copy(source, name)
    with h5py.File(name, 'r+') as file:
        change(file)
    return name


def halve(file):
    file['PartType1/Masses'][5] *= 2


def unplan(file):
    file['Weft'].attrs.modify('Steps', [0.0, 3, 3, 12])


os.mkdir('folder')
run('ics.hdf5', '--to-z', '9', '--steps', '2', '--energy', '0', '-q', '-o', 'folder/')
assert os.listdir('folder') == ['ics_000.hdf5'], os.listdir('folder')
refused('--to-z: redshift 60 is not below that of ics.hdf5, 49', 'ics.hdf5', '--to-z', '60', status=2)
refused('--snapshots: redshift 49 is not below', 'ics.hdf5', '--snapshots', '49', status=2)
refused('--snapshots: redshift 2 is below --to-z, 3', 'ics.hdf5', '--to-z', '3', '--snapshots', '2', status=2)
refused('--steps: 2 are too few: there is none from redshift', 'ics.hdf5', '--snapshots', '5,4', '--steps', '2',
        status=2)
refused('--halos: redshift 50 is not below', 'ics.hdf5', '--halos', '50', status=2)


def now(file):
    """Today, up to rounding."""
    file['Header'].attrs['Redshift'] = [2.22e-16]
    file['Header'].attrs['Scale-factor'] = [1 - 1.1e-16]


refused('--to-z: redshift 0 is not below that of bad.hdf5, 0', changed(now), status=2)
refused("--snapshots: '3;4' is not a list of redshifts", 'ics.hdf5', '--snapshots', '3;4', status=2)
refused("--split: 'gauss' is neither ball nor hacc", 'ics.hdf5', '--split', 'gauss', status=2)
refused('Split of the group Weft is 2', changed(
    lambda file: file['Weft'].attrs.create('Split', [2.0]), source='whole_002.hdf5'), '--reverse')
refused('--mesh: 22 is no even product', 'ics.hdf5', '--mesh', '22', status=2)
refused('--softening: 1e+06 is above the box of ics.hdf5', 'ics.hdf5', '--softening', '1e6', status=2)
refused("--substeps: '1001' is above 1000", 'ics.hdf5', '--substeps', '1001', status=2)
refused('--reverse takes back the steps', 'ics.hdf5', '--reverse', '--steps', '3', status=2)
refused('initial conditions are missing', status=2)
refused('tells no steps to take back', 'ics.hdf5', '--reverse')
refused('the steps of the group Weft are no plan', changed(unplan, source='whole_002.hdf5'), '--reverse')
refused('has no velocities', changed(lambda file: file['PartType1'].pop('Velocities')))
refused('tells no cosmology', changed(lambda file: file.pop('Cosmology')))
refused('has no periodic cube', changed(lambda file: file['Header'].attrs.modify('BoxSize', [8.0, 8, 9])))
refused('the mass of particle 5 is not that of particle 0', changed(halve))
refused('its particles are 0.5 of the matter', changed(
    lambda file: file['Cosmology'].attrs.modify('Omega_m', [0.62])))
refused('nowhere.hdf5', 'nowhere.hdf5')
with open('cut.energy.csv', 'w') as file:
    file.write('0,0.5,x\n')
refused('cut.energy.csv: row 1 is none that weft simulate wrote', *plan[:-1], '-o', 'cut', '--restart')
shutil.copy('ics.hdf5', 'bad_000.hdf5')
refused('is the input: it is not written over', 'bad_000.hdf5', '-o', 'bad', status=2)
