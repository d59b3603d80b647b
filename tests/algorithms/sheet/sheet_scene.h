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

/* Site of corner 4 dx + 2 dy + dz of cube 0, on a lattice of `side` sites along y and z. */
i64 scene_site(i64 side, int corner);

/* Where corners of a tetrahedron are, within 1.5 to 7.5 cells along each axis, told to
 * 2^-48 of a cell. Kinds: anywhere in some cells; on faces, edges and corners of cells; on
 * corners alone; on a line; in a plane; in one between cells; at one place; nearly in a
 * plane through corners of cells, 2^-thin cells thick; on multiples of a half; at one of
 * two places; a sliver in any plane; nearly a line; near one place; near faces, edges and
 * corners; nearly on corners, all by the same. */
enum { SCENE_KINDS = 15 };
typedef struct scene_shape {
    int kind, turn, thin;
    f64 from[3], along[3], across[3], normal[3];
} scene_shape;

scene_shape scene_shape_of(int kind, int turn, u64 *seed);
void scene_place(const scene_shape *shape, u64 *seed, f64 *x);

/* Units of a tetrahedron, as the lattice has them by itself; or of a large lattice, whose
 * cubes are summed up in f64. */
i64 scene_units(const sheet *s, int tessellation, int large);

/* Cells that are asked for. */
i64 scene_cells(const weft_sheet_options *o);

i64 scene_total(const i64 *units, i64 n);

/* What one of these calls adds on a device to units of cells. */
typedef weft_status scene_deposit(weft_device *, const weft_lattice *,
                                  const weft_sheet_options *, weft_array);
void scene_add(weft_device *on, const sheet *s, const weft_sheet_options *o,
               scene_deposit *call, i64 *units);

/* A device of the serial backend; where that is not built in, another one of the tested. */
weft_device *scene_serial(void);

#endif
