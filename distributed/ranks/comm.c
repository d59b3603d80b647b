#include "comm.h"
#include "flow.h"
#include "packing.h"
#include "ranks.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool alone;     /* whatever a launcher says */
static double joining; /* seconds that it took the first time */

void comm_stay_alone(void) {
    alone = true;
}

/* A process's share of the processors, where so many run on the machine: they may share
 * those that one may run on, or each have some to itself. */
static int share(int processes) {
    cpu_set_t sets[8]; /* 8192 processors, Linux's largest number */
    const long here = sysconf(_SC_NPROCESSORS_ONLN) / processes;
    const int mine =
        sched_getaffinity(0, sizeof sets, sets) == 0 ? CPU_COUNT_S(sizeof sets, sets) : 1;
    const int fair = here < mine ? (int)here : mine;
    return fair > 1 ? fair : 1;
}

bool comm_open(struct comm *comm) {
    *comm = (struct comm){.size = 1, .culprit = -1, .mark = now()};
    int together = 1;
    const bool joined = alone || ranks_open(&comm->rank, &comm->size, &comm->local,
                                            &together, &comm->error);
    comm->threads = share(together);
    comm_end(comm, COMM_START);
    comm->seconds[COMM_START] = joining += comm->seconds[COMM_START];
    return joined;
}

void comm_close(void) {
    ranks_close();
}

void comm_end(struct comm *comm, enum comm_stage stage) {
    const double moment = now();
    comm->seconds[stage] += moment - comm->mark;
    comm->sent[stage] += comm->unmarked;
    comm->mark = moment;
    comm->unmarked = 0;
}

bool comm_fail(struct comm *comm, int status) {
    if (comm->trouble == 0)
        comm->trouble = status;
    return false;
}

bool comm_agree(struct comm *comm) {
    enum { STATUSES = 256 };
    int64_t first = comm->trouble ? (int64_t)comm->rank * STATUSES + comm->trouble
                                  : (int64_t)comm->size * STATUSES;
    if (comm->culprit >= 0)
        return false;
    if (comm->size > 1)
        ranks_reduce_i64(&first, 1, COMM_MIN);
    if (first == (int64_t)comm->size * STATUSES)
        return true;
    comm->culprit = (int)(first / STATUSES);
    comm->status = (int)(first % STATUSES);
    return false;
}

bool comm_reduce_i64(struct comm *comm, int64_t *values, int n,
                     enum comm_operation operation) {
    const bool well = comm_agree(comm);
    if (well && comm->size > 1)
        ranks_reduce_i64(values, n, operation);
    return well;
}

bool comm_reduce_f64(struct comm *comm, double *values, int n,
                     enum comm_operation operation) {
    const bool well = comm_agree(comm);
    if (well && comm->size > 1)
        ranks_reduce_f64(values, n, operation);
    return well;
}

bool comm_share(struct comm *comm, const void *mine, size_t bytes, void *all) {
    const bool well = comm_agree(comm);
    if (well && comm->size > 1)
        ranks_share(mine, bytes, all);
    else if (well)
        memcpy(all, mine, bytes);
    return well;
}

bool comm_broadcast(struct comm *comm, int root, void *data, int64_t bytes) {
    const bool well = comm_agree(comm);
    if (well && comm->size > 1)
        ranks_broadcast(root, data, bytes);
    if (comm->rank == root)
        comm->unmarked += bytes * (comm->size - 1);
    return well;
}

void *comm_allocate(struct comm *comm, int64_t count, size_t bytes_each, const char *what) {
    void *memory = io_allocate(count, bytes_each, what, &comm->error);
    if (memory == NULL)
        comm_fail(comm, 1);
    return memory;
}

/* Where the rows of each rank begin; returns how many there are. */
static int64_t add_up(const int64_t *rows, int ranks, int64_t *first) {
    int64_t sum = 0;
    for (int r = 0; r < ranks; ++r) {
        first[r] = sum;
        sum += rows[r];
    }
    return sum;
}

bool route_find(struct comm *comm, int64_t *to, struct route *route) {
    *route = (struct route){.to = to};
    route->from = comm_allocate(comm, comm->size, 3 * sizeof *route->from, "ranks");
    if (!comm_agree(comm))
        return false;
    if (comm->size > 1)
        ranks_count(route->to, route->from);
    else
        route->from[0] = route->to[0];
    route->to_first = route->from + comm->size;
    route->from_first = route->to_first + comm->size;
    route->n_to = add_up(route->to, comm->size, route->to_first);
    route->n_from = add_up(route->from, comm->size, route->from_first);
    return true;
}

void route_free(struct route *route) {
    free(route->to);
    free(route->from);
    *route = (struct route){0};
}

/* Without `pack` rows lie at `context`. */
static bool move(struct comm *comm, size_t row_bytes, comm_pack *pack, const void *context,
                 struct ranks_rows to, void *receive, struct ranks_rows from) {
    const int me = comm->rank;
    void *room = NULL;
    if (comm->size > 1 && comm->culprit < 0 && comm->trouble == 0) {
        room = ranks_room(row_bytes, pack != NULL, to, from);
        if (room == NULL) {
            io_fail(&comm->error, "no memory for messages between ranks");
            comm_fail(comm, 1);
        }
    }
    const bool well = comm_agree(comm);
    if (well && comm->size > 1)
        ranks_move(comm->threads, row_bytes, pack, context, to, receive, from, room);
    free(room);
    if (!well)
        return false;
    packing_run(comm->threads, pack, context, to.first[me], to.n[me], row_bytes,
                (char *)receive + (size_t)from.first[me] * row_bytes);
    for (int r = 0; r < comm->size; ++r)
        comm->unmarked += r == me ? 0 : to.n[r] * (int64_t)row_bytes;
    return true;
}

static struct ranks_rows out(const struct route *route) {
    return (struct ranks_rows){route->to, route->to_first};
}

static struct ranks_rows in(const struct route *route) {
    return (struct ranks_rows){route->from, route->from_first};
}

bool route_send_packed(struct comm *comm, const struct route *route, size_t row_bytes,
                       comm_pack *pack, const void *context, void *receive) {
    return move(comm, row_bytes, pack, context, out(route), receive, in(route));
}

bool route_send(struct comm *comm, const struct route *route, size_t row_bytes,
                const void *send, void *receive) {
    return move(comm, row_bytes, NULL, send, out(route), receive, in(route));
}

bool route_send_back(struct comm *comm, const struct route *route, size_t row_bytes,
                     const void *send, void *receive) {
    return move(comm, row_bytes, NULL, send, in(route), receive, out(route));
}

bool comm_shelves(struct comm *comm, struct comm_shelves *shelves) {
    return comm_agree(comm) && comm->size > 1 && ranks_shelves(comm->threads, shelves);
}

char *comm_shelf(const struct comm_shelves *shelves, int rank) {
    return shelves->of[rank] + (size_t)shelves->turn * shelves->bytes;
}

char *comm_laid_shelf(const struct comm_shelves *shelves, int rank) {
    return shelves->of[rank] + (size_t)(1 - shelves->turn) * shelves->bytes;
}

bool comm_laid(struct comm *comm, struct comm_shelves *shelves, weft_device *device,
               int64_t bytes) {
    if (weft_synchronize(device) != WEFT_OK) {
        io_fail(&comm->error, "%s", weft_error(device));
        comm_fail(comm, 1);
    }
    ranks_settle();
    const bool well = comm_agree(comm);
    ranks_settle();
    shelves->turn = 1 - shelves->turn;
    comm->unmarked += bytes;
    return well;
}

bool comm_flows(struct comm *comm, int64_t rows, size_t row_bytes) {
    return comm_agree(comm) && comm->size > 1 && flow_opens(comm->threads, rows, row_bytes);
}

bool comm_flow(struct comm *comm, const struct flow *flow, size_t row_bytes,
               comm_pack *pack, const void *context, void *receive) {
    const size_t bytes = flow_room(flow->blocks, comm->size);
    void *room = comm_allocate(comm, 1, bytes, "rows on their way");
    bool well = comm_agree(comm);
    if (well && !flow_run(comm->threads, row_bytes, pack, context, flow, receive, room)) {
        io_fail(&comm->error, "no memory for rows to receive");
        well = comm_fail(comm, 1);
    }
    free(room);
    for (int64_t k = 0; k < (int64_t)flow->blocks * comm->size; ++k)
        comm->unmarked +=
            k % comm->size == comm->rank ? 0 : flow->to[k] * (int64_t)row_bytes;
    return well;
}
