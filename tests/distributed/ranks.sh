#!/bin/sh
# usage: ranks.sh WEFT SNAPSHOTS COMMON DATA MPIRUN
# Labels, catalogue, members and centers are the same bytes on any number of ranks; a rank
# that fails ends the run with one message.
set -u
weft=$(readlink -f "$1") snapshots=$(readlink -f "$2") data=$4 mpirun=$5
# shellcheck source=../cli/common.sh
. "$3"
"$snapshots" >snapshots.log || exit 2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
command -v h5diff >/dev/null || echo 'no h5diff: members are not compared'

# Spheres, by default found, where they are not looked at.
without='--so none'

# ranks N ARGUMENTS...: on N ranks.
ranks() {
    n=$1
    shift
    "$mpirun" --oversubscribe --bind-to none -n "$n" "$weft" halos "$@" --threads 1 $without
}

# same N NAME ARGUMENTS...: what N ranks find is what one process found as NAME.
same() {
    n=$1 name=$2
    shift 2
    if ! ranks "$n" "$@" -o "$n.csv" --labels "$n.i64" -q >out 2>&1 || [ -s out ]; then
        wrong "$n ranks: weft halos $*: $(cat out)"
    fi
    cmp "$name.csv" "$n.csv" || wrong "$n ranks: weft halos $*: another catalogue"
    cmp "$name.i64" "$n.i64" || wrong "$n ranks: weft halos $*: other labels"
    rm -f "$n.csv" "$n.i64"
}

# alone NAME ARGUMENTS...
alone() {
    name=$1
    shift
    "$weft" halos "$@" $without -o "$name.csv" --labels "$name.i64" -q >out 2>&1 || wrong "$*: $(cat out)"
}

# Two numbers of ranks, and with WEFT_TEST=all more.
counts='3 8' shares='1 3'
[ "${WEFT_TEST:-}" = all ] && counts='1 2 3 4 7 8' shares='1 3 8'

real=$data/lcdm64.hdf5
without=
alone real "$real" --centers mbp,mcp
for n in $counts; do
    same "$n" real "$real" --centers mbp,mcp
done
# Positions, ids and velocities stay on a device that has memory of its own.
export WEFT_STYLE=simt
same 2 real "$real" --centers mbp,mcp
unset WEFT_STYLE
without='--so none'
alone some "$real" --min-friends 5 --centers mcp --no-periodic -b 0.25
same 4 some "$real" --min-friends 5 --centers mcp --no-periodic -b 0.25
same 3 some "$real" --min-friends 5 --centers mcp --no-periodic -b 0.25 --memory-limit 64M

# A halo so large that all ranks look for its centers, each among members of its own.
alone large "$real" -b 0.7 --centers mbp,mcp,poisson --softening 0.1
for n in $shares; do
    same "$n" large "$real" -b 0.7 --centers mbp,mcp,poisson --softening 0.1 --timings t.json
    grep -q '"together":[^0-9]*2,' t.json || [ "$n" = 1 ] || wrong "$n ranks: not together"
    grep -q '"finders":[^0-9]*2,' t.json || [ "$n" = 1 ] || wrong "$n ranks: no shares"
done
alone friends "$real" -b 0.7 --centers mbp,mcp --min-friends 3 --no-periodic
same 3 friends "$real" -b 0.7 --centers mbp,mcp --min-friends 3 --no-periodic

ranks 2 "$real" --centers none -q -o 2.csv --timings t.json || wrong 'timings'
for key in ranks count start domains ghosts link merge gather rest seconds_most sent sent_most \
    peak_memory_most; do
    grep -q "\"$key\":" t.json || wrong "timings have no $key"
done
rm -f 2.csv t.json

# One halo across all ranks, around the box; ranks without a particle; none at all.
alone one small.hdf5 --linking-length-absolute 40 --centers mcp,mbp
same 8 one small.hdf5 --linking-length-absolute 40 --centers mcp,mbp
alone small small.hdf5 --linking-length-absolute 0.4
same 3 small snap --linking-length-absolute 0.4
# Masses that are the same on each rank, but not on all, and on all but for one rank.
alone halves halves.hdf5 --linking-length-absolute 0.4 --centers mbp
same 2 halves halves.hdf5 --linking-length-absolute 0.4 --centers mbp
same 3 halves halves.hdf5 --linking-length-absolute 0.4 --centers mbp
alone empty empty.hdf5
same 3 empty empty.hdf5
alone bare bare.hdf5 --linking-length-absolute 0.4
ranks 2 bare.hdf5 --linking-length-absolute 0.4 -o 2.csv >out 2>err
cmp bare.csv 2.csv || wrong 'bare.hdf5: another catalogue'
[ "$(grep -c 'takes the place of particle ids: there are none' err)" = 1 ] ||
    wrong "bare.hdf5: $(cat err)"
grep -q '2 ranks' out || wrong "no summary: $(cat out)"
ranks 3 twice.hdf5 --linking-length-absolute 0.4 -o 3.csv >out 2>err
grep -q 'the id .* is there more than once' err || wrong "twice.hdf5: $(cat err)"
sed -n 2p 3.csv | grep -q '^0,300,' || wrong "the index is not the id: $(cat 3.csv)"

if command -v h5diff >/dev/null; then
    set -- "$real" --centers mbp,mcp --members --profiles -q
    without=
    "$weft" halos "$@" -o members.hdf5
    ranks 4 "$@" -o members4.hdf5
    for group in halos members profiles; do
        h5diff members.hdf5 members4.hdf5 /$group || wrong "$group differ on 4 ranks"
    done
    "$weft" halos "$@" --memory-limit 64M -o limited.hdf5
    for group in halos members profiles; do
        h5diff members.hdf5 limited.hdf5 /$group || wrong "$group differ in parts"
    done
fi

# What other programs read: HACC's columns, and ParaView's description.
"$weft" halos small.hdf5 --linking-length-absolute 0.4 -q -o alone.gio
"$weft" halos small.hdf5 --linking-length-absolute 0.4 -q -o alone.hdf5 --xdmf
ranks 3 small.hdf5 --linking-length-absolute 0.4 -q -o ranks.gio
ranks 3 small.hdf5 --linking-length-absolute 0.4 -q -o ranks.hdf5 --xdmf
cmp alone.gio ranks.gio || wrong 'another catalogue of GenericIO on 3 ranks'
without=
"$weft" halos "$real" -q -o alone.gio
for n in 1 2 3 4; do
    ranks "$n" "$real" -q -o ranks.gio
    cmp alone.gio ranks.gio || wrong "another catalogue of GenericIO on $n ranks"
done
without='--so none'
sed 's/ranks.hdf5/alone.hdf5/' ranks.xdmf | cmp - alone.xdmf || wrong 'another XDMF on 3 ranks'

# DBSCAN: of a snapshot, of a table, in a plane, without a point; raw, text and printed.
printf 'x,y\n9,9\n0,0\n0,1\n0,2\n0,3.9\n0,6\n0,7\n0,8\n' >plane.csv
printf 'x y z\n' >none.txt
# clusters 'N ...' ARGUMENTS...: what so many ranks find is what one process finds.
clusters() {
    counts=$1
    shift
    "$weft" dbscan "$@" -o one.i64 -q >out 2>&1 || wrong "dbscan $*: $(cat out)"
    for n in $counts; do
        if ! "$mpirun" --oversubscribe --bind-to none -n "$n" "$weft" dbscan "$@" -q \
            --threads 1 -o "$n.i64" >out 2>&1 || [ -s out ]; then
            wrong "$n ranks: weft dbscan $*: $(cat out)"
        fi
        cmp one.i64 "$n.i64" || wrong "$n ranks: weft dbscan $*: other labels"
        rm -f "$n.i64"
    done
    "$weft" dbscan "$@" -o pieces.i64 -q --memory-limit 8M >out 2>&1 || wrong "dbscan $*: $(cat out)"
    cmp one.i64 pieces.i64 || wrong "in pieces: weft dbscan $*: other labels"
    rm -f one.i64 pieces.i64
}
clusters "$counts" "$real" --eps 0.25 --min-points 5
clusters 4 "$real" --eps 0.25 --min-points 5 --no-periodic --core-only
clusters 3 "$real" --eps 0.2 --min-points 2
"$weft" dbscan "$real" --eps 0.2 --min-points 5 -o one.i64 -q
"$mpirun" --oversubscribe --bind-to none -n 2 "$weft" dbscan "$real" --eps 0.2 --min-points 5 --memory-limit 512K \
    --timings t.json -o 2.i64 -q || wrong 'dbscan on 2 ranks within 512K'
cmp one.i64 2.i64 || wrong 'dbscan on 2 ranks within 512K: other labels'
held=$(sed -n 's/.*"device":[^0-9"]*\([0-9][0-9]*\).*/\1/p' t.json)
[ "${held:-524289}" -le 524288 ] || wrong "dbscan on 2 ranks: within 512K the device held $held bytes"
rm -f one.i64 2.i64 t.json
clusters '2 8' plane.csv --eps 2.2 --min-points 4
clusters 3 plane.csv --eps 1.5 --min-points 2 --box 0,9
clusters 2 none.txt --eps 1 --min-points 3
set -- plane.csv --eps 2.2 --min-points 4 -q
"$weft" dbscan "$@" -o one.csv
"$mpirun" --oversubscribe -n 3 "$weft" dbscan "$@" -o three.csv
cmp one.csv three.csv || wrong 'dbscan: another text'
"$mpirun" --oversubscribe -n 3 "$weft" dbscan "$@" -o - >three.csv
cmp one.csv three.csv || wrong "dbscan: printed: $(cat three.csv)"
"$mpirun" --oversubscribe -n 3 "$weft" dbscan plane.csv --eps 2.2 --min-points 4 \
    --timings t.json >out
if ! grep -q '8 points' out || ! grep -q '2 clusters; 1 point (12.5 %) is' out || ! grep -q '3 ranks' out; then
    wrong "dbscan: summary: $(cat out)"
fi
grep -q '"ranks":' t.json || wrong 'dbscan: timings'
rm -f one.csv three.csv t.json
"$mpirun" --oversubscribe -n 3 "$weft" dbscan nowhere.csv --eps 1 --min-points 5 >out 2>err
[ $? = 1 ] || wrong 'dbscan nowhere.csv'
[ "$(grep -c '^weft dbscan: ' err)" = 1 ] || wrong "dbscan nowhere.csv: $(cat err)"

# Each rank on a device of its own, where OpenCL is built in and PoCL plays two.
if "$weft" devices | grep -q '^opencl'; then
    export POCL_DEVICES='pthread pthread'
    "$mpirun" --oversubscribe --bind-to none -n 2 "$weft" halos small.hdf5 -q \
        --backend opencl --linking-length-absolute 0.4 -o 2.csv --labels 2.i64 >out 2>&1 ||
        wrong "two devices: $(cat out)"
    cmp small.csv 2.csv || wrong 'two devices: another catalogue'
    cmp small.i64 2.i64 || wrong 'two devices: other labels'
    rm -f 2.i64
    unset POCL_DEVICES
fi

# fails STATUS 'WORDS' N ARGUMENTS...: one message, and no file is left behind.
fails() {
    status=$1 words=$2
    shift 2
    rm -f out err
    before=$(ls)
    ranks "$@" >"$folder.out" 2>"$folder.err"
    got=$?
    [ "$got" = "$status" ] || wrong "ranks $*: status $got: $(cat "$folder.err")"
    [ "$(grep -c '^weft halos: ' "$folder.err")" = 1 ] ||
        wrong "ranks $*: not one message: $(cat "$folder.err")"
    grep -qF -- "$words" "$folder.err" || wrong "ranks $*: no '$words': $(cat "$folder.err")"
    [ "$before" = "$(ls)" ] || wrong "ranks $*: leaves files: $(ls)"
    rm -f "$folder.out" "$folder.err"
}
# A rank that is killed, while all wait for points from a pipe, takes the others with it.
if [ -e "/proc/$$/task/$$/children" ]; then
    mkfifo pipe.csv
    "$mpirun" --oversubscribe --bind-to none -n 3 "$weft" dbscan pipe.csv --eps 1 \
        --min-points 2 -o killed.csv >out 2>err &
    launcher=$!
    ranks_of_it=
    tries=0
    while [ "$(echo "$ranks_of_it" | wc -w)" != 3 ] && [ $tries -lt 300 ]; do
        sleep 0.1
        ranks_of_it=$(cat "/proc/$launcher/task/$launcher/children" 2>/dev/null) || break
        tries=$((tries + 1))
    done
    kill -KILL "$(echo "$ranks_of_it" | cut -d ' ' -f 2)" || wrong "ranks: $ranks_of_it"
    wait $launcher && wrong 'a killed rank: status 0'
    [ ! -e killed.csv ] || wrong 'a killed rank: labels'
    grep -q 'signal 9' err || wrong "a killed rank: $(cat err)"
    rm -f pipe.csv
fi

# No room for files where one rank is: what others cannot do for that is not told.
cat >room.sh <<'END'
[ "$OMPI_COMM_WORLD_RANK" = 1 ] && ulimit -f 40
exec "$@"
END
"$mpirun" --oversubscribe --bind-to none -n 2 sh room.sh "$weft" halos "$real" -q --so none --members \
    --threads 1 -o room.hdf5 >out 2>err
[ $? = 1 ] || wrong 'no room on a rank: not status 1'
[ "$(grep -c '^weft halos: ' err)" = 1 ] || wrong "no room on a rank: $(cat err)"
grep -q 'room.hdf5: File too large' err || wrong "no room on a rank: $(cat err)"
[ ! -e room.hdf5 ] || wrong 'no room on a rank: a catalogue'

fails 1 'cannot read nowhere.hdf5' 3 nowhere.hdf5
fails 1 'particle 123' 3 nan.hdf5 -b 0.2
fails 1 'cannot write' 2 small.hdf5 -o nowhere/out.csv
fails 2 'excludes several ranks' 2 small.hdf5 --plot p.png
fails 2 'exclude each other' 2 small.hdf5 -b 0.2 --linking-length-absolute 1
fails 1 'memory-limit' 2 small.hdf5 -b 0.2 --memory-limit 1K
finish
