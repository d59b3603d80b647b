/* Lists of particles by where they go: all of it on the device, which reads a table of what
 * is done in each cell. */
#include "visits_lists.h"
#include "visits.kernel.h"

#include <stdlib.h>
#include <string.h>
#include <weft/expand.h>
#include <weft/histogram.h>
#include <weft/lazy.h>
#include <weft/reduce.h>
#include <weft/register.h>
#include <weft/select.h>
#include <weft/sort.h>
#include <weft/transform.h>

WEFT_GENERATOR(visits_does, u32, (value, visits_grid, grid), (value, i32, stays),
               (in, u32, x), (in, u32, y), (in, u32, z), (in, u32, word, 0))
WEFT_GENERATOR(visits_copies, u32, (value, visits_grid, grid), (in, u32, x, 0),
               (in, u32, y, 0), (in, u32, z, 0), (in, u32, row), (in, u32, word, 0))
WEFT_GENERATOR(visits_address, u32, (value, visits_grid, grid), (in, u32, x, 0),
               (in, u32, y, 0), (in, u32, z, 0), (in, u32, row, 0), (in, u32, word, 0),
               (in, u32, address, 0), (in, u32, source), (in, u32, place))
WEFT_GENERATOR(visits_key, u64, (value, visits_grid, grid), (in, u32, x, 0),
               (in, u32, y, 0), (in, u32, z, 0), (in, u32, row, 0), (in, u32, word, 0),
               (in, u32, address, 0), (in, u32, source), (in, u32, place))

/* Ranks that are visited are addresses 0 .. size; those that get copies come behind. */
struct deeds {
    weft_device *device;
    visits_grid grid;
    weft_array word, address;
};

/* How many addresses a cell has, and which. */
static int64_t list_addresses(const struct comm *comm, const struct visits_cells *cells,
                              int64_t cell, uint32_t *address) {
    const int others = cells->count ? cells->count[cell] : 0;
    int64_t n = 0;
    if (cells->owner[cell] != comm->rank)
        address[n++] = (uint32_t)cells->owner[cell];
    for (int k = 0; k < others; ++k)
        address[n++] = (uint32_t)(comm->size + cells->others[cell * VISITS_AROUND + k]);
    return n;
}

/* What is done with particles in each cell. */
static bool write_deeds(struct comm *comm, const struct visits_cells *cells,
                        struct deeds *deeds) {
    const int64_t count = visits_count(cells), most = cells->count ? VISITS_AROUND + 1 : 1;
    uint32_t *host = comm_allocate(comm, count + 1 + count * most, sizeof *host, "cells");
    if (!host)
        return false;
    uint32_t *address = host + count + 1;
    int64_t n = 0;
    for (int64_t k = 0; k < count; ++k) {
        const bool own = cells->owner[k] == comm->rank;
        host[k] = (uint32_t)n << 1 | (own ? VISITS_STAYS : 0);
        n += list_addresses(comm, cells, k, address + n);
    }
    host[count] = (uint32_t)n << 1;
    const weft_array all = weft_scratch(deeds->device, WEFT_U32, count + 1 + n);
    weft_write(deeds->device, all, host);
    deeds->word = weft_slice(deeds->device, all, 0, count + 1);
    deeds->address = weft_slice(deeds->device, all, count + 1, n);
    free(host);
    return true;
}

/* Rows of particles that stay, or of those that are sent, in scratch. */
static weft_array list(const struct deeds *t, const weft_array x[3], bool stays) {
    const int64_t n = x[0].length;
    const weft_array flags = weft_lazy(n, visits_does, .grid = t->grid, .stays = stays,
                                       .x = x[0], .y = x[1], .z = x[2], .word = t->word);
    int64_t count = 0;
    weft_count_if(t->device, flags, &count);
    const weft_array rows = weft_scratch(t->device, WEFT_U32, count);
    weft_copy_if(t->device, weft_counting(n, (uint32_t)0), flags, rows, NULL);
    return rows;
}

/* Bits of numbers below `n`. */
static int32_t bits_of(int64_t n) {
    int32_t bits = 0;
    while (bits < 31 && (int64_t)1 << bits < n)
        ++bits;
    return bits;
}

/* Those that are sent once for each address, sorted by these; how many each has. */
static void sort(const struct deeds *t, const weft_array x[3], weft_array rows,
                 weft_array copies, weft_array row, int64_t addresses, int64_t *count) {
    weft_device *device = t->device;
    weft_scope_open(device);
    const weft_array source = weft_scratch(device, WEFT_U32, row.length);
    const weft_array place = weft_scratch(device, WEFT_U32, row.length);
    const weft_array key = weft_scratch(device, WEFT_U64, row.length);
    const weft_array counts = weft_scratch(device, WEFT_I64, addresses);
    weft_expand_sources(device, copies, source, place, NULL);
    weft_transform(device, row.length, key, visits_key, .grid = t->grid, .x = x[0],
                   .y = x[1], .z = x[2], .row = rows, .word = t->word,
                   .address = t->address, .source = source, .place = place);
    weft_histogram(device,
                   weft_lazy(row.length, visits_address, .grid = t->grid, .x = x[0],
                             .y = x[1], .z = x[2], .row = rows, .word = t->word,
                             .address = t->address, .source = source, .place = place),
                   counts);
    weft_sort_bits(device, key, source, WEFT_ASCENDING, 0, bits_of(addresses));
    weft_gather(device, rows, source, row);
    weft_read(device, counts, count);
    weft_scope_close(device);
}

int64_t *visits_list(struct comm *comm, weft_device *device,
                     const struct visits_cells *cells, const weft_array x[3],
                     weft_array *stay, weft_array *row) {
    struct deeds t = {.device = device, .grid = {{cells->n[0], cells->n[1], cells->n[2]}}};
    const int64_t addresses = 2 * (int64_t)comm->size;
    int64_t all = 0, *count = comm_allocate(comm, addresses, sizeof *count, "ranks");
    *stay = *row = weft_scratch(device, WEFT_U32, 0);
    if (!count || !write_deeds(comm, cells, &t)) {
        free(count);
        return NULL;
    }
    memset(count, 0, (size_t)addresses * sizeof *count);
    *stay = list(&t, x, true);
    const weft_array rows = list(&t, x, false);
    const weft_array copies =
        weft_lazy(rows.length, visits_copies, .grid = t.grid, .x = x[0], .y = x[1],
                  .z = x[2], .row = rows, .word = t.word);
    weft_expand_sources(device, copies, (weft_array){0}, (weft_array){0}, &all);
    *row = weft_scratch(device, WEFT_U32, all);
    sort(&t, x, rows, copies, *row, addresses, count);
    return count;
}
