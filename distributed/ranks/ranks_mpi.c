#include "launcher.h"
#include "packing.h"
#include "ranks.h"
#include "shared.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_COUNT = 1, TAG_ROWS };

static struct {
    int rank, size, local, together;
    MPI_Request *counts; /* [size]: of ranks_count, which no rank can leave */
} world = {0, 1, 0, 1, NULL};

/* Whether a launcher that MPI may know told this process its rank. */
static bool is_launched(void) {
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
    bool told = false;
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k)
        told = told || getenv(names[k]) != NULL;
    return told;
}

/* Each of them would do all of the work, and write the same files. */
static bool is_no_copy(struct io_error *error) {
    const struct launcher launcher = launcher_find();
    return launcher.variable == NULL ||
           io_fail(error,
                   "the launcher started %d of this command (%s), but by MPI they do not "
                   "know each other: start them with the mpirun of the Open MPI that weft "
                   "was built with, or let each work alone with --no-mpi",
                   launcher.size, launcher.variable);
}

static bool is_open(void) {
    int started, ended;
    MPI_Initialized(&started);
    MPI_Finalized(&ended);
    return started && !ended;
}

static void forget(void) {
    free(world.counts);
    world.counts = NULL;
}

/* False, on all ranks, where one has no memory. */
static bool look_around(void) {
    MPI_Comm machine;
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world.size);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &world.local);
    MPI_Comm_size(machine, &world.together);
    world.counts = malloc((size_t)world.size * sizeof *world.counts);
    return shared_open(machine, world.counts != NULL);
}

bool ranks_open(int *rank, int *size, int *local, int *together, struct io_error *error) {
    *rank = *local = 0;
    *size = *together = 1;
    if (!is_launched()) /* MPI takes a while to start */
        return is_no_copy(error);
    int threads;
    if (!is_open() &&
        MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &threads) != MPI_SUCCESS)
        return io_fail(error, "MPI does not start");
    if (world.counts == NULL && !look_around()) {
        forget();
        return io_fail(error, "out of memory: what the ranks know of each other");
    }
    *rank = world.rank;
    *size = world.size;
    *local = world.local;
    *together = world.together;
    return world.size > 1 || is_no_copy(error);
}

void ranks_close(void) {
    if (!is_open())
        return;
    shared_close();
    forget();
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

/* Bytes a message, which MPI counts with an int; and messages under way from here. */
enum { MESSAGE = 1 << 24, UNDER_WAY = 4 };

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

void ranks_broadcast(int root, void *data, int64_t bytes) {
    for (int64_t done = 0; done < bytes; done += MESSAGE)
        MPI_Bcast((char *)data + done, (int)least(bytes - done, MESSAGE), MPI_BYTE, root,
                  MPI_COMM_WORLD);
}

/* Hoefler, Siebert and Lumsdaine, "Scalable communication protocols for dynamic sparse data
 * exchange", 2010: a synchronous send ends once it is received, so that a rank whose sends
 * have ended may enter a barrier that does not wait, and all is received when all have. */
void ranks_count(const int64_t *to, int64_t *from) {
    MPI_Request *sends = world.counts, barrier;
    int n = 0, done = 0, sent = 0, there;
    MPI_Status status;
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
}

/* Rows between this rank and others travel as messages, but for those that went through
 * memory already. */
struct messages {
    int threads;
    size_t row_bytes;
    int64_t most; /* rows of a message */
    bool shared;
};

static bool is_told(const struct messages *messages, int r) {
    return r != world.rank && !(messages->shared && shared_has(r));
}

static int64_t sum(const struct messages *messages, const int64_t *rows) {
    int64_t all = 0;
    for (int r = 0; r < world.size; ++r)
        all += is_told(messages, r) ? rows[r] : 0;
    return all;
}

/* Of all that are under way at once, those that went through memory included. */
static int64_t most_requests(const struct messages *m, struct ranks_rows to,
                             struct ranks_rows from) {
    const struct messages all = {.row_bytes = m->row_bytes, .most = m->most};
    return (sum(&all, from.n) + sum(&all, to.n)) / m->most + 2 * world.size;
}

void *ranks_room(size_t row_bytes, bool packed, struct ranks_rows to,
                 struct ranks_rows from) {
    const struct messages m = {.row_bytes = row_bytes,
                               .most = MESSAGE / (int64_t)row_bytes};
    const size_t message = packed ? (size_t)least(m.most, sum(&m, to.n)) * row_bytes : 0;
    return malloc((size_t)most_requests(&m, to, from) * sizeof(MPI_Request) +
                  UNDER_WAY * message);
}

/* Messages that are waited for, each into its place; returns how many. */
static int expect(const struct messages *m, struct ranks_rows from, char *receive,
                  MPI_Request *requests) {
    int n = 0;
    for (int r = 0; r < world.size; ++r) {
        char *place = receive + (size_t)from.first[r] * m->row_bytes;
        for (int64_t k = 0; is_told(m, r) && k < from.n[r]; k += m->most)
            MPI_Irecv(place + (size_t)k * m->row_bytes,
                      (int)(least(from.n[r] - k, m->most) * (int64_t)m->row_bytes),
                      MPI_BYTE, r, TAG_ROWS, MPI_COMM_WORLD, &requests[n++]);
    }
    return n;
}

/* Rank r begins with r + 1, so that not all send to the same at once. */
static void send(const struct messages *m, comm_pack *pack, const void *context,
                 struct ranks_rows to, char *rows) {
    MPI_Request under_way[UNDER_WAY];
    const int64_t room = least(m->most, sum(m, to.n)) * (int64_t)m->row_bytes;
    int slot = 0;
    for (int k = 0; k < UNDER_WAY; ++k)
        under_way[k] = MPI_REQUEST_NULL;
    for (int ahead = 1; ahead < world.size; ++ahead) {
        const int r = (world.rank + ahead) % world.size;
        for (int64_t k = 0; is_told(m, r) && k < to.n[r];
             k += m->most, slot = (slot + 1) % UNDER_WAY) {
            const int64_t n = least(to.n[r] - k, m->most);
            char *out = rows + slot * room;
            MPI_Wait(&under_way[slot], MPI_STATUS_IGNORE);
            packing_run(m->threads, pack, context, to.first[r] + k, n, m->row_bytes, out);
            MPI_Isend(out, (int)(n * (int64_t)m->row_bytes), MPI_BYTE, r, TAG_ROWS,
                      MPI_COMM_WORLD, &under_way[slot]);
        }
    }
    MPI_Waitall(UNDER_WAY, under_way, MPI_STATUSES_IGNORE);
}

/* Rows that lie in memory go from there; returns how many messages are under way. */
static int send_rows(const struct messages *m, const char *rows, struct ranks_rows to,
                     MPI_Request *requests) {
    int n = 0;
    for (int ahead = 1; ahead < world.size; ++ahead) {
        const int r = (world.rank + ahead) % world.size;
        const char *place = rows + (size_t)to.first[r] * m->row_bytes;
        for (int64_t k = 0; is_told(m, r) && k < to.n[r]; k += m->most)
            MPI_Isend(place + (size_t)k * m->row_bytes,
                      (int)(least(to.n[r] - k, m->most) * (int64_t)m->row_bytes), MPI_BYTE,
                      r, TAG_ROWS, MPI_COMM_WORLD, &requests[n++]);
    }
    return n;
}

void ranks_move(int threads, size_t row_bytes, comm_pack *pack, const void *context,
                struct ranks_rows to, void *receive, struct ranks_rows from, void *room) {
    const struct messages messages = {
        .threads = threads,
        .row_bytes = row_bytes,
        .most = MESSAGE / (int64_t)row_bytes,
        .shared = shared_move(threads, row_bytes, pack, context, to, receive, from)};
    MPI_Request *requests = room;
    int n = expect(&messages, from, receive, requests);
    if (pack)
        send(&messages, pack, context, to,
             (char *)(requests + most_requests(&messages, to, from)));
    else
        n += send_rows(&messages, context, to, requests + n);
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
}
