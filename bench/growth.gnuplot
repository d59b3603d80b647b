# usage: gnuplot -c growth.gnuplot OUT.svg elements|halos|lengths TITLE TABLE [TITLE TABLE...]
# Plots the tables of bench/growth over each other.
set terminal svg size 640,420 font 'sans-serif,12'
set output ARG1
lengths = ARG2 eq 'lengths'
set logscale y
set format y '%g'
set ylabel 'nanoseconds for each ' . (ARG2 eq 'elements' ? 'element' : 'particle')
if (lengths) { set xlabel 'linking length, in mean separations' }
else {
    set logscale x 2
    set format x '2^{%L}'
    set xlabel ARG2 eq 'elements' ? 'elements' : 'particles'
}
set grid
set key above noenhanced
tables = (ARGC - 2) / 2
title(t) = value(sprintf('ARG%d', 2 * t + 1))
table(t) = value(sprintf('ARG%d', 2 * t + 2))
columns(t) = words(system(sprintf("head -n 1 '%s'", table(t))))
name(t, c) = word(system(sprintf("head -n 1 '%s'", table(t))), c)
plot for [t = 1:tables] for [c = 2:columns(t)] table(t) \
    using (lengths ? $1 : 2 ** $1):c with linespoints linecolor c - 1 dashtype t \
    pointtype 2 * t + 3 pointsize 0.5 title title(t) . ' ' . name(t, c)
