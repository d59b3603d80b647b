/* Particles near centers, handed out: all at once, or some centers at a time. */
#include "cli/halos/room.h"
#include "distributed/link.h"
#include "nearby.h"

#include <stdlib.h>
#include <string.h>

static const char what[] = "particles around halos";

/* The cells of a batch. */
struct cells {
    uint32_t *cell; /* [VICINITY_CELLS] */
    int n;
    int64_t particles;
};

/* Adds the cells around a center, unless there is no room for their particles. */
static bool add_center(struct nearby *nearby, const double *at, double reach,
                       uint32_t *around, int64_t room, struct cells *cells) {
    const int n = vicinity_around(&nearby->space, at, reach, around), before = cells->n;
    int64_t particles = cells->particles;
    for (int k = 0; k < n; ++k) {
        if (nearby->seen[around[k]])
            continue;
        nearby->seen[around[k]] = 1;
        cells->cell[cells->n++] = around[k];
        particles += nearby->first[around[k] + 1] - nearby->first[around[k]];
    }
    if (particles <= room) {
        cells->particles = particles;
        return true;
    }
    while (cells->n > before)
        nearby->seen[cells->cell[--cells->n]] = 0;
    return false;
}

/* The ids of rows: the file's, or places in the input. */
static bool name_rows(struct nearby *nearby, const struct table *from, const uint32_t *row,
                      struct table *to) {
    const int column = from->column[LINK_ID] ? LINK_ID : LINK_INDEX;
    int64_t *id = comm_allocate(nearby->comm, to->n, sizeof *id, what);
    const int64_t *ids = from->column[column];
    if (id && ids)
        table_gather(nearby->comm->threads, ids, sizeof *id, row, to->n, id);
    for (int64_t k = 0; id && !ids && k < to->n; ++k)
        id[k] = row[k];
    to->column[LINK_ID] = id;
    to->bytes[LINK_ID] = sizeof *id;
    return id != NULL;
}

static bool gather(struct nearby *nearby, const struct cells *cells,
                   struct nearby_batch *batch) {
    struct comm *comm = nearby->comm;
    const struct table *from = comm->size > 1 ? &nearby->came : nearby->table;
    struct table *to = &batch->table;
    uint32_t *row = comm_allocate(comm, cells->particles, sizeof *row, what);
    bool well = row != NULL;
    for (int k = 0; well && k < cells->n; ++k) {
        const int64_t first = nearby->first[cells->cell[k]];
        const int64_t n = nearby->first[cells->cell[k] + 1] - first;
        if (n > 0)
            memcpy(row + to->n, nearby->rows + first, (size_t)n * sizeof *row);
        to->n += n;
    }
    static const int columns[] = {LINK_POSITION, LINK_VELOCITY, LINK_MASS};
    for (int k = 0; well && k < 3; ++k) {
        const size_t bytes = from->bytes[columns[k]];
        if (bytes == 0)
            continue;
        to->bytes[columns[k]] = bytes;
        to->column[columns[k]] = comm_allocate(comm, to->n, bytes, what);
        well = to->column[columns[k]] != NULL;
        if (well)
            table_gather(comm->threads, from->column[columns[k]], bytes, row, to->n,
                         to->column[columns[k]]);
    }
    well = well && name_rows(nearby, from, row, to);
    free(row);
    return well;
}

/* All centers that are left, and all that was brought. */
static void hand_out(struct nearby *nearby, struct nearby_batch *batch) {
    struct table *table = &batch->table;
    batch->n = nearby->n - nearby->next;
    nearby->next = nearby->n;
    *table = nearby->came;
    batch->lent = true;
    table->n = batch->n > 0 ? table->n : 0;
    if (table->column[LINK_ID] == NULL) {
        table->bytes[LINK_ID] = table->bytes[LINK_INDEX];
        table->column[LINK_ID] = table->column[LINK_INDEX];
    }
    if (nearby->in_place)
        batch->positions = nearby->positions.lent;
}

/* As many centers as there is room for the particles around them. */
static bool take_some(struct nearby *nearby, const double *at, const double *reach,
                      struct nearby_batch *batch) {
    struct comm *comm = nearby->comm;
    struct cells cells = {comm_allocate(comm, VICINITY_CELLS, sizeof(uint32_t), what), 0,
                          0};
    uint32_t *around = comm_allocate(comm, VICINITY_CELLS, sizeof *around, what);
    bool well = cells.cell && around && nearby->first;
    for (; well && nearby->next < nearby->n; ++nearby->next, ++batch->n) {
        const int64_t h = nearby->order[nearby->next];
        const int64_t room = batch->n == 0 ? INT64_MAX : nearby->room;
        if (cells.particles > nearby->room ||
            !add_center(nearby, at + 3 * h, reach[h], around, room, &cells))
            break;
    }
    if (cells.particles > nearby->room)
        batch->needed = room_spheres(cells.particles, nearby->row_bytes);
    for (int k = 0; k < cells.n; ++k)
        nearby->seen[cells.cell[k]] = 0;
    well = well && gather(nearby, &cells, batch);
    free(cells.cell);
    free(around);
    return well;
}

bool nearby_next(struct nearby *nearby, const double *at, const double *reach,
                 struct nearby_batch *batch) {
    *batch = (struct nearby_batch){.n = 0};
    if (nearby->order == NULL)
        return false;
    batch->center = nearby->order + nearby->next;
    if (!nearby_is_whole(nearby))
        return take_some(nearby, at, reach, batch);
    hand_out(nearby, batch);
    return true;
}

void nearby_forget(struct nearby_batch *batch) {
    if (!batch->lent)
        table_free(&batch->table);
}
