"""usage: ranks.py WEFT MPIRUN

weft sheet on one to four ranks, each of which has a slab of the lattice: the same arrays, whole and by planes.
"""
import os
import sys

mpirun = sys.argv.pop()
from common import arrays, h5py, moved, np, refused, run, write  # noqa: E402

BOX = 10.0
random = np.random.default_rng(6)


def on(ranks):
    return mpirun, '--oversubscribe', '--bind-to', 'none', '-n', str(ranks)


def every_array(name):
    """Those of a file, patches as well."""
    with h5py.File(name) as file:
        names = []
        file.visit(names.append)
        return {at: file[at][()].tobytes() for at in names if isinstance(file[at], h5py.Dataset)}


def same(counts, *options):
    """The arrays that one process writes, from so many ranks; or so many, and a limit of memory for them."""
    alone = run(*options, '--threads', '1', '-o', 'alone.hdf5')
    told = 3 if '--samples' in options or '--refine' in options else 2
    first, (_, header) = every_array('alone.hdf5'), arrays('alone.hdf5')
    for count in counts:
        ranks, *limit = count if isinstance(count, tuple) else (count,)
        limited = [*options, *(['--memory-limit', str(limit[0])] if limit else [])]
        done = run(*limited, '--threads', '1', '-o', 'ranks.hdf5', '--timings', 'ranks.json', before=on(ranks))
        assert f'{ranks} ranks' in done.stdout and done.stdout.count('wrote') == 1, done.stdout
        assert done.stdout.split('\n')[:told] == alone.stdout.split('\n')[:told], (done.stdout, alone.stdout)
        got, (_, also) = every_array('ranks.hdf5'), arrays('ranks.hdf5')
        assert sorted(got) == sorted(first)
        for name in first:
            assert got[name] == first[name], (limited, ranks, name)
        for name in 'n_particles', 'lattice', 'particle_mass':
            assert np.array_equal(also[name], header[name]), name


# Five planes: no slab for the third rank and the fourth, and in the last turn no planes of cells for some.
write('some.hdf5', moved(5, BOX, 1.4, 5), np.arange(125), velocities=random.normal(0, 200, (125, 3)), box=BOX)
one = ['some.hdf5', '--grid', '3,4,7']
every = [*one, '--fields', 'mass,streams,velocity,dispersion']
same([2, 3, 4, (2, '18445K'), (4, '18445K')], *every)
same([2, 4], *one, '--tessellation', 'mean', '--fields', 'streams')
same([2], 'some.hdf5', '--grid', '41,128,128')  # more planes than are sent at once
# What came, by two threads.
run('some.hdf5', '--grid', '41,128,128', '--threads', '2', '-o', 'shared.hdf5', before=on(2))
assert every_array('shared.hdf5') == every_array('alone.hdf5')
for axis in 'xz':
    same([3], *one, '--project', axis)
same([2, 4, (3, '18437K')], *one, '--samples', '5')

# A device in lock step, as GPUs are, has sums of its own in place of the host's.
run(*every, '-o', 'host.hdf5')
os.environ['WEFT_STYLE'] = 'simt'
for before in (), on(3):
    run(*every, '--threads', '2', '-o', 'own.hdf5', before=before)
    assert every_array('own.hdf5') == every_array('host.hdf5'), before
for axis in 'xyz':  # images, of which a device on the host cuts tetrahedra of a cube together
    image = ['some.hdf5', '--grid', '16,19,17', '--project', axis]
    os.environ['WEFT_STYLE'] = 'simt'
    run(*image, '-o', 'own.hdf5')
    del os.environ['WEFT_STYLE']
    run(*image, '-o', 'host.hdf5')
    assert every_array('own.hdf5') == every_array('host.hdf5'), axis
os.environ['WEFT_STYLE'] = 'simt'
same([(2, '245773K')], *every)
same([3], *one, '--samples', '5')
del os.environ['WEFT_STYLE']

# In any order, of any axes, with ids from anywhere; slabs of a few planes, around the period.
for sides, axes, least, off in ((12, 11, 13), (0, 1, 2), 7, 2), ((9, 4, 5), (2, 0, 1), 0, 0.4), \
        ((4, 3, 10), (1, 2, 0), 2**62, 0.2):
    sites = int(np.prod(sides))
    digit = np.stack(np.unravel_index(np.arange(sites), sides), axis=1)
    at = np.empty((sites, 3))
    at[:, axes] = (digit + random.uniform(-off, off, digit.shape)) * BOX / sides % BOX
    order = random.permutation(sites)
    write('any.hdf5', at[order].astype('f4' if least else 'f8'), order + least, np.full(sites, 0.7, 'f4'),
          at[order], BOX)
    any_order = ['any.hdf5', '--lattice', ','.join(map(str, sides)), '--fields', 'mass,dispersion']
    across = sides[axes.index(0)]  # planes of the lattice; on four ranks 18 of 37 planes of cells fit
    slabs = min(4, across // 2)
    most = (across + slabs - 1) // slabs + 1
    limit = (18 << 20) + 49 * most * sites // across + 18 * 30 * 40
    same([*((2, 3) if least else (4,)), (4, limit)], *any_order, '--grid', '37,6,5')
os.environ['WEFT_STYLE'] = 'simt'  # planes that some slabs do not touch
same([3], *any_order, '--grid', '37,6,5')

# Of layers of blocks some are near planes of others, and done first, and some are not: in a turn, in several, and
# where planes are along another axis than slabs.
digit = np.stack(np.unravel_index(np.arange(480), (24, 4, 5)), axis=1)
at = (digit + random.uniform(-0.2, 0.2, digit.shape)) * BOX / (24, 4, 5) % BOX
write('long.hdf5', at, np.arange(480), velocities=at - 5, box=BOX)
long = ['long.hdf5', '--lattice', '24,4,5', '--fields', 'mass,streams,velocity']
same([2, 3, (2, '245800K')], *long, '--grid', '48,6,5')
same([2], *long[:3], '--grid', '48,6,5', '--project', 'x')
same([2], *long[:3], '--grid', '41,128,128')  # more planes than are sent at once
del os.environ['WEFT_STYLE']

# Patches: blocks of four planes of the lattice are one rank's, so the fourth of 15 planes has none. As many patches a
# turn as fit. (With WEFT_TEST=all each lattice on every number of ranks.)
each = [2, 3, 4, (2, '31M'), (4, '31M')] if os.environ.get('WEFT_TEST') == 'all' else None
for sides, axes, counts in ((18, 8, 9), (0, 1, 2), [4, (2, '31M')]), ((9, 8, 15), (2, 0, 1), [3, (4, '31M')]):
    sites = int(np.prod(sides))
    digit = np.stack(np.unravel_index(np.arange(sites), sides), axis=1)
    at = np.empty((sites, 3))
    at[:, axes] = ((digit + random.uniform(-0.3, 0.3, digit.shape)) / sides % 1)**2 * BOX
    write('tree.hdf5', at, np.arange(sites), box=BOX)
    tree = ['tree.hdf5', '--lattice', ','.join(map(str, sides)), '--grid', '64', '--refine', f'2,{sites}']
    same(each or counts, *tree)
refused('some patches of cells do not fit', *tree, '--memory-limit', '20M', '-o', 'r.hdf5', before=on(3))
refused('nowhere/r.hdf5', *tree, '-o', 'nowhere/r.hdf5', before=on(3))

refused('No such file', 'nowhere.hdf5', '--grid', '2', '-o', 'r.hdf5', before=on(3))
refused('nowhere/r.hdf5', *one, '-o', 'nowhere/r.hdf5', before=on(3))
refused('do not fit', *every, '--memory-limit', '10M', '-o', 'r.hdf5', before=on(2))

# What is wrong with the particles of one rank, or of all together.
at, order, two = moved(6, BOX, 0.5, 5), random.permutation(216), ['bad.hdf5', '--grid', '2', '-o', 'r.hdf5']
far, mass = at.copy(), np.full(216, 0.5)
far[0, 0] = (far[0, 0] + 0.55 * BOX) % BOX
mass[150] = 0.25


def bad(words, x, *rest, options=()):
    write('bad.hdf5', x, *rest, box=BOX)
    refused(words, *two, *options, before=on(3))


bad('bad.hdf5: a sheet needs the ids', at)
bad('the id of particle 200 is not below 2^63', at, np.where(np.arange(216) == 200, 2**63, np.arange(216, dtype='u8')))
bad('no particle has the id 5, so another id is there twice', at[order], np.where(order == 5, 6, order))
bad('ids of 216 particles run from 0 to 600', at[order], np.where(order == 5, 600, order))
bad('the ids do not tell places', at, order)
bad('masses of particles 0 and 150 differ, 0.5 and 0.25', at, np.arange(216), mass)
bad('wider than half the box', far, np.arange(216))
bad('215 particles are no cube', at[1:], np.arange(215))
bad('no lattice of 6 by 6 by 5', at, np.arange(216), options=['--lattice', '6,6,5'])
bad('bad.hdf5 has no velocities', at, np.arange(216), options=['--fields', 'velocity'])
far[210, 1] = np.nan
bad('the position of particle 210', far, np.arange(216))
