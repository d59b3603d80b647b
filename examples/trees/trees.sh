#!/bin/sh
# usage: trees.sh [WEFT [FOLDER [N]]]
#
# From initial conditions to merger trees: N^3 particles (64) in a box of 40 Mpc, snapshots at
# twelve redshifts, the subhalos of each, their trees, and FOLDER/trees.png (trees): the ten
# largest through time, and what merged with them. About a minute on two cores. Needs gnuplot.
set -eu
weft=${1:-weft}
case $weft in
*/*) weft=$(cd "$(dirname "$weft")" && pwd)/$(basename "$weft") ;;
esac
mkdir -p "${2:-trees}"
cd "${2:-trees}"

"$weft" ics --n "${3:-64}" --box 40 --z 49 --seed 5 -o ics.hdf5
"$weft" simulate ics.hdf5 --steps 50 --substeps 3 --energy 0 -o run \
    --snapshots 5,4,3,2.5,2,1.5,1.2,0.9,0.6,0.4,0.2
for snapshot in run_0??.hdf5; do
    "$weft" halos "$snapshot" -q --subhalos --members -o "${snapshot%.hdf5}.halos.hdf5"
done
"$weft" link run_0??.halos.hdf5 -o trees.hdf5 --plot trees.png
echo "drew $(pwd)/trees.png"
