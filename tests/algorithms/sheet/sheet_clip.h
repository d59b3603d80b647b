/* The fraction of a tetrahedron in a cell, by clipping it where it is not deformed. */
#ifndef WEFT_TESTS_SHEET_CLIP_H
#define WEFT_TESTS_SHEET_CLIP_H

#include <weft/short_names.h>

/* Of the tetrahedron whose vertex v is at[v], the part with low <= x < high on all axes. */
long double clip_fraction(f64 at[4][3], const i64 low[3], const i64 high[3]);

/* The same of each cell low .. high of a grid of cells^3. */
void clip_cells(f64 at[4][3], const i64 low[3], const i64 high[3], i64 cells,
                long double *out);

/* The same of one box, the integrals over that part of the velocity, which is v[i] at
 * vertex i, and of a third of its square: five numbers. */
void clip_moments(f64 at[4][3], f64 v[4][3], const i64 low[3], const i64 high[3],
                  long double out[5]);

/* Corners of the tetrahedra of a tessellation, 4 dx + 2 dy + dz; how many there are. */
int clip_tetrahedra(int tessellation, int corners[24][4]);

#endif
