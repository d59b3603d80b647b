/* A column's rows between ranks that all share one machine's memory: each goes on as soon
 * as there is a place for what it has, or something for it, and waits for no others. */
#ifndef WEFT_DISTRIBUTED_FLOW_H
#define WEFT_DISTRIBUTED_FLOW_H

#include "comm.h"

/* The block that a rank sends in a turn. Ranks begin at different ones: inputs may be
 * sorted in space, so that neighbours go to one rank. */
static inline int flow_block(int rank, int turn, int blocks, int ranks) {
    return (turn + (int)((int64_t)rank * blocks / ranks)) % blocks;
}

/* Rows to send lie block after block, in it rank after rank. */
struct flow {
    int blocks;
    const int64_t *to;   /* [blocks][ranks]: how many of each block go to each rank */
    const int64_t *came; /* [ranks][blocks]: how many of each block of each come here */
    const int64_t *from_first; /* [ranks]: where those of each rank begin here */

    /* Called by one thread, with `user`: before rows [first, first + n) are written here,
     * false where they cannot be; and once all rows of a block are gone. */
    bool (*comes)(void *user, int64_t first, int64_t n);
    void (*gone)(void *user, int block);

    /* Called by several threads: puts rows [first, first + n) of a rank, as they were
     * packed, in 8 bytes or fewer each, where they stay. NULL: they are copied. */
    void (*land)(void *user, int from, const void *rows, int64_t first, int64_t n);
    void *user;
};

/* Whether rows can flow: the same on all ranks. Asked by all of them, and only before a
 * flow; a column has so many rows of so many bytes. */
bool flow_opens(int threads, int64_t rows, size_t row_bytes);

/* The memory that flow_run takes: before the first rank sends, as none can leave the others
 * in it. */
size_t flow_room(int blocks, int ranks);

/* Sends the rows that `pack` puts into memory, and receives, this rank's own among them.
 * False where `comes` was, once all others have what they wait for. */
bool flow_run(int threads, size_t row_bytes, comm_pack *pack, const void *context,
              const struct flow *flow, char *receive, void *room);

#endif
