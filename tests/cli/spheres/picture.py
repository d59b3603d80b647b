"""usage: picture.py WEFT DATA

--plot-halo: what gnuplot is given, against the catalogue and the particles; a picture by gnuplot itself; what is refused.
"""
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

weft, snapshot = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]) + '/lcdm64.hdf5'
os.chdir(tempfile.mkdtemp())
os.mkdir('bin')
with open('bin/gnuplot', 'w', encoding='ascii') as file:
    file.write('#!/bin/sh\ncp "$(dirname "$1")"/* "$GIVEN"\nexit 1\n')
os.chmod('bin/gnuplot', 0o755)


def run(*arguments, status=0, words='', **env):
    done = subprocess.run([weft, 'halos', *arguments, '-q', '--backend', 'serial'], capture_output=True, text=True,
                          timeout=120, check=False, env={**os.environ, **env})
    assert done.returncode == status and words in done.stderr, (arguments, done)


def given(tag, *arguments):
    """The files that gnuplot gets."""
    os.mkdir('given')
    run(*arguments, '--plot-halo', str(tag), 'p.png', status=1, words='gnuplot cannot draw', GIVEN=os.path.abspath('given'),
        PATH=os.path.abspath('bin') + ':' + os.environ['PATH'])
    files = {}
    for name in os.listdir('given'):
        with open('given/' + name, 'rb') as file:
            files[name] = file.read()
    shutil.rmtree('given')
    assert not os.path.exists('p.png')
    return files


def table(text, columns):
    return np.array([[float(word) for word in line.split()[:columns]] for line in text.decode().splitlines()])


run(snapshot, '-o', 'c.hdf5', '--members', '--profiles')
with h5py.File(snapshot) as file:
    position = file['PartType1/Coordinates'][...].astype(float)
    ids = file['PartType1/ParticleIDs'][...]
    box = np.max(file['Header'].attrs['BoxSize'])
with h5py.File('c.hdf5') as file:
    halos = {name: file['halos/' + name][...] for name in file['halos']}
    profiles = {name: file['profiles/' + name][...] for name in file['profiles']}
    offset, member = file['members/offset'][...], file['members/particle_id'][...]
order = np.argsort(ids)


def members(row):
    return position[order[np.searchsorted(ids, member[offset[row]:offset[row + 1]], sorter=order)]]


over = next(row for row in range(len(offset) - 1) if np.ptp(members(row)[:, 0]) > box / 2)  # a face of the box
for row in 0, over:
    files = given(halos['tag'][row], snapshot, '-o', 'd.hdf5')
    at = np.frombuffer(files['members.bin'], np.float32).reshape(-1, 2)
    want = (members(row) - halos['mbp_position'][row])[:, :2]
    want -= box * np.round(want / box)
    assert np.allclose(at, want, rtol=1e-5, atol=1e-6), (row, at, want)
    radii = {line.split()[3]: float(line.split()[0]) for line in files['radii.txt'].decode().splitlines()}
    assert set(radii) == {'vir', '200m', '200c', '500c', '2500c'}, radii
    for name, radius in radii.items():
        assert abs(radius / halos['radius_' + name][row] - 1) < 1e-8, (name, radius)
    some = profiles['count'][row][1:] > 0
    edge = profiles['edge'][1:] * halos['radius_200c'][row]
    shells = table(files['shells.txt'], 4)
    assert np.allclose(shells[:, 0], np.sqrt(edge[1:] * edge[:-1])[some], rtol=1e-8), shells
    assert np.allclose(shells[:, 1], profiles['density'][row][1:][some], rtol=1e-8), shells
    assert np.all((shells[:, 2] < shells[:, 1]) & (shells[:, 1] < shells[:, 3]))
    script = files['plot.gp'].decode()
    assert f"halo {halos['tag'][row]}, {halos['count'][row]} particles" in script
    numbers = script[script.index('nfw(r) ='):].splitlines()[0].split()
    a, b = float(numbers[2]), float(numbers[4].strip('('))
    c = b * halos['radius_200c'][row]
    assert abs(c / halos['concentration_nfw'][row] - 1) < 1e-9, (c, numbers)
    mass = 4 * np.pi * a / b ** 3 * (np.log(1 + c) - c / (1 + c))
    assert abs(mass / halos['mass_200c'][row] - 1) < 1e-9, (mass, numbers)

# Without a cosmology there are no spheres: shells reach 10^0.25 times the radius of the halo.
np.savetxt('few.csv', np.random.default_rng(1).normal(size=(300, 3)), delimiter=',')
rule = ('few.csv', '--linking-length-absolute', '9', '-o', 'few.hdf5')
files = given(0, *rule)
assert not files['radii.txt'] and b'nfw' not in files['plot.gp'], files
assert table(files['shells.txt'], 1).size > 3

# Without the most bound particle the picture is about the center of mass.
for center in 'none', 'mcp':
    shown = np.frombuffer(given(0, *rule, '--centers', center)['members.bin'], np.float32).reshape(-1, 2)
    assert len(shown) == 300 and np.all(np.abs(shown.mean(axis=0)) < 1e-6), shown.mean(axis=0)

shutil.rmtree('bin')
left = sorted(os.listdir())
for tag, status, words, *more in (
        (5, 1, 'few.csv: --plot-halo: no halo has the tag 5', 'p.png'),
        ('x', 2, "--plot-halo", 'p.png'), (-1, 2, '--plot-halo', 'p.png'),
        (0, 2, "after the tag '0' the name of the picture is missing"),
        (0, 2, '--plot-halo is given twice: one halo is drawn in a call', 'p.png', '--plot-halo', '1', 'q.png'),
        (0, 2, '--plot-halo and --memory-limit exclude each other', 'p.png', '--memory-limit', '64M'),
        (0, 2, '--plot-halo: several snapshots cannot share', 'p.png', 'other.csv')):
    run(*rule[:3], '-o', '{}.new.hdf5', '--plot-halo', str(tag), *more, status=status, words=words)
    assert sorted(os.listdir()) == left, os.listdir()
if shutil.which('gnuplot'):
    for name, head in ('p.png', b'\x89PNG'), ('p.svg', b'<?xml'):
        run(*rule, '--plot-halo', '0', name)
        with open(name, 'rb') as file:
            assert file.read(5).startswith(head), name
