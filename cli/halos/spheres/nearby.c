#include "nearby.h"
#include "cli/command.h"
#include "cli/halos/room.h"
#include "distributed/link.h"

#include <stdlib.h>
#include <string.h>

static const char what[] = "particles around halos";

static struct positions positions_of(const struct table *table) {
    return (struct positions){.at = table->column[LINK_POSITION],
                              .bytes = (int)table->bytes[LINK_POSITION] / 3,
                              .n = table->n};
}

/* Sorts what there is by cells. */
static bool sort(struct nearby *nearby, const struct vicinity *space, int64_t n) {
    int64_t *count = NULL, sum = 0;
    parts_list(nearby->comm, n, VICINITY_CELLS, vicinity_cell, space, &nearby->rows,
               &count);
    nearby->first =
        comm_allocate(nearby->comm, VICINITY_CELLS + 1, sizeof *nearby->first, what);
    for (int c = 0; count && nearby->first && c <= VICINITY_CELLS; ++c) {
        nearby->first[c] = sum;
        sum += c < VICINITY_CELLS ? count[c] : 0;
    }
    free(count);
    return nearby->rows && nearby->first;
}

bool nearby_settle(struct halos_run *run, const struct table *table, const uint32_t *label,
                   struct nearby *nearby) {
    int64_t row_bytes = 0;
    for (int c = 0; c < TABLE_COLUMNS; ++c)
        row_bytes += (int64_t)table->bytes[c];
    *nearby = (struct nearby){.run = run,
                              .comm = &run->comm,
                              .table = table,
                              .label = label,
                              .positions = positions_of(table),
                              .row_bytes = row_bytes,
                              .room = room_around(run, row_bytes)};
    nearby->seen = comm_allocate(&run->comm, VICINITY_CELLS, 1, what);
    if (nearby->seen)
        memset(nearby->seen, 0, VICINITY_CELLS);
    bool well =
        vicinity_settle(&run->comm, &nearby->positions, run->period, &nearby->space);
    if (well && run->comm.size == 1)
        well = sort(nearby, &nearby->space, table->n);
    return well;
}

/* Which rank needs the particles of which cells: a bit a cell. */
enum { MAP = VICINITY_CELLS / 8 };
struct needs {
    const struct nearby *nearby;
    int ranks;
    uint8_t *map; /* [ranks][MAP] */
};

static int needed_by(const void *context, int64_t row, int *ranks) {
    const struct needs *needs = context;
    int cell, n = 0;
    if (needs->nearby->label && needs->nearby->label[row] == UINT32_MAX)
        return 0;
    vicinity_cell(&needs->nearby->space, row, &cell);
    for (int r = 0; r < needs->ranks; ++r) {
        if (needs->map[(size_t)r * MAP + (size_t)cell / 8] >> cell % 8 & 1)
            ranks[n++] = r;
    }
    return n;
}

static bool share_needs(struct nearby *nearby, const double *at, const double *reach,
                        struct needs *needs) {
    struct comm *comm = nearby->comm;
    uint8_t *mine = comm_allocate(comm, MAP, 1, what);
    uint32_t *cells = comm_allocate(comm, VICINITY_CELLS, sizeof *cells, what);
    *needs = (struct needs){nearby, comm->size, comm_allocate(comm, comm->size, MAP, what)};
    if (mine)
        memset(mine, 0, MAP);
    for (int64_t k = 0; mine && cells && k < nearby->n; ++k) {
        const int64_t h = nearby->order[k];
        const int n = vicinity_around(&nearby->space, at + 3 * h, reach[h], cells);
        for (int c = 0; c < n; ++c)
            mine[cells[c] / 8] |= (uint8_t)(1 << cells[c] % 8);
    }
    const bool well = comm_share(comm, mine, MAP, needs->map);
    free(mine);
    free(cells);
    return well;
}

static void forget_came(struct nearby *nearby) {
    table_free(&nearby->came);
    free(nearby->rows);
    free(nearby->first);
    nearby->rows = NULL;
    nearby->first = NULL;
}

/* From all ranks, those near the centers of this one. */
static bool send(struct nearby *nearby, const double *at, const double *reach) {
    struct comm *comm = nearby->comm;
    const struct table *table = nearby->table;
    struct needs needs;
    struct mailing mailing = {0};
    forget_came(nearby);
    bool well = share_needs(nearby, at, reach, &needs);
    if (well)
        well = mailing_plan(comm, table->n, needed_by, &needs, &mailing);
    for (int c = 0; well && c < TABLE_COLUMNS; ++c) {
        nearby->came.bytes[c] = table->bytes[c];
        if (table->bytes[c] > 0)
            nearby->came.column[c] =
                mailing_send(comm, &mailing, table->bytes[c], table->column[c]);
        well = table->bytes[c] == 0 || nearby->came.column[c] != NULL;
    }
    nearby->came.n = well ? mailing.route.n_from : 0;
    mailing_free(&mailing);
    free(needs.map);
    if (!comm_agree(comm))
        return false;
    nearby->came_positions = positions_of(&nearby->came);
    struct vicinity space = nearby->space;
    space.positions = &nearby->came_positions;
    return sort(nearby, &space, nearby->came.n);
}

struct placed {
    int64_t center, cell;
};

static int by_cell(const void *a, const void *b) {
    const struct placed *x = a, *y = b;
    if (x->cell != y->cell)
        return x->cell < y->cell ? -1 : 1;
    return (x->center > y->center) - (x->center < y->center);
}

bool nearby_bring(struct nearby *nearby, int64_t n, const double *at, const double *reach) {
    const struct positions centers = {.at = at, .bytes = sizeof *at, .n = n};
    struct vicinity space = nearby->space;
    struct placed *placed = comm_allocate(nearby->comm, n, sizeof *placed, what);
    free(nearby->order);
    nearby->order = comm_allocate(nearby->comm, n, sizeof *nearby->order, what);
    nearby->n = nearby->next = 0;
    space.positions = &centers;
    for (int64_t h = 0; placed && nearby->order && h < n; ++h) {
        int cell;
        vicinity_cell(&space, h, &cell);
        if (reach[h] > 0)
            placed[nearby->n++] = (struct placed){h, cell};
    }
    if (placed)
        qsort(placed, (size_t)nearby->n, sizeof *placed, by_cell);
    for (int64_t k = 0; k < nearby->n; ++k)
        nearby->order[k] = placed[k].center;
    free(placed);
    return nearby->comm->size > 1 ? send(nearby, at, reach) : comm_agree(nearby->comm);
}

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

bool nearby_next(struct nearby *nearby, const double *at, const double *reach,
                 struct nearby_batch *batch) {
    struct comm *comm = nearby->comm;
    struct cells cells = {comm_allocate(comm, VICINITY_CELLS, sizeof(uint32_t), what), 0,
                          0};
    uint32_t *around = comm_allocate(comm, VICINITY_CELLS, sizeof *around, what);
    *batch = (struct nearby_batch){.center = nearby->order + nearby->next};
    bool well = cells.cell && around && nearby->order && nearby->first;
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

void nearby_forget(struct nearby_batch *batch) {
    table_free(&batch->table);
}

void nearby_free(struct nearby *nearby) {
    forget_came(nearby);
    free(nearby->order);
    free(nearby->seen);
}
