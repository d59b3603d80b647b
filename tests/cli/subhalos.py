"""usage: subhalos.py WEFT DATA MPIRUN|none

Subhalos in a catalogue: each is bound, in the units of its file, and is what its columns say, and so
are the spheres around it.
"""
import math
import os
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy
except ImportError:
    sys.exit(77)

weft, snapshot = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]) + '/lcdm64.hdf5'
os.chdir(tempfile.mkdtemp())
G, H, SOFTENING = 43.0091755, 68.0, 0.046  # (km/s)^2 Mpc / 1e10 Msun, km/s/Mpc


def mpirun(ranks):
    return [sys.argv[3], '--oversubscribe', '--bind-to', 'none', '-n', str(ranks)] if sys.argv[3] != 'none' else []


def run(*options, status=0, launch=()):
    done = subprocess.run([*launch, weft, 'halos', snapshot, *options], capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    return done.stderr if status else done.stdout


told = run('--subhalos', '--members', '--softening', str(SOFTENING), '-o', 'c.hdf5')
with h5py.File(snapshot) as file:
    part = file['PartType1']
    box = float(numpy.ravel(file['Header'].attrs['BoxSize'])[0])
    order = numpy.argsort(part['ParticleIDs'][:])
    x, v = part['Coordinates'][:][order].astype(float), part['Velocities'][:][order].astype(float)
    m = float(part['Masses'][0])
with h5py.File('c.hdf5') as file:
    halos, subs, members = ({k: d[:] for k, d in file[g].items()} for g in ('halos', 'subhalos', 'members'))
    assert file['subhalos/vmax'].attrs['unit'] == 'km/s' and file['subhalos/mass'].attrs['unit'] == '1e10 Msun'
    for name, known in ('mbp_id', 'tag'), ('mbp_position', 'position'):
        assert file['subhalos/' + name] == file['subhalos/' + known], name
    assert file['subhalos/radius_200c'].attrs['description'] == ('comoving radius of the sphere around position of '
                                                                 '200 times the critical density')

n, offset, ids = len(subs['tag']), subs['offset'], subs['particle_id']
assert f'{n} subhalos hold {len(ids)} particles' in told, told
assert n > 350 and len(set(ids)) == len(ids) == offset[-1]
assert (subs['count'] == numpy.diff(offset)).all() and subs['count'].min() >= 20
assert (subs['tag'] == ids[offset[:-1]]).all() and (subs['position'] == x[subs['tag']]).all()
inside, nested = subs['main'] == 0, subs['depth'] > 0
assert inside.sum() > 40 and (nested == (subs['parent'] >= 0)).all() and (nested <= inside).all()
rows = list(zip(subs['halo'], subs['depth'], -subs['count']))
assert rows == sorted(rows)
assert (subs['depth'][subs['parent'][nested]] == subs['depth'][nested] - 1).all()
assert (numpy.bincount(subs['halo'][inside], minlength=len(halos['tag'])) == halos['n_subhalos']).all()
fraction = numpy.bincount(subs['halo'][inside], subs['mass'][inside], len(halos['tag'])) / halos['mass']
assert numpy.allclose(fraction, halos['substructure_fraction'], atol=1e-12)
assert halos['count'][subs['halo']].min() >= 50
for s in list(range(3, n, 7)):
    own = ids[offset[s]:offset[s + 1]]
    h = subs['halo'][s]
    assert set(own) <= set(members['particle_id'][members['offset'][h]:members['offset'][h + 1]])
    assert subs['peak_id'][s] in set(members['particle_id'][members['offset'][h]:members['offset'][h + 1]])
    u = numpy.remainder(x[own] - x[own[0]] + box / 2, box) - box / 2
    w = v[own] - v[own].mean(0)
    r2 = ((u[:, None] - u[None]) ** 2).sum(2) + SOFTENING ** 2
    numpy.fill_diagonal(r2, math.inf)
    energy = 0.5 * ((w + H * (u - u.mean(0))) ** 2).sum(1) - G * m * (1 / numpy.sqrt(r2)).sum(1)
    assert energy.max() < 0 and (numpy.diff(energy) > -1e-6 * abs(energy[:-1])).all(), s
    r = numpy.sort(numpy.sqrt((u ** 2).sum(1)))
    mass = m * numpy.arange(1, len(own) + 1)
    speed = numpy.sqrt(G * mass / numpy.maximum(r, SOFTENING))
    assert numpy.isclose(subs['mass'][s], mass[-1]) and numpy.isclose(subs['radius_max'][s], r[-1])
    assert numpy.isclose(subs['vmax'][s], speed.max(), rtol=1e-6)
    assert numpy.isclose(subs['rmax'][s], r[speed.argmax()])
    assert numpy.isclose(subs['half_mass_radius'][s], r[(mass >= mass[-1] / 2).argmax()])
    assert numpy.allclose(subs['velocity'][s], v[own].mean(0), atol=1e-6)
    assert numpy.isclose(subs['velocity_dispersion'][s], math.sqrt((w ** 2).sum() / (3 * len(own))))
    spin = numpy.linalg.norm(numpy.cross(u, w).sum(0)) / (math.sqrt(2 * G * mass[-1] * r[-1]) * len(own))
    assert numpy.isclose(subs['spin_bullock'][s], spin)

# Spheres of all particles: they end where the density first falls below a threshold.
critical = 3 * H ** 2 / (8 * math.pi * G)
for name in '200c', '2500c':
    of, bound = subs['mass_' + name], critical * float(name[:-1])
    assert (of > 0).sum() > n / 4
    for s in range(3, n, 7):
        r = numpy.sort(numpy.sqrt(((numpy.remainder(x - subs['position'][s] + box / 2, box) - box / 2) ** 2).sum(1)))
        dense = m * numpy.arange(1, len(r) + 1) * 3 > 4 * math.pi * bound * r ** 3
        count = int(numpy.argmax(dense[:-1] & ~dense[1:])) + 1 if dense.any() else 0
        assert subs['count_' + name][s] == count, (name, s, count)
        assert numpy.isclose(of[s], count * m)
        assert numpy.isclose(subs['radius_' + name][s], (3 * count * m / (4 * math.pi * bound)) ** (1 / 3))

# The same rows in pieces and on ranks, some of which have no halo with subhalos.
without = ['--memory-limit', '3M', '--so', 'none']
for launch, options in (([], without), ([], ['--memory-limit', '42M']), (mpirun(1), []), (mpirun(2), []), (mpirun(3), []),
                        (mpirun(2), without), (mpirun(3), ['--memory-limit', '42M'])):
    told = run('--subhalos', '--members', '--softening', str(SOFTENING), '--backend', 'serial',
               *options, '-o', 'pieces.hdf5', launch=launch)
    assert f'{n} subhalos hold {len(ids)} particles' in told, told
    with h5py.File('pieces.hdf5') as file:
        assert len(file['subhalos']) == len(subs) - (15 if options == without else 0)
        for name in file['subhalos']:
            assert (file['subhalos'][name][:] == subs[name]).all(), (launch, options, name)
        for name in 'n_subhalos', 'substructure_fraction':
            assert (file['halos'][name][:] == halos[name]).all(), (launch, options, name)

run('--subhalos', '--softening', str(SOFTENING), '--centers', 'none', '-o', 'e.hdf5')
with h5py.File('e.hdf5') as file:
    assert (file['subhalos/mass'][:] == subs['mass']).all() and 'mbp_id' not in file['halos']
assert 'needs an HDF5 catalogue' in run('--subhalos', '-o', 'c.csv', status=2)
with h5py.File(snapshot) as file, h5py.File('still.hdf5', 'w') as to:
    for name in file:
        file.copy(name, to)
    del to['PartType1/Velocities']
snapshot = os.path.abspath('still.hdf5')
words = run('--subhalos', '-o', 'd.hdf5', status=1, launch=mpirun(2))
assert '--subhalos: ' + snapshot + ': the file does not tell its velocities\n' in words, words
assert not os.path.exists('d.hdf5')
snapshot = os.path.abspath('points.csv')
with open('points.csv', 'w', encoding='ascii') as file:
    file.write('x,y,z,vx,vy,vz\n0,0,0,0,0,0\n')
words = run('--subhalos', '--box', '1', status=1)
assert 'points.csv: the file does not tell its cosmology' in words, words
