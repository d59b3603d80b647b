#!/bin/sh
# usage: dbscan.sh WEFT SNAPSHOTS COMMON BACKEND
# Clusters of small sets of points, and what is refused.
set -u
weft=$(readlink -f "$1") snapshots=$(readlink -f "$2") backend=$4
# shellcheck source=common.sh
. "$3"
"$snapshots" >snapshots.log || exit 2

# Two clusters of three, a point between them, and one far away.
printf 'x,y\n9,9\n0,0\n0,1\n0,2\n0,3.9\n0,6\n0,7\n0,8\n' >points.csv
printf 'label\n-1\n0\n0\n0\n-1\n1\n1\n1\n' >expected
set -- --eps 1.5 --min-points 2 --backend "$backend"
"$weft" dbscan points.csv -q -o labels.csv "$@" || wrong 'dbscan fails'
cmp -s labels.csv expected || wrong "labels: $(tr '\n' ' ' <labels.csv)"
[ "$("$weft" dbscan points.csv -o - "$@")" = "$(cat expected)" ] || wrong 'standard output'
"$weft" dbscan points.csv -q -o labels.i64 "$@" || wrong 'dbscan fails'
[ "$(od -An -v -td8 -w8 labels.i64 | tr -d ' ')" = "$(tail -n +2 expected)" ] ||
    wrong "labels.i64: $(od -td8 labels.i64)"
"$weft" dbscan points.csv "$@" | grep -q '2 clusters; 2 points (25.0 %) are noise' ||
    wrong 'summary'
"$weft" dbscan points.csv --eps 2.5 --min-points 2 --backend "$backend" |
    grep -q '1 cluster; 1 point (12.5 %) is noise' || wrong 'summary of one cluster'

labels() {
    "$weft" dbscan points.csv -o - --backend "$backend" "$@" | tail -n +2 | tr '\n' ' '
}
[ "$(labels --eps 2.2 --min-points 4)" = '-1 0 0 0 0 1 1 1 ' ] || wrong 'border'
[ "$(labels --eps 2 --min-points 3 --core-only)" = '-1 0 0 0 -1 1 1 1 ' ] || wrong 'core only'
[ "$(labels --eps 1.5 --min-points 2 --box 0,9)" = '-1 0 0 0 -1 0 0 0 ' ] || wrong 'box'
printf 'x y z\n' >none.txt
[ "$("$weft" dbscan none.txt --eps 1 --min-points 1 -o - --backend "$backend")" = label ] ||
    wrong 'no points'
"$weft" dbscan small.hdf5 -q --eps 1 --min-points 2 --backend "$backend" -o s.csv \
    --timings t.json || wrong 'a snapshot'
grep -q '"dbscan"' t.json || wrong 'timings'
rm -f s.csv t.json

expect 2 'a file of points is missing' dbscan --eps 1 --min-points 5
expect 2 '--eps is missing' dbscan points.csv --min-points 5
expect 2 '--min-points is missing' dbscan points.csv --eps 1
expect 2 '--eps' dbscan points.csv --eps -1 --min-points 5
expect 2 '--min-points' dbscan points.csv --eps 1 --min-points 0
expect 2 '--box' dbscan points.csv --eps 1 --min-points 2 --box 1,
expect 2 'exclude each other' dbscan points.csv --eps 1 --min-points 2 --box 1 --no-periodic
ln points.csv same.csv
expect 2 'points.csv is the input' dbscan points.csv --eps 1 --min-points 5 -o points.csv
expect 2 'same.csv is the input' dbscan points.csv --eps 1 --min-points 5 --timings same.csv
expect 2 'named for two outputs' dbscan points.csv --eps 1 --min-points 5 -o t --timings t
expect 1 'No such file' dbscan nowhere.csv --eps 1 --min-points 5
expect 1 'nowhere/labels' dbscan points.csv --eps 1 --min-points 5 -o nowhere/labels
finish
