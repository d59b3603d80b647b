/* Whose the cells are. */
#include "visits.h"
#include "visits.kernel.h"

#include <stdlib.h>
#include <weft/histogram.h>
#include <weft/register.h>

WEFT_GENERATOR(visits_cell, u32, (value, visits_grid, grid), (in, u32, x), (in, u32, y),
               (in, u32, z))

int64_t visits_count(const struct visits_cells *cells) {
    return (int64_t)cells->n[0] * cells->n[1] * cells->n[2];
}

int64_t visits_number(const struct visits_cells *cells, const int64_t at[3]) {
    return (at[0] * cells->n[1] + at[1]) * cells->n[2] + at[2];
}

void visits_list_around(const struct visits_cells *cells, const int64_t at[3],
                        int64_t around[VISITS_AROUND]) {
    int n = 0;
    for (int k = 0; k < VISITS_AROUND + 1; ++k) {
        const int step[3] = {k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1};
        int64_t next[3];
        for (int axis = 0; axis < 3; ++axis)
            next[axis] = (at[axis] + step[axis] + cells->n[axis]) % cells->n[axis];
        if (k != VISITS_AROUND / 2)
            around[n++] = visits_number(cells, next);
    }
}

/* The ranks around cell number `cell`, each once. */
static void list_others(struct visits_cells *cells, int64_t cell, const int64_t at[3]) {
    int64_t around[VISITS_AROUND];
    int *list = cells->others + cell * VISITS_AROUND, n = 0;
    visits_list_around(cells, at, around);
    for (int k = 0; k < VISITS_AROUND; ++k) {
        const int rank = cells->owner[around[k]];
        bool there = rank == cells->owner[cell];
        for (int i = 0; i < n && !there; ++i)
            there = list[i] == rank;
        if (!there)
            list[n++] = rank;
    }
    cells->count[cell] = n;
}

bool visits_find_others(struct comm *comm, struct visits_cells *cells) {
    const int64_t count = visits_count(cells);
    int64_t cell = 0;
    cells->others =
        comm_allocate(comm, count * VISITS_AROUND, sizeof *cells->others, "cells");
    cells->count = comm_allocate(comm, count, sizeof *cells->count, "cells");
    if (!cells->others || !cells->count)
        return false;
    for (int64_t x = 0; x < cells->n[0]; ++x)
        for (int64_t y = 0; y < cells->n[1]; ++y)
            for (int64_t z = 0; z < cells->n[2]; ++z)
                list_others(cells, cell++, (int64_t[]){x, y, z});
    return true;
}

void visits_free_cells(struct visits_cells *cells) {
    free(cells->owner);
    free(cells->others);
    free(cells->count);
    free(cells->cost);
    *cells = (struct visits_cells){{0, 0, 0}, NULL, NULL, NULL, NULL};
}

bool visits_weigh(struct comm *comm, weft_device *device, const struct visits_cells *cells,
                  const weft_array x[3], int64_t *particles) {
    const int64_t count = visits_count(cells), n = x[0].length;
    const visits_grid grid = {{cells->n[0], cells->n[1], cells->n[2]}};
    weft_scope_open(device);
    const weft_array counts = weft_scratch(device, WEFT_I64, count);
    weft_histogram(device,
                   weft_lazy(n, visits_cell, .grid = grid, .x = x[0], .y = x[1], .z = x[2]),
                   counts);
    weft_read(device, counts, particles);
    weft_scope_close(device);
    table_well(comm, device);
    return comm_reduce_i64(comm, particles, (int)count, COMM_SUM);
}
