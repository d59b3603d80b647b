"""usage: refine.py WEFT BACKENDS... MPIRUN (empty: none)

Refined patches of weft sheet, what yt and ParaView are told of them, and of one grid.
"""
import os
import sys
import xml.etree.ElementTree as xml

mpirun = sys.argv.pop()
from common import backends, h5py, misused, moved, np, refused, run, write  # noqa: E402

N, BOX, SIDE = 6, 10.0, 64

# Denser where x and z are small.
at = moved(N, BOX, 0.5, 5)
at[:, ::2] = at[:, ::2]**2 / BOX
write('some.hdf5', at, np.arange(N**3), velocities=at, box=BOX)


def read(name):
    """Levels, first cells, parents and masses of patches, x slowest; units of the whole."""
    with h5py.File(name) as file:
        data = file['data']
        masses = [data[patch]['mass_units'][:].T for patch in sorted(data)]
        densities = [data[patch]['density'][:].T for patch in sorted(data)]
        total = int(data.attrs['units_per_tetrahedron']) * int(data.attrs['tetrahedra'])
        level = file['grid_level'][:]
        assert len(masses) == len(level) and list(file['header'].attrs['grid']) == [SIDE] * 3
        assert (file['grid_dimensions'][:] == SIDE).all()
        for depth, mass, density in zip(level, masses, densities):
            assert np.allclose(density, mass / (total / (SIDE << depth)**3), rtol=1e-14, atol=0)
        return level, file['grid_left_index'][:], file['grid_parent_id'][:], masses, total


def eighths(mass):
    """Eight cells are one."""
    return mass.reshape([half for side in mass.shape for half in (side // 2, 2)]).sum(axis=(1, 3, 5))


refine = ['some.hdf5', '--grid', '64', '--refine', '2,270']
done = run(*refine, '--xdmf', '-o', 'tree.hdf5')
assert '15 patches of 64^3 cells cover the box, halved up to 2 times' in done.stdout, done.stdout
level, first, parent, masses, total = read('tree.hdf5')
assert list(np.bincount(level)) == [1, 8, 8]
covered = set(parent[1:])
assert sum(int(mass.sum()) for k, mass in enumerate(masses) if k not in covered) == total
for patch in range(1, len(level)):
    up = parent[patch]
    assert level[patch] == level[up] + 1
    x, y, z = (first[patch] - 2 * first[up]) // 2
    inside = masses[up][x:x + 32, y:y + 32, z:z + 32]
    assert np.array_equal(eighths(masses[patch]), inside), patch

# The uniform grids are the same.
for depth, side in (0, 64), (1, 128):
    run('some.hdf5', '--grid', str(side), '-o', 'grid.hdf5', '-q')
    with h5py.File('grid.hdf5') as file:
        grid = file['mass_units'][:]
    for patch in np.flatnonzero(level == depth):
        x, y, z = first[patch]
        assert np.array_equal(masses[patch], grid[x:x + SIDE, y:y + SIDE, z:z + SIDE]), patch

for options, before in (['--backend', 'opencl'], ()), (['--threads', '1'], (mpirun, '--oversubscribe', '-n', '2')):
    if options[1] == 'opencl' and 'opencl' not in backends or before and not mpirun:
        continue
    run(*refine, *options, '-o', 'again.hdf5', before=before)
    assert all(np.array_equal(one, other) for one, other in zip(masses, read('again.hdf5')[3])), options

# XDMF: every patch without finer ones in it, where it is, and numbers with x fastest.
tree = xml.parse('tree.xdmf').getroot()
grids = tree.findall('.//Grid[@GridType="Uniform"]')
assert len(grids) == 15
for grid in grids:
    patch = int(grid.get('Name'))
    low, size = (np.array(item.text.split(), 'f8') for item in grid.findall('Geometry/DataItem'))
    assert patch not in covered and grid.find('Topology').get('Dimensions') == '65 65 65'
    assert np.allclose(size, BOX / (SIDE << level[patch])) and np.allclose(low, first[patch][::-1] * size)
    name, place = grid.find('Attribute/DataItem').text.split(':')
    assert name == 'tree.hdf5' and place == f'/data/grid_{patch:010d}/density'

# One grid, whole and by planes: XDMF's arrays have x fastest, yt's are the same ones.
fields = 'mass,streams,velocity,dispersion'
uniform = ['some.hdf5', '--grid', '9,4,7', '--fields', fields, '--xdmf']
for limit in '1G', '18447K':
    run(*uniform, '--memory-limit', limit, '-o', 'u.h5')
    with h5py.File('u.h5') as file:
        patch = file['data/grid_0000000000']
        for name in 'density', 'streams', 'dispersion':
            assert np.array_equal(file[name][:].T.astype('f4'), file['xdmf'][name][:], equal_nan=True), name
            assert np.array_equal(patch[name][:], file[name][:], equal_nan=True)
        assert np.array_equal(file['velocity'][:].transpose(2, 1, 0, 3).astype('f4'), file['xdmf/velocity'][:],
                              equal_nan=True)
        for k, name in enumerate(('velocity_x', 'velocity_y', 'velocity_z')):
            assert np.array_equal(patch[name][:], file['velocity'][..., k], equal_nan=True)
            assert file['field_types'][name].attrs['field_units'] == b'km/s'
grid = xml.parse('u.xdmf').getroot().find('.//Grid')
assert [item.get('Name') for item in grid.findall('Attribute')] == fields.replace('mass', 'density').split(',')
assert grid.find('Topology').get('Dimensions') == '8 5 10'
low, size = (np.array(item.text.split(), 'f8') for item in grid.findall('Geometry/DataItem'))
assert not low.any() and np.allclose(size, [BOX / 7, BOX / 4, BOX / 9])

two = ['some.hdf5', '--grid', '64', '-o', 'r.hdf5']
for text in '0', '-1', '15', 'x', '2,', '2,x', '2,3,4', '':
    misused(f"--refine: '{text}'", *two, f'--refine={text}')
misused('not a multiple of 64', 'some.hdf5', '--grid', '64,64,65', '--refine', '1')
misused('more than 1048576 cells', 'some.hdf5', '--grid', '65536,64,64', '--refine', '5')
misused('--refine: there is nothing but', *two, '--refine', '1', '--fields', 'streams')
misused('--refine: there is nothing but', *two, '--refine', '1', '--samples', '2')
misused('--refine: there is nothing but', *two, '--refine', '1', '--project', 'x')
misused('--xdmf: a projection', *two, '--xdmf', '--project', 'x')
refused('some patches of cells do not fit', *two, '--refine', '1', '--memory-limit', '20M')
os.mkdir('r.xdmf')
refused('r.xdmf', *two, '--xdmf', '--grid', '2')
os.rmdir('r.xdmf')

try:
    import yt
except ImportError:
    sys.exit()
yt.set_log_level(50)
for name, patches in ('tree.hdf5', 17), ('u.h5', 1):
    loaded = yt.load(name)
    cells = loaded.all_data()
    volume = cells['index', 'cell_volume'].to('code_length**3')
    assert len(loaded.index.grids) == patches and np.allclose(loaded.domain_width.value, BOX)
    assert abs((cells['gdf', 'density'] * volume).sum().value / BOX**3 - 1) < 1e-12
    if patches > 1:
        patch, cell = np.flatnonzero(level == 2)[-1], np.array([5, 17, 40])
        point = (first[patch] + cell + 0.5) * BOX / (SIDE << 2)
        here = loaded.find_field_values_at_point([('gdf', 'density')], loaded.arr(point, 'code_length'))
        mass = masses[patch][tuple(cell)]
        assert np.isclose(here[0].value, mass / (total / (SIDE << 2)**3), rtol=1e-14)
