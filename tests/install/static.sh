#!/bin/sh
# usage: static.sh SOURCE-ROOT BUILD SANITIZERS LIBWEFT.A PARTS.A WEFT-EMBED BACKEND...
# The static library has the public names and no others: a program that defines every name
# that the library's parts have among themselves, kernel files called like ours as well,
# links with it and runs on every backend.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$1 build=$2
[ "$3" = none ] || exit 77
library=$(realpath "$4") parts=$(realpath "$5") embed=$(realpath "$6")
shift 6
command -v pkg-config >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# names LIBRARY: what others that are linked with it see.
names() {
    nm -g --defined-only "$1" 2>/dev/null | awk 'NF == 3 { print $3 }' | grep -v '\.' | sort -u
}
names "$library" >"$work/public"
names "$parts" | comm -23 - "$work/public" >"$work/own"
others=$(grep -v '^weft_' "$work/public" || true)
sources=$(grep -E '^weft_(source|text)_' "$work/public" || true)
[ -z "$others$sources" ] || { echo "$library has the names $others $sources" && exit 1; }
grep -q '^weft_open$' "$work/public"
grep -q '^weft_source_fill_u32$' "$work/own"
grep -q '^radix_sort$' "$work/own"

# A file of ours, embedded as a user's; all else as names.
cp "$source/primitives/transform/fill.kernel.h" "$work/"
"$embed" "$work/fill.kernel.h" -o "$work/fill.kernel.c"
"$embed" "$here/foreign/orbit.kernel.h" -o "$work/orbit.kernel.c"
grep -v '^weft_source_fill' "$work/own" | sed 's/.*/char &[1];/' >"$work/names.c"
cd "$work"
libraries=$(PKG_CONFIG_PATH=$build/meson-private pkg-config --static --libs weft | sed 's/-lweft//')
# shellcheck disable=SC2086
${CC:-cc} -w -fno-builtin -I"$source/include" -I"$here/foreign" "$here/foreign/main.c" orbit.kernel.c fill.kernel.c \
    names.c "$library" $libraries -o foreign
for backend; do
    said=$(WEFT_BACKEND=$backend ./foreign) || { echo "$said" && exit 1; }
    [ "$said" = "$backend: right" ] || { echo "$said" && exit 1; }
done
echo "$(wc -l <public) public names, $(wc -l <own) that are a user's, too"
