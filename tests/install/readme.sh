#!/bin/sh
# usage: readme.sh SOURCE-ROOT BUILD SANITIZERS
# Runs every command of README.md, in its order, from a folder in which the build is ./build;
# and finds its C in the examples. scripts/test is what runs this test: of that it is seen
# that the CI calls it. Nothing is installed.
set -u
source=$1 build=$2
[ "$3" = none ] || exit 77
command -v mpirun >/dev/null && command -v gnuplot >/dev/null || exit 77
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
for entry in README.md .ci docs examples include scripts; do
    ln -s "$source/$entry" "$entry"
done
ln -s "$build" build

# What would change the machine, or begin anew, does not.
mkdir bin
for name in apt-get sudo; do
    printf '#!/bin/sh\necho "%s is not for tests: install what scripts/test needs" >&2\nexit 1\n' \
        $name >bin/$name
done
cat >bin/meson <<'END'
#!/bin/sh
# `meson setup build` of a build that is there is a success, and says so.
[ "$*" = "setup build" ] && [ -e build/build.ninja ] && echo "Directory already configured"
END
chmod +x bin/*
PATH=$work/bin:$PATH
export PATH OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1

failed=0
wrong() {
    echo "WRONG: $*"
    failed=1
}

# fenced KIND: the lines of README.md between ```KIND and ```.
fenced() {
    awk -v kind="$1" '$0 == "```" { on = 0 } on { print } $0 == "```" kind { on = 1 }' README.md
}

fenced sh >commands
[ "$(wc -l <commands)" -ge 10 ] || wrong 'README.md has few commands'
while IFS= read -r command; do
    echo "$ $command"
    if [ "$command" = scripts/test ]; then
        grep -q 'scripts/test"$' .ci/run || wrong '.ci/run does not call scripts/test'
        sh -n scripts/test || wrong 'scripts/test is no script'
        continue
    fi
    # (An eighth of the particles shows as well that the commands for a simulation fit.)
    case $command in *'weft ics --n 32 '*) command=$(echo "$command" | sed 's/--n 32 /--n 16 /') ;; esac
    sh -c "$command" >output 2>&1 </dev/null || {
        cat output
        wrong "fails: $command"
    }
done <commands
for file in lcdm64.halos.hdf5 halos.png clusters.i64 lcdm64.gio; do
    [ -s "$file" ] || wrong "no $file"
done

# Each line of C stands so in an example.
fenced c | sed 's/^ *//' | grep -v '^$' >lines
[ -s lines ] || wrong 'README.md has no C'
while IFS= read -r line; do
    grep -qrF -- "$line" examples/ || wrong "in no example: $line"
done <lines

# Its Python runs where the package is built.
fenced python >program.py
[ -s program.py ] || wrong 'README.md has no Python'
for program in program.py 'examples/python/halos.py examples/data/lcdm64.hdf5'; do
    [ -e build/python/weft/__init__.py ] || continue
    # shellcheck disable=SC2086
    PYTHONPATH=build/python /usr/bin/python3 $program >output 2>&1 || {
        cat output
        wrong "fails: python3 $program"
    }
    grep -q '[0-9][0-9]' output || wrong "python3 $program prints no numbers: $(cat output)"
done

# And what it points at is there.
grep -o '](\([^)]*\))' README.md | sed 's/](\(.*\))/\1/; s/#.*//' | grep -v '^http' | sort -u |
    while IFS= read -r path; do
        [ -e "$source/$path" ] || echo "WRONG: README.md points at $path, which is not there"
    done >missing
[ -s missing ] && cat missing && failed=1
exit $failed
