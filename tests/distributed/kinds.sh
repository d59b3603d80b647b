#!/bin/sh
# usage: kinds.sh WEFT SNAPSHOTS COMMON DATA MPIRUN
# Ranks whose devices are of different kinds write what one process does: one on OpenCL, one with
# threads and one without.
set -u
weft=$(readlink -f "$1") data=$4 mpirun=$5
# shellcheck source=../cli/common.sh
. "$3"
command -v h5diff >/dev/null || exit 77
for backend in opencl pthreads serial; do
    "$weft" devices | grep -A 1 "^$backend" | tail -1 | grep '[a-z]' | grep -qv 'no device' || exit 77
done
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
cat >kinds.sh <<'END'
case $OMPI_COMM_WORLD_RANK in
0) WEFT_BACKEND=opencl ;;
1) WEFT_BACKEND=pthreads ;;
*) WEFT_BACKEND=serial ;;
esac
export WEFT_BACKEND
exec "$@"
END
set -- "$data/lcdm64.hdf5" --members -q
groups='halos members'
if [ "${WEFT_TEST-}" = all ]; then # what takes OpenCL two minutes to compile
    set -- "$@" --centers mbp,mcp,poisson --subhalos --profiles
    groups='halos subhalos profiles members'
fi
WEFT_BACKEND=serial "$weft" halos "$@" -o one.hdf5 --labels one.i64 || wrong 'one process'
"$mpirun" --oversubscribe --bind-to none -n 3 sh kinds.sh "$weft" halos "$@" -o kinds.hdf5 \
    --labels kinds.i64 --timings kinds.json || wrong 'three kinds'
for group in $groups; do
    h5diff one.hdf5 kinds.hdf5 /$group || wrong "$group differ"
done
cmp one.i64 kinds.i64 || wrong 'other labels'
grep -q '"backend":[^"]*"opencl"' kinds.json || wrong "the first rank: $(grep backend kinds.json)"
finish
