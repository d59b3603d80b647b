"""usage: fields.py WEFT BACKENDS...

Streams, velocities, dispersions, projections, pictures and planes of weft sheet.
"""
import os
import shutil
import subprocess

from common import arrays, backends, h5py, misused, moved, np, refused, run, weft, write

N, BOX = 5, 10.0
at = moved(N, BOX, 1.4, 5)
speed = np.random.default_rng(6).normal(0, 200, at.shape).astype('f4')
write('some.hdf5', at, np.arange(N**3), velocities=speed, box=BOX)
write('still.hdf5', at, np.arange(N**3), box=BOX)

every = ['--grid', '9,4,7', '--fields', 'mass,streams,velocity,dispersion']
first = None
for backend in backends:
    done = run('some.hdf5', *every, '--backend', backend)
    assert 'cells are empty' in done.stdout
    got, header = arrays('some.sheet.hdf5')
    assert sorted(got) == ['density', 'dispersion', 'mass_units', 'streams', 'velocity']
    if first is None:
        first = got
    for name in got:
        assert got[name].tobytes() == first[name].tobytes(), (backend, name)
mass = first['mass_units']
run('some.hdf5', '--grid', '9,4,7', '-o', 'mass.hdf5')
got, _ = arrays('mass.hdf5')
assert sorted(got) == ['density', 'mass_units']
assert np.array_equal(mass, got['mass_units'])
assert first['velocity'].shape == (9, 4, 7, 3) and first['dispersion'].shape == (9, 4, 7)
# Each particle is a corner of 24 tetrahedra, which all have the same mass.
momentum = (first['velocity'] * mass[..., None]).sum(axis=(0, 1, 2)) / mass.sum()
assert np.allclose(momentum, speed.astype('f8').mean(axis=0), rtol=0, atol=1e-9), momentum
assert 1 < first['streams'].mean() < 9 and (first['streams'] > 1 - 1e-9).all()
assert (first['dispersion'] > 0).all() and (first['dispersion'] < 600).all()

# Threads that write, a block each or several, leave the same; velocities need no array of
# the masses that they come from.
many = ['some.hdf5', '--grid', '40,24,30', '--fields', 'mass,velocity', '-o', 'many.hdf5']
run(*many, '--threads', '1')
alone, _ = arrays('many.hdf5')
run(*many, '--threads', '7')
got, _ = arrays('many.hdf5')
for name in alone:
    assert got[name].tobytes() == alone[name].tobytes(), name
run('some.hdf5', '--grid', '9,4,7', '--fields', 'velocity', '-o', 'speeds.hdf5')
got, _ = arrays('speeds.hdf5')
assert list(got) == ['velocity'] and got['velocity'].tobytes() == first['velocity'].tobytes()

# One velocity for all; four meshes have the streams of one.
write('flow.hdf5', at, np.arange(N**3), velocities=np.tile([30.0, -70.0, 5.0], (N**3, 1)), box=BOX)
run('flow.hdf5', *every, '--tessellation', 'mean', '-o', 'flow.out.hdf5')
got, _ = arrays('flow.out.hdf5')
assert np.allclose(got['velocity'], [30, -70, 5], rtol=0, atol=1e-6)
assert got['dispersion'].max() < 0.1, got['dispersion'].max()
assert np.allclose(got['streams'].mean(), first['streams'].mean(), rtol=0.3)

# Planes at a time are the same; what does not fit is told.
for limit in '18441K', '18443K':  # two and three of nine
    run('some.hdf5', *every, '--memory-limit', limit, '-o', 'planes.hdf5')
    got, _ = arrays('planes.hdf5')
    for name in got:
        assert got[name].tobytes() == first[name].tobytes(), (limit, name)
refused('one plane of cells do not fit', 'some.hdf5', *every, '--memory-limit', '10M')

total = int(mass.sum(dtype=object))
for axis, name in enumerate('xyz'):
    done = run('some.hdf5', '--grid', '9,4,7', '--project', name, '-o', 'columns.hdf5')
    assert 'columns are empty' in done.stdout
    got, header = arrays('columns.hdf5')
    assert header['project'] == name and list(header['grid']) == [9, 4, 7]
    assert int(got['mass_units'].sum(dtype=object)) == total
    assert np.allclose(got['mass_units'], mass.sum(axis=axis), rtol=0, atol=1e-12 * total)
    assert np.allclose(got['density'].mean(), 1)

# A preview tells about how far it is off.
done = run('some.hdf5', '--grid', '9,4,7', '--samples', '30', '-o', 'points.hdf5')
got, _ = arrays('points.hdf5')
assert int(got['mass_units'].sum(dtype=object)) == total
told = float(done.stdout.split('off by ')[1].split()[0])
off = ((got['density'] - first['density'])**2).mean()**0.5
assert 0.3 < told / off < 3 and off < 0.1, (told, off)

refused('no velocities', 'still.hdf5', '--grid', '4', '--fields', 'velocity', '-o', 'r.hdf5')
misused("--fields: 'speed'", 'some.hdf5', '--grid', '4', '--fields', 'mass,speed')
misused("--fields: ''", 'some.hdf5', '--grid', '4', '--fields', 'mass,')
misused("--project: 'w'", 'some.hdf5', '--grid', '4', '--project', 'w')
misused('--project: there is nothing but', 'some.hdf5', '--grid', '4', '--project', 'x', '--fields', 'streams')
misused('--samples: a preview has nothing but', 'some.hdf5', '--grid', '4', '--samples', '4', '--project', 'x')
misused('--halos needs --plot', 'some.hdf5', '--grid', '4', '--halos', 'some.hdf5')
misused("--output: 'd.png' would be HDF5, not what .png tells", 'some.hdf5', '--grid', '4', '-o', 'd.png')

# What gnuplot is given: one in its place keeps it. Blocks of pixels are columns; circles are halos.
os.mkdir('bin')
with open('bin/gnuplot', 'w', encoding='ascii') as file:
    file.write(f'#!/bin/sh\ncp "${{1%/*}}/density.bin" "${{1%/*}}/halos.txt" "{os.getcwd()}" && echo drawn >"${{1%/*}}/picture.png"\n')
os.chmod('bin/gnuplot', 0o755)
subprocess.run([weft, 'halos', 'some.hdf5', '-q', '-b', '0.9', '--min-members', '2', '--so', 'none', '-o',
                'halos.hdf5'], check=True, timeout=120)
with h5py.File('halos.hdf5') as file:
    center = file['halos/center_of_mass'][:, :2]
shutil.copy('halos.hdf5', 'wide.hdf5')
with h5py.File('wide.hdf5', 'a') as file:
    file['header'].attrs['box'] = 2 * file['header'].attrs['box']
path = os.environ['PATH']
os.environ['PATH'] = f'{os.getcwd()}/bin:{path}'
run('some.hdf5', '--grid', '32,32,1', '--project', 'z', '--plot', 'both.png', '--halos', 'halos.hdf5', '-o',
    'columns.hdf5')
os.environ['PATH'] = path
pixels = np.fromfile('density.bin', 'f4').reshape(32, 32, 32, 32).astype('f8').mean(axis=(1, 3)).T
columns = arrays('columns.hdf5')[0]['density'].reshape(32, 32)
assert np.allclose(pixels, columns, rtol=1e-6, atol=1e-5), abs(pixels - columns).max()
circle = np.loadtxt('halos.txt')[:, :2]
assert all((abs(circle - one).max(axis=1) < 1e-12).any() for one in center), (circle, center)
with open('both.png', encoding='ascii') as file:
    assert file.read() == 'drawn\n'

if shutil.which('gnuplot'):
    run('some.hdf5', '--grid', '4', '--plot', 'map.png', '--halos', 'halos.hdf5', '-q')
    with open('map.png', 'rb') as file:
        assert file.read(4) == b'\x89PNG' and os.path.getsize('map.png') > 50000
    refused('wide.hdf5 has a box of 20 x 20 x 20, some.hdf5 one of 10 x 10 x 10: its halos', 'some.hdf5', '--grid', '4',
            '--plot', 'r.png', '--halos', 'wide.hdf5', '-o', 'r.hdf5')
    refused('has no halos', 'some.hdf5', '--grid', '4', '--plot', 'r.png', '--halos', 'flow.hdf5', '-o',
            'r.hdf5')
