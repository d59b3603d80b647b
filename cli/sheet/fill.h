/* Planes of cells on the device, and back. */
#ifndef WEFT_CLI_SHEET_FILL_H
#define WEFT_CLI_SHEET_FILL_H

#include "sheet.h"

/* What is computed at a time. */
struct sheet_cells {
    int64_t done, all; /* planes that this rank fills */
    int each[SHEET_SUMS];
    int64_t *sums[SHEET_SUMS]; /* of this rank's planes */
    int64_t *slab[SHEET_SUMS]; /* of planes that its slab touches, */
    int64_t *came;             /* and of some that another rank's does */
};

/* What this rank's cubes have in the planes of a turn: into `sums`, and where ranks have
 * slabs into `slab`, but what a far device has of the rank's own planes. */
void sheet_fill(struct sheet_run *run, struct sheet_cells *cells, int64_t turn);

#endif
