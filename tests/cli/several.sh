#!/bin/sh
# usage: several.sh WEFT SNAPSHOTS COMMON BACKEND
# Several snapshots in one call: the same files as one by one, one that fails does not stop the
# rest, names that clash are refused before the work, and what is done is left out on demand.
set -u
weft=$(readlink -f "$1") snapshots=$(readlink -f "$2") backend=$4
# shellcheck source=common.sh
. "$3"
"$snapshots" >snapshots.log || exit 2
set -- -q --backend "$backend" --linking-length-absolute 0.4

# As one by one; the parts of one snapshot are one, catalogues are none.
for file in small bare snap.0; do
    "$weft" halos "$file.hdf5" "$@" -o "one-${file%.0}.csv" 2>err || wrong "$file: $(cat err)"
done
"$weft" halos snap.0.hdf5 "$@" 2>err || wrong "snap: $(cat err)"
"$weft" halos small.hdf5 bare.hdf5 snap*.hdf5 small.hdf5 "$@" -o 'many-{}.csv' \
    --labels '{}.i64' --timings 'time-{}.json' --summary all.json 2>err ||
    wrong "several: $(cat err)"
for stem in small bare snap; do
    cmp "one-$stem.csv" "many-$stem.csv" || wrong "many-$stem.csv is another catalogue"
    [ "$(wc -c <"$stem.i64")" = 2400 ] || wrong "labels of $stem"
    grep -q '"fof"' "time-$stem.json" || wrong "timings of $stem"
done
[ "$(grep -c '"status":.*"done"' all.json)" = 3 ] || wrong "summary: $(cat all.json)"
grep -q 'catalogue and no snapshot' err && wrong "-q says: $(cat err)"
"$weft" halos small.hdf5 snap*.hdf5 --linking-length-absolute 0.4 -o 'many-{}.csv' >out 2>err
ln -s small.hdf5 small-again.hdf5
"$weft" halos small.hdf5 bare.hdf5 small-again.hdf5 ./bare.hdf5 --linking-length-absolute 0.4 \
    -o 'many-{}.csv' >again 2>&1 || wrong "twice: $(cat again)"
for line in 'small-again.hdf5 is small.hdf5 again: it is read once' \
    './bare.hdf5 is bare.hdf5 again: it is read once' \
    '^2 snapshots: 2 done, 0 skipped, 0 failed$'; do
    grep -q "$line" again || wrong "no '$line': $(cat again)"
done
rm small-again.hdf5
grep -q 'snap.halos.hdf5 is a catalogue and no snapshot' err || wrong "a catalogue: $(cat err)"
[ "$(tail -1 out)" = '2 snapshots: 2 done, 0 skipped, 0 failed' ] || wrong "$(tail -1 out)"
mkdir to
"$weft" halos small.hdf5 bare.hdf5 "$@" -o to/ || wrong 'a folder'
"$weft" halos small.hdf5 "$@" -o to/one/ 2>err && wrong 'a folder that is not there'
[ -e to/small.halos.hdf5 ] && [ -e to/bare.halos.hdf5 ] || wrong "to/: $(ls to)"
"$weft" halos small.hdf5 "$@" -o 'to/{}-{}.csv' || wrong 'a place in the name for one'
cmp one-small.csv to/small-small.csv || wrong "to/: $(ls to)"

# One that fails.
rm -f many-*
"$weft" halos small.hdf5 nan.hdf5 missing.hdf5 bare.hdf5 "$@" -o 'many-{}.csv' --summary all.json 2>err
[ $? = 1 ] || wrong 'a failure is status 0'
for stem in small bare; do
    cmp "one-$stem.csv" "many-$stem.csv" || wrong "many-$stem.csv after a failure"
done
[ ! -e many-nan.csv ] || wrong 'a snapshot that failed has a catalogue'
[ "$(tail -1 err)" = 'weft halos: 2 of 4 snapshots failed: nan.hdf5, missing.hdf5' ] ||
    wrong "the last line: $(cat err)"
tr -d '\n\t' <all.json | grep -q '"nan.hdf5","status":"failed".*"message":"the position of particle 123' ||
    wrong "summary: $(cat all.json)"

# Names that clash, before the work.
cp small.hdf5 to/small.hdf5
expect 2 'small.halos.hdf5 would be written for small.hdf5 and for to/small.hdf5' \
    halos small.hdf5 bare.hdf5 to/small.hdf5 "$@"
cp small.hdf5 other.hdf5
ln -s one.csv linked-other.csv && ln -s one.csv linked-small.csv # one file by two links
expect 2 'linked-other.csv would be written for small.hdf5 and for other.hdf5' \
    halos small.hdf5 other.hdf5 "$@" -o 'linked-{}.csv'
rm linked-other.csv linked-small.csv
for option in -o --labels --timings --plot; do
    expect 2 "several snapshots cannot share the file 'x.csv'" halos small.hdf5 other.hdf5 \
        "$@" $option x.csv
done
expect 2 "several snapshots cannot share the file '-'" halos small.hdf5 other.hdf5 "$@" -o -
expect 2 'small.hdf5 is the input' halos bare.hdf5 small.hdf5 "$@" -o '{}.hdf5'
mkdir from
cp bare.hdf5 from/small.halos.hdf5
cp small.hdf5 from/small.hdf5
expect 2 'small.halos.hdf5 is the input' halos from/small.hdf5 from/small.halos.hdf5 "$@" -o from/
for file in bare.hdf5 ./small.hdf5; do
    expect 2 'small.hdf5 is the input' halos $file small.hdf5 "$@" --summary small.hdf5
done
expect 2 'small.hdf5 is the input' halos small.hdf5 "$@" --summary small.hdf5
expect 2 'many-small.csv is named for two outputs' halos small.hdf5 "$@" -o 'many-{}.csv' \
    --summary many-small.csv
expect 1 'none of the files is a snapshot' halos to/small.halos.hdf5 snap.halos.hdf5 "$@"
expect 2 '--resume needs an HDF5 catalogue' halos small.hdf5 "$@" --resume -o x.csv
expect 2 "no backend 'abacus' is built in" halos small.hdf5 bare.hdf5 -q --backend abacus

# What is done is left out: nothing is left of it that could be done again.
rm -f ./*.halos.hdf5
stamp() {
    stat -c '%i %y' "$1"
}
again() {
    wanted=$1
    shift
    "$weft" halos small.hdf5 bare.hdf5 "$@" --resume --summary all.json >out 2>err ||
        wrong "--resume: $(cat err)"
    got=$(sed -n 's/.*"status":[^"]*"\([a-z]*\)".*/\1/p' all.json | tr '\n' ' ')
    [ "$got" = "$wanted " ] || wrong "$*: $got and not $wanted"
}
again 'done done' "$@"
before=$(stamp small.halos.hdf5)
again 'skipped skipped' "$@"
[ "$before" = "$(stamp small.halos.hdf5)" ] || wrong 'a catalogue that is done is written again'
grep -q '"halos":.*1' all.json || wrong "halos of what is left out: $(cat all.json)"
"$weft" halos small.hdf5 bare.hdf5 "$@" --resume --no-clobber 2>err || wrong "$(cat err)"
again 'done done' "$@" --min-members 30
again 'skipped skipped' "$@" --min-members 30
again 'done done' "$@" --min-members 30 --centers mcp
again 'done done' "$@" --min-members 30 --centers mcp --labels '{}.tags'
again 'skipped skipped' "$@" --min-members 30 --centers mcp --labels '{}.tags'
rm small.tags
again 'done skipped' "$@" --min-members 30 --centers mcp --labels '{}.tags'
rm bare.halos.hdf5
again 'skipped done' "$@" --min-members 30 --centers mcp --labels '{}.tags'
again 'done done' "$@"
head -c 3000 small.halos.hdf5 >cut && mv cut small.halos.hdf5
again 'done skipped' "$@"
cp one-small.csv small.halos.hdf5
again 'done skipped' "$@"
touch -d '+1 hour' bare.hdf5
again 'skipped done' "$@"
touch -d '2001-01-01' bare.hdf5
again 'skipped skipped' "$@"
cp twice.hdf5 small.hdf5
touch -d '2001-01-01' small.hdf5
again 'done skipped' "$@"
rm -f ./*.halos.hdf5
finish
