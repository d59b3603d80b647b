#!/bin/sh
# mistakes.sh FILE INCLUDE: each wrong registration of FILE is one error of the compiler and
# contains what stands below its number there; without a mistake there is none.
set -u
file=$1 include=$2 failed=0
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
last=$(sed -n 's/.*MISTAKE == \([0-9]*\)$/\1/p' "$file" | tail -1)
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    mistake=0
    while [ "$mistake" -le "$last" ]; do
        $compiler -std=c11 -fsyntax-only -Wall -Wextra -Wpedantic -Wno-unused -DMISTAKE="$mistake" -I"$include" \
            "$file" 2>"$log"
        said=$(sed -n "/MISTAKE == $mistake\$/{n;s|/\* \(.*\) \*/|\1|p}" "$file")
        errors=$(grep -c 'error:' "$log")
        if [ "$mistake" = 0 ]; then
            [ ! -s "$log" ] || failed=1
        elif [ -z "$said" ] || [ "$errors" != 1 ] || grep -q 'warning:' "$log" || ! grep 'error:' "$log" | grep -qF "$said"; then
            failed=1
        elif grep 'error:' "$log" | grep -q _Generic; then
            failed=1 # the sentence stands behind what it is about, or nobody reads on to it
        fi
        if [ $failed = 1 ]; then
            echo "$compiler, mistake $mistake, expected: $said"
            cat "$log"
            exit 1
        fi
        mistake=$((mistake + 1))
    done
    echo "$compiler: $last mistakes, each one sentence"
done
