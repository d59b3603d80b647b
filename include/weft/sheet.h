/* The dark-matter sheet: the density of particles that began on a lattice, whose cubes, six
 * tetrahedra each, move with them. Every tetrahedron keeps its mass. */
#ifndef WEFT_SHEET_H
#define WEFT_SHEET_H

#include "lattice.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a cube is cut into tetrahedra of one sixth of its mass; its corners are numbered
 * 4 dx + 2 dy + dz. This is part of the definition: cells differ by it. */
typedef enum weft_tessellation {
    /* 1024 4213 3514 4563 3264 3756 (Abel, Hahn and Kaehler 2012) */
    WEFT_TESSELLATION_ABEL = 0,
    /* around the diagonal from corner 0 to 7: 0467 0457 0267 0237 0157 0137 (Kuhn 1960) */
    WEFT_TESSELLATION_KUHN = 1,
    /* the mean of KUHN around all four diagonals: 24 with a quarter of that mass each */
    WEFT_TESSELLATION_MEAN = 2
} weft_tessellation;

typedef struct weft_sheet_options {
    int64_t grid[3]; /* cells of the whole box along x, y and z */
    weft_tessellation tessellation;
    int64_t first[3], count[3]; /* cells first .. first + count of each axis alone;
                                   counts of 0: all cells */
    int64_t begin, end;         /* cubes begin .. end alone, one a site; 0, 0: all */
    int64_t units;              /* of mass that a tetrahedron has; 0: weft_sheet_units */
    uint64_t reserved[7];
} weft_sheet_options;

/* A slab of a lattice, for who has some of its planes alone, is a lattice too: of n[0]
 * planes that follow one another, at least 3, without particle and boxes. Ask for the cubes
 * between these planes, begin = 0 and end = (n[0] - 1) n[1] n[2], with the units of the
 * whole lattice. (The last plane's cubes would reach round to the first.) Cells of slabs
 * add up to those of the whole, bit for bit, of all that is in units. */

/* The tetrahedra of a lattice: 6 a site, or 24. */
WEFT_API int64_t weft_sheet_tetrahedra(const weft_lattice *lattice,
                                       weft_tessellation tessellation);

/* The units of mass that one tetrahedron has: the power of two of which all tetrahedra
 * together have at most 2^62, and at most 2^52. */
WEFT_API int64_t weft_sheet_units(const weft_lattice *lattice,
                                  weft_tessellation tessellation);

/* Adds to each cell the mass that lies in it, in units: options->units a tetrahedron.
 *   units   [count[0] count[1] count[2]] i64, x slowest: added to, so fill it with 0 first
 * A tetrahedron's vertices are where its particles are, unwrapped from the cube's corner 0
 * by remainder(), times cells over box. Its mass in a cell is its units times the fraction
 * of its undeformed volume whose linear image lies in the cell. Nothing is divided by the
 * volume it has now: points, lines and planes are as exact as other tetrahedra. A point on
 * a face between cells belongs to the upper one.
 * G(a, b, c), the fraction with x < a, y < b and z < c at corners of cells, is computed in
 * f64 and rounded to whole units, from the plane on that has three vertices below as the
 * whole's less that above; a cell has the difference over its eight corners. So
 *   - every tetrahedron adds exactly its units to the cells of the whole box;
 *   - a cell is off by at most 6 units and by what f64 rounds, below 1e-15 of the mass for
 *     all shapes tried; one that the tetrahedron only nearly touches can have a few units,
 *     or be short of a few;
 *   - on a grid of twice as many cells along each axis, 8 cells have exactly the units of
 *     the one that they make.
 * Cost: one work-item for each 16 by 16 by 16 cells of the box around a tetrahedron; on one
 * thread some 0.5 us a tetrahedron of 10 cells, 1.2 us of 30. For a box of cells, blocks of
 * 64 cubes that are far from it are left out. Scratch of at most 17 MiB, more where one
 * tetrahedron spans thousands of cells. On GPUs one work-item for each four corners of
 * cells, and scratch of 240 MiB.
 * Repeats: bit for bit on every backend, in any order of calls by cubes and boxes of cells.
 * Errors: WEFT_E_ARGUMENT (an option, among them units that are no power of two or above
 * weft_sheet_units; a lattice that is not weft_lattice_find's; units that are missing or
 * read-only), WEFT_E_TYPE, WEFT_E_SHAPE, WEFT_E_MEMORY.
 * Source: Abel, Hahn and Kaehler 2012 (MNRAS 427, 61); Kaehler 2017 (Astron. Comput. 20,
 * 68) for exact overlaps; docs/sheet.md. */
WEFT_API weft_status weft_sheet_deposit(weft_device *device, const weft_lattice *lattice,
                                        const weft_sheet_options *options,
                                        weft_array units);

/* Adds to each cell the volumes that lie in it: the same with a tetrahedron's units times
 * its volume now, in cells. So units over those of a tetrahedron are how many streams the
 * cell has, in the mean over its volume: 1 where the sheet has not folded, 3 inside the
 * first fold. Masses in cells times the volume are rounded once more. Where a tetrahedron
 * is V cells large, a cell is off by at most 8 V + 1 units. Cost, repeats and errors: as
 * weft_sheet_deposit. */
WEFT_API weft_status weft_sheet_streams(weft_device *device, const weft_lattice *lattice,
                                        const weft_sheet_options *options,
                                        weft_array units);

/* Adds to each column of cells along an axis, 0 to 2, the mass that lies in it, without
 * these cells: a plane across the axis takes the place of the grid.
 *   units   [counts of the other two axes] i64, the former slower: added to
 * The options ask for all cells of the axis. Every tetrahedron adds exactly its units.
 * Cost: work grows with the columns that a tetrahedron meets. Repeats and errors: as
 * weft_sheet_deposit; WEFT_E_ARGUMENT for an axis that is none or of which some cells are
 * asked for. */
WEFT_API weft_status weft_sheet_project(weft_device *device, const weft_lattice *lattice,
                                        const weft_sheet_options *options, int axis,
                                        weft_array units);

/* Adds a preview of what weft_sheet_deposit adds: each tetrahedron is so many points, of
 * equal mass but for units that do not divide, at the same places of each. Every one still
 * adds exactly its units. Errors of cells fall about as 1 / samples^(2/3), and are those of
 * points where cells are smaller than tetrahedra.
 *   samples   1 to 2^20
 * Cost: some 50 ns a point on one thread. Repeats and errors: as weft_sheet_deposit. */
WEFT_API weft_status weft_sheet_sample(weft_device *device, const weft_lattice *lattice,
                                       const weft_sheet_options *options, int samples,
                                       weft_array units);

/* A power of two above every component of the velocities, [3 sites] f64; 1 where all are 0,
 * and after an error. NaNs are overlooked. */
WEFT_API double weft_sheet_speed(weft_device *device, weft_array velocity);

/* Adds to each cell the momentum of the mass that lies in it, and its energy.
 *   velocity   [3 sites] f64, x y z of each site's particle: weft_lattice_take. Inside a
 *              tetrahedron it is linear
 *   speed      the unit of velocity, at least every component: weft_sheet_speed
 *   momentum   [3 cells] i64, x y z of each cell: added to, in units of mass times speed
 *   energy     [cells] i64, a third of the squared velocity times the mass: added to, in
 *              units of mass times speed^2
 * With units of mass m, the mean velocity is momentum / m, and the dispersion
 * sqrt(energy / m - |momentum / m|^2 / 3): both are of the mass in the cell, over all
 * streams. Cells of few units tell nothing. Every tetrahedron adds exactly its momentum and
 * energy, each rounded to units once; a cell is off by at most 8 units, and what f64
 * rounds. Cost: some tens of times that of weft_sheet_deposit: closed forms serve no axis
 * here. Repeats: as weft_sheet_deposit. Errors: the same; WEFT_E_ARGUMENT for a velocity
 * that is beyond the speed or NaN (names the site). */
WEFT_API weft_status weft_sheet_momentum(weft_device *device, const weft_lattice *lattice,
                                         weft_array velocity, double speed,
                                         const weft_sheet_options *options,
                                         weft_array momentum, weft_array energy);

/* Density, streams and mean velocity of the sheet at points, without cells.
 *   velocity        [3 sites] f64, x y z of each site's particle; {0}: not asked for
 *   points          finite; those outside the box are wrapped into it
 *   density         [points] f64, in units of the mean: the sum of 1 / volume over the
 *                   tetrahedra that the point lies in
 *   streams         [points] f64, how many they are; of MEAN a quarter of that
 *   mean_velocity   [3 points] f64, weighted by density, x y z of each; not without
 *                   velocities
 * A point on a face lies on one side of it: the two tetrahedra there agree, since both
 * compute one number from the three sites. Points near an edge may be off by one
 * tetrahedron where f64 rounds. Tetrahedra without a volume hold no point. 1 / volume is
 * without bound near caustics, and so are densities.
 * Cost: sorts the points into a cell for each, and looks in all tetrahedra at those in the
 * box around it, twice. Scratch of 40 bytes a point and of up to 200 MiB.
 * Repeats: bit for bit everywhere; sums run over tetrahedra in their order.
 * Errors: WEFT_E_ARGUMENT (a lattice that is not weft_lattice_find's, a coordinate that is
 * not finite, 2^32 - 1 points or more), WEFT_E_TYPE, WEFT_E_SHAPE, WEFT_E_MEMORY. */
WEFT_API weft_status weft_sheet_at(weft_device *device, const weft_lattice *lattice,
                                   weft_array velocity, weft_tessellation tessellation,
                                   const weft_points *points, weft_array density,
                                   weft_array streams, weft_array mean_velocity);

/* The caustics: faces between a tetrahedron that is turned inside out and one that is not.
 *   corners   [3 m] u32, the sites of each face, in the order of the tetrahedra that are
 *             not turned; faces beyond m are counted, but not written. {0}: counted alone
 *   count     how many there are; 0 after an error
 * A tetrahedron without a volume is not turned. Of MEAN the four meshes come one by one in
 * each cube. Cost: two looks at five tetrahedra for each; waits. Repeats: bit for bit
 * everywhere. Errors: as weft_sheet_deposit. */
WEFT_API weft_status weft_sheet_caustics(weft_device *device, const weft_lattice *lattice,
                                         weft_tessellation tessellation, weft_array corners,
                                         int64_t *count);

#ifdef __cplusplus
}
#endif
#endif
