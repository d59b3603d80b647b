#!/bin/sh
# usage: faults.sh WEFT SNAPSHOTS COMMON
# Bad input and bad machines: status 1, one sentence, and nothing left behind.
set -u
weft=$(readlink -f "$1") snapshots=$(readlink -f "$2")
# shellcheck source=common.sh
. "$3"
"$snapshots" >snapshots.log || exit 2
mkdir folder
printf 'no snapshot at all' >text.hdf5
head -c 3000 small.hdf5 >short.hdf5
: >nothing.hdf5

for command in halos info; do
    expect 1 'cannot read missing.hdf5: No such file' "$command" missing.hdf5
    expect 1 'folder' "$command" folder
    expect 1 'text.hdf5' "$command" text.hdf5
    expect 1 'short.hdf5' "$command" short.hdf5
    expect 1 'nothing.hdf5' "$command" nothing.hdf5
done
expect 1 'particle 123' halos nan.hdf5
mv snap.1.hdf5 away.hdf5
expect 1 'snap.1.hdf5' halos snap.0.hdf5
mv away.hdf5 snap.1.hdf5

if "$weft" devices | grep -q '^opencl'; then
    expect 1 "no OpenCL device is 'nowhere'" halos small.hdf5 --device nowhere
fi

# Outputs are looked at before the work, whichever it is.
for option in -o --labels --plot --timings; do
    expect 1 'cannot write nowhere/out: there is no folder nowhere' halos small.hdf5 -q \
        "$option" nowhere/out
    expect 1 'cannot write folder' halos small.hdf5 -q "$option" folder
    expect 1 'cannot write small.hdf5/out: Not a directory' halos small.hdf5 -q \
        "$option" small.hdf5/out
done
expect 1 'File name too long' halos small.hdf5 -q -o "$(printf '%0260d' 0).csv"
expect 1 'the name of a file to write is empty' halos small.hdf5 -q -o ''
chmod a-w folder
if ! touch folder/probe 2>/dev/null; then # root may write anywhere
    expect 1 'cannot write folder/out: Permission denied' halos small.hdf5 -o folder/out
fi

# A full disk.
if [ -c /dev/full ]; then
    for option in '-o /dev/full' '--labels /dev/full' '--timings /dev/full'; do
        # shellcheck disable=SC2086 # two words
        "$weft" halos -q small.hdf5 --linking-length-absolute 0.4 $option 2>err
        [ $? = 1 ] || wrong "$option: not status 1"
        [ "$(wc -l <err)" = 1 ] || wrong "$option: not one line: $(cat err)"
    done
    grep -qF 'No space left' err || wrong "no reason: $(cat err)"
    for arguments in '--help' '--version' 'devices' 'halos --help' 'info small.hdf5' \
        'halos small.hdf5' 'halos small.hdf5 -o -'; do
        # shellcheck disable=SC2086 # words
        "$weft" $arguments >/dev/full 2>err
        [ $? = 1 ] || wrong "$arguments on a full disk: not status 1"
        [ "$(wc -l <err)" = 1 ] || wrong "$arguments on a full disk: not one line"
        grep -q 'standard output' err || wrong "$arguments on a full disk: $(cat err)"
    done
fi

# A limit on the size of files.
(
    ulimit -f 1
    "$weft" halos small.hdf5 -q --linking-length-absolute 0.4 -o l.csv --labels l.i64 2>err
)
[ $? = 1 ] || wrong 'a limit on files: not status 1'
grep -qF 'l.i64: File too large' err || wrong "a limit on files: $(cat err)"
[ -e l.i64 ] && wrong 'a limit on files: labels'

# No gnuplot, and one that fails.
mkdir empty bin
command=$(command -v "$weft")
expect_path() {
    path=$1
    shift
    weft=wrapped
    wrapped() { PATH=$path "$command" "$@"; }
    expect "$@"
    weft=$command
}
expect_path "$folder/empty" 1 'gnuplot' halos small.hdf5 -q --plot p.png
printf '#!/bin/sh\necho "it is broken" >&2\nexit 3\n' >bin/gnuplot
chmod +x bin/gnuplot
PATH=$folder/bin:$PATH "$weft" halos small.hdf5 -q --plot p.png 2>err
[ $? = 1 ] || wrong 'a gnuplot that fails: not status 1'
grep -q 'gnuplot cannot draw the picture: it is broken' err || wrong "gnuplot: $(cat err)"
[ -e p.png ] && wrong 'a picture that was not drawn'
if command -v gnuplot >/dev/null; then
    TMPDIR=$folder/nowhere "$weft" halos small.hdf5 -q --plot p.png 2>err
    [ $? = 1 ] || wrong 'no temporary folder: not status 1'
    grep -q 'cannot make a temporary folder' err || wrong "no temporary folder: $(cat err)"
fi
finish
