/* What the rows on the dark-matter sheet compute, for their checks and peers. */
#ifndef WEFT_BENCH_SHEET_H
#define WEFT_BENCH_SHEET_H

#include "bench/bench.h"

enum sheet_kind { SHEET_CELLS, SHEET_COLUMNS, SHEET_AT };

/* A task's settings. Its in[0] are the positions of sites, [3 sites] f64. SHEET_CELLS and
 * SHEET_COLUMNS, along z: out[0] are masses, [cells] i64, and task->value how many units
 * all together may be off. SHEET_AT: in[1] are points, [3 n] f64, out[0] densities and
 * out[1] streams there, [n] f64. */
struct sheet_settings {
    enum sheet_kind kind;
    weft_lattice lattice; /* without its arrays */
    i64 grid[3];          /* 1 along z for columns */
};

/* The sites of a snapshot, its box repeated `tile` times along each axis. */
struct sheet_sites {
    weft_lattice lattice; /* without its arrays */
    f64 *position;        /* [3 sites], inside the box */
    i64 sites;
};

/* False and a sentence on standard error where it cannot. */
bool sheet_read_sites(struct sheet_sites *sites, weft_device *device, const char *path,
                      i64 tile);

/* Corners of tetrahedron `which` of a cube, unwrapped from its corner 0, in cells. */
void sheet_corners(const struct sheet_settings *settings, const f64 *position, i64 cube,
                   int which, f64 corner[4][3]);

/* Its first cells, and how many there are along each axis of the box around it. */
void sheet_extent(const f64 corner[4][3], i64 low[3], i64 extent[3]);

/* What fraction of a tetrahedron lies in a cell, or in all along z for columns; from f64
 * alone. */
f64 sheet_fraction(const struct sheet_settings *settings, const f64 corner[4][3],
                   const i64 cell[3]);

/* Whether cells of some places are as clipped plainly, and what all have together. */
bool sheet_check_cells(const struct task *task);

/* Whether densities and streams at some points are those of all tetrahedra, each looked at.
 */
bool sheet_check_at(const struct task *task);

#endif
