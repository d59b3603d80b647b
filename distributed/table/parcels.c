/* All rows of a table on their way to other ranks, a block at a time. */
#include "io/crew/crew.h"
#include "pages.h"
#include "table.h"

#include <stdlib.h>
#include <weft/lazy.h>
#include <weft/search.h>
#include <weft/sort.h>
#include <weft/transform.h>

/* Blocks of fewer rows would take little less memory, and more rounds. */
enum { MOST_BLOCKS = 32, BLOCK = 1 << 17 };

static int64_t block_begin(int blocks, int b, int64_t n) {
    return b < blocks ? n / blocks * b : n;
}

/* Rows begin .. end of the table, by rank: which they are, and how many go to each. */
static void sort_block(weft_device *device, int64_t begin, int64_t end, parcels_rule *rule,
                       const void *context, int ranks, uint32_t *row, uint32_t *before) {
    const uint32_t first = (uint32_t)begin, one = 1;
    int bits = 0;
    while ((ranks - 1) >> bits > 0)
        ++bits;
    weft_scope_open(device);
    const weft_array rank = weft_scratch(device, WEFT_U32, end - begin);
    const weft_array rows = weft_scratch(device, WEFT_U32, end - begin);
    const weft_array ends = weft_scratch(device, WEFT_U32, ranks);
    rule(device, context, begin, rank);
    weft_sequence(device, rows, &first, &one);
    weft_sort_bits(device, rank, rows, WEFT_ASCENDING, 0, bits);
    weft_upper_bound(device, rank, weft_counting(ranks, (uint32_t)0), ends);
    weft_read(device, rows, row);
    weft_read(device, ends, before);
    weft_scope_close(device);
}

bool parcels_sort(struct comm *comm, weft_device *device, int64_t n, parcels_rule *rule,
                  const void *context, struct parcels *parcels) {
    const char *what = "the lists of particles that move";
    int64_t most = n;
    *parcels = (struct parcels){.blocks = 1};
    if (!comm_reduce_i64(comm, &most, 1, COMM_MAX))
        return false;
    if (most > BLOCK)
        parcels->blocks =
            most / BLOCK < MOST_BLOCKS ? (int)((most + BLOCK - 1) / BLOCK) : MOST_BLOCKS;
    const int ranks = comm->size, blocks = parcels->blocks;
    uint32_t *ends = comm_allocate(comm, ranks, sizeof *ends, what);
    parcels->row = comm_allocate(comm, n, sizeof *parcels->row, what);
    parcels->count =
        comm_allocate(comm, (int64_t)blocks * ranks, sizeof *parcels->count, what);
    const bool well = ends && parcels->row && parcels->count;
    if (well)
        pages_touch(comm->threads, parcels->row, (size_t)n * sizeof *parcels->row);
    for (int b = 0; well && b < blocks; ++b) {
        const int64_t begin = block_begin(blocks, b, n);
        int64_t *count = parcels->count + (int64_t)b * ranks;
        sort_block(device, begin, block_begin(blocks, b + 1, n), rule, context, ranks,
                   parcels->row + begin, ends);
        for (int r = 0; r < ranks; ++r)
            count[r] = (int64_t)ends[r] - (r > 0 ? ends[r - 1] : 0);
    }
    free(ends);
    if (well)
        table_well(comm, device);
    return comm_agree(comm);
}

void parcels_free(struct parcels *parcels) {
    free(parcels->row);
    free(parcels->count);
    parcels->row = NULL;
    parcels->count = NULL;
}

/* What is sent, and comes, in each round. */
struct rounds {
    const struct parcels *parcels;
    struct route all; /* of all blocks together */
    int64_t *came;    /* [ranks][blocks]: rows of each block of each rank */
    struct route one; /* of one round */
};

/* From each rank that has rows for this one, how many are in each of its blocks. */
static void share_counts(struct comm *comm, struct rounds *rounds) {
    const int blocks = rounds->parcels->blocks;
    const size_t bytes = (size_t)blocks * sizeof(int64_t);
    int64_t *to = comm_allocate(comm, comm->size, sizeof *to, "ranks");
    int64_t *told = comm_allocate(comm, comm->size, bytes, "ranks");
    int64_t *heard = comm_allocate(comm, comm->size, bytes, "ranks");
    struct route route;
    int64_t tell = 0;
    for (int r = 0; to && told && r < comm->size; ++r) {
        to[r] = rounds->all.to[r] > 0;
        for (int b = 0; to[r] && b < blocks; ++b)
            told[tell++] = rounds->parcels->count[(int64_t)b * comm->size + r];
    }
    const bool well =
        route_find(comm, to, &route) && route_send(comm, &route, bytes, told, heard);
    for (int r = 0; well && r < comm->size; ++r)
        for (int b = 0; b < blocks; ++b)
            rounds->came[r * blocks + b] =
                route.from[r] ? heard[route.from_first[r] * blocks + b] : 0;
    route_free(&route);
    free(told);
    free(heard);
}

static bool plan_rounds(struct comm *comm, const struct parcels *parcels,
                        struct rounds *rounds) {
    int64_t *to = comm_allocate(comm, comm->size, sizeof *to, "ranks");
    *rounds = (struct rounds){.parcels = parcels};
    for (int r = 0; to && r < comm->size; ++r) {
        to[r] = 0;
        for (int b = 0; b < parcels->blocks; ++b)
            to[r] += parcels->count[(int64_t)b * comm->size + r];
    }
    rounds->came = comm_allocate(comm, (int64_t)comm->size * parcels->blocks,
                                 sizeof *rounds->came, "ranks");
    rounds->one.from = comm_allocate(comm, comm->size, 3 * sizeof(int64_t), "ranks");
    if (!route_find(comm, to, &rounds->all))
        return false;
    rounds->one.from_first = rounds->one.from + comm->size;
    rounds->one.to_first = rounds->one.from_first + comm->size;
    share_counts(comm, rounds);
    return comm_agree(comm);
}

static void rounds_free(struct rounds *rounds) {
    route_free(&rounds->all);
    free(rounds->came);
    free(rounds->one.from);
}

/* The block that a rank sends in a round. Ranks begin at different ones: inputs may be
 * sorted in space, so that neighbours go to one rank. */
static int block_of(const struct rounds *rounds, const struct comm *comm, int rank,
                    int round) {
    const int blocks = rounds->parcels->blocks;
    return (round + (int)((int64_t)rank * blocks / comm->size)) % blocks;
}

static const struct route *find_round(struct rounds *rounds, const struct comm *comm,
                                      int round, int64_t n) {
    const int blocks = rounds->parcels->blocks;
    const int mine = block_of(rounds, comm, comm->rank, round);
    struct route *one = &rounds->one;
    int64_t first = block_begin(blocks, mine, n);
    one->to = rounds->parcels->count + (int64_t)mine * comm->size;
    for (int r = 0; r < comm->size; ++r) {
        const int64_t *came = rounds->came + (int64_t)r * blocks;
        const int theirs = block_of(rounds, comm, r, round);
        one->to_first[r] = first;
        first += one->to[r];
        one->from[r] = came[theirs];
        one->from_first[r] = rounds->all.from_first[r];
        for (int b = 0; b < theirs; ++b)
            one->from_first[r] += came[b];
    }
    return one;
}

/* For rows that are appended later. Memory that is not written takes no pages. */
static int64_t with_room(int64_t n) {
    return n + n / 8;
}

/* Pages of rows that were sent, for those that come in a round. */
static bool pass_pages(struct pages *spare, const struct route *round, int ranks,
                       size_t bytes, char *receive) {
    bool well = true;
    for (int r = 0; well && r < ranks; ++r) {
        char *begin = receive + (size_t)round->from_first[r] * bytes;
        well = pages_pass(spare, begin, begin + (size_t)round->from[r] * bytes);
    }
    pages_give_up(*spare);
    return well;
}

static bool send_rounds(struct comm *comm, struct rounds *rounds, size_t bytes,
                        char *column, int64_t n, char *receive) {
    const int blocks = rounds->parcels->blocks;
    const struct letters letters = {column, bytes, rounds->parcels->row};
    struct pages spare = {NULL, NULL};
    for (int k = 0; k < blocks; ++k) {
        const int b = block_of(rounds, comm, comm->rank, k);
        const struct route *round = find_round(rounds, comm, k, n);
        if (receive && !pass_pages(&spare, round, comm->size, bytes, receive)) {
            io_fail(&comm->error, "no memory for rows to receive");
            comm_fail(comm, 1);
        }
        if (!route_send_packed(comm, round, bytes, letters_pack, &letters, receive))
            return false;
        spare = pages_within(column + (size_t)block_begin(blocks, b, n) * bytes,
                             column + (size_t)block_begin(blocks, b + 1, n) * bytes);
    }
    return true;
}

static void *send_in_rounds(struct comm *comm, struct rounds *rounds, size_t bytes,
                            char *column, int64_t n) {
    char *receive =
        comm_allocate(comm, with_room(rounds->all.n_from), bytes, "rows to receive");
    if (send_rounds(comm, rounds, bytes, column, n, receive))
        return receive;
    free(receive);
    return NULL;
}

bool table_send(struct comm *comm, struct table *table, const struct parcels *parcels) {
    struct rounds rounds;
    bool well = plan_rounds(comm, parcels, &rounds);
    for (int c = 0; well && c < TABLE_COLUMNS; ++c) {
        if (table->bytes[c] == 0)
            continue;
        void *received =
            send_in_rounds(comm, &rounds, table->bytes[c], table->column[c], table->n);
        free(table->column[c]);
        table->column[c] = received;
        well = received != NULL;
    }
    table->n = rounds.all.n_from;
    table->room = with_room(table->n);
    rounds_free(&rounds);
    return well;
}
