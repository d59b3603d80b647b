#!/bin/sh
# usage: several.sh WEFT SNAPSHOTS COMMON DATA MPIRUN
# Several snapshots on several ranks: a failure of any rank ends that snapshot alone.
set -u
weft=$(readlink -f "$1") snapshots=$(readlink -f "$2") data=$4 mpirun=$5
# shellcheck source=../cli/common.sh
. "$3"
"$snapshots" >snapshots.log || exit 2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
run() {
    timeout 100 "$mpirun" --oversubscribe --bind-to none -n 3 "$weft" halos "$@" >out 2>err
}
set -- --linking-length-absolute 0.4 --so none --threads 1
for file in small bare snap.0; do
    "$weft" halos "$file.hdf5" -q "$@" -o "one-${file%.0}.csv" 2>err || wrong "$file"
done
# The particle that is not finite is rank 1's; cut.hdf5 fails on all.
head -c 3000 small.hdf5 >cut.hdf5
run small.hdf5 nan.hdf5 snap.?.hdf5 cut.hdf5 bare.hdf5 "$@" -o '{}.csv' --summary all.json
[ $? = 1 ] || wrong "status: $(cat err)"
for stem in small snap bare; do
    cmp "one-$stem.csv" "$stem.csv" || wrong "$stem.csv is another catalogue"
done
[ ! -e nan.csv ] || wrong 'nan.csv is there'
[ "$(grep -c '^weft halos: .*nan.hdf5 is not finite' err)" = 1 ] || wrong "messages: $(cat err)"
[ "$(grep -c '^weft halos: .*cannot open cut.hdf5' err)" = 1 ] || wrong "messages: $(cat err)"
[ "$(grep -c '^weft halos: 2 of 5 snapshots failed: nan.hdf5, cut.hdf5$' err)" = 1 ] ||
    wrong "messages: $(cat err)"
[ "$(grep -c '^5 snapshots: 3 done, 0 skipped, 2 failed$' out)" = 1 ] || wrong "$(cat out)"
tr -d '\n\t' <all.json | grep -q '"nan.hdf5","status":"failed".*"message":"the position of' ||
    wrong "summary: $(cat all.json)"
run small.hdf5 bare.hdf5 "$@" || wrong "to resume: $(cat err)"
touch -d '+1 hour' bare.hdf5
run small.hdf5 bare.hdf5 "$@" --resume || wrong "--resume: $(cat err)"
[ "$(tail -1 out)" = '2 snapshots: 1 done, 1 skipped, 0 failed' ] || wrong "$(cat out)"

# A region, of which one rank has more than another.
set -- "$data/lcdm64.hdf5" --so none --threads 1 --region 60:12,20:50,:
"$weft" halos "$@" -q -o one.csv --labels one.labels || wrong 'a region'
run "$@" -o three.csv --labels three.labels || wrong "a region on three ranks: $(cat err)"
cmp one.csv three.csv || wrong 'a region on three ranks: another catalogue'
cmp one.labels three.labels || wrong 'a region on three ranks: other labels'
[ "$(wc -l <one.csv)" -gt 50 ] || wrong "a region: $(wc -l <one.csv) halos"
finish
