#!/bin/sh
# usage: poisson.sh WEFT COMMON DATA BACKEND
# The columns of the Poisson center, beside those of the most bound particle; its options,
# and its time.
set -u
weft=$(readlink -f "$1") data=$3 backend=$4
# shellcheck source=common.sh
. "$2"

# agree FILE LEAST: never a potential below the most bound particle's, and in LEAST halos and
# more that particle, with its position and potential.
agree() {
    awk -F, -v least="$2" 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; next }
        { same = $at["poisson_id"] == $at["mbp_id"] }
        $at["poisson_potential"] < $at["mbp_potential"] { print; bad = 1 }
        same && ($at["poisson_potential"] != $at["mbp_potential"] ||
                 $at["poisson_position_x"] != $at["mbp_position_x"] ||
                 $at["poisson_position_z"] != $at["mbp_position_z"]) { print; bad = 1 }
        { found += same }
        END { if (found < least) print found " of " NR - 1 " halos"
              exit bad || found < least }' "$1" || wrong "$1"
}

"$weft" halos "$data/lcdm64.hdf5" -q --centers mbp,poisson --backend "$backend" -o own.csv ||
    wrong 'poisson fails'
agree own.csv 400
# On so few points all members lie within two cells of the center.
"$weft" halos "$data/lcdm64.hdf5" -q --centers mbp,poisson --poisson-grid 3 --softening 0.01 \
    --backend "$backend" -o all.csv || wrong 'poisson fails on 3 points'
agree all.csv 833
# Other boundaries, the same columns: in some halos another particle.
boundary() {
    "$weft" halos "$data/lcdm64.hdf5" -q --centers mbp,poisson --min-members 100 \
        --poisson-grid 15 --backend "$backend" "$@" || wrong "boundaries: $*"
}
boundary -o unsaid.csv
boundary -o zero.csv --poisson-boundary zero
boundary -o open.csv --poisson-boundary open --timings open.json
cmp unsaid.csv zero.csv || wrong 'boundaries are not zero where nothing is said'
cmp -s zero.csv open.csv && wrong 'open boundaries change nothing'
agree zero.csv 185
agree open.csv 185

# Proven or fallen back: the most bound particle in all halos, and told how often. Without a
# proof it is another in at most those that are not proven.
"$weft" halos "$data/lcdm64.hdf5" --centers mbp,poisson --min-members 100 --poisson-grid 15 \
    --backend "$backend" --poisson-prove -o proven.csv >told.txt || wrong 'a proof fails'
agree proven.csv 194
python3 - zero.csv proven.csv told.txt <<'END' || wrong "proofs: $(cat told.txt)"
import csv
import sys

zero, proven = (list(csv.DictReader(open(path))) for path in sys.argv[1:3])
missed = [row["poisson_id"] != row["mbp_id"] for row in zero]
fallen = [int(row["poisson_proven"]) == 0 for row in proven]
assert sum(missed) > 0 and all(not miss or fall for miss, fall in zip(missed, fallen))
assert sum(fallen) <= sum(missed) + 2 and all(row["poisson_id"] == row["mbp_id"] for row in proven)
told = f"the Poisson center of {len(fallen) - sum(fallen)} of {len(fallen)} halos is proven"
assert told in open(sys.argv[3]).read(), told
END

python3 - open.json <<'END' || wrong "timings: $(cat open.json)"
import json
import sys

told = json.load(open(sys.argv[1]))
centers = told["centers"]
assert sorted(centers) == ["mbp", "poisson"] and min(centers.values()) > 0
assert abs(sum(centers.values()) / told["steps"]["centers"]["seconds"] - 1) < 1e-9
END
finish
