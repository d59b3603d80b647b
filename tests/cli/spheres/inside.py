"""usage: inside.py WEFT DATA

Which halos lie in the spheres of larger ones, against all pairs of halos; in a periodic box and in
one that is not.
"""
import csv
import math
import os
import subprocess
import sys
import tempfile

weft, snapshot = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]) + '/lcdm64.hdf5'
os.chdir(tempfile.mkdtemp())


def define(rows, name, box):
    """The largest of the larger halos whose sphere holds each center."""
    halos = [(float(r['mass_' + name]), -k, float(r['radius_' + name]), r['tag'],
              [float(r['mbp_position_' + a]) for a in 'xyz']) for k, r in enumerate(rows)]
    hosts = []
    for halo in halos:
        within = [h for h in halos if h[:2] > halo[:2] and
                  sum((math.remainder(p - q, box) if box else p - q) ** 2
                      for p, q in zip(halo[4], h[4])) < h[2] ** 2]
        hosts.append(max(within)[3] if within else '-1')
    return hosts


found = 0
for name, options, box in ('200c', [], 73.52941176470588), ('50m', ['--no-periodic'], 0), \
        ('10m', ['--min-members', '40'], 73.52941176470588):
    subprocess.run([weft, 'halos', snapshot, '-q', '--so', name, '--properties=' + name, '-o', 'c.csv', *options],
                   check=True)
    with open('c.csv', encoding='ascii') as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith('#')))
    expected = define(rows, name, box)
    assert [r['inside'] for r in rows] == expected, name
    found += sum(h != '-1' for h in expected)
assert found > 30, found
os.remove('c.csv')
