#!/bin/sh
# usage: scarce.sh WEFT SNAPSHOTS COMMON DATA MPIRUN LIBRARY
# A rank whose device has no room for all begins again in pieces, and all write what they
# write with room; where there is too little even for that, one sentence says so.
set -u
weft=$(readlink -f "$1") data=$4 mpirun=$5 library=$(readlink -f "$6")
# shellcheck source=../cli/common.sh
. "$3"
command -v h5diff >/dev/null || exit 77
"$weft" devices | grep -A 1 '^opencl' | tail -1 | grep '[a-z]' | grep -qv 'no device' || exit 77
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 WEFT_BACKEND=opencl
cat >rank.sh <<'END'
[ "$OMPI_COMM_WORLD_RANK" = "$POOR" ] && export LD_PRELOAD="$LIBRARY"
exec "$@"
END
export LIBRARY="$library" POOR SCARCE
snapshot=$data/lcdm64.hdf5

# ranks N ARGUMENTS...
ranks() {
    n=$1
    shift
    timeout 100 "$mpirun" --oversubscribe --bind-to none -n "$n" sh rank.sh "$weft" halos "$snapshot" "$@" \
        -o h.hdf5 --labels h.i64 >out 2>err
}

# try N RANK BYTES END ARGUMENTS...: END is pieces, or sentence, or either: any of them, or
# that there was room.
try() {
    n=$1 POOR=$2 SCARCE=$3 end=$4
    shift 4
    ranks "$n" "$@"
    status=$?
    how="rank $POOR of $n has $SCARCE bytes, $*: status $status: $(cat err)"
    [ "$status" = 0 ] || [ "$status" = 1 ] || wrong "$how"
    again=$(grep -c 'begun again in pieces' err)
    sentences=$(grep '^weft halos: ' err | grep -vc 'begun again in pieces')
    if [ "$status" = 0 ]; then
        [ "$end" != sentence ] || wrong "there was room: $how"
        [ "$end" != pieces ] || [ "$again" -gt 0 ] || wrong "not in pieces: $how"
        [ "$(wc -l <err)" = "$again" ] || wrong "more is said: $how"
        h5diff whole.hdf5 h.hdf5 /halos || wrong "other halos: $how"
        cmp whole.i64 h.i64 || wrong "other labels: $how"
    else
        [ "$end" != pieces ] || wrong "no catalogue: $how"
        [ "$sentences" = 1 ] || wrong "not one sentence: $how"
        grep -q 'out of memory' err || wrong "another sentence: $how"
        [ ! -e h.hdf5 ] && [ ! -e h.i64 ] || wrong "something is left: $how"
    fi
    rm -f h.hdf5 h.i64
}

POOR=none SCARCE=0
"$weft" halos "$snapshot" --so none -q -o whole.hdf5 --labels whole.i64 || wrong 'one process'
try 2 1 1000 sentence --so none
try 2 1 7000000 pieces --so none
try 3 0 5000000 pieces --so none
[ "${WEFT_TEST-}" = all ] || finish
for room in 10000 100000 1000000 2000000 3000000 4000000 6000000 8000000 9000000 10000000 12000000 20000000; do
    try 2 0 $room either --so none
    try 3 2 $room either --so none
done
"$weft" halos "$snapshot" -q -o whole.hdf5 --labels whole.i64 || wrong 'one process, spheres'
for room in 1000 3000000 5000000 7000000 9000000 12000000 20000000 60000000; do
    try 2 1 $room either
done
finish
