"""usage: sheet.py WEFT BACKENDS...

What weft sheet writes of a small lattice, on every backend, and what it refuses.
"""
import os

from common import backends, h5py, misused, np, refused, run
from common import write as write_any

N, BOX = 6, 12.0


def write(name, x, ids=None, masses=None, box=BOX):
    write_any(name, x, ids, masses, box=box)


random = np.random.default_rng(3)
order = random.permutation(N**3)
site = np.stack(np.unravel_index(order, (N, N, N)), axis=1)
at = ((site + 0.5) * BOX / N + random.uniform(-1.2, 1.2, site.shape)) % BOX
write('some.hdf5', at.astype('f4'), order + 1)

tables = {}
for tessellation, each in ('abel', 6), ('kuhn', 6), ('mean', 24):
    for backend in backends:
        done = run('some.hdf5', '--grid', '8,5,9', '--tessellation', tessellation, '--backend', backend)
        assert f'{each * N**3} tetrahedra ({tessellation})' in done.stdout, done.stdout
        with h5py.File('some.sheet.hdf5') as file:
            mass, density, header = file['mass_units'], file['density'], file['header'].attrs
            units, count = mass.attrs['units_per_tetrahedron'], mass.attrs['tetrahedra']
            table, values = mass[:], density[:]
            assert header['tessellation'] == tessellation and list(header['grid']) == [8, 5, 9]
            assert list(header['lattice']) == [N] * 3 and header['particle_mass'] == 2.5
            assert header['source_file'] == 'some.hdf5' and list(header['box']) == [BOX] * 3
            assert density.attrs['unit'] == 'mean density'
        assert table.dtype == 'i8' and count == each * N**3
        assert sum(map(int, table.flat)) == int(units) * int(count)
        assert np.allclose(values, table / (int(units) * int(count) / 360), rtol=1e-15, atol=0)
        if tessellation in tables:
            assert np.array_equal(table, tables[tessellation]), backend
        tables[tessellation] = table
assert not np.array_equal(tables['abel'], tables['kuhn'])

# In another order, from another id on, in f64, with masses one by one: the same.
back = random.permutation(N**3)
write('other.h5', at.astype('f4').astype('f8')[back], order[back] + 77, np.full(N**3, 7.0))
run('other.h5', '--grid', '8,5,9', '-o', 'o.hdf5', '-q', '--timings', 'o.json')
with h5py.File('o.hdf5') as file:
    assert np.array_equal(file['mass_units'][:], tables['abel'])
    assert file['header'].attrs['particle_mass'] == 7
with open('o.json', encoding='ascii') as file:
    assert '"sheet"' in file.read()
os.remove('o.json')

# A box in another unit than positions is told.
write('near.hdf5', 1e-4 * at, order + 1)
assert 'same unit' in run('near.hdf5', '--grid', '4', '-o', 'o.hdf5').stderr

# A lattice of three sides whose ids run along z, then x, then y.
sides = 4, 3, 5
digit = np.stack(np.unravel_index(np.arange(60), sides), axis=1)
long = np.empty((60, 3))
long[:, [1, 0, 2]] = (digit + random.uniform(-0.2, 0.2, digit.shape)) * BOX / sides % BOX
write('long.hdf5', long, np.arange(60))
done = run('long.hdf5', '--grid', '4', '--lattice', '4,3,5', '-o', 'l.hdf5')
assert '3 x 4 x 5' in done.stdout, done.stdout

two = ['--grid', '2', '-o', 'r.hdf5']
write('noids.hdf5', at)
refused('noids.hdf5: a sheet needs the ids', 'noids.hdf5', *two)
write('twice.hdf5', at, np.where(order == 5, 6, order))
refused('twice.hdf5: a sheet needs the ids', 'twice.hdf5', *two)
write('gap.hdf5', at, np.where(order == 5, 600, order))
refused('ids of 216 particles run from 0 to 600', 'gap.hdf5', *two)
write('shuffled.hdf5', at, random.permutation(N**3))
refused('the ids do not tell places', 'shuffled.hdf5', *two)
write('heavy.hdf5', at, order, np.where(order == 9, 2.0, 1.0))
refused('differ, ', 'heavy.hdf5', *two)
write('nobox.hdf5', at, order, box=0.0)
refused('nobox.hdf5 has no periodic box', 'nobox.hdf5', *two)
refused('long.hdf5: 60 particles are no cube', 'long.hdf5', *two)  # and not the name of the library's call
moved = at.copy()
moved[order == 0] = (moved[order == 0] + BOX / 2) % BOX
write('wide.hdf5', moved, order)
refused('wider than half the box', 'wide.hdf5', *two)
refused('No such file', 'nowhere.hdf5', *two)
misused('some.hdf5 is the input', 'some.hdf5', '--grid', '2', '-o', 'some.hdf5')
misused('standard output', 'some.hdf5', '--grid', '2', '-o', '-')
refused('nowhere/r.hdf5', 'some.hdf5', '--grid', '2', '-o', 'nowhere/r.hdf5')
misused('a snapshot is missing', '--grid', '2')
misused('--grid is missing', 'some.hdf5')
for text in '0', '2,2', '2,', 'x', '-1', '2,2,2,2', '99999999':
    misused(f"--grid: '{text}'", 'some.hdf5', f'--grid={text}')
misused("--lattice: '6'", 'some.hdf5', '--grid', '2', '--lattice', '6')
misused("'cubes' is not abel", 'some.hdf5', '--grid', '2', '--tessellation', 'cubes')
