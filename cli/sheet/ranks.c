/* Cells of other ranks, on their way to the first, which writes the file. */
#include "sheet.h"

#include <stdlib.h>

static bool bring(struct comm *comm, int from, int64_t rows, size_t row_bytes,
                  const int64_t *sums, int64_t **here) {
    struct route route;
    const bool sends = comm->rank == from;
    int64_t *to = comm_allocate(comm, comm->size, sizeof *to, "what goes where");
    for (int r = 0; to && r < comm->size; ++r)
        to[r] = sends && r == 0 ? rows : 0;
    if (!route_find(comm, to, &route))
        return false;
    if (comm->rank == 0)
        *here = comm_allocate(comm, rows, row_bytes, "the cells of another rank");
    const bool done = route_send(comm, &route, row_bytes, sums, *here);
    route_free(&route);
    return done;
}

bool sheet_bring(struct comm *comm, int from, int64_t cells, const int each[SHEET_SUMS],
                 int64_t *const sums[SHEET_SUMS], int64_t *here[SHEET_SUMS]) {
    bool done = true;
    for (int k = 0; k < SHEET_SUMS && done; ++k)
        if (each[k])
            done = bring(comm, from, cells, (size_t)each[k] * sizeof **sums, sums[k],
                         &here[k]);
    return done;
}
