/* Rows of a table by the rank that they go to, a block at a time. */
#include "io/crew/crew.h"
#include "pages.h"
#include "table.h"

#include <stdlib.h>
#include <weft/lazy.h>
#include <weft/search.h>
#include <weft/sort.h>
#include <weft/transform.h>

/* Blocks of fewer rows would take little less memory, and more rounds. */
enum { BLOCK = 1 << 17 };

int64_t parcels_begin(int blocks, int b, int64_t n) {
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
        parcels->blocks = most / BLOCK < PARCELS_BLOCKS ? (int)((most + BLOCK - 1) / BLOCK)
                                                        : PARCELS_BLOCKS;
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
