#!/bin/sh
# usage: bounds.sh SOURCE-ROOT BUILD-ROOT ARCHIVE
# Fused operations are for bounds, which allow for rounding, and for nothing else: no other
# source is compiled so, and nothing that is defined exactly is included, or called, there.
set -u
cd "$1" || exit 2
build=$2 archive=$3 bounds=algorithms/mbp/bounds failed=0

complain() {
    echo "$1"
    failed=1
}

# Who is compiled so: build files that ask for it, and what the compiler is given.
for file in $(git grep -lE 'ffp-contract=fast|ffast-math|Ofast' -- '*meson*'); do
    [ "$file" = $bounds/meson.build ] || complain "$file asks for fused operations"
done
grep -n 'FP_CONTRACT *ON' -r algorithms primitives backends include && complain 'a pragma asks for fused operations'
commands=$build/compile_commands.json
if [ -f "$commands" ]; then
    others=$(awk '/"command":/ { fused = /-ffp-contract=fast/ } /"file":/ && fused' "$commands" |
        sed 's/.*"file": "\([^"]*\)".*/\1/' |
        grep -vE "/$bounds/[a-z0-9_]*\.c$|weft-bounds\.a\.p/[a-z0-9_.]*\.kernel\.h\.c$")
    [ -z "$others" ] || complain "compiled with fused operations: $others"
fi

# What is reached from there: the folder itself, numbers of members, coordinates, thresholds.
seen= next=$(ls $bounds/*.c $bounds/*.h)
while [ -n "$next" ]; do
    seen="$seen $next" found=
    for file in $next; do
        for name in $(sed -n 's/^ *# *include *"\([^"]*\)".*/\1/p' "$file"); do
            for path in "${file%/*}/$name" "$name"; do
                [ -f "$path" ] || continue
                found="$found $path"
                break
            done
        done
    done
    next=
    for path in $(printf '%s\n' $found | sort -u); do
        case " $(echo $seen) " in *" $path "*) ;; *) next="$next $path" ;; esac
    done
done
for path in $seen; do
    case $path in
    $bounds/* | algorithms/mbp/slots/* | algorithms/pyramid/* | algorithms/points/points.* | algorithms/tuning.h) ;;
    *) complain "$bounds/ reaches $path" ;;
    esac
done
case $seen in *mbp_slots.kernel.h*) ;; *) complain 'nothing was looked at' ;; esac

# What is called from there: the library's public calls, and what those files define.
own=$(nm --defined-only "$archive" 2>/dev/null | awk 'NF == 3 { print $3 }')
for name in $(nm -u "$archive" 2>/dev/null | awk '/ U mbp_/ { print $2 }' | sort -u); do
    case " $(echo $own) " in *" $name "*) ;; *) complain "$bounds/ calls $name" ;; esac
done
exit $failed
