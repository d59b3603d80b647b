#!/bin/sh
# usage: told.sh WEFT SNAPSHOTS COMMON MAN-PAGES VERSION DATA BACKENDS...
# What the command tells of itself and of files; and that its help and its man pages name
# the same options.
set -u
weft=$(readlink -f "$1") snapshots=$(readlink -f "$2") man=$4 version=$5 data=$6
# shellcheck source=common.sh
. "$3"
"$snapshots" >snapshots.log || exit 2
shift 6

[ "$("$weft" --version)" = "weft $version" ] || wrong "version: $("$weft" --version)"
"$weft" --help | grep -q 'weft halos' || wrong 'help names no command'
[ "$("$weft" -h)" = "$("$weft" --help)" ] || wrong '-h is not --help'

"$weft" devices >devices || wrong 'devices fails'
for backend; do
    grep -q "^$backend\b" devices || wrong "devices leaves out $backend"
done

"$weft" info "$data/lcdm64.hdf5" >info || wrong 'info fails'
for words in 'SWIFT HDF5, 1 file' '262144 particles, dark matter' \
    'box         73.5294118 x 73.5294118 x 73.5294118 Mpc' 'periodic    xyz' \
    'redshift    0' 'PartType1/Coordinates .*262144 x 3' '1e10 Msun'; do
    grep -q "$words" info || wrong "info tells no '$words'"
done
"$weft" info gas.hdf5 | grep -q 'PartType0 *2 particles' || wrong 'info tells no gas'
"$weft" info snap.0.hdf5 | grep -q 'snap.1.hdf5' || wrong 'info tells no second file'
"$weft" info nobox.hdf5 | grep -q 'box *none' || wrong 'info makes up a box'
[ -z "$("$weft" info -q small.hdf5 2>&1)" ] || wrong 'info --quiet says something'

# Types that are not read.
for command in 'dbscan --eps 1 --min-points 2' 'power -o -' 'sheet --grid 4'; do
    "$weft" $command gas.hdf5 >out 2>err
    [ "$(grep -c 'gas.hdf5: the 2 particles of PartType0 are left out' err)" = 1 ] || wrong "$command: $(cat err)"
done

# Positions that are not in the box, and those of another unit.
printf 'x,y,z\n0,0,0\n1,1,1\n-0.5,2,2\n9,9,10.5\n' >out.csv
"$weft" halos out.csv --box 10 --periodic -o out.halos.csv >out 2>err
grep -q 'out.csv: 2 of 4 particles lie outside of the box of 10 x 10 x 10 code (x is -0.5 to 9)' err ||
    wrong "outside: $(cat err)"
"$weft" dbscan out.csv --eps 1 --min-points 1 --box 10 -q 2>err || wrong 'dbscan -q'
[ ! -s err ] || wrong "dbscan -q says $(cat err)"
"$weft" dbscan out.csv --eps 1 --min-points 1 --box 10 >out 2>err
grep -q '2 of 4 particles' err || wrong "dbscan: outside: $(cat err)"
"$weft" halos out.csv --box 11 --no-periodic -o out.halos.csv >out 2>err
grep -q '1 of 4' err || wrong "not periodic, outside: $(cat err)"
"$weft" halos out.csv --box 100000 -o out.halos.csv >out 2>err
grep -q 'do not seem to have the same unit' err || wrong "kpc in Mpc: $(cat err)"
"$weft" halos out.csv --box 0.01 -o out.halos.csv >out 2>err
grep -q 'do not seem to have the same unit' err || wrong "Mpc in kpc: $(cat err)"
"$weft" halos "$data/lcdm64.hdf5" -o out.halos.csv -q 2>err
[ ! -s err ] || wrong "lcdm64: $(cat err)"

# Names are any bytes; messages and files are text.
odd=$(printf 'a\033[31m\377\303\244.hdf5')
"$weft" halos "$odd" 2>err
grep -qF 'cannot read a\x1b[31m\xff' err || wrong "control characters: $(cat err)"
grep -q "$(printf '\303\244.hdf5')" err || wrong "UTF-8 is not shown: $(cat err)"
cp small.hdf5 "$odd"
"$weft" halos "$odd" -q --linking-length-absolute 0.4 --so none -o odd.csv --timings odd.json ||
    wrong 'a name of odd bytes'
"$weft" halos "$odd" --linking-length-absolute 0.4 --so none -o "$odd.csv" >out && "$weft" convert "$odd" "$odd.gio" >>out ||
    wrong 'outputs of odd bytes'
[ "$(grep -cF 'a\x1b[31m\xff' out)" = 3 ] && ! grep -q "$(printf '\033')" out || wrong "standard output: $(cat -v out)"
iconv -f UTF-8 -t UTF-8 odd.json >/dev/null || wrong 'JSON is not UTF-8'
grep -qF 'x1b[31m' odd.json || wrong "JSON: $(cat odd.json)"

# long OPTIONS, one a line, of standard input.
long() {
    grep -oE -- '--[a-z][a-z-]*' | sort -u
}
for command in halos dbscan sheet link power ics info convert sql devices; do
    "$weft" "$command" -h 2>&1 | grep -q 'built without' && continue
    "$weft" "$command" --help >help 2>err || wrong "$command --help: $(cat err)"
    [ "$("$weft" "$command" -h)" = "$(cat help)" ] || wrong "$command: -h is not --help"
    "$weft" "$command" --usage | grep -q "^Usage: weft $command" || wrong "$command --usage"
    long <help >help.options
    sed -n 's/^\.It \(Fl.*\)/\1/p' "$man/weft-$command.1" | sed 's/Fl -/--/g' | long >man.options
    diff help.options man.options || wrong "$command: help (<) and man page (>) differ"
    short=$(grep -oE '^ *-[a-z],' help | tr -d ' ,' | sort)
    paged=$(sed -n 's/^\.It Fl \([a-z]\) .*/-\1/p' "$man/weft-$command.1" | sort)
    [ "$short" = "$paged" ] || wrong "$command: short options: $short; man page: $paged"
    grep -q "weft-$command" "$man/weft.1" || wrong "weft(1) does not name $command"
done

# The man page names the centers, and the columns of a catalogue and no others.
centers=$("$weft" halos --help | tr -s ' \n' ' ' |
    sed -n 's/.*centers to find: \([a-z0-9_, ]*\) or none, separated.*/\1/p' | tr -d ' ')
"$weft" halos "$data/lcdm64.hdf5" -q --centers "$centers" --so 200c --shapes --poisson-prove -o - | head -1 |
    tr , '\n' | sed 's/_[xyz]$//; s/_[0-9]$//' | sort -u >columns
sed -n '/^\.Ss The catalogue/,/^\.El/s/^\.It //p' "$man/weft-halos.1" | tr -s ' ,' '\n' |
    sort >paged
diff columns paged || wrong 'columns of a catalogue (<) and man page (>) differ'
for center in $(echo "$centers" | tr , ' '); do
    grep -q "^\.Cm $center\b" "$man/weft-halos.1" || wrong "weft-halos(1) has no center $center"
done
if command -v mandoc >/dev/null; then
    mandoc -T lint -W warning "$man"/*.1 || wrong 'mandoc finds faults'
fi
finish
