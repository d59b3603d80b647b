#!/usr/bin/python3
"""usage: docs/pictures/sheet.py WEFT OUT.png

Draws one layer of cells of lcdm64 on 64^3: particles counted in the nearest cell, spread over eight
(cloud in cell), and the sheet; cells without mass in grey. Prints how many of all cells are empty.
"""
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np

CELLS, LAYER = 64, 20
SCRIPT = r'''
set terminal pngcairo size 1300,450 enhanced font 'DejaVu Sans,11'
set output '%s'
set palette defined (0 '#04040c', 1 '#0d0a29', 2 '#231151', 3 '#410f75', 4 '#5f187f', 5 '#7b2382', 6 '#982d80', \
    7 '#b73779', 8 '#d3436e', 9 '#eb5760', 10 '#f8765c', 11 '#fd9a6a', 12 '#febb81', 13 '#fddc9e', 14 '#fcfdbf')
set logscale cb
set cbrange [0.05:50]
set cbtics (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
unset xtics
unset ytics
set xrange [-0.5:63.5]
set yrange [-0.5:63.5]
set object 1 rectangle from graph 0,0 to graph 1,1 behind fc rgb '#c8d6dc' fs solid noborder
set multiplot
unset colorbox
set tmargin at screen 0.91
set bmargin at screen 0.04
'''


def count(u):
    cells = np.zeros((CELLS,) * 3)
    np.add.at(cells, tuple(np.minimum(u.astype(int), CELLS - 1).T), 1)
    return cells


def spread(u):
    cells = np.zeros((CELLS,) * 3)
    base = np.floor(u - 0.5).astype(int)
    off = u - 0.5 - base
    for corner in np.ndindex(2, 2, 2):
        weight = np.where(corner, off, 1 - off).prod(axis=1)
        np.add.at(cells, tuple(((base + corner) % CELLS).T), weight)
    return cells


def main():
    weft, out = (os.path.abspath(name) for name in sys.argv[1:3])
    root = os.path.dirname(os.path.abspath(__file__)) + '/../..'
    snapshot = f'{root}/examples/data/lcdm64.hdf5'
    with h5py.File(snapshot) as file:
        box = float(np.atleast_1d(file['Header'].attrs['BoxSize'])[0])
        u = file['PartType1/Coordinates'][:].astype('f8') % box / box * CELLS
    script = SCRIPT % out
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([weft, 'sheet', snapshot, '--grid', str(CELLS), '-q', '-o', f'{folder}/sheet.hdf5'],
                       check=True)
        with h5py.File(f'{folder}/sheet.hdf5') as file:
            sheet = file['density'][:]
        for k, (name, cells) in enumerate((('nearest cell', count(u)), ('cloud in cell', spread(u)),
                                           ('the sheet', sheet))):
            empty = (cells <= 0).mean()
            print(f'{name}: {100 * empty:.1f} % of cells are empty')
            layer = np.where(cells > 0, cells, np.nan)[:, :, LAYER].T
            layer.astype('<f4').tofile(f'{folder}/{k}')
            script += (f"set lmargin at screen {0.01 + 0.305 * k}\nset rmargin at screen {0.305 + 0.305 * k}\n"
                       f"set title '{name}: {100 * empty:.0f} % of cells are empty'\n")
            if k == 2:
                script += ("set colorbox user origin screen 0.923, screen 0.04 size screen 0.011, screen 0.87\n"
                           "set cblabel 'density / mean' offset 0.3\n")
            script += f"plot '{k}' binary array=({CELLS},{CELLS}) format='%float32' with image notitle\n"
        subprocess.run(['gnuplot'], input=script + 'unset multiplot\n', text=True, check=True, cwd=folder)


if __name__ == '__main__':
    main()
