#!/bin/sh
# usage: universe.sh [WEFT [FOLDER [N]]]
#
# A universe of N^3 particles (64) in 50 Mpc/h, from z = 49 to now: initial conditions, gravity, and
# the halos of today, found while they are in memory. Draws FOLDER/universe.png (universe): slices
# of a tenth through time, and how many halos there are above each mass. About a minute on two
# cores. Needs gnuplot, and weft with SQLite.
set -eu
weft=${1:-weft}
case $weft in
*/*) weft=$(cd "$(dirname "$weft")" && pwd)/$(basename "$weft") ;;
esac
mkdir -p "${2:-universe}"
cd "${2:-universe}"

"$weft" ics --n "${3:-64}" --box 73.529 --z 49 --seed 3 -o ics.hdf5
"$weft" simulate ics.hdf5 --steps 50 --substeps 3 --snapshots 9,3,1 --halos 0 -o run
for k in 0 1 2 3; do
    "$weft" convert -q run_00$k.hdf5 run_00$k.f32
done
"$weft" sql run_003.halos.hdf5 'SELECT mass * 1e10 AS mass FROM halos' | sed '1d' >masses.txt

gnuplot <<'END'
set terminal pngcairo size 1600,350 font ',11'
set output 'universe.png'
set multiplot
box = 73.529
unset key; unset xtics; unset ytics
set border lc 'gray'
set xrange [0:box]; set yrange [0:box]
set tmargin at screen 0.92; set bmargin at screen 0.02
array z[4] = [9, 3, 1, 0]
do for [k = 0:3] {
    set lmargin at screen 0.005 + 0.2 * k; set rmargin at screen 0.2 + 0.2 * k
    set title sprintf('z = %d', z[k + 1]) offset 0,-0.6
    plot sprintf('run_00%d.f32', k) binary format='%3float32' using \
        ($3 < box / 10 ? $1 : NaN):2 with dots lc rgb '#60203060'
}
set border lc 'black'
set lmargin at screen 0.85; set rmargin at screen 0.975; set bmargin at screen 0.17
set title 'halos of at least M, z = 0'
set logscale xy
set xrange [1e12:*]; set yrange [0.8:*]
set xlabel 'M / Msun'; set xtics format '10^{%T}'; set ytics format '%g'
plot 'masses.txt' using 1:($0 + 1) with steps lw 2 lc rgb '#2050a0'
unset multiplot
END
echo "drew $(pwd)/universe.png"
