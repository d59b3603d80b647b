/* Planes of cells on the device, and back. */
#ifndef WEFT_CLI_SHEET_FILL_H
#define WEFT_CLI_SHEET_FILL_H

#include "sheet.h"

enum { SHEET_FILL_PARTS = 64 }; /* of the sheet, between which progress is told */

/* What is computed at a time. */
struct sheet_cells {
    int64_t done, all; /* planes that this rank fills */
    int each[SHEET_SUMS];
    int64_t *sums[SHEET_SUMS]; /* of this rank's planes */
    int64_t *slab[SHEET_SUMS]; /* of planes that its slab touches, */
    int64_t *came;             /* and of some that another rank's does */
    struct sheet_far *far;     /* what a far device works on; NULL: nothing */
};

/* What this rank's cubes have in the planes of a turn: into `sums`, and where ranks have
 * slabs into `slab`. Returns the exit status. */
int sheet_fill(struct sheet_run *run, struct sheet_cells *cells, int64_t turn);

/* The same on a device that has sums of its own. Planes of others are in `slab`; for those
 * of the rank, on which the device is left at work, there are zeros in `slab` and `sums`,
 * to which sheet_sum adds what others have. Nothing else may be asked of the device until
 * the end, to be called in each case: planes are in `sums` then. */
int sheet_far_begin(struct sheet_run *run, struct sheet_cells *cells, int64_t turn);
void sheet_far_end(struct sheet_cells *cells);

/* All cubes, in some planes of cells. */
weft_sheet_options sheet_fill_options(const struct sheet_run *run,
                                      struct sheet_share share);

/* What cubes have, added to sums on the device. */
void sheet_fill_deposit(struct sheet_run *run, const weft_sheet_options *options,
                        const weft_array sums[SHEET_SUMS]);

#endif
