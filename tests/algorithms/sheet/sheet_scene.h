/* Lattices for the tests of sheets. */
#ifndef WEFT_TESTS_SHEET_SCENE_H
#define WEFT_TESTS_SHEET_SCENE_H

#include <weft/sheet.h>
#include <weft/short_names.h>

/* A lattice whose particles are where the caller puts them. */
typedef struct sheet {
    weft_lattice lattice;
    f64 *x; /* [3 sites] */
    i64 sites;
} sheet;

/* A random number in 0 .. 1, of 24 bits. */
f64 scene_uniform(u64 *seed);

/* Particles where they began, but without an array of them; x is for free(). */
sheet scene_sheet(i64 n0, i64 n1, i64 n2, f64 box);

/* Moves each by up to n box / 16 along each axis, to multiples of 2^-10 in the box. */
void scene_scatter(sheet *s, f64 n, u64 seed);

/* Cells that are asked for. */
i64 scene_cells(const weft_sheet_options *o);

i64 scene_total(const i64 *units, i64 n);

/* A device of the serial backend; where that is not built in, another one of the tested. */
weft_device *scene_serial(void);

#endif
