#!/bin/sh
# usage: job.sh WEFT SNAPSHOTS COMMON DATA MPIRUN
# What a launcher starts is one job, or is told that it is none: ranks that differ in their
# command line or their file, copies that MPI does not know, one message for all.
set -u
weft=$(readlink -f "$1") snapshots=$(readlink -f "$2") mpirun=$5
# shellcheck source=../cli/common.sh
. "$3"
"$snapshots" >snapshots.log || exit 2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
run() {
    timeout 60 "$mpirun" --oversubscribe --bind-to none "$@" >out 2>err
}

# refused STATUS 'WORDS' ARGUMENTS OF MPIRUN...: one message with these words, and no file.
refused() {
    status=$1 words=$2
    shift 2
    rm -f out err
    before=$(ls -R)
    timeout 60 "$mpirun" --oversubscribe --bind-to none "$@" >"$folder.out" 2>"$folder.err"
    got=$?
    [ $got = "$status" ] || wrong "$*: status $got: $(cat "$folder.err")"
    [ "$(grep -c '^weft' "$folder.err")" = 1 ] || wrong "$*: $(cat "$folder.err")"
    grep -qF -- "$words" "$folder.err" || wrong "$*: no '$words': $(cat "$folder.err")"
    [ "$before" = "$(ls -R)" ] || wrong "$*: leaves files: $(ls -R)"
    rm -f "$folder.out" "$folder.err"
}

# Runs of their own under one launcher.
cp small.hdf5 other0.hdf5
cp twice.hdf5 other1.hdf5
cat >farm.sh <<'END'
k=$OMPI_COMM_WORLD_RANK
exec "$1" halos "other$k.hdf5" --linking-length-absolute 0.4 --so none -q -o "farm$k.csv" $2
END
refused 2 "rank 1 was started as 'weft halos other1.hdf5" -n 2 sh farm.sh "$weft" ''
run -n 2 sh farm.sh "$weft" --no-mpi || wrong "a farm: $(cat err)"
for k in 0 1; do
    "$weft" halos "other$k.hdf5" --linking-length-absolute 0.4 --so none -q -o alone.csv 2>err
    cmp alone.csv "farm$k.csv" || wrong "farm$k.csv is another catalogue"
done
rm -f alone.csv farm?.csv

# Other options, and other commands.
set -- "$weft" halos small.hdf5 --so none -q --linking-length-absolute
refused 2 '--no-mpi lets each work alone' -n 1 "$@" 0.4 : -n 2 "$@" 0.5
refused 2 "rank 1 was started as 'weft dbscan" -n 1 "$@" 0.4 : \
    -n 1 "$weft" dbscan small.hdf5 --eps 1 --min-points 3
refused 2 "rank 1 was started as 'weft info" -n 1 "$@" 0.4 : -n 1 "$weft" info small.hdf5

# Files of one name that are not the same.
mkdir d0 d1
cp small.hdf5 d0/snap.hdf5
cp nan.hdf5 d1/snap.hdf5
printf 'x,y\n1,2\n3,4\n' >d0/points.csv
printf 'x,y\n1,2\n3,5\n' >d1/points.csv
refused 1 'snap.hdf5 is another file for rank 1 than for rank 0' -n 2 sh -c \
    'cd d$OMPI_COMM_WORLD_RANK && exec "$0" halos snap.hdf5 -b 0.2 --so none' "$weft"
refused 1 'points.csv is another file for rank 1 than for rank 0' -n 2 sh -c \
    'cd d$OMPI_COMM_WORLD_RANK && exec "$0" dbscan points.csv --eps 1 --min-points 1 -o l' "$weft"
cp d0/snap.hdf5 d1/snap.hdf5
run -n 2 sh -c 'cd d$OMPI_COMM_WORLD_RANK &&
    exec "$0" halos snap.hdf5 --linking-length-absolute 0.4 --so none -q' "$weft" ||
    wrong "two copies of one file: $(cat err)"
[ "$(ls -d d?/*.halos.hdf5)" = d0/snap.halos.hdf5 ] || wrong "two copies: $(ls d0 d1)"

# What several ranks do not share, one does; each its own where lines differ.
run -n 3 "$weft" convert small.hdf5 once.npy || wrong "convert: $(cat err)"
[ "$(wc -l <out)" = 1 ] || wrong "convert on 3 ranks: $(cat out)"
run -n 2 sh -c 'exec "$0" convert other$OMPI_COMM_WORLD_RANK.hdf5 \
    other$OMPI_COMM_WORLD_RANK.npy' "$weft" || wrong "converts: $(cat err)"
[ "$(ls other?.npy | wc -l)" = 2 ] || wrong "two converts: $(ls)"
run -n 3 "$weft" halos --help || wrong "help: $(cat err)"
[ "$(grep -c '^Usage' out)" = 1 ] || wrong "help on 3 ranks: $(cat out)"
refused 2 'unrecognized option' -n 3 "$weft" halos small.hdf5 --nonsense
refused 1 'cannot read nowhere.hdf5' -n 3 "$weft" convert nowhere.hdf5 a.npy

# Launchers that MPI does not know.
for variable in SLURM_STEP_NUM_TASKS PMI_SIZE; do
    export $variable=4
    set -- small.hdf5 --linking-length-absolute 0.4 --so none -q -o copy.csv
    expect 1 "started 4 of this command ($variable)" halos "$@"
    "$weft" halos "$@" --no-mpi || wrong "$variable: halos --no-mpi"
    "$weft" info -q small.hdf5 || wrong "$variable: info"
    rm -f copy.csv
    unset $variable
done
finish
