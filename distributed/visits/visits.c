/* Out and back. */
#include "visits.h"
#include "visits.kernel.h"

#include <stdlib.h>
#include <string.h>
#include <weft/lazy.h>
#include <weft/reduce.h>
#include <weft/register.h>
#include <weft/select.h>
#include <weft/transform.h>

enum { STAYS = 1, IS_SENT = 2 };

WEFT_GENERATOR(visits_does, u32, (value, visits_grid, grid), (value, u32, bit),
               (in, u32, x), (in, u32, y), (in, u32, z), (in, u32, does, 0))

/* What this rank's particles do in each cell. */
static weft_array write_deeds(struct visits *v, const struct visits_cells *cells) {
    const int64_t count = visits_count(cells);
    const weft_array does = weft_scratch(v->device, WEFT_U32, count);
    uint32_t *host = comm_allocate(v->comm, count, sizeof *host, "cells");
    for (int64_t k = 0; host && k < count; ++k) {
        const bool own = cells->owner[k] == v->comm->rank;
        const bool wanted = cells->count && cells->count[k] > 0;
        host[k] = (own ? STAYS : 0) | (!own || wanted ? IS_SENT : 0);
    }
    if (host)
        weft_write(v->device, does, host);
    free(host);
    return does;
}

/* Rows of particles that do what `bit` says, in scratch. */
static weft_array list(const struct visits *v, const struct visits_cells *cells,
                       const weft_array x[3], weft_array does, uint32_t bit) {
    const visits_grid grid = {{cells->n[0], cells->n[1], cells->n[2]}};
    const int64_t n = x[0].length;
    const weft_array flags = weft_lazy(n, visits_does, .grid = grid, .bit = bit, .x = x[0],
                                       .y = x[1], .z = x[2], .does = does);
    int64_t count = 0;
    weft_count_if(v->device, flags, &count);
    const weft_array rows = weft_scratch(v->device, WEFT_U32, count);
    weft_copy_if(v->device, weft_counting(n, (uint32_t)0), flags, rows, NULL);
    return rows;
}

/* On the host: those that are sent, and where they are. */
struct sent {
    const struct visits_cells *cells;
    int rank;
    uint32_t *at[3];
};

static int64_t cell_of(const struct sent *s, int64_t k) {
    int64_t at[3];
    for (int axis = 0; axis < 3; ++axis)
        at[axis] = visits_part(s->at[axis][k], s->cells->n[axis]);
    return visits_number(s->cells, at);
}

static int to_owner(const void *context, int64_t k, int *ranks) {
    const struct sent *s = context;
    ranks[0] = s->cells->owner[cell_of(s, k)];
    return ranks[0] != s->rank;
}

static int to_others(const void *context, int64_t k, int *ranks) {
    const struct sent *s = context;
    const int64_t cell = cell_of(s, k);
    memcpy(ranks, s->cells->others + cell * VISITS_AROUND,
           (size_t)s->cells->count[cell] * sizeof *ranks);
    return s->cells->count[cell];
}

/* Reads those that are sent. */
static int64_t read_sent(struct visits *v, const weft_array x[3], weft_array rows,
                         struct sent *s) {
    const int64_t n = rows.length;
    weft_scope_open(v->device);
    const weft_array part = weft_scratch(v->device, WEFT_U32, n);
    v->row = comm_allocate(v->comm, n, sizeof *v->row, "particles that visit");
    bool well = v->row != NULL;
    if (well)
        weft_read(v->device, rows, v->row);
    for (int axis = 0; axis < 3 && well; ++axis) {
        s->at[axis] = comm_allocate(v->comm, n, sizeof *v->row, "particles that visit");
        well = s->at[axis] != NULL;
        weft_gather(v->device, x[axis], rows, part);
        if (well)
            weft_read(v->device, part, s->at[axis]);
    }
    weft_scope_close(v->device);
    return table_well(v->comm, v->device) && well ? n : 0;
}

/* One axis of those that stay, visit, and are copied here. */
static bool bring(struct visits *v, weft_array x, const uint32_t *sent, weft_array at) {
    weft_device *device = v->device;
    const int64_t stay = v->stay.length, after = v->before + stay;
    uint32_t *came = mailing_send(v->comm, &v->mail, sizeof *came, sent);
    uint32_t *copies = NULL;
    if (came && v->copies.row)
        copies = mailing_send(v->comm, &v->copies, sizeof *copies, sent);
    const bool well = came && (copies || !v->copies.row);
    if (well) {
        weft_gather(device, x, v->stay, weft_slice(device, at, v->before, stay));
        weft_write(device, weft_slice(device, at, 0, v->before), came);
        weft_write(device, weft_slice(device, at, after, v->n - after),
                   (const uint32_t *)(came + v->before));
        if (copies)
            weft_write(device, weft_slice(device, at, v->n, at.length - v->n),
                       (const uint32_t *)copies);
    }
    free(came);
    free(copies);
    return well;
}

static bool send(struct visits *v, const weft_array x[3], const struct sent *s,
                 int64_t n_sent) {
    bool well = mailing_plan(v->comm, n_sent, to_owner, s, &v->mail);
    if (well && s->cells->count)
        well = mailing_plan(v->comm, n_sent, to_others, s, &v->copies);
    if (!well)
        return false;
    v->n = v->stay.length + v->mail.route.n_from;
    v->before = v->mail.route.from_first[v->comm->rank];
    for (int axis = 0; axis < 3 && well; ++axis) {
        v->at[axis] = weft_scratch(v->device, WEFT_U32, v->n + v->copies.route.n_from);
        well = bring(v, x[axis], s->at[axis], v->at[axis]);
    }
    return well;
}

bool visits_go(struct visits *v, struct comm *comm, weft_device *device,
               const struct visits_cells *cells, const weft_array x[3]) {
    struct sent s = {.cells = cells, .rank = comm->rank};
    *v = (struct visits){.comm = comm, .device = device};
    const weft_array does = write_deeds(v, cells);
    const weft_array rows = list(v, cells, x, does, IS_SENT);
    v->stay = list(v, cells, x, does, STAYS);
    const int64_t n = read_sent(v, x, rows, &s);
    const bool well = send(v, x, &s, n);
    for (int axis = 0; axis < 3; ++axis)
        free(s.at[axis]);
    return well;
}

/* What was found of visitors, in the order in which they came. */
static double *read_found(struct visits *v, weft_array found) {
    const int64_t after = v->before + v->stay.length;
    double *rows =
        comm_allocate(v->comm, v->mail.route.n_from, sizeof *rows, "what was found");
    if (rows) {
        weft_read(v->device, weft_slice(v->device, found, 0, v->before), rows);
        weft_read(v->device, weft_slice(v->device, found, after, v->n - after),
                  rows + v->before);
    }
    table_well(v->comm, v->device);
    return rows;
}

/* What comes back of those that were away. */
static void put(const struct visits *v, const double *back, const uint32_t *row,
                weft_array out) {
    weft_device *device = v->device;
    const int64_t n = v->mail.route.n_to;
    weft_scope_open(device);
    const weft_array found = weft_scratch(device, WEFT_F64, n);
    const weft_array rows = weft_scratch(device, WEFT_U32, n);
    weft_write(device, found, back);
    weft_write(device, rows, row);
    weft_scatter(device, found, rows, out);
    weft_scope_close(device);
}

bool visits_return(struct visits *v, weft_array found, weft_array out) {
    const int64_t away = v->mail.route.n_to;
    double *rows = read_found(v, found);
    double *back = comm_allocate(v->comm, away, sizeof *back, "what was found");
    uint32_t *row = comm_allocate(v->comm, away, sizeof *row, "what was found");
    const bool well = route_send_back(v->comm, &v->mail.route, sizeof *rows, rows, back);
    if (well) {
        table_gather(v->comm->threads, v->row, sizeof *row, v->mail.row, away, row);
        put(v, back, row, out);
        weft_scatter(v->device, weft_slice(v->device, found, v->before, v->stay.length),
                     v->stay, out);
    }
    free(rows);
    free(back);
    free(row);
    return well;
}

void visits_free(struct visits *v) {
    mailing_free(&v->mail);
    mailing_free(&v->copies);
    free(v->row);
    v->row = NULL;
}
