"""usage: link.py WEFT BACKENDS...

weft link: a toy whose history is known, random catalogues against the definition, and catalogues
that cannot be linked.
"""
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy
except ImportError:
    sys.exit(77)

weft, backends = os.path.abspath(sys.argv[1]), sys.argv[2:]
os.chdir(tempfile.mkdtemp())
H = 0.5


def write(path, z, groups, subhalos=True, members=True, **header):
    """groups: the ids of each, its first the tag."""
    offset = numpy.cumsum([0] + [len(g) for g in groups])
    ids = numpy.array([i for g in groups for i in g], 'i8')
    about = {'redshift': z, 'scale_factor': 1 / (1 + max(z, 0)), 'h': H, 'omega_matter': 0.3, 'omega_lambda': 0.7,
             'box': [64.0] * 3, 'length_unit': 'Mpc', 'mass_unit': '1e10 Msun', 'ids': 'file', **header}
    with h5py.File(path, 'w') as file:
        file.create_group('header').attrs.update(about)
        for name in ['halos'] + ['subhalos'] * subhalos:
            file[f'{name}/tag'] = numpy.array([g[0] for g in groups], 'i8')
            file[f'{name}/count'] = numpy.diff(offset).astype('i8')
            file[f'{name}/mass'] = 2.0 * numpy.diff(offset)
            file[f'{name}/center_of_mass'] = numpy.arange(3.0 * len(groups)).reshape(-1, 3)
        if subhalos:
            file['subhalos/position'] = 100 + numpy.arange(3.0 * len(groups)).reshape(-1, 3)
            file['subhalos/halo'] = numpy.arange(len(groups))[::-1]
        for name in (['members'] + ['subhalos'] * subhalos) * members:
            file[f'{name}/offset'] = offset.astype('i8')
            file[f'{name}/particle_id'] = ids


def link(*paths, out='t.hdf5', backend='serial'):
    done = subprocess.run([weft, 'link', *paths, '-o', out, '--backend', backend], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stderr
    with h5py.File(out) as file:
        columns = {k: d[:] for k, d in file['TreeHalos'].items()}
        columns.update({k: d[:] for g in ('TreeTable', 'TreeTimes') for k, d in file[g].items() if k != 'TreeID'})
        columns['Header'] = {k: v for k, v in file['Header'].attrs.items() if k != 'command'}
        columns['Parameters'] = dict(file['Parameters'].attrs)
    return columns


def target(group, others, by_rank):
    """By the definition: the number of the other one, its weight, and how many are shared."""
    best = None
    for k, other in enumerate(others):
        shared = [r for r, i in enumerate(group) if i in set(other)]
        weight = sum(int(2**32 / (1 + math.sqrt(r * by_rank))) for r in shared)
        if shared and (best is None or (weight, len(shared), -other[0]) > best[0]):
            best = (weight, len(shared), -other[0]), k
    return best and (best[1], best[0][0], best[0][1])


def history(snaps, by_rank):
    """Of each (snapshot, row) its descendant with weight and shared, and its main progenitor."""
    after, before = {}, {}
    for s, groups in enumerate(snaps):
        for g, group in enumerate(groups):
            for step, found in ((1, after), (2, after), (-1, before), (-2, before)):
                if 0 <= s + step < len(snaps) and (s, g) not in found:
                    to = target(group, snaps[s + step], by_rank)
                    if to:
                        found[s, g] = ((s + step, to[0]), *to[1:])
    return after, before


def check(snaps, t, by_rank):
    """All that the file says of who became whom."""
    after, before = history(snaps, by_rank)
    row = {(s, g): k for k, (s, g) in enumerate(zip(t['SnapNum'], t['SubhaloNr']))}
    assert sorted(row) == [(s, g) for s, groups in enumerate(snaps) for g in range(len(groups))]
    tree, start = t['TreeID'], t['StartOffset']
    assert (t['Length'] == numpy.bincount(tree, minlength=len(t['Length']))).all() and t['Length'].sum() == len(tree)
    assert (t['TreeIndex'] == numpy.arange(len(tree)) - start[tree]).all()

    def named(column, k):
        return -1 if t[column][k] < 0 else t[column][k] + start[tree[k]]

    for one, k in row.items():
        to, weight, shared = after.get(one, (None, 0, 0))
        assert named('TreeDescendant', k) == row.get(to, -1), one
        assert t['DescendantShared'][k] == shared
        assert (to is None) == (t['TreeIndex'][k] == 0)
        main = before.get(one, (None,))[0]
        assert t['MainProgenitor'][k] == row.get(main, -1), one
        inside = main is not None and tree[row[main]] == tree[k]
        assert named('TreeMainProgenitor', k) == (row[main] if inside else -1)
        those = sorted((p for p in after if after[p][0] == one),
                       key=lambda p: (p != main, -after[p][1], -after[p][2], snaps[p[0]][p[1]][0], p))
        found, at = [], named('TreeFirstProgenitor', k)
        while at >= 0:
            found.append(at)
            at = named('TreeNextProgenitor', at)
        assert found == [row[p] for p in those], one
    assert (t['SubhaloLen'] == [len(snaps[s][g]) for s, g in zip(t['SnapNum'], t['SubhaloNr'])]).all()
    assert (t['SubhaloMass'] == 2 * H * t['SubhaloLen']).all() and t['Parameters']['BoxSize'] == 64 * H
    x = (100 * by_rank + 3 * t['SubhaloNr'][:, None] + numpy.arange(3)) * H
    assert (t['SubhaloPos'] == x).all()
    assert t['Header']['Ntrees_Total'] == len(start) and t['Header']['Nhalos_ThisFile'] == len(tree)
    return row


# B merges with A at last; the rim of Q stays with P, which flies by; F is not there once, and G twice.
a, b, f, g = list(range(40)), list(range(100, 130)), list(range(300, 320)), list(range(600, 625))
p, q = list(range(400, 450)), list(range(500, 530))
toy = [[p, a, b, q, g, f], [p + q[12:], a, b, q[:12]], [p, a + b, f, q], [a + b, p, g, q, f]]
for s, groups in enumerate(toy):
    write(f'{s}.hdf5', 3.0 - s, groups)
names = [f'{s}.hdf5' for s in range(4)]
t = link(*names)
row = check(toy, t, True)
assert (t['Redshift'] == [3, 2, 1, 0]).all() and (t['Time'] == [0.25, 1 / 3, 0.5, 1]).all()
assert (t['GroupNr'] == [len(toy[s]) - 1 - k for s, k in zip(t['SnapNum'], t['SubhaloNr'])]).all()


def line(one, column):
    found = []
    k = row[one]
    while k >= 0:
        found.append((int(t['SnapNum'][k]), int(t['SubhaloNr'][k])))
        k = -1 if t[column][k] < 0 else t[column][k] + t['StartOffset'][t['TreeID'][k]]
    return found


assert line((0, 1), 'TreeDescendant') == [(0, 1), (1, 1), (2, 1), (3, 0)]
assert line((0, 2), 'TreeDescendant') == [(0, 2), (1, 2), (2, 1), (3, 0)]
assert line((3, 0), 'TreeFirstProgenitor') == [(3, 0), (2, 1), (1, 1), (0, 1)]
assert line((0, 3), 'TreeDescendant') == [(0, 3), (1, 3), (2, 3), (3, 3)]
assert line((3, 4), 'TreeMainProgenitor') == [(3, 4), (2, 2), (0, 5)]
assert line((0, 4), 'TreeDescendant') == [(0, 4)] and line((3, 2), 'TreeFirstProgenitor') == [(3, 2)]

# Rockstar's lists of the same: a descendant two snapshots later cannot be told.
os.mkdir('lists')
subprocess.run([weft, 'link', *names, '-q', '--format', 'rockstar', '-o', 'lists'],
               check=True)
read = [numpy.loadtxt(f'lists/out_{s}.list', ndmin=2) for s in range(len(toy))]
for s, rows in enumerate(read):
    with open(f'lists/out_{s}.list', encoding='ascii') as text:
        lines = text.read().split('\n')
    assert lines[0].split() == ('#ID DescID Mvir Vmax Vrms Rvir Rs Np X Y Z VX VY VZ JX JY JZ Spin').split()
    assert lines[1].startswith('#a = ') and lines[2] == '#Om = 0.300000; Ol = 0.700000; h = 0.500000'
    assert lines[3] == '#Box size: 32.000000 Mpc/h' and any(l.startswith('#Units: Masses in Msun / h') for l in lines)
    assert len(rows) == len(toy[s])
    for row in rows:
        (k,) = numpy.nonzero((t['SnapNum'] == s) & (t['SubhaloNr'] == row[0] - read[s][0, 0]))[0]
        down = t['TreeDescendant'][k] + (t['StartOffset'][t['TreeID'][k]] if t['TreeDescendant'][k] >= 0 else 0)
        near = t['TreeDescendant'][k] >= 0 and t['SnapNum'][down] == s + 1
        assert row[1] == (read[s + 1][0, 0] + t['SubhaloNr'][down] if near else -1)
        assert numpy.allclose(row[8:11], t['SubhaloPos'][k]) and row[7] == t['SubhaloLen'][k]
        assert math.isclose(row[2], 1e10 * t['SubhaloMass'][k], rel_tol=1e-6) and row[5] > 0

# Members of halos are in no order: by their number most of Q goes to P.
t = link('--halos', *names)
row = check(toy, t, False)
assert line((0, 3), 'TreeDescendant') == [(0, 3), (1, 0), (2, 0), (3, 1)]
assert line((1, 3), 'TreeMainProgenitor') == [(1, 3)] and t['MainProgenitor'][row[1, 3]] == row[0, 3]

# At random: some snapshots without any, ties.
generator = random.Random(5)
for case in range(2):
    snaps = []
    for s in range(6):
        ids = generator.sample(range(90), 60)
        cuts = sorted(generator.sample(range(1, 60), 14)) + [60]
        snaps.append([ids[i:j] for i, j in zip(cuts, cuts[1:])] if s != 3 * case else [])
        write(f'r{s}.hdf5', 9.0 - s, snaps[-1], subhalos=case == 0)
    files = [f'r{s}.hdf5' for s in range(6)]
    t = link(*files)
    check(snaps, t, case == 0)
    for backend in set(backends) & {'pthreads'}:
        other = link(*files, out='o.hdf5', backend=backend)
        assert all(numpy.array_equal(t[k], other[k]) for k in t)


def lines_of(path):
    """The blocks of what gnuplot is given, and the lines of each."""
    with open(path, encoding='ascii') as text:
        return [[tuple(map(float, line.split())) for line in block.split('\n') if line]
                for block in text.read().split('\n\n\n') if block]


def check_plot(snaps, by_rank, *arguments):
    """The ten largest of the last snapshot, their main progenitors, and what merged with them."""
    with open('bin/gnuplot', 'w', encoding='ascii') as stub:
        stub.write('#!/bin/sh\ncp "$(dirname "$1")"/* given\ncp "$1" "$(dirname "$1")/picture.png"\n')
    os.chmod('bin/gnuplot', 0o755)
    subprocess.run([weft, 'link', '-q', *arguments, '--backend', 'serial', '-o', 'p.hdf5', '--plot', 'p.png'],
                   check=True, env={**os.environ, 'PATH': 'bin:' + os.environ['PATH']})
    after, before = history(snaps, by_rank)
    last = len(snaps) - 1

    def moment(one):
        return (4.0 - one[0], 2 * H * len(snaps[one[0]][one[1]]))

    lines, mergers, tags = [], [], []
    for one in sorted(((last, g) for g in range(len(snaps[last]))), key=lambda one: (-moment(one)[1], one))[:10]:
        lines.append([])
        mergers.append([])
        tags.append(snaps[last][one[1]][0])
        while one:
            main = before.get(one, (None,))[0]
            those = sorted((p for p in after if after[p][0] == one and p != main),
                           key=lambda p: (-after[p][1], -after[p][2], snaps[p[0]][p[1]][0]))
            lines[-1].append(moment(one))
            for p in those:
                if moment(p)[1] >= 0.1 * moment(one)[1]:
                    mergers[-1] += [moment(p), moment(one)]
            one = main
    assert lines_of('given/histories.txt') == lines
    assert lines_of('given/mergers.txt') == [m for m in mergers if m], mergers
    with open('given/plot.gp', encoding='utf8') as text:
        script = text.read()
    assert [int(part.split("'")[0]) for part in script.split("title '")[1:]] == tags
    return mergers


os.mkdir('bin'), os.mkdir('given')
assert any(check_plot(toy, True, *names)) and any(check_plot(toy, False, '--halos', *names))
many = [[list(range(100 * g, 100 * g + 5 + g % 7)) for g in range(13)] for s in range(2)]
for s, groups in enumerate(many):
    write(f'm{s}.hdf5', 3.0 - s, groups)
check_plot(many, True, 'm0.hdf5', 'm1.hdf5')
if shutil.which('gnuplot'):
    for groups, least in (toy[2], 20000), ([], 5000):
        write('last.hdf5', 0.5, groups)
        for arguments in [], ['--format', 'rockstar', '-o', 'lists']:
            subprocess.run([weft, 'link', '-q', '1.hdf5', 'last.hdf5', '-o', 'p.hdf5', *arguments, '--plot', 'p.png'],
                           check=True)
            with open('p.png', 'rb') as picture:
                assert picture.read(4) == b'\x89PNG' and picture.seek(0, 2) > least


def refuse(words, *arguments, status=1):
    before = sorted(os.listdir())
    done = subprocess.run([weft, 'link', '-o', 'x.hdf5', *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == status and words in done.stderr and not done.stdout, (words, done.stderr)
    assert status == 2 or done.stderr.count('\n') == 1, done.stderr
    assert sorted(os.listdir()) == before


write('none.hdf5', 0.5, toy[0], members=False)
write('halos.hdf5', 0.5, toy[0], subhalos=False)
write('small.hdf5', 0.5, toy[0], box=[32.0] * 3)
write('kpc.hdf5', 0.5, toy[0], length_unit='kpc')
write('timeless.hdf5', float('nan'), toy[0])
write('twice.hdf5', 0.5, [[1, 2, 3], [4, 2]])
write('back.hdf5', 0.5, toy[0])
with h5py.File('back.hdf5', 'r+') as file:
    file['subhalos/offset'][2] = 1
with open('2.hdf5', 'rb') as whole, open('cut.hdf5', 'wb') as cut:
    cut.write(whole.read()[:9000])
with open('text.csv', 'w', encoding='ascii') as text:
    text.write('x,y,z\n')
refuse('none.hdf5 has no members of halos: write it with --members', '0.hdf5', 'none.hdf5')
refuse('0.hdf5 has subhalos with members and halos.hdf5 has none', '0.hdf5', 'halos.hdf5')
refuse("'0.hdf5' is one catalogue: links need two at least", '0.hdf5', status=2)
refuse('catalogues are missing', status=2)
refuse('cut.hdf5 as HDF5: truncated file', '0.hdf5', 'cut.hdf5')
refuse('text.csv is neither HDF5 nor GenericIO', 'text.csv', '0.hdf5')
refuse('1.hdf5 is of redshift 2 and follows 2.hdf5 of redshift 1: catalogues are named in order', '2.hdf5', '1.hdf5')
refuse('small.hdf5 has a box of 32 x 32 x 32', '0.hdf5', 'small.hdf5')
refuse('kpc.hdf5 has the units kpc', '0.hdf5', 'kpc.hdf5')
for name, value, words in (('omega_matter', 0.2, 'has Omega_m 0.2 and Omega_Lambda 0.7, 0.hdf5 has 0.3 and 0.7: they are not of one'),
                           ('omega_matter', 0.0, 'does not tell omega_matter, which 0.hdf5 does'),
                           ('h', 0.0, 'does not tell h, which 0.hdf5 does'),
                           ('box', [0.0] * 3, 'does not tell box, which 0.hdf5 does'),
                           ('mass_unit', '', 'has the units Mpc and (not told), 0.hdf5 has Mpc and 1e10 Msun')):
    write('other.hdf5', 1, toy[1], **{name: value})
    refuse(f'other.hdf5 {words}', '0.hdf5', 'other.hdf5')
refuse('. is a folder', '0.hdf5', '.')
refuse("--output: 't.png' would be HDF5, not what .png tells", '0.hdf5', '1.hdf5', '-o', 't.png', status=2)
write('shifted.hdf5', 0.4, toy[1], subhalos=False)
with h5py.File('shifted.hdf5', 'a') as file:
    file['members/offset'][0] = 1
refuse('members/offset in shifted.hdf5 does not ascend from 0', 'halos.hdf5', 'shifted.hdf5')
refuse('timeless.hdf5 does not tell its redshift', '0.hdf5', 'timeless.hdf5')
for name, value, words in (('redshift', -1.0, 'the redshift is -1, not above -1'), ('redshift', math.inf, 'the redshift is inf'), ('scale_factor', math.inf, 'the scale factor is inf'),
                           ('h', math.nan, 'the h is nan'), ('box', [64, math.nan, 64], 'the box along y is nan')):
    write('strange.hdf5', value if name == 'redshift' else 1, toy[1], **{name: value})
    refuse(f'strange.hdf5: {words}', '0.hdf5', 'strange.hdf5')
for group, column, row, value in (('subhalos', 'mass', 2, math.nan), ('subhalos', 'position', 1, -math.inf)):
    write('strange.hdf5', 1, toy[1])
    with h5py.File('strange.hdf5', 'a') as file:
        file[group][column][row] = value
    for form in 'gadget', 'rockstar':
        refuse(f'row {row} of {group}/{column} in strange.hdf5 is {value}', '0.hdf5', 'strange.hdf5', '--format', form,
               *(['-o', '.'] if form == 'rockstar' else []))
refuse('to twice.hdf5: id 2 is twice', '0.hdf5', 'twice.hdf5')
refuse('subhalos/offset in back.hdf5 does not ascend', '0.hdf5', 'back.hdf5')
write('bare.hdf5', 9, toy[0], length_unit='code')
write('bare2.hdf5', 8, toy[0], length_unit='code')
refuse('--format rockstar: bare.hdf5 does not tell h and units', 'bare.hdf5', 'bare2.hdf5', '--format', 'rockstar',
       '-o', 'lists')
refuse('--format text: neither gadget nor rockstar', '0.hdf5', '1.hdf5', '--format', 'text', status=2)
os.symlink('1.hdf5', 'x.hdf5')
refuse('x.hdf5 is the input', '0.hdf5', '1.hdf5', status=2)
os.symlink('1.hdf5', '1.png')
refuse('1.png is the input', '0.hdf5', '1.hdf5', '--format', 'rockstar', '-o', '.', '--plot', '1.png', status=2)
# Lists, too, are no inputs, and none is another, whatever they are called.
os.mkdir('out')
os.symlink('../0.hdf5', 'out/out_1.list')
size = os.path.getsize('0.hdf5')
refuse('out/out_1.list is the input', '0.hdf5', '1.hdf5', '--format', 'rockstar', '-o', 'out', status=2)
os.remove('out/out_1.list')
os.symlink('out_0.list', 'out/out_1.list')
refuse('is named for two outputs', '0.hdf5', '1.hdf5', '--format', 'rockstar', '-o', 'out', status=2)
os.remove('out/out_1.list')
refuse('out/out_0.list is named for two outputs', '0.hdf5', '1.hdf5', '--format', 'rockstar', '-o', 'out',
       '--timings', 'out/out_0.list', status=2)
refuse('the name of the folder is empty', '0.hdf5', '1.hdf5', '--format', 'rockstar', '-o', '', status=2)
assert os.listdir('out') == [] and os.path.getsize('0.hdf5') == size
