/* Rows of a table by the rank that they go to, a block at a time. */
#include "io/crew/crew.h"
#include "pages.h"
#include "table.h"

#include <stdlib.h>
#include <weft/lazy.h>
#include <weft/search.h>
#include <weft/sort.h>
#include <weft/transform.h>

/* Blocks of fewer rows would take little less memory of the host, and more rounds. On the
 * device a row takes so many bytes: its rank and number, twice, and its position. */
enum { MOST_BLOCKS = 32, BLOCK = 1 << 17, ROW = 64 };

/* Blocks of a rank's n rows that are no larger than `limit` allows for. */
static int64_t blocks_within(int64_t n, int64_t limit) {
    const int64_t room = limit > ROW ? limit / ROW : 1;
    return limit > 0 ? n / room + 1 : 1;
}

/* Those of all ranks, whose limits may differ. */
static bool choose_blocks(struct comm *comm, int64_t n, int64_t limit, int *blocks) {
    int64_t most[] = {n, blocks_within(n, limit)};
    if (!comm_reduce_i64(comm, most, 2, COMM_MAX))
        return false;
    const int64_t rows = most[0], few = rows / BLOCK < MOST_BLOCKS
                                            ? (rows + BLOCK - 1) / BLOCK
                                            : MOST_BLOCKS;
    *blocks = (int)(few > most[1] ? few : most[1]);
    return true;
}

int64_t parcels_begin(int blocks, int b, int64_t n) {
    return n / blocks * b + n % blocks * b / blocks;
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

bool parcels_sort(struct comm *comm, weft_device *device, int64_t n, int64_t limit,
                  parcels_rule *rule, const void *context, struct parcels *parcels) {
    const char *what = "the lists of particles that move";
    *parcels = (struct parcels){0};
    if (!choose_blocks(comm, n, limit, &parcels->blocks))
        return false;
    const int ranks = comm->size, blocks = parcels->blocks;
    uint32_t *ends = comm_allocate(comm, ranks, sizeof *ends, what);
    parcels->row = comm_allocate(comm, n, sizeof *parcels->row, what);
    parcels->count =
        comm_allocate(comm, (int64_t)blocks * ranks, sizeof *parcels->count, what);
    const bool well = ends && parcels->row && parcels->count;
    if (well)
        pages_touch(comm->threads, parcels->row, (size_t)n * sizeof *parcels->row);
    for (int b = 0; well && b < blocks; ++b) {
        const int64_t begin = parcels_begin(blocks, b, n);
        int64_t *count = parcels->count + (int64_t)b * ranks;
        sort_block(device, begin, parcels_begin(blocks, b + 1, n), rule, context, ranks,
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
