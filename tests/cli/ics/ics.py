"""usage: ics.py WEFT BACKENDS...

Initial conditions that weft ics makes: modes, growth and velocities against formulas of our own,
the same at two resolutions and on every backend; and what it refuses.
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

weft, backends = os.path.abspath(sys.argv[1]), sys.argv[2:]
os.chdir(tempfile.mkdtemp())
BOX, N, Z = 80.0, 12, 9.0
MATTER, BARYON, H, N_S, SIGMA8 = 0.3, 0.05, 0.7, 0.96, 0.8
UNIVERSE = ['--omega-m', '0.3', '--omega-b', '0.05', '--h', '0.7', '--n-s', '0.96', '--sigma8', '0.8']


def run(*arguments, command='ics', status=0):
    done = subprocess.run([weft, command, *arguments], capture_output=True, text=True, timeout=120,
                          check=False)
    assert done.returncode == status, (arguments, done)
    return done


def refused(words, *arguments, status=2):
    before = sorted(os.listdir())
    done = run(*arguments, status=status)
    assert words in done.stderr, (words, done.stderr)
    assert done.stdout == '' and sorted(os.listdir()) == before, arguments


def make(name, *arguments, n=N):
    run('--n', str(n), '--box', str(BOX), '--z', str(Z), *UNIVERSE, '-q', '-o', name, *arguments)
    with h5py.File(name) as file:
        group = file['PartType1']
        assert (group['ParticleIDs'][:] == np.arange(n**3)).all()
        x, v = group['Coordinates'][:], group['Velocities'][:]
        assert (x >= 0).all() and (x < BOX).all()
        mean = MATTER * 27.7536627 * H**2 * BOX**3 / n**3  # of rho_c = 2.77536627e11 h^2 Msun/Mpc^3
        assert abs(group['Masses'][:] / mean - 1).max() < 1e-4, (group['Masses'][0], mean)
    lattice = np.array(np.meshgrid(*[np.arange(n)] * 3, indexing='ij')).reshape(3, -1).T * BOX / n
    moved = x - lattice
    return (moved - BOX * np.round(moved / BOX)).reshape(n, n, n, 3), v.reshape(n, n, n, 3)


def waves(n):
    k = np.fft.fftfreq(n, 1 / n)
    return np.array(np.meshgrid(k, k, k, indexing='ij')) * 2 * np.pi / BOX


def modes(moved):
    """The density whose first-order displacements these are: minus their divergence."""
    n = len(moved)
    field = np.fft.fftn(moved, axes=(0, 1, 2)) / n**3
    return -1j * (waves(n) * np.moveaxis(field, 3, 0)).sum(0)


def shape(k):
    """Eisenstein and Hu 1998, equations 26 and 28 to 31."""
    m, b = MATTER * H**2, BARYON * H**2
    s = 44.5 * np.log(9.83 / m) / np.sqrt(1 + 10 * b**0.75)
    alpha = 1 - 0.328 * np.log(431 * m) * b / m + 0.38 * np.log(22.3 * m) * (b / m)**2
    gamma = MATTER * H * (alpha + (1 - alpha) / (1 + (0.43 * k * s)**4))
    q = k / H * (2.7255 / 2.7)**2 / gamma
    top = np.log(2 * np.e + 1.8 * q)
    return k**N_S * (top / (top + (14.2 + 731 / (1 + 62.5 * q)) * q**2))**2


x = np.linspace(-12, 7, 40001)
y = np.exp(x) * 8 / H
window = 3 * (np.sin(y) - y * np.cos(y)) / y**3
NORM = SIGMA8**2 / (np.exp(3 * x) * shape(np.exp(x)) * window**2 / (2 * np.pi**2)).sum() / (x[1] - x[0])


def growth(a):
    """By the midpoint rule; and d ln D / d ln a, by differences."""
    def one(a):
        s = (np.arange(20000) + 0.5) / 20000 * a
        return np.sqrt(MATTER / a**3 + 1 - MATTER) * ((MATTER / s + (1 - MATTER) * s**2)**-1.5).mean() * a
    return one(a) / one(1), np.log(one(a * 1.001) / one(a / 1.001)) / (2 * np.log(1.001))


D, RATE = growth(1 / (1 + Z))
SPEED = 100 * H * np.sqrt(MATTER * (1 + Z)**3 + 1 - MATTER) / (1 + Z)

# First order: velocities along displacements, and modes of exactly the mean power.
moved, v = make('fixed.hdf5', '--order', '1', '--fixed', '--seed', '5')
assert abs(v - SPEED * RATE * moved).max() < 1e-5 * abs(v).max(), abs(v / moved - SPEED * RATE).max()
delta, k = modes(moved), np.sqrt((waves(N)**2).sum(0))
side = abs(np.fft.fftfreq(N, 1 / N))
kept = (np.maximum(np.maximum(*np.meshgrid(side, side, indexing='ij'))[:, :, None], side) < N / 2) & (k > 0)
assert abs(delta[~kept]).max() < 1e-12
power = abs(delta[kept])**2 * BOX**3 / (NORM * shape(k[kept]) * D**2)
assert abs(power - 1).max() < 2e-4, (power.min(), power.max())

# The same at another resolution, and other ones by another seed.
random, _ = make('random.hdf5', '--order', '1', '--seed', '5')
finer, _ = make('finer.hdf5', '--order', '1', '--seed', '5', n=20)
other, _ = make('other.hdf5', '--order', '1', '--seed', '6')
delta, index = modes(random), np.round(np.fft.fftfreq(N, 1 / N)).astype(int) % 20
assert abs(modes(finer)[np.ix_(index, index, index)] - delta)[kept].max() < 1e-14
assert abs(modes(other) - delta)[kept].max() > 1e-4
assert 0.7 < (abs(delta[kept])**2 * BOX**3 / (NORM * shape(k[kept]) * D**2)).mean() < 1.3

# Second order: 3/7 of what the Hessian of the potential gives.
both, w = make('both.hdf5', '--seed', '5')
potential = np.where(kept, delta / np.where(kept, k**2, 1), 0)
hessian = [[np.fft.ifftn(potential * waves(N)[i] * waves(N)[j]).real * N**3 for i in range(3)] for j in range(3)]
source = sum(hessian[i][i] * hessian[j][j] - hessian[i][j]**2 for i, j in ((0, 1), (0, 2), (1, 2)))
field = np.where(kept, np.fft.fftn(source) / N**3 / np.where(kept, k**2, 1), 0)
part = MATTER * (1 + Z)**3 / (MATTER * (1 + Z)**3 + 1 - MATTER)
second = np.stack([np.fft.ifftn(1j * waves(N)[i] * field).real * N**3 for i in range(3)], 3)
second *= 3 / 7 * part**(-1 / 143)
assert abs(second).max() > 1e-3 and abs(both - random - second).max() < 1e-10
assert abs(w - SPEED * (RATE * random + 2 * part**(6 / 11) * second)).max() < 1e-5 * abs(w).max()

with h5py.File('both.hdf5') as file:
    kept_bytes = {name: file['PartType1'][name][:].tobytes() for name in file['PartType1']}
for backend in backends:
    make('again.hdf5', '--seed', '5', '--backend', backend)
    with h5py.File('again.hdf5') as file:
        for name, content in kept_bytes.items():
            assert file['PartType1'][name][:].tobytes() == content, (backend, name)

# Its own power spectrum, shell by shell; other commands read it.
make('early.hdf5', '--z', '49', '--fixed', n=32)
run('early.hdf5', '-q', '-o', 'early.csv', command='power')
rows = np.genfromtxt('early.csv', delimiter=',', comments='#', skip_header=5)
k, early = np.sqrt((waves(32)**2).sum(0)), growth(1 / 50)[0]
for s in range(1, 6):
    of = abs(k * BOX / 2 / np.pi - s + 1e-9) < 0.5
    assert abs(rows[s - 1, 1] / (NORM * shape(k[of]) * early**2).mean() - 1) < 0.02, (s, rows[s - 1])
run('early.hdf5', '-q', '-o', 'early.halos.csv', command='halos')

# A table in place of the formula.
at = np.geomspace(0.05, 3, 2000)
np.savetxt('table.txt', np.array([at, NORM * shape(at)]).T, header='k P')
run('--n', str(N), '--box', str(BOX), '--z', str(Z), '--omega-m', '0.3', '--h', '0.7', '--order', '1', '--seed',
    '5', '--power', 'table.txt', '-q', '-o', 'table.hdf5')
with h5py.File('table.hdf5') as a, h5py.File('random.hdf5') as b:
    assert abs(a['PartType1/Coordinates'][:] - b['PartType1/Coordinates'][:]).max() < 1e-4

size = ['--n', '12', '--box', '80']
refused('--n is missing', '--box', '80')
refused('--box is missing', '--n', '12')
refused('--n: 22 is no even product', '--n', '22', '--box', '80')
refused("'-1' is not a whole number", *size, '--seed', '-1')
refused('--box: 0 is not above 0', '--n', '12', '--box', '0')
refused("--transfer: 'bbks' is not eh98", *size, '--transfer', 'bbks')
refused('is not below that of matter', *size, '--omega-b', '0.5')
refused("--output: 'a.gio' would be HDF5: name it .hdf5, and let weft convert make .gio of it", *size, '-o', 'a.gio')
refused('--order: 3 is not 1 or 2', *size, '--order', '3')
refused('cannot open none.txt', *size, '--power', 'none.txt', status=1)
with open('bad.txt', 'w', encoding='utf-8') as file:
    file.write('# k P\n0.1 3\n0.1 4\n')
refused('line 3 of bad.txt: k does not ascend', *size, '--power', 'bad.txt', status=1)
with open('bad.txt', 'w', encoding='utf-8') as file:
    file.write('0.1 3 5\n')
refused('line 1 of bad.txt is not k and P', *size, '--power', 'bad.txt', status=1)
with open('bad.txt', 'w', encoding='utf-8') as file:
    file.write('0.1 3\n0.2 3\n')
refused('the box needs 0.0785398 to 0.816', *size, '--power', 'bad.txt', status=1)
refused('--power gives a table in place of the formula: it excludes --transfer', *size, '--power', 'bad.txt', '--transfer',
        'eh98')
refused('--power gives a table in place of the formula: it excludes --n-s', *size, '--n-s', '1', '--power', 'bad.txt')
refused('--box: 1e-12 is below 1e-09', '--n', '12', '--box', '1e-12')
refused('--z: 1e+300 is not a number from 0 to 1e+06', *size, '--z', '1e300')
# the formula is none where all matter is baryons and there is little of it: no file of NaN
refused('no power spectrum: the formula has', *size, '--omega-m', '0.02', '--omega-b', '0.0199')
refused('no power spectrum: the formula has', *size, '--h', '1e-300')
with open('bad.txt', 'w', encoding='utf-8') as file:
    file.write('1e-3 1e200\n1e3 1e200\n')
refused('has a velocity that no f32 holds', *size, '--power', 'bad.txt', status=1)
with open('bad.txt', 'w', encoding='utf-8') as file:
    file.write('0.1 3\n0.2 3\n')
with open('bad.txt', encoding='utf-8') as file:  # - is standard input
    done = subprocess.run([weft, 'ics', *size, '--power', '-'], stdin=file, capture_output=True, text=True, check=False)
assert done.returncode == 1 and '- has k from 0.1 to 0.2 /Mpc' in done.stderr, done
os.rename('bad.txt', 'bad.dat')
refused('bad.dat is the input: it is not written over', *size, '--power', 'bad.dat', '-o', './bad.dat')
