#include "needs.h"
#include "vicinity.kernel.h"

#include <stdlib.h>
#include <string.h>
#include <weft/lazy.h>
#include <weft/register.h>
#include <weft/select.h>

WEFT_GENERATOR(vicinity_marked, u32, (in, u32, words, 0), (in, u32, marks, 0),
               (value, vicinity_grid, grid))

static const char what[] = "which particles others need";

bool needs_share(struct comm *comm, const uint32_t *mine, struct needs *needs) {
    const size_t bytes = NEEDS_WORDS * sizeof *mine;
    *needs = (struct needs){.ranks = comm->size, .own = comm->rank};
    needs->map = comm_allocate(comm, comm->size, bytes, what);
    return comm_share(comm, mine, bytes, needs->map);
}

void needs_free(struct needs *needs) {
    free(needs->map);
    needs->map = NULL;
}

static bool is_marked(const struct needs *needs, int rank, int cell) {
    const uint32_t *map = needs->map + (size_t)rank * NEEDS_WORDS;
    return map[cell / 32] >> cell % 32 & 1;
}

double needs_own_part(const struct needs *needs, const struct vicinity *space) {
    enum { SOME = 4096 };
    const int64_t n = space->positions->n, some = n < SOME ? n : SOME;
    int marked = 0, cell;
    for (int64_t k = 0; k < some; ++k) {
        vicinity_cell(space, (int64_t)((double)n * ((double)k + 0.5) / (double)some),
                      &cell);
        marked += is_marked(needs, needs->own, cell);
    }
    return some > 0 ? (double)marked / (double)some : 0;
}

/* Asked for all rows, or for those that are listed. */
struct asked {
    const struct needs *needs;
    const struct vicinity *space;
    const uint32_t *row;
    bool keep;
};

static int needed_by(const void *context, int64_t k, int *ranks) {
    const struct asked *asked = context;
    const struct needs *needs = asked->needs;
    int cell, n = 0;
    vicinity_cell(asked->space, asked->row ? asked->row[k] : k, &cell);
    for (int r = 0; r < needs->ranks; ++r) {
        if (is_marked(needs, r, cell) && !(asked->keep && r == needs->own))
            ranks[n++] = r;
    }
    return n;
}

/* Cells that any of the ranks need which get rows. */
static uint32_t *join(struct comm *comm, const struct needs *needs, bool keep) {
    uint32_t *marks = comm_allocate(comm, NEEDS_WORDS, sizeof *marks, what);
    for (int w = 0; marks && w < NEEDS_WORDS; ++w)
        marks[w] = 0;
    for (int r = 0; marks && r < needs->ranks; ++r) {
        const uint32_t *map = needs->map + (size_t)r * NEEDS_WORDS;
        for (int w = 0; w < NEEDS_WORDS && !(keep && r == needs->own); ++w)
            marks[w] |= map[w];
    }
    return marks;
}

static vicinity_grid grid_of(const struct vicinity *space) {
    vicinity_grid grid = {.count = VICINITY_SIDE,
                          .wide = space->positions->bytes == sizeof(double)};
    memcpy(grid.period, space->period, sizeof grid.period);
    memcpy(grid.low, space->low, sizeof grid.low);
    memcpy(grid.side, space->side, sizeof grid.side);
    return grid;
}

/* The rows in marked cells, ascending; NULL after a failure. */
static uint32_t *list_marked(struct comm *comm, weft_device *device,
                             const struct vicinity *space, const uint32_t *marks,
                             int64_t *count) {
    const struct positions *positions = space->positions;
    const int64_t n = positions->n, words = n * 3 * positions->bytes / 4;
    const bool there = positions->lent.type != 0;
    uint32_t *row = NULL;
    *count = 0;
    if (n == 0)
        return comm_allocate(comm, 0, sizeof *row, what);
    weft_scope_open(device);
    const weft_array marked = weft_borrow_const(device, WEFT_U32, marks, NEEDS_WORDS);
    const weft_array at = there ? weft_slice(device, positions->lent, 0, words)
                                : weft_borrow_const(device, WEFT_U32, positions->at, words);
    const weft_array found = weft_scratch(device, WEFT_U32, n);
    weft_copy_if(
        device, weft_counting(n, (uint32_t)0),
        weft_lazy(n, vicinity_marked, .words = at, .marks = marked, .grid = grid_of(space)),
        found, count);
    row = comm_allocate(comm, *count, sizeof *row, what);
    if (row && *count > 0)
        weft_read(device, weft_slice(device, found, 0, *count), row);
    if (!there)
        weft_return(device, at);
    weft_return(device, marked);
    weft_scope_close(device);
    table_well(comm, device);
    return row;
}

/* Of nearly all rows no other rank knows, which a device finds out. */
static bool plan_listed(struct comm *comm, weft_device *device, struct asked asked,
                        struct mailing *mailing) {
    uint32_t *marks = join(comm, asked.needs, asked.keep), *row = NULL;
    int64_t n = 0;
    if (marks)
        asked.row = row = list_marked(comm, device, asked.space, marks, &n);
    const bool well = comm_agree(comm) && mailing_plan(comm, n, needed_by, &asked, mailing);
    for (int64_t k = 0; well && k < mailing->route.n_to; ++k)
        mailing->row[k] = row[mailing->row[k]];
    free(marks);
    free(row);
    return well;
}

bool needs_plan(struct comm *comm, weft_device *device, const struct needs *needs,
                const struct vicinity *space, bool keep, int64_t limit,
                struct mailing *mailing) {
    const struct asked asked = {needs, space, NULL, keep};
    *mailing = (struct mailing){0};
    return limit > 0 ? mailing_plan(comm, space->positions->n, needed_by, &asked, mailing)
                     : plan_listed(comm, device, asked, mailing);
}
