#!/bin/sh
# usage: standard.sh WEFT SNAPSHOTS COMMON
# The name -: every output that can be streamed, and text and .npy as inputs; outputs that the
# shell has opened are written on where they stand.
set -u
weft=$(readlink -f "$1") snapshots=$(readlink -f "$2")
# shellcheck source=common.sh
. "$3"
"$snapshots" >snapshots.log || exit 2
set -- small.hdf5 --linking-length-absolute 0.4 --so none

# Outputs, and nothing else on standard output.
"$weft" halos "$@" -q -o kept.csv --labels kept.i64 --timings kept.json || wrong 'kept'
"$weft" halos "$@" -o out.csv --labels - | cmp - kept.i64 || wrong 'labels on -'
"$weft" halos "$@" -o out.csv --timings - | head -c 1 | grep -q '{' || wrong 'timings on -'
"$weft" halos "$@" -o - | cmp - kept.csv || wrong 'the catalogue on -'
if command -v gnuplot >/dev/null; then
    "$weft" halos "$@" -o out.csv --plot - | head -c 4 | grep -q PNG || wrong 'a picture on -'
fi
for format in csv npy gadget1 gadget2 genericio f32; do
    "$weft" convert small.hdf5 kept.$format --to $format -q 2>err || wrong "$format: $(cat err)"
    "$weft" convert small.hdf5 - --to $format 2>err | cmp - kept.$format || wrong "$format on -"
done
expect 1 'is not a regular file, which HDF5 needs' convert small.hdf5 - --to hdf5
expect 2 'is named for two outputs' halos "$@" -o - --labels -
expect 2 'is named for two outputs' dbscan small.hdf5 --eps 1 --min-points 1 -o - --timings -
[ ! -e ./- ] || wrong 'a file is called -'

# What the shell opened is not replaced, by whatever name.
for name in /dev/stdout log; do
    echo before >log
    "$weft" halos "$@" -q -o out.csv --timings $name >>log || wrong "--timings $name >>log"
    [ "$(sed -n 1p log)$(sed -n 2p log)" = 'before{' ] || wrong "--timings $name >>log: $(cat log)"
done
{ echo before && "$weft" halos "$@" -q -o out.csv --labels /dev/fd/3 3>&1; } >log
[ "$(head -c 6 log)" = before ] && tail -c +8 log | cmp - kept.i64 || wrong 'labels in a descriptor'

# Inputs.
"$weft" dbscan kept.npy --eps 0.4 --min-points 3 -q -o kept.csv || wrong 'dbscan'
"$weft" dbscan - --eps 0.4 --min-points 3 -o - <kept.npy | cmp - kept.csv || wrong '.npy on -'
"$weft" convert kept.npy points.csv -q 2>err
"$weft" dbscan - --eps 0.4 --min-points 3 -o - <points.csv | cmp - kept.csv || wrong 'text on -'
"$weft" halos - --linking-length-absolute 0.4 -q <kept.npy 2>err || wrong "halos -: $(cat err)"
[ -e stdin.halos.hdf5 ] || wrong 'halos -: no stdin.halos.hdf5'
"$weft" info - <kept.npy | grep -q '300 particles' || wrong 'info -'
printf '1 2 3\n4 x 6\n' | "$weft" dbscan - --eps 1 --min-points 1 2>err && wrong 'a word on -'
grep -q -- '-: line 2' err || wrong "a word on -: $(cat err)"
# Closed, none of them is the next file that is opened.
for command in 'dbscan - --eps 1 --min-points 1' 'halos - --linking-length-absolute 0.4' 'info -' \
    'convert - closed.npy' 'power - --grid 8' 'sheet - --grid 8' 'simulate - -o closed'; do
    # shellcheck disable=SC2086
    expect 1 'Bad file descriptor' $command <&-
done
for command in 'info small.hdf5' 'dbscan kept.npy --eps 0.4 --min-points 3 -o - -q'; do
    # shellcheck disable=SC2086
    "$weft" $command >&- 2>err && wrong "$command >&-"
    grep -q 'Bad file descriptor' err || wrong "$command >&-: $(cat err)"
done
"$weft" dbscan kept.npy --eps 0.4 --min-points 3 -q -o closed.csv <&- >&- 2>&- || wrong 'all closed'
cmp closed.csv kept.csv || wrong 'all closed: other clusters'

# Labels as their name says.
"$weft" halos "$@" -q -o out.csv --labels labels.npy || wrong 'labels.npy'
[ "$(head -c 6 labels.npy | tail -c 5)" = NUMPY ] || wrong 'labels.npy is none'
grep -aq "'descr': '<i8', 'fortran_order': False, 'shape': (300,)" labels.npy || wrong 'its header'
tail -c +129 labels.npy | cmp - kept.i64 || wrong 'labels.npy has other labels'
"$weft" halos "$@" -q -o out.csv --labels labels.csv && [ "$(wc -l <labels.csv)" = 301 ] ||
    wrong 'labels.csv'
"$weft" dbscan kept.npy --eps 0.4 --min-points 3 -q -o clusters.npy || wrong 'clusters.npy'
[ "$(wc -c <clusters.npy)" = $((128 + 8 * 300)) ] || wrong 'the length of clusters.npy'
finish
