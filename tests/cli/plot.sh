#!/bin/sh
# usage: plot.sh WEFT SNAPSHOTS COMMON DATA
# A picture of a real snapshot, and of what has no halos, no box or no particles. Skipped
# without gnuplot.
set -u
weft=$(readlink -f "$1") snapshots=$(readlink -f "$2") data=$4
command -v gnuplot >/dev/null || exit 77
# shellcheck source=common.sh
. "$3"
"$snapshots" >snapshots.log || exit 2
mkdir temporary

# draw NAME LEAST-BYTES ARGUMENTS...
draw() {
    name=$1 least=$2
    shift 2
    TMPDIR=$folder/temporary "$weft" halos "$@" --backend serial -q -o out.csv \
        --plot "$name" >err 2>&1 || wrong "$name: $(cat err)"
    [ -s err ] && wrong "$name: says $(cat err)"
    head -c 4 "$name" | grep -q PNG || wrong "$name is no picture"
    [ "$(wc -c <"$name")" -ge "$least" ] || wrong "$name has but $(wc -c <"$name") bytes"
    [ -z "$(ls temporary)" ] || wrong "$name leaves $(ls temporary)"
}
draw real.png 300000 "$data/lcdm64.hdf5"

# What gnuplot is given: both mass functions hold each halo once, those of spheres without 0.
mkdir given
printf '#!/bin/sh\ncp "$(dirname "$1")"/* "$GIVEN"\nexit 1\n' >bin-given
mkdir given/bin && mv bin-given given/bin/gnuplot && chmod +x given/bin/gnuplot
GIVEN=$folder/given PATH=$folder/given/bin:$PATH TMPDIR=$folder/temporary "$weft" halos \
    "$data/lcdm64.hdf5" --backend serial -q -o given.csv --plot given.png 2>err
for of in masses:mass spheres:mass_200c; do
    awk -F, -v column="${of#*:}" -v file="given/${of%:*}.txt" '
        NR == 1 { for (k = 1; k <= NF; ++k) if ($k == column) at = k; next }
        $at > 0 { ++want[int(log($at) / log(10) / 0.2 + 1000) - 1000] }
        END {
            while ((getline line <file) > 0) {
                split(line, field, " ")
                ++bins
                got[int(log(field[1]) / log(10) / 0.2 + 1000) - 1000] = field[2]
                if (bins == 1) { first = int(log(field[1]) / log(10) / 0.2 + 1000) - 1000 }
            }
            for (k in want) {
                if (!(k in got)) { print "no bin " k; exit 1 }
                ratio = got[k] / want[k] / (got[first] / want[first])
                if (ratio < 0.9999 || ratio > 1.0001) { print "bin " k; exit 1 }
            }
            for (k in got) if (!(k in want)) { print "a bin too many"; exit 1 }
        }' given.csv || wrong "mass function of $of"
done
grep -q "title '{/:Italic M}_{200c}'" given/plot.gp || wrong 'no key of spheres'
rm -rf given
for name in a.pdf a.svg; do
    "$weft" halos small.hdf5 --linking-length-absolute 0.4 -q -o out.csv --plot $name || wrong $name
done
head -c 5 a.pdf | grep -q '%PDF-' || wrong 'a.pdf is none'
grep -q '<svg' a.svg || wrong 'a.svg is none'

# The line of the smallest halo is drawn where the masses are, and not beside their frame.
for drawn in 0.2:1 5:0; do
    "$weft" halos "$data/lcdm64.hdf5" -b "${drawn%:*}" --so none --centers none -q -o out.csv --plot b.svg
    [ "$(grep -c '>20 particles<' b.svg)" -eq "${drawn#*:}" ] || wrong "20 particles at b = ${drawn%:*}"
done
draw small.png 20000 small.hdf5 --linking-length-absolute 0.4
draw nobox.png 20000 nobox.hdf5 --linking-length-absolute 0.4
draw none.png 20000 small.hdf5 -b 0
draw empty.png 5000 empty.hdf5
cp small.hdf5 "it's.hdf5"
draw "it's a \"picture\".png" 20000 "it's.hdf5" --linking-length-absolute 0.4

# Long names are cut, and axes count from where the particles are, so that labels fit.
mkdir told
printf '#!/bin/sh\ncp "$1" "$DRAWING"\nexit 1\n' >told/gnuplot
chmod +x told/gnuplot
long=$(printf '%0200d' 0).csv
awk 'BEGIN { for (i = 0; i < 50; ++i) printf "%.9f,%.1f,%d\n", 123456.75 + i / 1000, i * 20 - 7e9, i }' \
    >"$long"
DRAWING=$folder/script PATH=$folder/told:$PATH TMPDIR=$folder/temporary "$weft" halos "$long" \
    --linking-length-absolute 1 -q -o out.csv --plot out.png 2>err
grep -q "^set label 1 '0\{24\}…0*.csv' noenhanced" script || wrong "title: $(grep 'label 1' script)"
grep -qF "set xlabel '{/:Italic x} - 12" script || wrong "x: $(grep xlabel script)"
grep -qF "set ylabel '{/:Italic y} + 70000" script || wrong "y: $(grep ylabel script)"
grep 'range' script | grep -qE '\[-?[0-9]{5}' && wrong "ranges: $(grep range script)"
rm -rf told

# A signal while gnuplot draws: nothing is left of it, neither files nor the process.
mkdir bin
cat >bin/gnuplot <<'END'
#!/bin/sh
echo $$ >"$DRAWING"
exec sleep 60
END
chmod +x bin/gnuplot
signals='TERM HUP XCPU USR1'
# (Where nohup started the tests, it is right to go on.)
case $(sed -n 's/^SigIgn:.*\(.\)$/\1/p' /proc/self/status) in [13579bdf]) signals='TERM XCPU USR1' ;; esac
for signal in $signals; do
    rm -f drawing
    DRAWING=$folder/drawing PATH=$folder/bin:$PATH TMPDIR=$folder/temporary "$weft" halos \
        small.hdf5 --linking-length-absolute 0.4 -q -o out.csv --plot ended.png 2>err &
    command=$!
    tries=0
    while [ ! -s drawing ] && [ $tries -lt 300 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    kill -$signal $command
    wait $command && wrong "SIG$signal: status 0"
    [ -z "$(ls temporary)" ] || wrong "SIG$signal leaves $(ls temporary)"
    [ ! -e ended.png ] || wrong "SIG$signal leaves a picture"
    tries=0
    while
        state=$(sed -n 's/^State:[^A-Z]*\(.\).*/\1/p' "/proc/$(cat drawing)/status" 2>/dev/null)
        [ "${state:-Z}" != Z ] && [ $tries -lt 300 ]
    do
        sleep 0.1
        tries=$((tries + 1))
    done
    [ "${state:-Z}" = Z ] || wrong "SIG$signal leaves gnuplot ($state)"
done
finish
