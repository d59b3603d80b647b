#!/bin/sh
# usage: wheel.sh SOURCE-ROOT BUILD PYTHON
# pip makes a wheel of a copy of the source, in a folder that is kept for the next time; the
# wheel is installed beside nothing else, and works there.
set -eu
source=$1 build=$2 python=$3
"$python" -c 'import mesonpy, ensurepip, venv' 2>/dev/null || {
    echo "skipped: python3-mesonpy and python3-venv are not installed"
    exit 77
}
work=$build/tests/wheel
mkdir -p "$work/source" "$work/build"
for entry in "$source"/*; do
    case $entry in */build*) continue ;; esac
    cp -ru --preserve=timestamps "$entry" "$work/source"
done
cd "$work"
[ -e env ] || "$python" -m venv --system-site-packages env
# As docs/python.md says, with nothing fetched. (Its code is slow, and soon compiled.)
env/bin/pip install --no-index --quiet \
    --config-settings=builddir="$work/build" --config-settings=setup-args=-Doptimization=0 ./source
unset PYTHONPATH
mv build away
trap 'mv "$work/away" "$work/build"' EXIT
cd /
"$work/env/bin/python" - "$work" <<'END'
import sys

import weft

assert weft.__file__.startswith(sys.argv[1] + "/env/"), weft.__file__
with weft.Device("serial"):
    assert weft.fof([[0.0, 0, 0], [0.1, 0, 0], [5, 0, 0]], 0.2).tolist() == [0, 0, 2]
    scale = weft.kernel("void scale(index_t i, f32 a, GLOBAL f32 *x) { x[i] *= a; }")
    x = weft.array([1.0, 2.0], "f4")
    scale(2, a=3, x=x)
    assert x.numpy().tolist() == [3, 6]
END
