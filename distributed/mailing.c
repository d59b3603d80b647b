/* Rows of columns on their way between ranks. */
#include "table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

bool mailing_plan(struct comm *comm, int64_t n, parts_rule *rule, const void *context,
                  struct mailing *mailing) {
    int64_t *to;
    parts_list(comm, n, comm->size, rule, context, &mailing->row, &to);
    return route_find(comm, to, &mailing->route);
}

void mailing_free(struct mailing *mailing) {
    free(mailing->row);
    route_free(&mailing->route);
    mailing->row = NULL;
}

struct letters {
    int threads;
    const void *column;
    size_t bytes;
    const uint32_t *row;
};

static void pack(const void *context, int64_t first, int64_t n, void *out) {
    const struct letters *letters = context;
    table_gather(letters->threads, letters->column, letters->bytes, letters->row + first, n,
                 out);
}

void *mailing_send(struct comm *comm, const struct mailing *mailing, size_t row_bytes,
                   const void *column) {
    const struct letters letters = {comm->threads, column, row_bytes, mailing->row};
    void *receive =
        comm_allocate(comm, mailing->route.n_from, row_bytes, "rows to receive");
    if (route_send_packed(comm, &mailing->route, row_bytes, pack, &letters, receive))
        return receive;
    free(receive);
    return NULL;
}

/* Returns pages of memory that is not read any more to the system. */
static void give_up(char *begin, char *end) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t low = ((uintptr_t)begin + page - 1) / page * page;
    const uintptr_t high = (uintptr_t)end / page * page;
    if (low < high)
        madvise((void *)low, high - low, MADV_DONTNEED);
}

/* What realloc does, which would have both at once. */
static void move_bytes(char *to, char *from, size_t bytes) {
    enum { STEP = 1 << 22 };
    for (size_t k = 0; k < bytes; k += STEP) {
        const size_t n = bytes - k < STEP ? bytes - k : STEP;
        memcpy(to + k, from + k, n);
        give_up(from + k, from + k + n);
    }
}

bool table_append(struct comm *comm, struct table *table, int column,
                  const struct mailing *mailing) {
    const size_t bytes = table->bytes[column];
    const int64_t more = mailing->route.n_from;
    char *came = mailing_send(comm, mailing, bytes, table->column[column]);
    char *longer =
        came ? comm_allocate(comm, table->n + more, bytes, "rows to receive") : NULL;
    if (longer) {
        move_bytes(longer, table->column[column], (size_t)table->n * bytes);
        memcpy(longer + (size_t)table->n * bytes, came, (size_t)more * bytes);
        free(table->column[column]);
        table->column[column] = longer;
    }
    free(came);
    return longer != NULL;
}

/* The rows of a table, in even blocks: a block's are sent together. */
enum { BLOCKS = 32, SMALL = 1 << 12 };

struct blocks {
    int n;                      /* the same on all ranks */
    struct route route[BLOCKS]; /* of each rank's block of that number */
    int64_t *from, *from_first; /* [ranks]: of those that come in one round */
};

static int64_t block_end(const struct blocks *blocks, int b, int64_t n) {
    return n / blocks->n * (b + 1) + (b + 1 == blocks->n ? n % blocks->n : 0);
}

/* How many of `n` rows, which ascend, come before `end`. */
static int64_t count_before(const uint32_t *row, int64_t n, int64_t end) {
    int64_t low = 0, high = n;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (row[middle] < end)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A block goes on where the one before it ends. */
static bool plan_block(struct comm *comm, int64_t end, const struct mailing *mailing,
                       struct route *route, const struct route *before) {
    const struct route *all = &mailing->route;
    int64_t *to = comm_allocate(comm, comm->size, sizeof *to, "ranks");
    for (int r = 0; to && r < comm->size; ++r) {
        const int64_t first =
            before ? before->to_first[r] + before->to[r] : all->to_first[r];
        to[r] =
            count_before(mailing->row + first, all->to_first[r] + all->to[r] - first, end);
    }
    if (!route_find(comm, to, route))
        return false;
    for (int r = 0; r < comm->size; ++r) {
        route->to_first[r] =
            before ? before->to_first[r] + before->to[r] : all->to_first[r];
        route->from_first[r] =
            before ? before->from_first[r] + before->from[r] : all->from_first[r];
    }
    return true;
}

static bool plan_blocks(struct comm *comm, int64_t n, const struct mailing *mailing,
                        struct blocks *blocks) {
    int64_t most = n;
    bool well = comm_reduce_i64(comm, &most, 1, COMM_MAX);
    *blocks = (struct blocks){.n = most < (int64_t)BLOCKS * SMALL ? 1 : BLOCKS};
    blocks->from = comm_allocate(comm, comm->size, sizeof *blocks->from, "ranks");
    blocks->from_first =
        comm_allocate(comm, comm->size, sizeof *blocks->from_first, "ranks");
    for (int b = 0; well && b < blocks->n; ++b)
        well = plan_block(comm, block_end(blocks, b, n), mailing, &blocks->route[b],
                          b > 0 ? &blocks->route[b - 1] : NULL);
    return well;
}

static void free_blocks(struct blocks *blocks) {
    for (int b = 0; b < blocks->n; ++b)
        route_free(&blocks->route[b]);
    free(blocks->from);
    free(blocks->from_first);
}

/* The block that a rank sends in a round. Ranks begin at different ones: inputs may be
 * sorted in space, so that neighbours go to one rank. */
static int block_of(const struct blocks *blocks, const struct comm *comm, int rank,
                    int round) {
    return (round + (int)((int64_t)rank * blocks->n / comm->size)) % blocks->n;
}

static struct route round_of(const struct blocks *blocks, const struct comm *comm,
                             int round) {
    struct route route = blocks->route[block_of(blocks, comm, comm->rank, round)];
    for (int r = 0; r < comm->size; ++r) {
        const struct route *theirs = &blocks->route[block_of(blocks, comm, r, round)];
        blocks->from[r] = theirs->from[r];
        blocks->from_first[r] = theirs->from_first[r];
    }
    route.from = blocks->from;
    route.from_first = blocks->from_first;
    return route;
}

static void *send_in_rounds(struct comm *comm, const struct blocks *blocks,
                            const struct mailing *mailing, size_t bytes, char *column,
                            int64_t n) {
    const struct letters letters = {comm->threads, column, bytes, mailing->row};
    char *receive = comm_allocate(comm, mailing->route.n_from, bytes, "rows to receive");
    bool well = true;
    for (int k = 0; well && k < blocks->n; ++k) {
        const int b = block_of(blocks, comm, comm->rank, k);
        const struct route route = round_of(blocks, comm, k);
        const int64_t begin = b > 0 ? block_end(blocks, b - 1, n) : 0;
        well = route_send_packed(comm, &route, bytes, pack, &letters, receive);
        if (well)
            give_up(column + (size_t)begin * bytes,
                    column + (size_t)block_end(blocks, b, n) * bytes);
    }
    if (well)
        return receive;
    free(receive);
    return NULL;
}

bool table_send(struct comm *comm, struct table *table, const struct mailing *mailing) {
    struct blocks blocks;
    bool well = plan_blocks(comm, table->n, mailing, &blocks);
    for (int c = 0; well && c < TABLE_COLUMNS; ++c) {
        if (table->bytes[c] == 0)
            continue;
        void *received = send_in_rounds(comm, &blocks, mailing, table->bytes[c],
                                        table->column[c], table->n);
        free(table->column[c]);
        table->column[c] = received;
        well = received != NULL;
    }
    free_blocks(&blocks);
    table->n = mailing->route.n_from;
    return well;
}
