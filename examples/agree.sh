#!/bin/sh
# usage: agree.sh PROGRAM BACKEND REFERENCE
# The program says the same on both backends, to the last digit.
set -eu
there=$(WEFT_BACKEND=$3 "$1")
here=$(WEFT_BACKEND=$2 "$1")
printf '%s\n' "$here"
[ -n "$here" ] && [ "$here" = "$there" ] && exit 0
printf '%s differs from this, on %s:\n%s\n' "$2" "$3" "$there"
exit 1
