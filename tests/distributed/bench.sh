#!/bin/sh
# usage: bench.sh WEFT SNAPSHOTS COMMON DATA MPIRUN
# The table of scripts/bench-ranks: a row for each number of ranks, all with the same bytes.
set -u
script=$(dirname "$(readlink -f "$0")")/../../scripts/bench-ranks
weft=$(readlink -f "$1") snapshots=$(readlink -f "$2")
# shellcheck source=../cli/common.sh
. "$3"
"$snapshots" >snapshots.log || exit 2
WEFT=$weft DATA=small.hdf5 TILE=2 RANKS='1 3' BACKENDS=serial REPEAT=2 "$script" here >out 2>err ||
    wrong "status: $(cat err)"
grep -q '^All catalogues are the same bytes.$' out || wrong "bytes: $(cat out err)"
[ "$(grep -c '^| serial | [13] | [0-9,]* | [0-9.]* |' out)" = 2 ] || wrong "table: $(cat out)"
grep -q '"name": "merge:3"' here/ranks.json || wrong 'rows'
# Ranks that find other halos are told.
cat >odd <<END
#!/bin/sh
[ "\$OMPI_COMM_WORLD_SIZE" != 3 ] || set -- "\$@" --min-members 301
exec "$weft" "\$@"
END
chmod +x odd
WEFT=odd DATA=small.hdf5 TILE=2 RANKS='1 3' BACKENDS=serial REPEAT=1 "$script" there >out 2>err &&
    wrong "other halos: $(cat out)"
grep -q 'same bytes' out && wrong 'other halos are the same bytes'
finish
