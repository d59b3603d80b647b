#include "ranks.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_COUNT = 1, TAG_ROWS };

static struct { int rank, size; } world = {0, 1};

/* What launchers tell a process: its rank. NULL: nobody launched several. */
static const char *told_rank(void) {
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
    const char *rank = NULL;
    for (size_t k = 0; rank == NULL && k < sizeof names / sizeof *names; ++k)
        rank = getenv(names[k]);
    return rank;
}

bool ranks_speaks(void) {
    return told_rank() == NULL || atoi(told_rank()) == 0;
}

bool ranks_open(int *rank, int *size, int *local, struct io_error *error) {
    *rank = *local = 0;
    *size = 1;
    if (told_rank() == NULL) /* MPI takes a while to start */
        return true;
    int threads;
    MPI_Comm machine;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &threads) != MPI_SUCCESS)
        return io_fail(error, "MPI does not start");
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world.size);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, local);
    MPI_Comm_free(&machine);
    *rank = world.rank;
    *size = world.size;
    return true;
}

void ranks_close(void) {
    int started;
    MPI_Initialized(&started);
    if (started)
        MPI_Finalize();
}

static MPI_Op operation_of(enum comm_operation operation) {
    return operation == COMM_SUM ? MPI_SUM : operation == COMM_MIN ? MPI_MIN : MPI_MAX;
}

void ranks_reduce_i64(int64_t *values, int n, enum comm_operation operation) {
    MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_INT64_T, operation_of(operation),
                  MPI_COMM_WORLD);
}

void ranks_reduce_f64(double *values, int n, enum comm_operation operation) {
    MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_DOUBLE, operation_of(operation),
                  MPI_COMM_WORLD);
}

void ranks_share(const void *mine, size_t bytes, void *all) {
    MPI_Allgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, MPI_COMM_WORLD);
}

/* Hoefler, Siebert and Lumsdaine, "Scalable communication protocols for dynamic sparse data
 * exchange", 2010: a synchronous send ends once it is received, so that a rank whose sends
 * have ended may enter a barrier that does not wait, and all is received when all have. */
void ranks_count(const int64_t *to, int64_t *from) {
    MPI_Request *sends = malloc((size_t)world.size * sizeof *sends), barrier;
    int n = 0, done = 0, sent = 0, there;
    MPI_Status status;
    if (sends == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    memset(from, 0, (size_t)world.size * sizeof *from);
    for (int r = 0; r < world.size; ++r) {
        if (to[r] > 0 && r != world.rank)
            MPI_Issend(&to[r], 1, MPI_INT64_T, r, TAG_COUNT, MPI_COMM_WORLD, &sends[n++]);
    }
    from[world.rank] = to[world.rank];
    while (!done) {
        MPI_Iprobe(MPI_ANY_SOURCE, TAG_COUNT, MPI_COMM_WORLD, &there, &status);
        if (there)
            MPI_Recv(&from[status.MPI_SOURCE], 1, MPI_INT64_T, status.MPI_SOURCE, TAG_COUNT,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (sent) {
            MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
        } else {
            MPI_Testall(n, sends, &sent, MPI_STATUSES_IGNORE);
            if (sent)
                MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
        }
    }
    free(sends);
}

/* Rows a message: MPI counts bytes with an int. */
static int64_t most_rows(size_t row_bytes) {
    return ((int64_t)1 << 30) / (int64_t)row_bytes;
}

static int64_t messages(const int64_t *rows, int64_t most) {
    int64_t n = 0;
    for (int r = 0; r < world.size; ++r)
        n += (rows[r] + most - 1) / most;
    return n;
}

void ranks_move(size_t row_bytes, const void *send, const int64_t *to, void *receive,
                const int64_t *from) {
    const int64_t most = most_rows(row_bytes);
    const int64_t room = messages(to, most) + messages(from, most);
    MPI_Request *requests = malloc((size_t)(room + 1) * sizeof *requests);
    const char *out = send;
    char *in = receive, *own = in;
    int n = 0;
    if (requests == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int r = 0; r < world.size; ++r) {
        for (int64_t k = 0; r != world.rank && k < from[r]; k += most) {
            const int64_t rows = from[r] - k < most ? from[r] - k : most;
            MPI_Irecv(in + (size_t)k * row_bytes, (int)(rows * (int64_t)row_bytes),
                      MPI_BYTE, r, TAG_ROWS, MPI_COMM_WORLD, &requests[n++]);
        }
        if (r == world.rank)
            own = in;
        in += (size_t)from[r] * row_bytes;
    }
    for (int r = 0; r < world.size; ++r) {
        for (int64_t k = 0; r != world.rank && k < to[r]; k += most) {
            const int64_t rows = to[r] - k < most ? to[r] - k : most;
            MPI_Isend(out + (size_t)k * row_bytes, (int)(rows * (int64_t)row_bytes),
                      MPI_BYTE, r, TAG_ROWS, MPI_COMM_WORLD, &requests[n++]);
        }
        if (r == world.rank && to[r] > 0)
            memcpy(own, out, (size_t)to[r] * row_bytes);
        out += (size_t)to[r] * row_bytes;
    }
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
    free(requests);
}
