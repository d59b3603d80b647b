#!/bin/sh
# usage: rooms.sh SOURCE-ROOT
# The table of docs/architecture.md, held to: says which file includes what its room may not
# see, which room is not in the table, and which holds too much to be one.
set -u
cd "$1" || exit 2
failed=0
rooms=$(mktemp) || exit 2
trap 'rm -f "$rooms"' EXIT
# ROOM/ SEEN...: code spans of a row's first two columns.
sed -n 's/^| `\([a-z0-9_/]*\/\)` |\([^|]*\)|.*/\1\2/p' docs/architecture.md | tr -d '`' >"$rooms"

# sees ROOM FILE: whether the room's row names the file or its folder.
sees() {
    awk -v room="$1/" -v file="$2" -v folder="${2%/*}/" '$1 == room {
        for (k = 2; k <= NF; k++) if ($k == file || $k == folder) found = 1
    } END { exit !found }' "$rooms"
}

complain() {
    echo "$1"
    failed=1
}

sources=$(git ls-files '*.c' '*.h' '*.cl' '*.cpp' '*.cu' | grep -v '^tests/')
for room in $(echo "$sources" | sed 's|/[^/]*$||' | sort -u); do
    grep -q "^$room/\( \|$\)" "$rooms" || complain "docs/architecture.md has no room $room/"
done
# A public header is found by its name alone, and has a program of its own among tests.
for room in $(git ls-files '*.c' '*.h' '*.cl' '*.sh' | sed -n 's|/[^/]*$||p' | sort -u); do
    count=$(git ls-files "$room/" | sed "s|^$room/||" | grep -vc /)
    case $room in
    include/weft | tests/primitives) ;;
    *) [ "$count" -le 27 ] || complain "$room/ has $count files: a room holds about 25" ;;
    esac
done
while read -r room _; do
    [ -d "$room" ] || complain "docs/architecture.md has a room $room that is not there"
done <"$rooms"

# FILE:LINE:NAME of each include by quotes that no system could mean.
includes=$(echo "$sources" | xargs grep -nE '^[ 	]*#[ 	]*include[ 	]*"' |
    sed 's/#.*include[ 	]*"\([^"]*\)".*/\1/' | tr -d ' \t')
for line in $includes; do
    file=${line%%:*} name=${line##*:} room=${line%%:*}
    room=${room%/*}
    case $name in # written out from the kernel file of that name, wherever it lies
    *.kernels.h) seen=$(echo "$sources" | grep "/${name%s.h}.h$") ;;
    *) seen=$name ;;
    esac
    if [ -e "$room/$name" ]; then
        seen=$(realpath --relative-to=. "$room/$name")
    fi
    [ "${seen%/*}" = "$room" ] && continue
    [ -e "$seen" ] || continue
    sees "$room" "$seen" || complain "$file includes $name: docs/architecture.md does not let $room/ see it"
done
exit $failed
