/* Rows between the ranks of one machine, through memory that they share: all threads of a
 * rank put rows there, and all threads of the others take them. (MPI's messages between two
 * processes are copied by one thread of each.) */
#ifndef WEFT_DISTRIBUTED_SHARED_H
#define WEFT_DISTRIBUTED_SHARED_H

#include "ranks.h"

#include <mpi.h>
#include <stdatomic.h>

/* The ranks of a machine; `machine` is taken over. Free it before MPI ends. False, on all
 * ranks of the world, where one of them has no memory or is not well: it is closed then. */
bool shared_open(MPI_Comm machine, bool well);
void shared_close(void);

/* Whether this rank shares memory with rank r; rows for the others travel as messages. */
bool shared_has(int r);

/* As ranks_move, of ranks that shared_has names. Called by all of the machine; false, on
 * all of them, where messages do as well: few rows, ranks of one thread each, rows larger
 * than the memory, or none of it. Memory: 32 MiB a rank, from the first call that takes
 * any. */
bool shared_move(int threads, size_t row_bytes, comm_pack *pack, const void *context,
                 struct ranks_rows to, void *receive, struct ranks_rows from);

/* The memory of the ranks of a machine, 32 MiB each, and where each tells each other how
 * many slots it filled for it, and took of it, since the memory is there. */
struct shared_memory {
    int n, me;
    char **memory; /* [n] */
};

/* Whether all ranks are on one machine. */
bool shared_by_all(void);

/* Called by all ranks of the machine; NULL, on all of them, where there is none. */
const struct shared_memory *shared_memory(void);

typedef _Atomic uint64_t shared_count;
shared_count *shared_filled(const struct shared_memory *memory, int from, int to);
shared_count *shared_taken(const struct shared_memory *memory, int to, int from);

/* One of so many slots that each rank has for each other, and its size. */
char *shared_slot(const struct shared_memory *memory, int from, int to, int slot,
                  int slots);
size_t shared_slot_bytes(const struct shared_memory *memory, int slots);

#endif
