"""usage: region.py WEFT BACKEND

A catalogue of a region is that of a file with the particles of the region alone, found here by
trying every period; halos near its faces are told.
"""
import csv
import itertools
import math
import os
import random
import struct
import subprocess
import sys
import tempfile

BOX, LENGTH = 10.0, 0.3
weft, backend = os.path.abspath(sys.argv[1]), sys.argv[2]
os.chdir(tempfile.mkdtemp())
random.seed(7)


def run(*arguments, status=0):
    done = subprocess.run([weft, 'halos', *arguments], capture_output=True, text=True, timeout=120,
                          check=False)
    assert done.returncode == status, (arguments, done)
    return done


def write(name, particles, ids):
    with open(name, 'w', encoding='ascii') as file:
        print('x,y,z' + ',id' * ids, file=file)
        for number, point in particles:
            print(*(repr(x) for x in point), *([number] if ids else []), sep=',', file=file)


def depths(x, bounds, period):
    """How far each copy of x, from the first bound on to before the second, is from both; of a
    whole axis there is one, far from all."""
    low, high = bounds or (-math.inf, math.inf)
    if period and high < low:
        high += period
    if period and high - low >= period:
        low, high = -math.inf, math.inf
    copies = [x + k * period for k in (range(-15, 16) if period else [0])]
    return [min(copy - low, high - copy) for copy in copies if low <= copy < high]


def holds(x, bounds, period):
    return len(depths(x, bounds, period)) > 0


def near(x, bounds, period):
    return any(depth <= LENGTH for depth in depths(x, bounds, period))


def rows(name):
    with open(name, encoding='ascii') as file:
        return list(csv.DictReader(file))


def text_of(region):
    return ','.join(':' if b is None else f'{b[0]!r}:{b[1]!r}' for b in region)


particles = []
for center in itertools.product((0.05, 3.3, 6.6, 9.9), repeat=3):
    for _ in range(random.randrange(8, 14)):
        particles.append(tuple(random.gauss(x, 0.12) for x in center))
# On faces, outside of the box and periods away, and at what is rounded.
particles += [(3.0, 5.0, 5.0), (7.0, 5.0, 5.0), (-7.0, 5.0, 5.0), (13.0, 5.0, 5.0), (0.0, 5.0, 5.0),
              (10.0, 5.0, 5.0), (-1e-17, 5.0, 5.0), (9.999999999999998, 5.0, 5.0), (27.0, -15.0, 5.0)]
random.shuffle(particles)
numbers = random.sample(range(10**12), len(particles))
everything = list(zip(numbers, particles))

REGIONS = [
    ((3.0, 7.0), None, None), ((7.0, 3.0), None, None), ((-2.0, 2.0), (3.0, 9.0), None),
    ((8.0, 12.0), (-1.0, 1.0), (9.5, 0.5)), ((0.0, 10.0), (0.0, 5.0), None),
    ((0.0, 5.0), (0.0, 5.0), (0.0, 5.0)), ((4.0, 4.5), (1.0, 1.5), (1.0, 1.5)), (None, None, None),
    ((103.0, 107.0), None, None), ((5.0, 5.5), (5.0, 5.25), (0.0, 10.0)),
]
for ids, period in ((True, BOX), (True, 0), (False, BOX)):
    if backend != 'serial' and not ids:  # the host cuts, for all backends
        continue
    write('all.csv', everything if ids else [(k, p) for k, p in enumerate(particles)], ids)
    shared = ['--box', str(BOX), '--periodic' if period else '--no-periodic', '--min-members', '1',
              '--linking-length-absolute', str(LENGTH), '-q', '--backend', backend, '--centers', 'mbp,mcp']
    for region in REGIONS if backend == 'serial' else REGIONS[:4]:
        if not period and any(b and b[0] > b[1] for b in region):
            assert 'ends before it begins' in run('all.csv', *shared, '--region', text_of(region), '-o',
                                                  'part.csv', status=2).stderr
            continue
        inside = [k for k, point in enumerate(particles)
                  if all(holds(x, b, period) for x, b in zip(point, region))]
        write('inside.csv', [(numbers[k] if ids else k, particles[k]) for k in inside], True)
        run('inside.csv', *shared, '-o', 'wanted.csv', '--labels', 'wanted.labels')
        wanted = rows('wanted.csv')
        labels = struct.unpack(f'<{len(inside)}q', open('wanted.labels', 'rb').read())
        for limit in [], ['--memory-limit', '60M'], ['--min-friends', '1']:
            run('all.csv', *shared, *limit, '--region', text_of(region), '-o', 'part.csv', '--labels',
                'labels')
            if limit[:1] == ['--min-friends']:
                continue
            found = rows('part.csv')
            cut = {row['tag']: int(row.pop('cut')) for row in found}
            assert found == wanted, (region, limit, len(found), len(wanted))
            all_labels = struct.unpack(f'<{len(particles)}q', open('labels', 'rb').read())
            assert [all_labels[k] for k in inside] == list(labels), (region, limit)
            assert all(all_labels[k] == -1 for k in range(len(particles)) if k not in set(inside))
            close = {str(label) for k, label in zip(inside, labels)
                     if any(near(x, b, period) for x, b in zip(particles[k], region))}
            assert {tag for tag, flag in cut.items() if flag} == close, (region, limit)

# The mean separation is that of the file; what is looked at is told.
write('all.csv', everything, True)
done = run('all.csv', '--box', '10', '--periodic', '--region', '0:5,0:5,:', '-o', 'part.csv', '--comments')
n = len(particles)
separation = (1000 / n) ** (1 / 3)
assert f'linking length {0.2 * separation:.9g}' in done.stdout, done.stdout
inside = sum(all(holds(x, (0, 5), BOX) for x in point[:2]) for point in particles)
assert f'{inside} of them in the region' in done.stdout, done.stdout
assert '# region 0:5,0:5,-inf:inf code' in open('part.csv', encoding='ascii').read()
run('all.csv', '--box', '10', '--periodic', '--region', '0:5,0:5,:', '-q')
header = subprocess.run([weft, 'info', 'all.halos.hdf5'], capture_output=True, text=True, check=True).stdout
assert f'n_inside          {inside}\n' in header and 'region            0 5 0 5 -inf inf\n' in header, header

for bad in '', '1:2', '1:2,3:4', '1:2,3:4,5:6,7:8', '1:2,3:4,5', '1:,:,:', ':1,:,:', '1:1,:,:', 'a:b,:,:', \
        'nan:1,:,:', 'inf:1,:,:', '1:2,:,: ', '1:2;:;:':
    assert '--region: ' in run('all.csv', '--box', '10', '--region', bad, status=2).stderr, bad
for option in ['--so', '200c'], ['--plot', 'x.png']:
    assert 'exclude each other' in run('all.csv', *option, '--region', ':,:,:', status=2).stderr
