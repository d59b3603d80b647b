/* Rows of several numbers, from lists on the devices of ranks to other ranks' devices: by
 * shelves where there are some, else as messages. */
#ifndef WEFT_DISTRIBUTED_CARRY_H
#define WEFT_DISTRIBUTED_CARRY_H

#include "distributed/table/table.h"

/* What is sent twice: to where it visits, and to where it is a copy. */
enum { CARRY_VISITS, CARRY_COPIES, CARRY_WAYS };

struct carry {
    struct comm *comm;
    weft_device *device;
    struct comm_shelves *shelves; /* NULL: none */
    int ways;                     /* without copies 1, on all ranks */
    struct route route[CARRY_WAYS];
    int64_t *count; /* [size][CARRY_WAYS][size] rows of all ranks' lists; shelves */
    int64_t most, most_back; /* rows of the longest list of a rank, out and back; shelves */
};

/* What this rank's list has for each way and rank; `count` is taken over: [ways][size].
 * False after a failure. Free it in each case. */
bool carry_find(struct carry *carry, int64_t *count);
void carry_free(struct carry *carry);

/* Rows of `list`, of so many numbers each, to the ranks whose they are, those of one way
 * behind those of the other, and rank after rank in each; they come so, too.
 *   came   [ways] rows of each */
bool carry_out(struct carry *carry, int64_t numbers, weft_array list,
               const weft_array *came);

/* Rows for those that visited, in the order in which they came, to the ranks that have
 * them, in the order in which they were sent. */
bool carry_back(struct carry *carry, int64_t numbers, weft_array list, weft_array came);

#endif
