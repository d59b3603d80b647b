/* Which rank needs the particles of which cells of a vicinity, and how they come to it. */
#ifndef WEFT_DISTRIBUTED_VICINITY_NEEDS_H
#define WEFT_DISTRIBUTED_VICINITY_NEEDS_H

#include "vicinity.h"

/* A bit a cell. */
enum { NEEDS_WORDS = VICINITY_CELLS / 32 };

static inline void needs_mark(uint32_t map[NEEDS_WORDS], uint32_t cell) {
    map[cell / 32] |= UINT32_C(1) << cell % 32;
}

struct needs {
    int ranks, own;
    uint32_t *map; /* [ranks][NEEDS_WORDS] */
};

/* What this rank needs, of all ranks. False after comm_fail. Free it in each case. */
bool needs_share(struct comm *comm, const uint32_t *mine, struct needs *needs);
void needs_free(struct needs *needs);

/* The part of a rank's own particles that is in cells which it needs, from some thousands
 * of them, evenly spread. */
double needs_own_part(const struct needs *needs, const struct vicinity *space);

/* Plans which of a rank's own particles go to whom. Free `mailing` in each case.
 *   keep    those that it needs itself stay where they are, and are not sent
 *   limit   bytes of the device that may be used: if not 0, it is not asked */
bool needs_plan(struct comm *comm, weft_device *device, const struct needs *needs,
                const struct vicinity *space, bool keep, int64_t limit,
                struct mailing *mailing);

#endif
