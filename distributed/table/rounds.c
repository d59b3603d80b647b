/* All columns of a table on their way to other ranks, a block at a time. */
#include "distributed/ranks/flow.h"
#include "passing.h"
#include "table.h"

#include <stdlib.h>
#include <string.h>

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

/* The block that a rank sends in a round. */
static int block_of(const struct rounds *rounds, const struct comm *comm, int rank,
                    int round) {
    return flow_block(rank, round, rounds->parcels->blocks, comm->size);
}

static const struct route *find_round(struct rounds *rounds, const struct comm *comm,
                                      int round, int64_t n) {
    const int blocks = rounds->parcels->blocks;
    const int mine = block_of(rounds, comm, comm->rank, round);
    struct route *one = &rounds->one;
    int64_t first = parcels_begin(blocks, mine, n);
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
        spare = pages_within(column + (size_t)parcels_begin(blocks, b, n) * bytes,
                             column + (size_t)parcels_begin(blocks, b + 1, n) * bytes);
    }
    return true;
}

/* A column on its way, without rounds. */
struct flowing {
    struct passing passing;
    int64_t n;
    int blocks;
    const int64_t
        *first; /* [ranks]: the numbers of their first rows, where those are sent */
};

static void rows_gone(void *user, int block) {
    struct flowing *f = user;
    passing_gone(&f->passing, parcels_begin(f->blocks, block, f->n),
                 parcels_begin(f->blocks, block + 1, f->n));
}

static bool rows_come(void *user, int64_t first, int64_t n) {
    return passing_comes(&((struct flowing *)user)->passing, first, n);
}

/* Where rows of each rank begin, and those of them that come first. */
static void find_streams(const struct comm *comm, const struct rounds *rounds,
                         struct passing *passing) {
    const int blocks = rounds->parcels->blocks;
    for (int r = 0; r < comm->size; ++r) {
        struct passing_stream *stream = &passing->stream[r];
        const int64_t *came = rounds->came + (int64_t)r * blocks;
        const int begin = block_of(rounds, comm, r, 0);
        int64_t row = rounds->all.from_first[r];
        *stream = (struct passing_stream){.first = row, .start = row};
        for (int b = 0; b < blocks; ++b) {
            if (b == begin)
                stream->start = row;
            row += came[b];
        }
        stream->end = row;
    }
}

static bool run_flow(struct comm *comm, struct rounds *rounds, struct flow *flow,
                     struct flowing *flowing, comm_pack *pack, const void *context) {
    const struct parcels *parcels = rounds->parcels;
    struct passing *passing = &flowing->passing;
    passing->ranks = comm->size;
    passing->page = passing_page((size_t)flowing->n * passing->sent_bytes,
                                 (size_t)rounds->all.n_from * passing->receive_bytes);
    passing->spare =
        comm_allocate(comm, parcels->blocks, sizeof *passing->spare, "rows on their way");
    passing->stream =
        comm_allocate(comm, comm->size, sizeof *passing->stream, "rows on their way");
    if (passing->stream)
        find_streams(comm, rounds, passing);
    flowing->blocks = flow->blocks = parcels->blocks;
    flow->to = parcels->count;
    flow->came = rounds->came;
    flow->from_first = rounds->all.from_first;
    flow->comes = rows_come;
    flow->gone = rows_gone;
    flow->user = flowing;
    const bool well =
        comm_flow(comm, flow, passing->sent_bytes, pack, context, passing->receive);
    free(passing->spare);
    free(passing->stream);
    return well;
}

static bool send_flow(struct comm *comm, struct rounds *rounds, size_t bytes, char *column,
                      int64_t n, char *receive) {
    const struct letters letters = {column, bytes, rounds->parcels->row};
    struct flowing flowing = {.passing = {.sent = column,
                                          .receive = receive,
                                          .sent_bytes = bytes,
                                          .receive_bytes = bytes},
                              .n = n};
    struct flow flow = {.land = NULL};
    return run_flow(comm, rounds, &flow, &flowing, letters_pack, &letters);
}

static void land_numbers(void *user, int from, const void *rows, int64_t first, int64_t n) {
    const struct flowing *f = user;
    const uint32_t *row = rows;
    int64_t *number = (int64_t *)(void *)f->passing.receive + first;
    for (int64_t k = 0; k < n; ++k)
        number[k] = f->first[from] + row[k];
}

static void pack_numbers(const void *rows, int64_t first, int64_t n, void *out) {
    memcpy(out, (const uint32_t *)rows + first, (size_t)n * sizeof(uint32_t));
}

/* Rows by their numbers on the rank that had them; the lists' pages go on. */
static bool flow_numbers(struct comm *comm, struct rounds *rounds, const int64_t *first,
                         int64_t n, int64_t *receive) {
    uint32_t *row = rounds->parcels->row;
    struct flowing flowing = {.passing = {.sent = (char *)row,
                                          .receive = (char *)receive,
                                          .sent_bytes = sizeof *row,
                                          .receive_bytes = sizeof *receive},
                              .n = n,
                              .first = first};
    struct flow flow = {.land = land_numbers};
    return run_flow(comm, rounds, &flow, &flowing, pack_numbers, row);
}

static void *send_column(struct comm *comm, struct rounds *rounds, size_t bytes,
                         char *column, int64_t n) {
    char *receive =
        comm_allocate(comm, with_room(rounds->all.n_from), bytes, "rows to receive");
    if (comm_flows(comm, n, bytes) ? send_flow(comm, rounds, bytes, column, n, receive)
                                   : send_rounds(comm, rounds, bytes, column, n, receive))
        return receive;
    free(receive);
    return NULL;
}

/* The column of numbers that is missing. False after a failure. */
static bool send_numbers(struct comm *comm, struct rounds *rounds, struct table *table,
                         int column) {
    const size_t bytes = table->bytes[column];
    int64_t *first = comm_allocate(comm, comm->size, sizeof *first, "ranks");
    int64_t *receive = NULL;
    bool well = comm_share(comm, &table->first, sizeof *first, first);
    if (well && comm_flows(comm, table->n, sizeof(uint32_t))) {
        receive =
            comm_allocate(comm, with_room(rounds->all.n_from), bytes, "rows to receive");
        well = flow_numbers(comm, rounds, first, table->n, receive);
    } else if (well) {
        int64_t *number = table_places(comm, NULL, table->first, table->n);
        receive = send_column(comm, rounds, bytes, (char *)number, table->n);
        well = receive != NULL;
        free(number);
    }
    table->column[column] = receive;
    free(first);
    return well;
}

bool table_send(struct comm *comm, struct table *table, const struct parcels *parcels,
                table_arrival *arrives, void *user) {
    struct rounds rounds;
    bool well = plan_rounds(comm, parcels, &rounds);
    int missing = -1;
    for (int c = 0; well && c < TABLE_COLUMNS; ++c) {
        if (table->bytes[c] == 0)
            continue;
        if (table->column[c] == NULL) {
            missing = c;
            continue;
        }
        void *received =
            send_column(comm, &rounds, table->bytes[c], table->column[c], table->n);
        free(table->column[c]);
        table->column[c] = received;
        well = received != NULL;
        if (well && arrives)
            arrives(user, c, received, rounds.all.n_from);
    }
    if (well && missing >= 0)
        well = send_numbers(comm, &rounds, table, missing);
    table->n = rounds.all.n_from;
    table->room = with_room(table->n);
    rounds_free(&rounds);
    return well;
}
