"""usage: power.py WEFT LARGE-DATA BACKENDS...

What weft power writes: of particles against a direct sum, of a density against its own
particles, of a simulation against GADGET-4's spectrum where that is; and what it refuses.
"""
import os
import subprocess
import sys
import tempfile

from snapshots import BOX, h5py, np, write

weft, large, backends = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3:]
os.chdir(tempfile.mkdtemp())


def run(*arguments, command='power', status=0):
    done = subprocess.run([weft, command, *arguments], capture_output=True, text=True, timeout=120,
                          check=False)
    assert done.returncode == status, (arguments, done)
    return done


def refused(words, *arguments, status=1):
    before = sorted(os.listdir())
    done = run(*arguments, status=status)
    assert words in done.stderr, (words, done.stderr)
    assert done.stdout == '' and sorted(os.listdir()) == before, arguments
    assert status != 1 or done.stderr.count('\n') == 1, done.stderr


def spectrum(name):
    with open(name, encoding='utf-8') as file:
        lines = file.read().splitlines()
    remarks = [line for line in lines if line.startswith('#')]
    assert lines[len(remarks)] == 'k,power,modes', lines
    shot = [float(line.split(': ')[1]) for line in remarks if line.startswith('# shot_noise')]
    return np.array([line.split(',') for line in lines[len(remarks) + 1:]], float), shot[0]


def direct(x, masses, shell):
    """The mean of P over a shell, and its modes."""
    side = np.arange(-shell - 1, shell + 2)
    waves = np.array(np.meshgrid(side, side, side)).reshape(3, -1).T
    size = np.sqrt((waves**2).sum(1))
    waves = waves[(size >= shell - 0.5) & (size < shell + 0.5)]
    modes = (masses * np.exp(-2j * np.pi / BOX * waves @ x.T)).sum(1) / masses.sum()
    return BOX**3 * (abs(modes)**2).mean(), len(waves)


generator = np.random.default_rng(1)
points = BOX * generator.random((300, 3)) ** 2
weights = 1 + generator.random(300)
write('points.hdf5', points, masses=weights)
said = run('points.hdf5', '--timings', 'timings.json').stdout
assert 'shot noise' in said and '20 x 20 x 20' not in said and '14 x 14 x 14' in said, said
with open('timings.json', encoding='utf-8') as text:
    assert '"power"' in text.read()
run('points.hdf5', '--grid', '32', '-o', 'fine.csv', '-q')
fine, noise = spectrum('fine.csv')
assert len(fine) == 15 and abs(noise / (1000 * (weights**2).sum() / weights.sum()**2) - 1) < 1e-12
for s in (1, 2, 5):
    expected, count = direct(points, weights, s)
    assert fine[s - 1, 2] == count and abs(fine[s - 1, 1] / expected - 1) < 1e-4, (s, fine[s - 1], expected)
    assert abs(fine[s - 1, 0] / (2 * np.pi / BOX) - s) < 0.5
for backend in backends:
    streamed = run('points.hdf5', '--grid', '32', '-o', '-', '--backend', backend)
    with open('fine.csv', encoding='utf-8') as text:
        assert streamed.stdout == text.read(), backend
run('points.hdf5', '--grid', '32', '--window', 'cic', '--no-interlacing', '-o', 'cic.csv')
cic, _ = spectrum('cic.csv')
assert 1e-4 < abs(cic[5, 1] / fine[5, 1] - 1) < 0.1

# A sheet that a wave of small amplitude moved: its density has that wave, (2 pi A / L)^2 / 4 V
# in each of two modes of the first shell, which has 18; of steps from site to site, two cells wide.
lattice = (np.array(np.meshgrid(*[np.arange(8)] * 3, indexing='ij')).reshape(3, -1).T + 0.5) * BOX / 8
lattice[:, 0] += 1e-3 * np.sin(2 * np.pi * lattice[:, 0] / BOX)
write('wave.hdf5', lattice)
run('wave.hdf5', '--grid', '16', '-o', 'sheet.hdf5', '-q', command='sheet')
run('--density', 'sheet.hdf5', '-q')
sheet, noise = spectrum('sheet.power.csv')
expected = 2 * (2 * np.pi * 1e-3 / BOX / 2)**2 * BOX**3 / 18
expected *= (np.sinc(1 / 8) * np.cos(np.pi / 16) / np.sinc(1 / 16))**2
assert noise == 0 and abs(sheet[0, 1] / expected - 1) < 1e-3, (sheet[0], expected)
with h5py.File('sheet.hdf5', 'r+') as file:
    del file['mass_units']
run('--density', 'sheet.hdf5', '-q', '-o', 'other.csv')
assert np.allclose(spectrum('other.csv')[0], sheet, rtol=1e-9, atol=1e-20)

refused('no backend', 'points.hdf5', '--grid', '32', '--backend', 'none', status=2)
refused('the next one is 28', 'points.hdf5', '--grid', '26', status=2)
refused("'gauss' is not ngp", 'points.hdf5', '--window', 'gauss', status=2)
refused('exclude each other', 'points.hdf5', '--density', 'sheet.hdf5', status=2)
refused('a snapshot is missing', status=2)
refused("--output: 'p.png' would be CSV, not what .png tells", 'points.hdf5', '-o', 'p.png', status=2)
refused('neither /mass_units nor /density', '--density', 'points.hdf5')
write('open.hdf5', points, box=0.0)
refused('no periodic box', 'open.hdf5')
with h5py.File('flat.hdf5', 'w') as file:
    file['density'] = np.ones((4, 4))
    file.create_group('header').attrs['box'] = [1.0, 1.0, 1.0]
refused('/density is no grid of three axes', '--density', 'flat.hdf5')
with h5py.File('eleven.hdf5', 'w') as file:
    file['density'] = np.ones((11, 4, 4))
    file.create_group('header').attrs['box'] = [1.0, 1.0, 1.0]
refused('n[0] is 11', '--density', 'eleven.hdf5')

# What is read is not written over, by whatever name; positions in another unit are told, and masses that
# have no squares.
with open('sheet.hdf5', 'rb') as file:
    kept = file.read()
os.symlink('sheet.hdf5', 'link.hdf5')
for name in './sheet.hdf5', 'link.hdf5', os.path.abspath('sheet.hdf5'):
    refused('is the input: it is not written over', '--density', 'sheet.hdf5', '-o', name, status=2)
with open('sheet.hdf5', 'rb') as file:
    assert file.read() == kept
run('wave.hdf5', '-q', '--linking-length-absolute', '2', '-o', 'halos.hdf5', command='halos')
os.symlink('halos.hdf5', 'halos.png')
for plot, output in ('p.png', './halos.hdf5'), ('./halos.png', 's.hdf5'):
    done = run('wave.hdf5', '--grid', '4', '--halos', 'halos.hdf5', '--plot', plot, '-o', output, command='sheet', status=2)
    assert ' is the input: it is not written over' in done.stderr, done.stderr
write('kpc.hdf5', 1e3 * points)
assert 'lie outside of the box' in run('kpc.hdf5', '--grid', '8', '-o', 'kpc.csv').stderr
write('near.hdf5', 1e-4 * points)
assert 'same unit' in run('near.hdf5', '--grid', '8', '-o', 'near.csv').stderr
write('light.hdf5', points, masses=np.full(len(points), 1e-306))
refused('have no squares in f64: choose another unit', 'light.hdf5', '--grid', '8')

# GADGET-4's own spectrum of its last snapshot, by single wave numbers: k, Delta^2, ., modes.
gadget = os.path.join(large, 'sim32', 'power_004.txt')
if os.path.exists(gadget):
    with open(gadget, encoding='utf-8') as text:
        rows = np.array([line.split() for line in text.read().splitlines()[5:996]], float)
    run(os.path.join(large, 'sim32', 'z0.hdf5'), '-q', '-o', 'z0.csv')
    ours, noise = spectrum('z0.csv')
    shells = np.floor(rows[:, 0] / (2 * np.pi / 50) + 0.5)
    for s in range(1, 17):
        of = shells == s
        theirs = np.average(rows[of, 1] * 2 * np.pi**2 / rows[of, 0]**3, weights=rows[of, 3])
        assert ours[s - 1, 2] == rows[of, 3].sum() and abs(ours[s - 1, 1] / theirs - 1) < 1e-3, (s, ours[s - 1], theirs)
