#!/bin/sh
# usage: contributing.sh BUILT WORK
# What contributing.py added to this folder, a copy of the tree, and was built in BUILT: the
# center and the column of CONTRIBUTING.md are told, and in every catalogue what they say.
set -eu
built=$1 work=$2 weft=$1/cli/weft
if command -v clang-format-14 >/dev/null; then
    clang-format-14 --dry-run -Werror cli/halos/centers/dense.c cli/halos/measure.c
fi
"$weft" halos examples/data/lcdm64.hdf5 -q --so none --centers mcp,dense -o "$work/halos.csv"
"$weft" halos examples/data/lcdm64.hdf5 -q --so none --centers dense --memory-limit 60M -o "$work/parts.csv"
"$weft" halos examples/data/lcdm64.hdf5 -q --so none --centers dense -o "$work/halos.gio"
"$weft" halos examples/data/lcdm64.hdf5 -q --so none --centers dense -o "$work/halos.hdf5"
if command -v h5dump >/dev/null; then
    h5dump -d /halos/mean_mass -H -A "$work/halos.hdf5" | grep -q 'mean of the members'
fi
"$weft" info "$work/halos.gio" | grep -q fof_halo_center_x
sh tests/cli/told.sh "$weft" "$built/tests/cli/test-cli-snapshots" tests/cli/common.sh "$PWD/docs/man" \
    "$("$weft" --version | cut -d" " -f2)" "$PWD/examples/data" serial
"$weft" convert examples/data/lcdm64.hdf5 "$work/all.csv" 2>"$work/log"
python3 - "$work" <<'END'
import csv, math, sys
halos = list(csv.DictReader(open(sys.argv[1] + "/halos.csv")))
parts = list(csv.DictReader(open(sys.argv[1] + "/parts.csv")))
assert len(halos) == len(parts) == 833
for halo, part in zip(halos, parts):
    mean = float(halo["mass"]) / int(halo["count"])
    assert float(halo["mean_mass"]) == mean, halo["tag"]
    assert 0 <= int(halo["dense_neighbours"]) <= int(halo["mcp_friends"])
    for name in part:
        assert part[name] == halo[name], (name, halo["tag"])

# Neighbours of the densest and of the most connected particle of the largest halos, by the definition.
box = 73.5294118
half = 0.1 * box / 64
with open(sys.argv[1] + "/all.csv") as file:
    particles = [tuple(map(float, row[:3])) for row in list(csv.reader(file))[1:]]
def neighbours(halo, center):
    at = [float(halo[center + "_position_" + axis]) for axis in "xyz"]
    near = (p for p in particles if abs(math.remainder(p[0] - at[0], box)) <= half)
    return sum(sum(math.remainder(a - b, box) ** 2 for a, b in zip(p, at)) <= half**2 for p in near) - 1
for halo in halos[:5]:
    found = int(halo["dense_neighbours"])
    assert neighbours(halo, "mcp") <= found == neighbours(halo, "dense") > 0, halo["tag"]
END
