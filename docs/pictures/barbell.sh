#!/bin/sh
# usage: docs/pictures/barbell.sh WEFT OUT.png
# Draws one halo of three clumps and a bridge, with its four centers.
set -eu
weft=$(readlink -f "$1")
out=$(readlink -f "$(dirname "$2")")/$(basename "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# Plummer spheres: a heavy wide one, a light narrow one, and between them one that ends sharply.
awk '
function uniform() { return (seed = seed * 16807 % 2147483647) / 2147483647 }
function direction(    r2) {
    do {
        r2 = (u = 2 * uniform() - 1) ^ 2 + (v = 2 * uniform() - 1) ^ 2 + (w = 2 * uniform() - 1) ^ 2
    } while (r2 > 1 || r2 < 0.01)
    r2 = sqrt(r2); u /= r2; v /= r2; w /= r2
}
function sphere(n, scale, most, x, y,    r) {
    while (n > 0) {
        r = scale / sqrt(uniform() ^ (-2 / 3) - 1)
        direction()
        if (r < most) {
            printf "%.9g,%.9g,%.9g\n", x + r * u, y + r * v, r * w
            n--
        }
    }
}
BEGIN {
    seed = 5
    print "x,y,z"
    sphere(2000, 0.6, 2, 0, 0)
    sphere(500, 0.1, 1, 5, 0.6)
    sphere(450, 0.15, 0.25, 2.6, 0.7)
    for (k = 0; k < 200; k++)
        printf "%.9g,%.9g,%.9g\n", 5 * k / 200, 0.6 * k / 200 + 0.3 * (uniform() - 0.5), 0.3 * (uniform() - 0.5)
}' >barbell.csv
"$weft" halos barbell.csv --linking-length-absolute 0.25 --centers mbp,mcp,poisson -q \
    -o halos.csv

# column NAME: that of the halo.
column() {
    awk -F, -v name="$1" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) at = k }
        NR == 2 { print $at }' halos.csv
}
point() {
    echo "$(column "$1_x"),$(column "$1_y")"
}
for center in mbp mcp poisson; do
    point "${center}_position" >"$center"
done
point center_of_mass >mass
gnuplot <<END
set terminal pngcairo size 900,360 font "sans,11"
set output "$out"
set datafile separator ","
set size ratio -1
unset border
unset tics
set lmargin 0
set rmargin 22
set tmargin 0
set bmargin 0
set key outside right center reverse Left samplen 1 spacing 1.6
plot "barbell.csv" using 1:2 skip 1 with points pt 7 ps 0.25 lc rgb "#9aa5b1" notitle, \
    "mbp" with points pt 2 ps 2.4 lw 3 lc rgb "#c0392b" title "mbp", \
    "poisson" with points pt 8 ps 2.6 lw 3 lc rgb "#8e44ad" title "poisson", \
    "mcp" with points pt 6 ps 2.8 lw 3 lc rgb "#1f618d" title "mcp", \
    "mass" with points pt 1 ps 2.8 lw 3 lc rgb "#1e8449" title "center of mass"
END
