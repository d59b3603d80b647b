/* Planes of cells that follow one another, of which a far device has sums of its own. */
#ifndef WEFT_CLI_SHEET_STRETCHES_H
#define WEFT_CLI_SHEET_STRETCHES_H

#include "fill.h"

#include <pthread.h>

struct stretch {
    struct sheet_share share;
    bool own;                    /* some are this rank's */
    weft_array sums[SHEET_SUMS]; /* the device's */
    int64_t *to[SHEET_SUMS];     /* where the host has room for all of them */
};

/* What is at work in a turn. */
struct sheet_far {
    struct sheet_run *run;
    struct sheet_cells *cells;
    struct sheet_share mine;
    int64_t count, layers, done; /* stretches; layers of blocks, and how many of all */
    pthread_t thread;
    bool apart; /* at work, in that thread */
    bool ahead; /* on what is taken ahead; else on the rest */
    struct stretch stretch[];
};

/* Lists the planes of a turn in which the rank's slab has mass, owner by owner; or where
 * there are no slabs all of the turn. */
void stretches_list(struct sheet_far *far, int64_t turn);

/* Zeros on the device, and an end of them. */
void stretch_open(const struct sheet_far *far, struct stretch *stretch);
void stretch_close(const struct sheet_far *far, struct stretch *stretch);

/* Adds what cubes have: of those layers of blocks that are taken ahead as they have mass in
 * planes of others, or of the rest. All are where none of the planes is the rank's own. */
void stretch_fill(struct sheet_far *far, struct stretch *stretch, bool ahead);

/* Brings the planes of other ranks to where the host has room for them; or the rank's own
 * to where they stay. */
void stretch_read_others(const struct sheet_far *far, const struct stretch *stretch);
void stretch_read_own(const struct sheet_far *far, const struct stretch *stretch);

/* The planes that are the rank's own. */
struct sheet_share stretch_own(const struct sheet_far *far, const struct stretch *stretch);

#endif
