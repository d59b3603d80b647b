"""usage: assume.py WEFT DATA

--assume: a snapshot in formats that do not tell units, cosmology, box or masses gives the catalogue of the one that
does; what a file tells is not assumed; velocities of Gadget's HDF5 go by the redshift; what is refused.
"""
import csv
import os
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError:
    sys.exit(77)

weft, data = (os.path.abspath(path) for path in sys.argv[1:3])
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
snapshot = data + '/lcdm64.hdf5'
units = 'length=Mpc,mass=1e10Msun'
universe = units + ',redshift=0,h=0.68,omega_m=0.31'


def run(command, *arguments, status=0, words=''):
    done = subprocess.run([weft, command, *arguments], capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == status and words in done.stderr, (arguments, done)
    return done


def table(name):
    with open(name, encoding='ascii') as file:
        return list(csv.DictReader(file))


def same(name):
    """The catalogue is that of the snapshot, up to rounding: masses and velocities were written in other widths."""
    ours, theirs = table(name), table('want.csv')
    assert [row['tag'] for row in ours] == [row['tag'] for row in theirs]
    for column in theirs[0]:
        if column.startswith(('concentration', 'shape')): # of few particles they hang on the last bit
            continue
        a, b = (np.array([float(row[column]) for row in rows]) for rows in (ours, theirs))
        assert np.allclose(a, b, rtol=1e-6, atol=1e-6 * np.abs(b).max()), (name, column, np.abs(a - b).max())


run('halos', snapshot, '-q', '-o', 'want.csv', '--backend', 'serial')
for name, told in (('a.gadget2', units), ('a.gio', universe), ('a.csv', universe + ',box=73.529411764705884'),
                   ('a.npy', universe + ',box=73.529411764705884,particle=6.03313637')):
    run('convert', snapshot, name, '-q', *(['--precision', 'f8'] if name == 'a.gadget2' else []))
    run('halos', name, '-q', '-o', 'got.csv', '--assume', told, '--backend', 'serial')
    if name != 'a.npy':
        same('got.csv')
        continue
    for column in 'mass', 'mass_200c', 'radius_500c', 'vmax': # without ids rows of one count are in another order
        got, want = (sorted(float(row[column]) for row in table(of)) for of in ('got.csv', 'want.csv'))
        assert np.allclose(got, want, rtol=1e-6), column
run('halos', 'a.gio', '-o', 'got.csv')
assert 'mass_200c' not in table('got.csv')[0]
run('halos', 'a.gadget2', '-o', 'got.csv', words="the file's unit of length, 'code', is not known: --assume tells it")
run('halos', 'a.gio', '--so', '200c', status=1, words='the file does not tell its redshift: --assume tells it')

# Other commands: the same numbers of the same particles.
run('convert', 'a.gio', 'b.hdf5', '-q', '--assume', universe)
with h5py.File('b.hdf5') as file:
    assert abs(file['Header'].attrs['HubbleParam'] - 0.68) < 1e-12 and abs(file['Header'].attrs['OmegaLambda'] - 0.69) < 1e-12
run('halos', 'b.hdf5', '-q', '-o', 'got.csv', '--backend', 'serial')
same('got.csv')
run('power', snapshot, '-q', '--grid', '32', '-o', 'want.power.csv')
run('power', 'a.npy', '-q', '--grid', '32', '-o', 'got.power.csv', status=1, words='--assume box=L')
run('power', 'a.npy', '-q', '--grid', '32', '-o', 'got.power.csv', '--assume', 'length=Mpc', '--assume', 'box=73.529411764705884')
got, want = (np.loadtxt(name, delimiter=',', skiprows=5) for name in ('got.power.csv', 'want.power.csv'))
assert got.shape == (15, 3) and np.allclose(got, want, rtol=1e-9), (got, want)

# Gadget's HDF5 without a redshift: velocities are times sqrt(a).
with h5py.File('old.hdf5', 'w') as file:
    rng = np.random.default_rng(3)
    file.create_group('Header').attrs['BoxSize'] = 10.0
    file['PartType1/Coordinates'] = 5 + 0.1 * rng.normal(size=(100, 3))
    file['PartType1/Velocities'] = np.full((100, 3), 100.0)
    file['PartType1/Masses'] = np.full(100, 1.0)
    file['PartType1/ParticleIDs'] = np.arange(100)
run('halos', 'old.hdf5', '-q', '-o', 'got.csv', '--assume', 'redshift=3', '-b', '1')
assert abs(float(table('got.csv')[0]['velocity_x']) - 50) < 1e-9, table('got.csv')[0]

# What a file tells is as it tells it.
for told, words in (('h=0.7', 'tells its h, 0.68: it is not taken to be 0.7'), ('redshift=1', 'tells its redshift'),
                    ('length=kpc/h', 'tells its unit of length, Mpc: it is not taken to be kpc/h'),
                    ('mass=Msun', 'tells its unit of mass'), ('box=50', 'tells its box'), ('omega_m=0.3', 'tells its Omega_m'),
                    ('omega_lambda=0.7', 'tells its Omega_Lambda'), ('particle=1', 'has masses of its own')):
    run('halos', snapshot, '-o', 'no.hdf5', '--assume', told, status=1, words=words)
run('halos', snapshot, '-q', '-o', 'got.csv', '--assume', universe + ',omega_lambda=0.69', '--backend', 'serial')
same('got.csv')
run('halos', 'a.npy', '-o', 'no.hdf5', '--assume', universe + ',box=73.5', status=1, words='a.npy has no masses: particle=M')

for told, words in (('h', "'h' is not NAME=VALUE"), ('h=', "'' is no h"), ('h=0', "'0' is no h"), ('redshift=-1', "'-1' is no redshift"),
                    ('length=m', "'m' is no unit of length: Mpc, kpc, pc"), ('mass=kg', "'kg' is no unit of mass: 1e10 Msun, Msun"),
                    ('H=1', "there is no 'H'"), ('h=0.7,', "'' is not NAME=VALUE"), ('box=nan', "'nan' is no box"), ('h=0.68,h=0.68', "'h' comes twice")):
    run('halos', snapshot, '-o', 'no.hdf5', '--assume', told, status=2, words=words)
assert not os.path.exists('no.hdf5')
