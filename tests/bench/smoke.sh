#!/bin/sh
# usage: smoke.sh WEFT-BENCH VALID COMPARE SNAPSHOTS BACKEND
# The suites at tiny sizes, odd ones too: every result is right, and the report is what
# others rely on.
set -eu
bench=$(realpath "$1") valid=$(realpath "$2") compare=$(realpath "$3")
snapshots=$(realpath "$4") backend=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$snapshots" >log 2>&1 || { cat log && exit 1; }

# (A device of OpenCL runs what a host does, and compiles for minutes: some rows of each kind.)
rows='' halos=''
[ "$backend" = opencl ] && halos='fof f32,fof:periodic,dbscan:5' &&
    rows='copy u32,reduce u32,count_if,inclusive_scan u64,sort u32,sort_by_key u32/u32,merge u32,set_union u32'
for k in 0 9; do
    "$bench" --backend "$backend" --suite primitives ${rows:+--rows "$rows"} --log2-n $k \
        --repeat 1 --json $k.json >table
    "$valid" $k.json $k 1
done
"$bench" --backend "$backend" --suite halos --data small.hdf5 --tile 2 --log2-n 8 --no-peers \
    ${halos:+--rows "$halos"} --repeat 1 --json halos.json >table
"$valid" halos.json 0 1
grep -q '^fof:periodic' table

"$bench" --backend "$backend" --suite gravity --data small.hdf5 --particles 100 \
    --repeat 1 --json gravity.json >table
"$valid" gravity.json 0 1
[ "$(grep -c ' error [0-9.]*e-0[4-9]' table)" = 2 ]

# Older ways to the same groups.
"$bench" --backend "$backend" --rows 'fof f32' --suite halos --data small.hdf5 \
    --particles 100 --json fof.json >table
"$valid" fof.json 0 7
grep -q '^fof .* 100 paper' table
"$bench" --backend "$backend" --rows 'fof f32' --suite halos --data small.hdf5 --peers 'p*r' \
    --particles 3000 --linking-length 0.1 --no-check --repeat 1 --json wide.json >table
[ "$(grep -c '^fof .* 3000 .* unchecked' table)" = 2 ]
[ "$(grep -c '"verified": null' wide.json)" = 2 ]

# Growth: a line of names, and one for each size or length.
LOG2_N='4 7' "${compare%/*}/growth" halos "$bench" --backend "$backend" --data small.hdf5 \
    --repeat 1 >table
awk 'NR > 1 && $1 == 3 * NR - 2 && $2 > 0 && $3 > 0 && $4 > 0 { good++ }
    END { exit !(NR == 3 && good == 2) }' table
grep -q '^ *# *fof *dbscan:5 *fof+mcp$' table
LENGTHS='0.1 1' "${compare%/*}/growth" lengths "$bench" --backend "$backend" \
    --data small.hdf5 --repeat 1 >table
grep -q '^ *0\.1 .*[0-9]' table

# Sheets: columns, and densities at points.
weft=${bench%/bench/*}/cli/weft
"$weft" ics -q --n 6 --box 50 -o ics.hdf5
"$bench" --backend "$backend" --suite sheet --data ics.hdf5 --tile 2 \
    --rows 'sheet:columns:64,sheet:at' --no-peers --repeat 1 --json sheet.json >table
"$valid" sheet.json 0 1
grep -q '^sheet:columns:64 .* M/s of [0-9.]* cells$' table

# One row alone, to standard output; and what compare says of it.
"$bench" --backend "$backend" --rows 'sort u32' --log2-n 4 --json - >sort.json
"$valid" sort.json 4 7
[ "$(grep -c '"by": "weft"' sort.json)" = 1 ]
"$compare" sort.json | grep -q '^sort .* u32'
"$compare" sort.json sort.json | grep -q '1\.00x'
sed 's/"verified": true/"verified": false/' sort.json >wrong.json
! "$compare" wrong.json >table || exit 1
grep -q WRONG table

# Several numbers of threads: two rows, twice; a slower time is bold, a wrong result told.
if [ "$backend" = pthreads ]; then
    WEFT_BENCH=$bench THREADS='1 3' PASSES=2 LOG2_N=6 DATA=small.hdf5 TILE=1 REPEAT=1 CHECK=yes \
        ROWS='copy,fof f32' "${compare%/bench/*}/scripts/bench-threads" counts >table 2>log ||
        { cat table log && exit 1; }
    ls counts/1-rows-2-3.json counts/threads.md >log
    grep -q '^| fof f32 | [0-9]* | [0-9.]* | [*0-9.]* | ' table
    grep -q '^Of 8 rounds, ' table
    grep -q '^3 .* [0-9.]*$' counts/halos.txt
    sed 's/"seconds": [^,]*/"seconds": 9/; s/"verified": true/"verified": false/' \
        counts/1-rows-1-3.json >slow.json
    ! "${compare%/*}/threads" counts/1-rows-1-1.json slow.json >table || exit 1
    grep -q '^| copy u32 | 64 | [0-9.]* | \*\*9000\*\* | .* WRONG |$' table
fi

# status WANTED ARGUMENT...
status() {
    wanted=$1
    shift
    code=0
    "$bench" "$@" >table 2>errors || code=$?
    [ "$code" = "$wanted" ] || { echo "weft-bench $*: $code, not $wanted" && exit 1; }
}
status 0 --help
status 2 --suite none
status 2 --log2-n many
status 2 --repeat 0
status 2 --backend none
status 2 extra
status 1 --backend "$backend" --suite halos --data missing.hdf5
[ "$(wc -l <errors)" = 1 ]
status 1 --backend "$backend" --rows copy --log2-n 1 --json missing/report.json
