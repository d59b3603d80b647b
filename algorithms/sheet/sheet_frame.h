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

/* What a deposit does: what it can of the n tetrahedra of a launch, which are all from
 * f.begin + f.from on or those of blocks, and counts in windows [n] u32 what is left of
 * each; or with lists [n] u32 part[i] of tetrahedron of[i] of the launch. */
typedef void sheet_step(weft_device *device, const void *task, sheet_frame f, i64 n,
                        weft_array blocks, weft_array of, weft_array part,
                        weft_array windows);

/* Tetrahedra f.begin .. f.end, but for blocks of them that are far from the cells asked
 * for. Scratch of the open scope. */
void sheet_run(weft_device *device, sheet_frame f, weft_array position, sheet_step *step,
               const void *task);

#endif
