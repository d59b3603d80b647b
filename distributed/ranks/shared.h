/* Rows between the ranks of one machine, through memory that they share: all threads of a
 * rank put rows there, and all threads of the others take them. (MPI's messages between two
 * processes are copied by one thread of each.) */
#ifndef WEFT_DISTRIBUTED_SHARED_H
#define WEFT_DISTRIBUTED_SHARED_H

#include "ranks.h"

#include <mpi.h>

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

#endif
