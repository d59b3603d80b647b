"""usage: ranks.py WEFT MPIRUN

weft sheet on one to four ranks, whole and by planes: the same arrays.
"""
import sys

mpirun = sys.argv.pop()
from common import arrays, moved, np, refused, run, write  # noqa: E402

BOX = 10.0


def on(ranks):
    return mpirun, '--oversubscribe', '--bind-to', 'none', '-n', str(ranks)


write('some.hdf5', moved(5, BOX, 1.4, 5), np.arange(125),
      velocities=np.random.default_rng(6).normal(0, 200, (125, 3)), box=BOX)
one = ['some.hdf5', '--threads', '1']
every = [*one, '--grid', '3,4,7', '--fields', 'mass,streams,velocity,dispersion']
for options in every, [*every, '--memory-limit', '18441K'], [*one, '--grid', '5,4,6', '--project', 'x']:
    run(*options, '-o', 'alone.hdf5')
    first, header = arrays('alone.hdf5')
    for ranks in 2, 4:  # of the last, one has no plane
        done = run(*options, '-o', 'ranks.hdf5', '--timings', 'ranks.json', before=on(ranks))
        assert f'{ranks} ranks' in done.stdout and done.stdout.count('wrote') == 1, done.stdout
        got, also = arrays('ranks.hdf5')
        assert sorted(got) == sorted(first)
        for name in first:
            assert got[name].tobytes() == first[name].tobytes(), (options, ranks, name)
        assert also['n_particles'] == header['n_particles']

refused('No such file', 'nowhere.hdf5', '--grid', '2', '-o', 'r.hdf5', before=on(3))
refused('nowhere/r.hdf5', *one, '--grid', '2', '-o', 'nowhere/r.hdf5', before=on(3))
refused('do not fit', *every, '--memory-limit', '10M', '-o', 'r.hdf5', before=on(2))
