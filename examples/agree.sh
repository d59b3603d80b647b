#!/bin/sh
# usage: agree.sh PROGRAM BACKEND REFERENCE [ARGUMENTS...]
# The program says the same on both backends, to the last digit.
set -eu
program=$1 backend=$2 reference=$3
shift 3
there=$(WEFT_BACKEND=$reference "$program" "$@")
here=$(WEFT_BACKEND=$backend "$program" "$@")
printf '%s\n' "$here"
[ -n "$here" ] && [ "$here" = "$there" ] && exit 0
printf '%s differs from this, on %s:\n%s\n' "$backend" "$reference" "$there"
exit 1
