#!/bin/sh
# usage: starved.sh WEFT SNAPSHOTS COMMON DATA MPIRUN LIBRARY
# Each allocation of the command fails in turn, in one process and on one of two ranks: one
# sentence and no file, or the file and no word. (Not each, but for WEFT_TEST=all.)
set -u
weft=$(readlink -f "$1") data=$4 mpirun=$5 library=$(readlink -f "$6")
# shellcheck source=../cli/common.sh
. "$3"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 WEFT_BACKEND=serial
cat >rank.sh <<'END'
[ "$OMPI_COMM_WORLD_RANK" = 1 ] && export LD_PRELOAD="$LIBRARY"
exec "$@"
END
export LIBRARY="$library" STARVED STARVED_TOLD="$PWD/told"
snapshot=$data/lcdm64.hdf5

alone() {
    LD_PRELOAD="$library" timeout 60 "$weft" "$@"
}

ranks() {
    timeout 30 "$mpirun" --oversubscribe --bind-to none -n 2 sh ../rank.sh "$weft" "$@"
}

# each HOW STEP ARGUMENTS...: the first ten, as ranks begin with them, and each STEP-th.
each() {
    how=$1 step=$2
    shift 2
    mkdir out
    STARVED=1
    while :; do
        rm -f told
        (cd out && "$how" "$@") >/dev/null 2>err
        status=$?
        what="$how, allocation $STARVED of weft $*: status $status: $(cat err)"
        if [ ! -e told ]; then
            [ "$status" = 0 ] || wrong "$what, though none failed"
            break
        fi
        sentences=$(grep -c '^weft[ :]' err)
        files=$(find out -type f | wc -l)
        case $status,$sentences,$files in
        1,1,0 | 0,0,1) ;;
        *) wrong "$what, $sentences sentences, files: $(ls out)" ;;
        esac
        rm -f out/* out/.w*
        [ "$STARVED" -lt 10 ] && STARVED=$((STARVED + 1)) || STARVED=$((STARVED + step))
    done
    [ "$STARVED" -gt 10 ] || wrong "$how: no more than $STARVED allocations"
    rm -rf out
}

# What argp asks for itself, on one rank: it tells, and the other does not wait for it.
for how in alone ranks; do
    (export STARVED=argp && mkdir out && cd out && "$how" halos "$snapshot" -q -o ../out/h.hdf5) >/dev/null 2>err
    [ $? = 1 ] && [ "$(grep -c '^weft' err)" = 1 ] && grep -q '^weft halos: the options: Cannot allocate memory$' err &&
        [ -z "$(ls out)" ] || wrong "$how, argp: $(cat err)"
    rm -rf out
done

[ "${WEFT_TEST-}" = all ] && some=1 many=1 || some=13 many=41
each alone "$some" halos "$snapshot" -q -o ../out/h.hdf5
each ranks "$some" halos "$snapshot" -q --so none --centers none -o ../out/h.hdf5
each alone "$many" halos "$snapshot" -q --so none --memory-limit 20M -o ../out/h.gio
finish
