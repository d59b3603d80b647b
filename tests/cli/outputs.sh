#!/bin/sh
# usage: outputs.sh WEFT SNAPSHOTS COMMON
# Files that outputs are named after: one under two spellings, one that is protected, one that
# a link leads to; and names as long as the system has them. Pipes and devices, also by links.
set -u
weft=$(readlink -f "$1") snapshots=$(readlink -f "$2")
# shellcheck source=common.sh
. "$3"
"$snapshots" >snapshots.log || exit 2
set -- small.hdf5 --linking-length-absolute 0.4 --so none -q

# One file, two spellings.
mkdir folder
ln -s folder also
ln -s nowhere.csv dangling
for twice in ./same folder/../same "$PWD/same"; do
    expect 2 "$twice is named for two outputs" halos "$@" -o same --labels "$twice"
done
expect 2 'is named for two outputs' halos "$@" -o folder/new.csv --labels also/new.csv
expect 2 'is named for two outputs' halos "$@" -o dangling --labels nowhere.csv
touch old
ln old hard
expect 2 'is named for two outputs' halos "$@" -o old --labels hard
ln -s snap.1.hdf5 snap.i64
expect 2 'is the input' dbscan snap.0.hdf5 --eps 1 --min-points 2 -o ./snap.i64
"$weft" halos "$@" -o kept.csv --labels /dev/null --timings /dev/null || wrong 'two times /dev/null'
rm kept.csv

# A link leads to what is written, also where that was not there.
"$weft" halos "$@" -o dangling.csv && mv dangling.csv kept.csv
ln -s folder/made.csv leads.csv
"$weft" halos "$@" -o leads.csv || wrong 'a link to nothing'
[ -L leads.csv ] && cmp folder/made.csv kept.csv || wrong 'a link was replaced'
ln -s circle1 circle2
ln -s circle2 circle1
expect 1 'cannot write circle1' halos "$@" -o circle1

# What is no regular file is written where it is, by whatever name.
"$weft" halos "$@" -o kept.csv --labels kept.labels || wrong 'labels'
ln -s /dev/null nothing
"$weft" halos "$@" -o kept.csv --labels nothing --timings /dev/null || wrong 'a link to /dev/null'
[ -L nothing ] && [ -c /dev/null ] || wrong '/dev/null was replaced'
mkfifo fifo
ln -s fifo by_link
for pipe in fifo by_link; do
    cat fifo >piped &
    "$weft" halos "$@" -o kept.csv --labels "$pipe" || wrong "labels in $pipe"
    wait $!
    [ -p fifo ] && [ -L by_link ] && cmp piped kept.labels || wrong "$pipe was replaced"
done
for command in 'sql --list fifo' 'link fifo fifo' 'power --density fifo'; do # nobody waits for such inputs
    # shellcheck disable=SC2086
    timeout 60 "$weft" $command 2>told
    [ $? != 124 ] && grep -q 'fifo is a pipe, and' told || wrong "weft $command: $(cat told)"
done
rm -f told
if [ -e /dev/stdout ] && [ -e /dev/fd/1 ]; then
    for pipe in /dev/stdout /dev/fd/1; do
        "$weft" halos "$@" -o kept.csv --labels "$pipe" | cmp - kept.labels || wrong "labels in $pipe"
    done
    "$weft" halos "$@" -o kept.csv --labels /dev/stderr 2>&1 >both.out | cmp - kept.labels ||
        wrong 'labels in /dev/stderr'
    "$weft" halos "$@" -o kept.csv --labels /dev/fd/7 7>&1 >both.out | cmp - kept.labels ||
        wrong 'labels in /dev/fd/7'
    rm both.out
fi
rm nothing fifo by_link piped kept.labels

# Where no name is given that of what is read, of several files without its number; in a folder.
mkdir fresh
"$weft" power snap.1.hdf5 --grid 8 -q && "$weft" power snap.1.hdf5 --grid 8 -q -o fresh/ || wrong power
cmp snap.power.csv fresh/snap.power.csv || wrong 'a spectrum in a folder'
rm -r fresh

# Protected, or there already; mode and owner stay.
echo mine >protected.csv
chmod 444 protected.csv
expect 1 'protected.csv: it is write-protected' halos "$@" -o protected.csv
[ "$(cat protected.csv)" = mine ] || wrong 'protected.csv was replaced'
expect 1 'protected.csv: it is there already' halos "$@" -o protected.csv --no-clobber
expect 1 'kept.csv: it is there already' convert small.hdf5 kept.csv --no-clobber
"$weft" halos "$@" -o fresh.csv --no-clobber || wrong 'no-clobber of a new file'
echo older >mode.csv
chmod 640 mode.csv
"$weft" halos "$@" -o mode.csv || wrong 'mode.csv'
[ "$(stat -c %a mode.csv)" = 640 ] || wrong "mode.csv: $(stat -c %a mode.csv)"
if [ "$(id -u)" = 0 ] && chown 65534:65534 mode.csv 2>/dev/null; then
    "$weft" halos "$@" -o mode.csv || wrong 'mode.csv of another'
    [ "$(stat -c %u:%g mode.csv)" = 65534:65534 ] || wrong 'mode.csv has another owner'
fi

# Another user's file, in a folder where this one may write.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    mkdir shared && echo theirs >shared/theirs.csv && chmod 777 shared && chmod 666 shared/theirs.csv
    chmod 755 .
    as_nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
    if as_nobody "$weft" --version >version; then
        as_nobody "$weft" halos "$@" -o shared/theirs.csv 2>err && wrong 'a file of another user'
        grep -q 'shared/theirs.csv: it belongs to another user' err || wrong "another: $(cat err)"
        [ "$(cat shared/theirs.csv)" = theirs ] || wrong 'a file of another user was replaced'
    fi
    rm -rf shared version err
fi

# A signal that ends the command takes what is half written with it, also where that has a
# name: here the one that would be its first one is taken.
if env --default-signal=INT,HUP,QUIT,PIPE true 2>/dev/null; then
    "$weft" ics --n 64 --box 50 -q -o big.hdf5 || wrong 'big.hdf5'
    for signal in INT TERM HUP QUIT PIPE XCPU USR1 USR2; do
        got=0 tries=0
        while [ $got -lt 128 ] && [ $tries -lt 20 ]; do
            tries=$((tries + 1))
            echo before >half.csv
            # shellcheck disable=SC2016
            env --default-signal=INT,HUP,QUIT,PIPE sh -c 'touch .weft-$$-0.part && exec "$0" "$@"' \
                "$weft" convert big.hdf5 half.csv -q 2>err &
            half=.weft-$!-1.part
            until [ -e $half ] || ! kill -0 $! 2>/dev/null; do :; done
            kill -s $signal $! 2>/dev/null
            wait $!
            got=$?
            [ ! -e $half ] || wrong "$signal: leaves $half"
            rm -f .weft-*
        done
        [ $got -gt 128 ] || wrong "$signal: status $got"
        [ "$(cat half.csv)" = before ] || wrong "$signal: half.csv is another"
    done
fi

# The longest name there may be, and one beyond.
longest=$(printf '%0251d' 0).csv
"$weft" halos "$@" -o "$longest" || wrong 'a name of 255 bytes'
expect 1 'File name too long' halos "$@" -o "0$longest"
[ -z "$(find . -name '*.part')" ] || wrong "left: $(find . -name '*.part')"
finish
