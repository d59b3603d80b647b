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

# long OPTIONS, one a line, of standard input.
long() {
    grep -oE -- '--[a-z][a-z-]*' | sort -u
}
for command in halos dbscan info convert devices; do
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
"$weft" halos "$data/lcdm64.hdf5" -q --centers "$centers" --so 200c -o - | head -1 |
    tr , '\n' | sed 's/_[xyz]$//' | sort -u >columns
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
