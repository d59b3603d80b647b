"""usage: zoom.py WEFT DATA MPIRUN|none BACKEND...

Halos of several types of particles are those of one file with all of them; heavy members are counted;
gas and stars go to the halo of the nearest particle of dark matter, found here by looking at all pairs.
The particles are a small zoom cut out of lcdm64, as HDF5 (once in two files) and as Gadget-2. Skipped
without python3-h5py."""
import csv
import os
import struct
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError:
    print('skipped: python3-h5py is not installed')
    sys.exit(77)

weft, data, mpirun, backends = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3], sys.argv[4:]
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
random = np.random.default_rng(17)


def run(*arguments, status=0, ranks=1):
    launch = [mpirun, '--oversubscribe', '--bind-to', 'none', '-n', str(ranks)] if ranks > 1 else []
    done = subprocess.run([*launch, weft, 'halos', *arguments], capture_output=True, text=True, timeout=300,
                          check=False)
    assert done.returncode == status, (arguments, done)
    return done


def rows(name):
    with open(name, encoding='ascii') as file:
        return list(csv.DictReader(file))


with h5py.File(data + '/lcdm64.hdf5') as file:
    position = file['PartType1/Coordinates'][:].astype('f4')
    velocity = file['PartType1/Velocities'][:].astype('f4')
    unit = float(file['PartType1/Masses'][0])
    box = float(file['Header'].attrs['BoxSize'][0])
    groups = {name: dict(file[name].attrs) for name in ('Header', 'Units', 'Cosmology')}
    scales = {name: dict(file['PartType1/' + name].attrs) for name in ('Coordinates', 'Velocities', 'Masses')}

# Around one place all particles, further out every 8th, and then every 64th, as heavy as those left out.
subprocess.run([weft, 'halos', data + '/lcdm64.hdf5', '-q', '-o', 'whole.csv', '--centers', 'none'], check=True)
largest = rows('whole.csv')[1]
center = np.array([float(largest['center_of_mass_' + axis]) for axis in 'xyz'])
apart = position.astype('f8') - center
radius = np.sqrt(((apart - box * np.rint(apart / box)) ** 2).sum(1))
here = {1: np.flatnonzero(radius < 8), 2: np.flatnonzero((radius >= 8) & (radius < 20))[::8],
        3: np.flatnonzero(radius >= 20)[::64]}
factor = {1: 1, 2: 8, 3: 64}
types = {}
for kind, index in here.items():
    types[kind] = dict(x=position[index], v=velocity[index], ids=index.astype('i8') + 1,
                       m=np.full(len(index), np.float32(unit * factor[kind])))
# Two clumps, and halfway between them gas, which goes to the smaller id.
place = np.array([2.0, 2.0, 2.0], 'f4') + np.float32(0.125) * np.array([[-1, 0, 0], [1, 0, 0]], 'f4')
for turn, order in enumerate(((0, 1), (1, 0))):
    for clump, side in enumerate(order):
        x = np.repeat(place[[side]], 12, 0) + np.array([[0, 4 * turn, 0]], 'f4')
        x[1:] += (random.uniform(0.01, 0.03, (11, 3)) * (2 * side - 1)).astype('f4')
        more = dict(x=x, v=x, ids=10**6 * (turn + 1) + 100 * (clump ^ turn) + np.arange(12),
                    m=np.full(12, np.float32(unit)))
        types[1] = {a: np.concatenate([types[1][a], more[a].astype(types[1][a].dtype)]) for a in types[1]}
for kind, n in (0, 1500), (4, 700), (5, 3):
    near = random.choice(here[1], n)
    x = (position[near] + random.normal(0, 0.05, (n, 3))) % box
    types[kind] = dict(x=x.astype('f4'), v=velocity[near], ids=np.arange(n) + 10**7 * (1 + kind),
                       m=random.uniform(0.1, 0.3, n).astype('f8' if kind == 4 else 'f4') * np.float32(unit))
types[0]['x'][:50] = types[1]['x'][:50]  # at the same place; and some as near to two
types[0]['x'][80:82] = [[2, 2, 2], [2, 6, 2]]
types[1]['x'][100:110] = types[1]['x'][90:100]
types[0]['x'][60:70] = types[1]['x'][90:100]


def write_hdf5(name, kinds, files=1, tabled=(2,), wide=(1,)):
    """Each array in as many files; masses in the table for some types, coordinates of f8 for some."""
    for part in range(files):
        path = name if files == 1 else name.replace('.hdf5', f'.{part}.hdf5')
        share = {k: {a: np.array_split(v, files)[part] for a, v in types[k].items()} for k in kinds}
        with h5py.File(path, 'w') as out:
            for group, attributes in groups.items():
                out.create_group(group).attrs.update(attributes)
            header = out['Header'].attrs
            header['NumPart_ThisFile'] = [len(share[k]['m']) if k in share else 0 for k in range(6)]
            header['NumPart_Total'] = [len(types[k]['m']) if k in kinds else 0 for k in range(6)]
            header['NumPart_Total_HighWord'] = [0] * 6
            header['NumFilesPerSnapshot'] = files
            header['MassTable'] = [float(types[k]['m'][0]) if k in tabled else 0.0 for k in range(6)]
            out['Cosmology'].attrs['Omega_b'] = 0.05
            for k, arrays in share.items():
                group = out.create_group(f'PartType{k}')
                group['Coordinates'] = arrays['x'].astype('f8' if k in wide else 'f4')
                group['Velocities'], group['ParticleIDs'] = arrays['v'], arrays['ids']
                if k not in tabled:
                    group['DynamicalMasses' if k == 5 else 'Masses'] = arrays['m']
                for array, attributes in scales.items():
                    if array in group:
                        group[array].attrs.update(attributes)


def write_gadget(name, kinds, tabled):
    counts = [len(types[k]['m']) if k in kinds else 0 for k in range(6)]
    table = [float(types[k]['m'][0]) if k in tabled else 0.0 for k in range(6)]
    header = struct.pack('<6i6ddd2i6I2i4d', *counts, *table, 1.0, 0.0, 0, 0, *counts, 0, 1, box, 0.3, 0.7, 0.7)

    def record(file, data):
        file.write(struct.pack('<i', len(data)) + data + struct.pack('<i', len(data)))
    with open(name, 'wb') as file:
        record(file, header.ljust(256, b'\0'))
        for array, form in ('x', '<f4'), ('v', '<f4'), ('ids', '<i8'):
            record(file, b''.join(types[k][array].astype(form).tobytes() for k in sorted(kinds)))
        record(file, b''.join(types[k]['m'].astype('<f4').tobytes() for k in sorted(kinds) if k not in tabled))


dark = [1, 2, 3]
every = {a: np.concatenate([types[k][a] for k in dark]) for a in ('x', 'v', 'm', 'ids')}
with open('dark.csv', 'w', encoding='ascii') as file:
    print('x,y,z,vx,vy,vz,mass,id', file=file)
    for x, v, m, number in zip(every['x'], every['v'], every['m'], every['ids']):
        print(*(repr(float(c)) for c in (*x, *v, m)), number, sep=',', file=file)

# The length from the mean density of the dark matter, of particles as heavy as the lightest.
h, omega_m = (float(groups['Cosmology'][name][0]) for name in ('h', 'Omega_m'))
critical = 3 * (100 * h * 1e5 / 3.0856775814913673e24) ** 2 / (8 * np.pi * 6.67430e-8) \
    * 3.0856775814913673e24 ** 3 / 1.98841e33 / 1e10


def length(omega):
    return 0.2 * (float(np.float32(unit)) / (omega * critical)) ** (1 / 3)


write_hdf5('zoom.hdf5', dark)
write_hdf5('gas.hdf5', dark + [0, 4, 5], files=2)
write_gadget('gas.dat', dark + [0, 4], (1, 2, 3))
for name, omega in ('zoom.hdf5', omega_m), ('gas.0.hdf5', omega_m - 0.05):
    text = run(name, '--types', '3,1,2', '--so', 'none', '--centers', 'none', '-o', 'x.csv').stdout
    told = float(text.split('linking length ')[1].split()[0])
    assert abs(told / length(omega) - 1) < 1e-6, (text, length(omega))
L = 0.2
shared = ['--linking-length-absolute', str(L), '--so', 'none', '--min-members', '10', '-q', '--centers', 'mcp']


def halo_of(labels, tags):
    place = {tag: k for k, tag in enumerate(tags)}
    return np.array([place.get(tag, -1) for tag in labels])


def attach(kind, halo, halos, type_of_mass):
    """Counts and masses by looking at all pairs; the smallest id of the nearest."""
    count, mass = np.zeros(halos, 'i8'), np.zeros(halos)
    order = np.argsort(every['ids'], kind='stable')
    dark_x, dark_halo = every['x'][order].astype('f8'), halo[order]
    for x, m in zip(types[kind]['x'].astype('f8'), types[kind]['m'].astype(type_of_mass)):
        d = x - dark_x
        d -= box * np.rint(d / box)
        square = d * d
        d2 = (square[:, 0] + square[:, 1]) + square[:, 2]
        best = np.argmin(d2)
        if d2[best] <= L * L and dark_halo[best] >= 0:
            count[dark_halo[best]] += 1
            mass[dark_halo[best]] += float(m)
    return count, mass


wanted = halo = None
for backend in backends:
    on = [*shared, '--backend', backend]
    run('dark.csv', *on, '--box', repr(box), '--periodic', '-o', 'dark.out.csv', '--labels', 'dark.npy')
    wanted = rows('dark.out.csv')
    labels = np.load('dark.npy')
    halo = halo_of(labels, [int(row['tag']) for row in wanted])
    for name, limit in ('gas.0.hdf5', []), ('zoom.hdf5', []), ('gas.dat', []), ('zoom.hdf5', ['--memory-limit', '60M']):
        if name != 'gas.0.hdf5' and backend != 'serial':
            continue
        attached = [] if name == 'zoom.hdf5' else [0, 4] if name == 'gas.dat' else [0, 4, 5]
        asked = ','.join(map(str, dark + attached))
        run(name, *on, *limit, '--types', asked, '-o', 'found.csv', '--labels', 'found.npy')
        found = rows('found.csv')
        assert (np.load('found.npy') == labels).all(), (backend, name)
        assert len(found) == len(wanted) > 20, (backend, name, len(found), len(wanted))
        heavy = np.bincount(halo[(halo >= 0) & (every['m'] > 1.01 * every['m'].min())], minlength=len(found))
        assert [int(row['count_heavy']) for row in found] == list(heavy) and 0 < (heavy > 0).sum() < len(heavy)
        for k, row in enumerate(wanted):
            # (what the file tells of its masses is wider than its text)
            for column in row:
                assert row[column] == found[k][column], (backend, name, k, column, row, found[k])
            members = every['m'][(halo == k)].astype('f8')
            assert float(found[k]['mass_heavy']) == members[members > 1.01 * float(every['m'].min())].sum()
        for kind, what in (0, 'gas'), (4, 'stars'), (5, 'black_holes'):
            if kind in attached:
                count, mass = attach(kind, halo, len(found), 'f4' if name == 'gas.dat' else 'f8')
                assert [int(row['count_' + what]) for row in found] == list(count), (backend, name, what)
                assert [float(row['mass_' + what]) for row in found] == list(mass), (backend, name, what)
                assert count.sum() > 0
            else:
                assert 'count_' + what not in found[0]

# What is attached in pieces, on several ranks and in a region is what one process finds among the same
# particles; --min-friends leaves particles out of halos, not out of what gas may be nearest to.
whole = ['gas.0.hdf5', *shared, '--types', '1,2,3,0,4,5', '--backend', 'serial']
region = ['--region', '55:20,:,1.5:55']
for name, options in ('all', []), ('friends', ['--min-friends', '2']), ('region', region):
    run(*whole, *options, '-o', 'one.csv')
    one = rows('one.csv')
    assert sum(int(row['count_gas']) for row in one) > 0, (name, one)
    run(*whole, *options, '-o', 'pieces.csv', '--memory-limit', '940K')
    assert rows('pieces.csv') == one, name
    for ranks, limit in ((3, []), (2, ['--memory-limit', '940K'])) if mpirun != 'none' else ():
        run(*whole, *options, *limit, '-o', 'ranks.csv', ranks=ranks)
        assert rows('ranks.csv') == one, (name, ranks, [(a[k], b[k], k) for a, b in zip(one, rows('ranks.csv')) for k in a if a[k] != b[k]][:9])


def inside(x):
    x = x.astype('f8') % box
    return ((x[:, 0] >= 55) | (x[:, 0] < 20)) & (x[:, 2] >= 1.5) & (x[:, 2] < 55)


everything = types
types = {k: {a: v[inside(arrays['x'])] for a, v in arrays.items()} for k, arrays in everything.items()}
write_hdf5('part.hdf5', dark + [0, 4, 5])
types = everything
run('part.hdf5', *whole[1:], '-o', 'part.csv')
cut, part = rows('one.csv'), rows('part.csv')
assert [{k: v for k, v in row.items() if k != 'cut'} for row in cut] == part and len(part) > 5

# Several ranks share the types of dark matter.
if mpirun != 'none':
    asked = ['zoom.hdf5', '--types', '1,2,3', '--so', 'none', '-q', '--threads', '1']
    run(*asked, '-o', 'one.csv', '--labels', 'one.npy')
    run(*asked, '-o', 'three.csv', '--labels', 'three.npy', ranks=3)
    assert rows('one.csv') == rows('three.csv') and (np.load('one.npy') == np.load('three.npy')).all()

# Columns of HDF5 and their descriptions; what is there and left out, and asked for and not there.
done = run('gas.0.hdf5', '--types', '1,4', '-o', 'gas.out.hdf5', '--linking-length-absolute', '0.2', '--so', 'none')
assert 'particles of PartType0 are left out' in done.stderr and 'particles of PartType2 are' in done.stderr
with h5py.File('gas.out.hdf5') as file:
    stars = file['halos/mass_stars']
    assert stars.attrs['unit'] == file['halos/mass'].attrs['unit'] and 'stars' in str(stars.attrs['description'])
    assert file['halos/count_stars'].dtype == 'i8' and 'count_heavy' not in file['halos']
loud = [word for word in shared if word != '-q']
assert 'there are no particles of type 5' in run('zoom.hdf5', '--types', '1,5', *loud, '-o', 'x.csv').stderr
assert '--types 1,2,3' in run('zoom.hdf5', *loud[2:], '-o', 'x.csv').stderr

assert 'sinks' in run('zoom.hdf5', '--types', '1,3', *loud, '-o', 'x.csv').stderr
for types_list, words in (('0,4', '1, 2 or 3 is missing'), ('1,1', 'twice'), ('6', 'none of'), ('', 'none of'),
                          ('1,', 'none of'), ('1 ', 'none of'), ('-1', 'none of')):
    assert words in run('zoom.hdf5', '--types', types_list, status=2).stderr, types_list
for name, types_list, words in (('dark.csv', '1,2', 'no particles of type 2'),
                                ('gas.dat', '1,2', 'give --linking-length-absolute')):
    assert words in run(name, '--types', types_list, '--box' if name == 'dark.csv' else '-q',
                        *(['64'] if name == 'dark.csv' else []), status=1).stderr, name
with h5py.File('gas.0.hdf5', 'r+') as file:
    file['PartType4/Coordinates'][3, 1] = np.nan
assert 'the position of particle 3 of type 4 in' in run('gas.0.hdf5', '--types', '1,4', *shared, status=1).stderr
with h5py.File('zoom.hdf5', 'r+') as file:
    file['Header'].attrs['MassTable'] = [0.0] * 6
    del file['PartType3/Velocities']
assert 'particles of type 1 have masses, those of type 2 have none' in run('zoom.hdf5', '--types', '1,2', *shared,
                                                                           status=1).stderr
assert 'type 1 have velocities, those of type 3 have none' in run('zoom.hdf5', '--types', '1,3', *shared,
                                                                   status=1).stderr
