#!/bin/sh
# usage: circles.sh ARCHIVE...
# No two files of an archive need each other, by way of others or not: what each defines and
# asks for, sorted topologically. (Lists that the build writes only name what there is.)
set -u
failed=0
for archive; do
    edges=$(nm -P "$archive" 2>/dev/null | awk '
        /:$/ { file = $1; sub(/.*\[/, "", file); sub(/\]?:$/, "", file); sub(/.*\//, "", file); next }
        file ~ /meson-generated/ { next }
        $2 ~ /^[TDRBC]$/ { at[$1] = file }
        $2 == "U" { asked[file " " $1] = 1 }
        END {
            for (pair in asked) {
                split(pair, each, " ")
                if (each[2] in at && at[each[2]] != each[1])
                    print each[1], at[each[2]]
            }
        }')
    [ -n "$edges" ] || { echo "$archive: nm tells nothing" && failed=1; }
    # The loops are its messages; the order does not matter.
    loops=$(echo "$edges" | tsort 2>&1 >/dev/null)
    [ -z "$loops" ] && continue
    echo "$archive: files need each other"
    echo "$loops"
    failed=1
done
exit $failed
