#!/bin/sh
# usage: contributing.sh SOURCE-ROOT BUILD SANITIZERS
# Does what CONTRIBUTING.md says for a center and a column, with the code that stands there, in
# a copy of the tree; and looks at what the catalogue then holds.
set -eu
source=$1 work=$2/tests/install/contributing
[ "$3" = none ] || exit 77
git -C "$source" rev-parse --git-dir >/dev/null 2>&1 || exit 77
command -v python3 >/dev/null || exit 77
rm -rf "$work"
mkdir -p "$work/tree"
cd "$source"
git ls-files -z --cached --others --exclude-standard | xargs -0 cp -a --parents -t "$work/tree" 2>/dev/null || true
cd "$work/tree"

python3 - <<'END'
import re
page = open("CONTRIBUTING.md").read()
blocks = re.findall(r"```(c|man)\n(.*?)```", page, re.S)
code = {}
for kind, text in blocks:
    if kind == "c":
        code[re.match(r"/\* (.*?)(:| \*/)", text).group(1)] = text
man = "".join(text for kind, text in blocks if kind == "man")

def replace(path, old, new):
    text = open(path).read()
    assert text.count(old) == 1, (path, old)
    open(path, "w").write(text.replace(old, new))

open("cli/halos/centers/dense.c", "w").write(code["cli/halos/centers/dense.c"])
replace("cli/meson.build", "'poisson']", "'poisson', 'dense']")
table = "static const struct row {"
replace("cli/halos/measure.c", table, code["cli/halos/measure.c"] + "\n" + table)
row = code["rows of cli/halos/measure.c"].split("\n", 1)[1]
text = open("cli/halos/measure.c").read()
end = text.index("\n};\n", text.index(table))
open("cli/halos/measure.c", "w").write(text[: end + 1] + row + text[end + 1 :])
replace("docs/man/weft-halos.1", ".It mcp_id , mcp_position\n", man + ".It mcp_id , mcp_position\n")
replace("docs/man/weft-halos.1", ".Cm mcp\nis the most", ".Cm dense\nis the densest particle.\n.Cm mcp\nis the most")
END
if command -v clang-format-14 >/dev/null; then
    clang-format-14 --dry-run -Werror cli/halos/centers/dense.c cli/halos/measure.c
fi
{
    meson setup "$work/build" . -Dbackends=serial -Ddefault_backend=serial -Doptimization=0 &&
        meson compile -C "$work/build" weft:executable test-cli-snapshots
} >"$work/log" 2>&1 || { cat "$work/log" && exit 1; }
weft=$work/build/cli/weft
"$weft" halos examples/data/lcdm64.hdf5 -q --centers mcp,dense -o "$work/halos.csv"
"$weft" halos examples/data/lcdm64.hdf5 -q --centers dense --memory-limit 60M -o "$work/parts.csv"
"$weft" halos examples/data/lcdm64.hdf5 -q --centers dense -o "$work/halos.gio"
"$weft" halos examples/data/lcdm64.hdf5 -q --centers dense -o "$work/halos.hdf5"
if command -v h5dump >/dev/null; then
    h5dump -d /halos/mean_mass -H -A "$work/halos.hdf5" | grep -q 'mean of the members'
fi
"$weft" info "$work/halos.gio" | grep -q fof_halo_center_x
sh tests/cli/told.sh "$weft" "$work/build/tests/cli/test-cli-snapshots" tests/cli/common.sh "$PWD/docs/man" \
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
