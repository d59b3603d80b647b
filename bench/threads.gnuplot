# usage: gnuplot -c threads.gnuplot OUT.svg TITLE TABLE [TITLE TABLE...]
# Plots the tables of bench/threads --plot beside each other.
tables = (ARGC - 1) / 2
set terminal svg size 720 * tables,560 font 'sans-serif,12'
set output ARG1
set datafile missing '?'
set logscale xy 2
set xlabel 'threads'
set ylabel 'times faster than with the fewest'
set grid
set key outside right noenhanced font ',10'
title(t) = value(sprintf('ARG%d', 2 * t))
table(t) = value(sprintf('ARG%d', 2 * t + 1))
columns(t) = words(system(sprintf("head -n 1 '%s'", table(t))))
name(t, c) = word(system(sprintf("head -n 1 '%s'", table(t))), c)
dash(c) = (c - 2) / 8 + 1
first(t) = real(system(sprintf("awk 'NR == 2 { print $1 }' '%s'", table(t))))
set multiplot layout 1,tables
do for [t = 1:tables] {
    set title title(t)
    plot table(t) using 1:($1 / first(t)) with lines linecolor 'gray' dashtype 2 notitle, \
        for [c = 2:columns(t)] table(t) using 1:c skip 1 with linespoints \
        linecolor ((c - 2) % 8 + 1) dashtype dash(c) \
        pointtype (c + 2) pointsize 0.5 title name(t, c)
}
unset multiplot
