/* What the calls on a sheet share: their arguments, and the way through tetrahedra. */
#ifndef WEFT_ALGORITHMS_SHEET_FRAME_H
#define WEFT_ALGORITHMS_SHEET_FRAME_H

#include "weft/register.h"
#include "weft/sheet.h"
#include "sheet_find.kernel.h"

i64 sheet_sites(const weft_lattice *lattice);

void sheet_check_lattice(weft_device *device, const char *call,
                         const weft_lattice *lattice);

/* Checks lattice and options. */
sheet_frame sheet_frame_of(weft_device *device, const char *call,
                           const weft_lattice *lattice, const weft_sheet_options *options);

/* All tetrahedra in one plane across the axis. */
void sheet_frame_flatten(sheet_frame *frame, int axis);

/* The array of `each` numbers a cell of the frame. */
void sheet_check_cells(weft_device *device, const char *call, const char *name,
                       weft_array array, const sheet_frame *frame, i64 each);

/* How many blocks of cubes the lattice has, and the box around each, of the first `cubes`
 * alone: six f64. */
i64 sheet_blocks(const i64 n[3]);
void sheet_bound(weft_device *device, const i64 n[3], const f64 box[3], weft_array position,
                 i64 cubes, weft_array boxes);

/* The blocks of cubes of the frame that are near its cells, as u32, in scratch; how many
 * tetrahedra they hold, and some that are none. */
i64 sheet_near(weft_device *device, sheet_frame f, const weft_lattice *lattice,
               weft_array *blocks);

/* What a deposit does: what it can of as many tetrahedra as windows [n] u32 has, those of
 * whole cubes, all from f.begin + f.from on or of blocks, and counts there what is left of
 * each; or with lists part[i] of tetrahedron of[i], which is windows[skip + of[i]]'s. */
typedef void sheet_step(weft_device *device, const void *task, sheet_frame f, i64 skip,
                        weft_array blocks, weft_array of, weft_array part,
                        weft_array windows);

/* Tetrahedra f.begin .. f.end, but for blocks of them that are far from the cells asked
 * for. Scratch of the open scope. */
void sheet_run(weft_device *device, sheet_frame f, const weft_lattice *lattice,
               sheet_step *step, const void *task);

/* The same, mass into cells, by rows of corners. */
void sheet_rows(weft_device *device, sheet_frame f, const weft_lattice *lattice,
                weft_array units);

#endif
