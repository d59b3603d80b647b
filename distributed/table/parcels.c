/* Rows of a table by the rank that they go to, a block at a time. */
#include "io/crew/crew.h"
#include "pages.h"
#include "table.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <weft/register.h>

/* Blocks of fewer rows would take little less memory, and more rounds. */
enum { MOST_BLOCKS = 32, BLOCK = 1 << 17 };

/* How many all ranks have, by the most rows of one. */
static bool choose_blocks(struct comm *comm, int64_t n, int *blocks) {
    if (!comm_reduce_i64(comm, &n, 1, COMM_MAX))
        return false;
    const int64_t few = (n + BLOCK - 1) / BLOCK;
    *blocks = few < 1 ? 1 : few < MOST_BLOCKS ? (int)few : MOST_BLOCKS;
    return true;
}

int64_t parcels_begin(int blocks, int b, int64_t n) {
    return n / blocks * b + n % blocks * b / blocks;
}

/* Threads take blocks in turn. */
struct sorting {
    parcels_rule *rule;
    const void *context;
    int64_t n;
    int ranks;
    struct parcels *parcels;
    atomic_int next;
    int64_t most;   /* rows of a block */
    uint16_t *rank; /* [threads][most] */
    int64_t *place; /* [threads][ranks] */
};

WEFT_CLONES static void count_rank(const uint16_t *rank, int64_t n, uint16_t r,
                                   int64_t *count) {
    int64_t sum = 0;
    for (int64_t k = 0; k < n; ++k)
        sum += rank[k] == r;
    *count = sum;
}

/* For few ranks a pass for each, in which nothing waits for what was stored just before. */
static void list_each(const uint16_t *rank, int64_t n, int ranks, int64_t begin,
                      int64_t *count, uint32_t *row) {
    for (int r = 0; r < ranks; ++r) {
        int64_t j = 0;
        count_rank(rank, n, (uint16_t)r, &count[r]);
        for (int64_t k = 0; j < count[r]; ++k) {
            row[j] = (uint32_t)(begin + k);
            j += rank[k] == r;
        }
        row += count[r];
    }
}

static void list_all(const uint16_t *rank, int64_t n, int ranks, int64_t begin,
                     int64_t *count, uint32_t *row, int64_t *place) {
    int64_t sum = 0;
    memset(count, 0, (size_t)ranks * sizeof *count);
    for (int64_t k = 0; k < n; ++k)
        ++count[rank[k]];
    for (int r = 0; r < ranks; ++r) {
        place[r] = sum;
        sum += count[r];
    }
    for (int64_t k = 0; k < n; ++k)
        row[place[rank[k]]++] = (uint32_t)(begin + k);
}

static void sort_block(const struct sorting *s, int b, uint16_t *rank, int64_t *place) {
    enum { FEW = 8 };
    const int64_t begin = parcels_begin(s->parcels->blocks, b, s->n);
    const int64_t n = parcels_begin(s->parcels->blocks, b + 1, s->n) - begin;
    int64_t *count = s->parcels->count + (int64_t)b * s->ranks;
    uint32_t *row = s->parcels->row + begin;
    s->rule(s->context, begin, n, rank);
    if (s->ranks <= FEW)
        list_each(rank, n, s->ranks, begin, count, row);
    else
        list_all(rank, n, s->ranks, begin, count, row, place);
}

static void sort_blocks(void *context, int64_t begin, int64_t end, int part) {
    struct sorting *s = context;
    (void)begin, (void)end;
    for (int b; (b = atomic_fetch_add(&s->next, 1)) < s->parcels->blocks;)
        sort_block(s, b, s->rank + part * s->most, s->place + (int64_t)part * s->ranks);
}

bool parcels_sort(struct comm *comm, int64_t n, parcels_rule *rule, const void *context,
                  struct parcels *parcels) {
    const char *what = "the lists of particles that move";
    *parcels = (struct parcels){0};
    if (!choose_blocks(comm, n, &parcels->blocks))
        return false;
    const int ranks = comm->size, blocks = parcels->blocks;
    const int threads = crew_parts(comm->threads, n);
    struct sorting sorting = {.rule = rule, .context = context, .n = n, .ranks = ranks};
    sorting.parcels = parcels;
    sorting.most = n / blocks + 1;
    sorting.rank = comm_allocate(comm, threads * sorting.most, sizeof *sorting.rank, what);
    sorting.place =
        comm_allocate(comm, (int64_t)threads * ranks, sizeof *sorting.place, what);
    parcels->row = comm_allocate(comm, n, sizeof *parcels->row, what);
    parcels->count =
        comm_allocate(comm, (int64_t)blocks * ranks, sizeof *parcels->count, what);
    if (sorting.rank && sorting.place && parcels->row && parcels->count)
        crew_run(comm->threads, n, sort_blocks, &sorting);
    free(sorting.rank);
    free(sorting.place);
    return comm_agree(comm);
}

void parcels_free(struct parcels *parcels) {
    free(parcels->row);
    free(parcels->count);
    parcels->row = NULL;
    parcels->count = NULL;
}
