/* The few things that ranks ask of the machine between them. ranks_mpi.c gives them by MPI;
 * ranks_alone.c takes its place in a build without it, where no process has others. Called
 * by comm.c alone, and only where there are several ranks; failures of MPI itself end all
 * ranks at once. */
#ifndef WEFT_DISTRIBUTED_RANKS_H
#define WEFT_DISTRIBUTED_RANKS_H

#include "comm.h"

/* Joins the others that a launcher started with this process; rank 0 of 1 where there was
 * none. Of the `together` ranks of this machine it is number `local`. May be called again.
 * Errors: the launcher started several, which do not find each other. */
bool ranks_open(int *rank, int *size, int *local, int *together, struct io_error *error);
void ranks_close(void);

/* Over all ranks, element by element; the result is on every rank. */
void ranks_reduce_i64(int64_t *values, int n, enum comm_operation operation);
void ranks_reduce_f64(double *values, int n, enum comm_operation operation);

/* The same number of bytes of every rank, on every rank. */
void ranks_share(const void *mine, size_t bytes, void *all);

/* What rank `root` has, on every rank. */
void ranks_broadcast(int root, void *data, int64_t bytes);

/* Tells each rank what will be sent to it: from[r] is what rank r has in to[rank]. Only
 * ranks that have something for each other talk. */
void ranks_count(const int64_t *to, int64_t *from);

/* Where all ranks are on one machine, memory of each that all reach; false where not, on
 * all of them. What was written there before ranks_settle others see after theirs, and
 * after a call between them in which all take part. */
bool ranks_shelves(int threads, struct comm_shelves *shelves);
void ranks_settle(void);

/* Rows for, or of, each rank: how many, and where they begin among all. */
struct ranks_rows {
    const int64_t *n, *first; /* [size] */
};

/* The memory that ranks_move takes, for free(): before the first of the ranks sends, as
 * none can leave the others in it. NULL: there is none. */
void *ranks_room(size_t row_bytes, bool packed, struct ranks_rows to,
                 struct ranks_rows from);

/* Sends rows to each other rank, and receives rows of each. Asks `pack` for some rows at a
 * time, from `threads` threads; NULL: they lie at `context`. */
void ranks_move(int threads, size_t row_bytes, comm_pack *pack, const void *context,
                struct ranks_rows to, void *receive, struct ranks_rows from, void *room);

#endif
