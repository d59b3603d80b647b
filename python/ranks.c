/* Ranks by functions of Python, which has the communicator: in the place of MPI here, so
 * that any MPI serves that mpi4py was built with, and none is loaded where nobody asks for
 * it. */
#include "distributed/ranks/packing.h"
#include "distributed/ranks/ranks.h"
#include "glue.h"

#include <stdlib.h>

static const struct weft_python_ranks *joined;

void weft_python_join(const struct weft_python_ranks *ranks) {
    joined = ranks;
}

bool ranks_open(int *rank, int *size, int *local, int *together, struct io_error *error) {
    (void)error;
    *rank = joined ? joined->rank : 0;
    *size = joined ? joined->size : 1;
    *local = joined ? joined->local : 0;
    *together = joined ? joined->together : 1;
    return true;
}

void ranks_close(void) {
}

void ranks_reduce_i64(int64_t *values, int n, enum comm_operation operation) {
    joined->reduce(values, n, 0, (int)operation);
}

void ranks_reduce_f64(double *values, int n, enum comm_operation operation) {
    joined->reduce(values, n, 1, (int)operation);
}

void ranks_share(const void *mine, size_t bytes, void *all) {
    joined->share(mine, (int64_t)bytes, all);
}

enum { MESSAGE = 1 << 24 };

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

void ranks_broadcast(int root, void *data, int64_t bytes) {
    for (int64_t done = 0; done < bytes; done += MESSAGE)
        joined->broadcast(root, (char *)data + done, least(bytes - done, MESSAGE));
}

void ranks_count(const int64_t *to, int64_t *from) {
    joined->count(to, from);
}

/* Messages have theirs from the start on. */
void *ranks_room(size_t row_bytes, bool packed, struct ranks_rows to,
                 struct ranks_rows from) {
    (void)row_bytes, (void)packed, (void)to, (void)from;
    return malloc(1);
}

/* In each round a rank sends to one and receives of one other, as many messages as the
 * longer of the two has; rank -1 is nobody. */
void ranks_move(int threads, size_t row_bytes, comm_pack *pack, const void *context,
                struct ranks_rows to, void *receive, struct ranks_rows from, void *room) {
    (void)room;
    const int64_t width = (int64_t)row_bytes, most = MESSAGE / width;
    char *rows = joined->message;
    for (int ahead = 1; ahead < joined->size; ++ahead) {
        const int there = (joined->rank + ahead) % joined->size;
        const int here = (joined->rank - ahead + joined->size) % joined->size;
        for (int64_t k = 0; k < to.n[there] || k < from.n[here]; k += most) {
            const int64_t out = k < to.n[there] ? least(to.n[there] - k, most) : 0;
            const int64_t in = k < from.n[here] ? least(from.n[here] - k, most) : 0;
            if (out > 0)
                packing_run(threads, pack, context, to.first[there] + k, out, row_bytes,
                            rows);
            joined->exchange(out > 0 ? there : -1, rows, out * width, in > 0 ? here : -1,
                             (char *)receive + (from.first[here] + k) * width, in * width);
        }
    }
}
