#!/bin/sh
# usage: large.sh WEFT COMPARE DATA COMMON BACKEND
# Two million particles, where the snapshot is beside the tree; skipped where it is not.
set -u
weft=$(readlink -f "$1") compare=$(readlink -f "$2") data=$3 backend=$5
[ -e "$data/lcdm128.hdf5" ] || exit 77
# shellcheck source=common.sh
. "$4"
real=$data/lcdm128.hdf5
gunzip -c "$data/lcdm128.swift-fof.i64.gz" >swift.i64 || exit 2
"$weft" halos "$real" --backend "$backend" --labels l.i64 >summary || wrong 'it fails'
cat summary
[ "$("$compare" l.i64 "$real" swift.i64)" = '5631 750370 17018' ] ||
    wrong "labels are not SWIFT's"
"$weft" halos "$real" --backend "$backend" --no-periodic >summary || wrong 'it fails'
grep -q '5660 halos.* 749123 particles' summary || wrong "--no-periodic: $(cat summary)"
finish
