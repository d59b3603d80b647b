#!/usr/bin/env python3
"""usage: truth.py PROGRAM BACKEND NAME [ARGUMENTS...]

What the example NAME must say, computed here by definition, is what PROGRAM says on BACKEND.
"""
import math
import os
import re
import subprocess
import sys
from bisect import bisect_left
from itertools import groupby

WORD = 0xffffffff


def philox(seed, stream, k):
    """Salmon, Moraes, Dror and Shaw, 2011: Philox4x32-10."""
    x, y, z, w = k & WORD, k >> 32, stream & WORD, stream >> 32
    low, high = seed & WORD, seed >> 32
    for _ in range(10):
        p, q = 0xd2511f53 * x, 0xcd9e8d57 * z
        x, y, z, w = (q >> 32) ^ y ^ low, q & WORD, (p >> 32) ^ w ^ high, p & WORD
        low, high = (low + 0x9e3779b9) & WORD, (high + 0xbb67ae85) & WORD
    return x, y, z, w


def bounding_box():
    axes = [[(word >> 8) * 2.0 ** -24 for k in range(10000) for word in philox(12, axis, k)]
            for axis in (0, 1)]
    for n in (1, 200, 40000):
        low, high = [min(a[:n]) for a in axes], [max(a[:n]) for a in axes]
        yield '%d points: (%.9g, %.9g) to (%.9g, %.9g)' % (n, *low, *high)


def weld_vertices():
    width, height = 40, 25
    corners = []
    for y in range(height):
        for x in range(width):
            corners += [(x + dx, y + dy) for dx, dy in
                        [(0, 0), (1, 0), (0, 1), (1, 0), (1, 1), (0, 1)]]
    number = {v: n for n, v in enumerate(sorted(set(corners)))}
    yield f'{len(corners)} corners are {len(number)} vertices'
    for t in range(4):
        yield 'triangle %d: %d %d %d' % (t, *(number[v] for v in corners[3 * t:3 * t + 3]))
    yield f'of all: {sum(c % 97 * number[v] for c, v in enumerate(corners))}'


def word_count(name):
    with open(name, 'rb') as file:
        words = list(re.finditer(rb'[A-Za-z]+', file.read()))
    longest = max(words, key=lambda word: len(word[0]))
    yield f"{len(words)} words, the longest '{longest[0].decode()}' at byte {longest.start()}"


def sparse_sum():
    total = {}
    for n, step, scale in ((600, 4, 0.5), (400, 5, -0.25)):
        for i in range(n):
            place = i * step + i % 3
            total[place] = total.get(place, 0) + scale * (i % 7 - 3)
    there = sorted(place for place in total if total[place] != 0)
    yield f'600 and 400 elements: {len(total)} places, {len(total) - len(there)} of which cancel'
    for place in there[::50]:
        yield '%d: %g' % (place, total[place])


def summed_area():
    def over(x0, y0, x1, y1):
        return sum((x * x + 3 * y) % 17 for x in range(x0, x1) for y in range(y0, y1))
    yield f'all: {over(0, 0, 300, 200)}'
    for k in range(0, 90, 17):
        yield (f'{k}..{3 * k + 9} x {k // 2}..{k + 30}: '
               f'{over(k, k // 2, 3 * k + 9, k + 30)}')


def monte_carlo():
    blocks = 20000
    points = 2 * blocks
    for seed in (1, 2, 3):
        inside = 0
        for k in range(blocks):
            x, y, z, w = philox(seed, 0, k)
            inside += (x * x + y * y < 1 << 64) + (z * z + w * w < 1 << 64)
        part = inside / points
        error = 4 * math.sqrt(part * (1 - part) / points)
        yield '%d of %d points inside: pi is %.4f +- %.4f' % (inside, points, 4 * part, error)


def own_order():
    files, stems = 3000, ['snap', 'halos', 'a']
    names = []
    for k in range(files):
        n = k * 1009 % files
        names.append(('%s_%d' if n % 5 else '%s_%05d.h5') % (stems[n % 3], n // 3))
    names.sort(key=lambda name: [int(part) if part.isdigit() else part
                                 for part in re.split(r'(\d+)', name)])
    k = 0
    while k < files:
        yield names[k]
        k += 1 if k < 12 else 150


def set_operations():
    before, after = set(range(7, 7 + 6 * 5000, 6)), set(range(3, 3 + 10 * 4000, 10))
    for name, ids in (('in one or the other', before | after), ('in both', before & after),
                      ('gone', before - after), ('in one alone', before ^ after)):
        yield f'{name}: {len(ids)}, {min(ids)} ... {max(ids)}, sum {sum(ids)}'


def moving_average():
    price = [10000 + day * day % 733 - 40 * (day % 11) for day in range(5000)]
    means = [sum(price[i:i + 30]) / 30 for i in range(5000 - 29)]
    for i in range(0, len(means), 500):
        yield 'from day %d: %.4f' % (i, means[i])
    highest = means.index(max(means))
    yield 'highest from day %d: %.4f' % (highest, means[highest])


def run_lengths():
    ends, width = [1], 1
    while ends[-1] < 20000:
        width += (len(ends) - 1) % 2
        ends.append(ends[-1] + width)
    row = [255 * (bisect_left(ends, i + 1) % 2) for i in range(20000)]
    runs = [(len(list(run)), value) for value, run in groupby(row)]
    yield f'20000 pixels are {len(runs)} runs, which are 20000 pixels, the same'
    for r in range(0, len(runs), 25):
        yield 'run %d: %d times %d' % (r, *runs[r])


def main(program, backend, name, *arguments):
    truth = list(globals()[name](*arguments))
    said = subprocess.run([program, *arguments], env={**os.environ, 'WEFT_BACKEND': backend},
                          check=True, capture_output=True, text=True).stdout.splitlines()
    print('\n'.join(said))
    if said == truth:
        return 0
    print('on', backend, 'instead of:', *truth, sep='\n')
    return 1


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
