#!/bin/sh
# usage: symbols.sh LIBRARY
# The shared library exports weft_... and nothing else.
set -u
others=$(nm -D --defined-only "$1" | awk '$2 != "A" { print $3 }' | sed 's/@.*//' |
    grep -v '^weft_')
[ -z "$others" ] && nm -D --defined-only "$1" | grep -q ' T weft_open' && exit 0
echo "$1 exports what does not begin with weft_:"
echo "$others"
exit 1
