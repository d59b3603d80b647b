/* Pieces of what gnuplot is told. */
#ifndef WEFT_CLI_PLOT_SCRIPT_H
#define WEFT_CLI_PLOT_SCRIPT_H

#include <stdio.h>

/* A text as gnuplot's string. */
void script_quote(FILE *stream, const char *text);

/* A unit for an axis, in gnuplot's enhanced text: "h^{-1} Mpc" of "Mpc/h". */
void script_unit(FILE *stream, const char *text);

/* The name of a path without its folder, quoted; of a long one the beginning and the end.
 */
void script_title(FILE *stream, const char *path);

/* What the name of the picture ends in; PNG where that says nothing. In pixels. */
void script_terminal(FILE *stream, const char *path, int width, int height);

#endif
