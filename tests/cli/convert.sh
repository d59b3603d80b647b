#!/bin/sh
# usage: convert.sh WEFT SNAPSHOTS COMMON DATA GENERICIO.PY BACKEND
# Halos of a snapshot are the same after it went through other formats. (That others read
# these files is shown by readers.py.)
set -u
weft=$(readlink -f "$1") snapshots=$(readlink -f "$2") data=$4 checker=$5 backend=$6
# shellcheck source=common.sh
. "$3"
"$snapshots" >snapshots.log || exit 2
real=$data/lcdm64.hdf5

# convert IN OUT WORDS: what is lost is WORDS.
convert() {
    "$weft" convert "$1" "$2" >out 2>err || wrong "convert $1 $2: $(cat err)"
    grep -q '262144 particles; wrote' out || wrong "convert $1 $2 says $(cat out)"
    [ "$(sed 's/.*does not hold: //' err)" = "$3" ] || wrong "convert $1 $2: $(cat err)"
}
# halos SNAPSHOT NAME OPTION...: labels and catalogue as NAME.i64 and NAME.csv.
halos() {
    file=$1 name=$2
    shift 2
    "$weft" halos "$file" -q --backend "$backend" --centers none --labels "$name.i64" \
        -o "$name.csv" "$@" || wrong "halos $file fails"
}
# same A B WHAT
same() {
    cmp "$1" "$2" || wrong "$3"
}

# HDF5 to GenericIO and back: the same to the bit.
halos "$real" first
convert "$real" a.gio 'the redshift, the cosmology, the units'
convert a.gio a.hdf5 ''
for file in a.gio a.hdf5; do
    halos $file again
    same first.i64 again.i64 "$file: other halos"
    same first.csv again.csv "$file: another catalogue"
done
"$weft" info a.gio >info || wrong 'info a.gio fails'
[ "$(grep -c 'checksums right' info)" = 8 ] || wrong "info: $(cat info)"

# Gadget-2 rounds positions to float32: the halos are those of the rounded positions.
lost='the units, the digits of positions beyond float32'
convert "$real" b.gadget1 "$lost"
convert "$real" b.gadget2 "$lost"
convert b.gadget2 b.hdf5 ''
"$weft" convert "$real" rounded.hdf5 --precision f4 -q || wrong '--precision f4 fails'
halos rounded.hdf5 rounded
for file in b.gadget1 b.gadget2 b.hdf5; do
    halos $file again
    same rounded.i64 again.i64 "$file: other halos"
    same rounded.csv again.csv "$file: another catalogue"
done

# Tables know no box. Text keeps all bits.
box=73.529411764705884
convert "$real" c.csv 'the box, the redshift, the cosmology, the units'
halos c.csv again --box "$box" --periodic
same first.i64 again.i64 'c.csv: other halos'
for file in d.npy d.f32; do
    "$weft" convert "$real" $file -q 2>err || wrong "$file: $(cat err)"
    "$weft" halos $file -q --backend "$backend" --centers none -o $file.csv --box "$box" \
        --periodic || wrong "halos $file fails"
done
[ "$(wc -l <d.npy.csv)" = "$(wc -l <first.csv)" ] || wrong 'd.npy: other halos'
[ "$(wc -l <d.f32.csv)" = "$(wc -l <rounded.csv)" ] || wrong 'd.f32: other halos'
expect 2 '--linking-length needs a box, and d.npy has none' halos d.npy

# Checksums, by a reader of their description alone.
if command -v python3 >/dev/null; then
    "$weft" convert small.hdf5 small.gio -q 2>err || wrong "small.gio: $(cat err)"
    python3 "$checker" small.gio >listed || wrong 'small.gio is not right'
    [ "$(head -n 1 listed)" = '300 rows, box 64.0 64.0 64.0' ] || wrong "$(cat listed)"
fi

# Split files: the same particles.
"$weft" convert "$real" s.gio --files 5 -q 2>err || wrong "s.gio: $(cat err)"
halos s.gio again
same first.i64 again.i64 's.gio: other halos'
same first.csv again.csv 's.gio: another catalogue'
"$weft" info s.gio >info || wrong 'info s.gio fails'
grep -q 'GenericIO, 5 files' info || wrong "info: $(cat info)"
command -v python3 >/dev/null && { python3 "$checker" s.gio s.gio#? >listed || wrong 's.gio is not right'; }
expect 1 's.gio#2 is a part of a split file: read s.gio' info 's.gio#2'
"$weft" convert s.gio joined.gio -q || wrong 'joined.gio fails'
"$weft" convert "$real" whole.gio -q 2>err || wrong 'whole.gio fails'
same joined.gio whole.gio 'joined.gio'
expect 2 's.gio is the input' convert s.gio s.gio --files 2

# Those of an earlier output that had more are gone, what it did not tell of is not; where it fails all are there.
cp 's.gio#1' 's.gio#7'
(ulimit -f 1 && "$weft" convert small.hdf5 s.gio --files 2 -q >out 2>err) && wrong 's.gio: no error'
[ "$(echo s.gio*)" = 's.gio s.gio#0 s.gio#1 s.gio#2 s.gio#3 s.gio#4 s.gio#7' ] || wrong "after an error: $(echo s.gio*)"
"$weft" convert "$real" s.gio --files 2 -q 2>err || wrong "s.gio, 2 files: $(cat err)"
[ "$(echo s.gio*)" = 's.gio s.gio#0 s.gio#1 s.gio#7' ] || wrong "of 5 files 2: $(echo s.gio*)"
"$weft" convert "$real" s.gio -q 2>err || wrong "s.gio, a file: $(cat err)"
[ "$(echo s.gio*)" = 's.gio s.gio#7' ] || wrong "of 2 files one: $(echo s.gio*)"
same s.gio whole.gio 's.gio'
"$weft" convert "$real" s.gio --files 5 -q 2>err || wrong "s.gio again: $(cat err)"
expect 2 '--files: only GenericIO' convert s.gio s.hdf5 --files 2
expect 2 '--files: standard output is one file' convert s.gio - --to genericio --files 2
expect 2 "--files: '257' is above 256" convert s.gio t.gio --files 257

# No particles, whose file is empty in one format.
for file in empty.f32 empty.csv empty.npy; do
    "$weft" convert empty.hdf5 $file -q 2>err || wrong "$file: $(cat err)"
    [ "$("$weft" halos $file -o - -q --backend "$backend" --linking-length-absolute 1 | wc -l)" = 1 ] ||
        wrong "$file: halos of no particles"
done

# Faults leave nothing behind.
expect 1 'cannot read missing.gio: No such file' convert missing.gio out.hdf5
expect 1 'cannot write nowhere/out.gio: there is no folder nowhere' convert small.hdf5 nowhere/out.gio
"$weft" convert gas.hdf5 gas.gio 2>err >out || wrong "gas: $(cat err)"
grep -q 'the 2 particles of PartType0 are left out' err || wrong "gas: $(cat err)"
head -c 5000000 a.gio >cut.gio
expect 1 'cut.gio is cut off' halos cut.gio
expect 1 'cut.gio is cut off' info cut.gio
printf 'x' | dd of=a.gio bs=1 seek=6000000 conv=notrunc 2>err
expect 1 'the block of z in rank 0 of a.gio is damaged' info a.gio
expect 1 'the block of z in rank 0 of a.gio is damaged' convert a.gio out.hdf5
[ -e out.hdf5 ] && wrong 'a damaged file is converted'

# A variable that is not read: found by --verify alone.
"$weft" convert small.hdf5 v.gio -q 2>err
printf 'x' | dd of=v.gio bs=1 seek=$(($(wc -c <v.gio) - 20)) conv=notrunc 2>err
"$weft" dbscan v.gio --eps 1 --min-points 2 -q || wrong 'ids are read for dbscan'
for command in 'dbscan --eps 1 --min-points 2' 'halos --linking-length-absolute 1' info; do
    # shellcheck disable=SC2086 # words
    expect 1 'the block of id in rank 0 of v.gio is damaged' $command v.gio --verify
done
finish
