/* The fraction of a tetrahedron in a cell, by clipping it where it is not deformed. */
#ifndef WEFT_TESTS_SHEET_CLIP_H
#define WEFT_TESTS_SHEET_CLIP_H

#include <weft/short_names.h>

/* Of the tetrahedron whose vertex v is at[v], the part with low <= x < high on all axes. */
long double clip_fraction(f64 at[4][3], const i64 low[3], const i64 high[3]);

/* Corners of the tetrahedra of a tessellation, 4 dx + 2 dy + dz; how many there are. */
int clip_tetrahedra(int tessellation, int corners[24][4]);

#endif
