#include "nearby.h"
#include "cli/halos/room.h"
#include "distributed/vicinity/needs.h"
#include "io/crew/crew.h"

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

bool nearby_is_whole(const struct nearby *nearby) {
    return nearby->comm->size > 1 && nearby->run->options.memory_limit == 0;
}

bool nearby_settle(struct halos_run *run, struct table *table, struct link_device *stay,
                   bool inside, struct nearby *nearby) {
    const struct snapshot_particles *particles = &run->particles;
    int64_t row_bytes = 0;
    for (int c = 0; c < TABLE_COLUMNS; ++c)
        row_bytes += (int64_t)table->bytes[c];
    *nearby = (struct nearby){.run = run,
                              .comm = &run->comm,
                              .table = table,
                              .stay = stay,
                              .positions = positions_of(table),
                              .inside = inside,
                              .row_bytes = row_bytes,
                              .room = room_around(run, row_bytes)};
    nearby->seen = comm_allocate(&run->comm, VICINITY_CELLS, 1, what);
    if (nearby->seen)
        memset(nearby->seen, 0, VICINITY_CELLS);
    bool well = vicinity_settle(&run->comm, &nearby->positions, particles->low,
                                particles->high, run->period, &nearby->space);
    if (well && run->comm.size == 1)
        well = sort(nearby, &nearby->space, table->n);
    if (well && nearby_is_whole(nearby)) {
        if (stay)
            nearby->positions.lent = stay->position;
        if (nearby->positions.lent.type == 0)
            positions_lend(run->device, &nearby->positions, 0);
    }
    return well;
}

/* Cells near this rank's centers, which each thread marks for itself. */
struct marking {
    const struct nearby *nearby;
    const double *at, *reach;
    uint32_t *marks; /* [threads][NEEDS_WORDS] */
    uint32_t *cells; /* [threads][VICINITY_CELLS] */
};

static void mark_some(void *context, int64_t begin, int64_t end, int part) {
    const struct marking *m = context;
    uint32_t *marks = m->marks + (size_t)part * NEEDS_WORDS;
    uint32_t *cells = m->cells + (size_t)part * VICINITY_CELLS;
    memset(marks, 0, NEEDS_WORDS * sizeof *marks);
    for (int64_t k = begin; k < end; ++k) {
        const int64_t h = m->nearby->order[k];
        const int n = vicinity_around(&m->nearby->space, m->at + 3 * h, m->reach[h], cells);
        for (int c = 0; c < n; ++c)
            needs_mark(marks, cells[c]);
    }
}

static uint32_t *mark_own(struct nearby *nearby, const double *at, const double *reach) {
    struct comm *comm = nearby->comm;
    const int threads = crew_parts(comm->threads, nearby->n);
    struct marking m = {nearby, at, reach, NULL, NULL};
    m.marks = comm_allocate(comm, threads, NEEDS_WORDS * sizeof *m.marks, what);
    m.cells = comm_allocate(comm, threads, VICINITY_CELLS * sizeof *m.cells, what);
    if (m.marks && m.cells)
        crew_run(comm->threads, nearby->n, mark_some, &m);
    for (size_t w = NEEDS_WORDS; m.marks && m.cells && w < (size_t)threads * NEEDS_WORDS;
         ++w)
        m.marks[w % NEEDS_WORDS] |= m.marks[w];
    free(m.cells);
    return m.marks;
}

static void forget_came(struct nearby *nearby) {
    if (!nearby->in_place)
        table_free(&nearby->came);
    nearby->came = (struct table){0};
    nearby->in_place = false;
    free(nearby->rows);
    free(nearby->first);
    nearby->rows = NULL;
    nearby->first = NULL;
}

/* Of the columns of a table, whether spheres ask for one. */
static bool is_asked_for(const struct nearby *nearby, int column) {
    const struct table *table = nearby->table;
    const bool ids = nearby->inside || table->bytes[LINK_MASS] > 0;
    const int id = table->bytes[LINK_ID] > 0 ? LINK_ID : LINK_INDEX;
    if (table->bytes[column] == 0)
        return false;
    if (!nearby_is_whole(nearby))
        return true;
    return column == LINK_POSITION || column == LINK_MASS || (column == id && ids) ||
           (column == LINK_VELOCITY && nearby->inside);
}

/* Rows of others, behind the own ones, which stay where they are. */
static bool append(struct nearby *nearby, const struct mailing *mailing) {
    struct table *table = nearby->table;
    const int64_t n = table->n, came = mailing->route.n_from;
    bool well = true;
    for (int c = 0; well && c < TABLE_COLUMNS; ++c) {
        if (!is_asked_for(nearby, c))
            continue;
        well = table_append(nearby->comm, table, c, mailing);
        nearby->came.bytes[c] = table->bytes[c];
        nearby->came.column[c] = table->column[c];
    }
    nearby->in_place = true;
    nearby->came.n = well ? n + came : 0;
    if (!well)
        return false;
    nearby->positions.at = table->column[LINK_POSITION];
    positions_lengthen(nearby->run->device, &nearby->positions, came);
    nearby->positions.n = n;
    return table_well(nearby->comm, nearby->run->device);
}

static bool fetch(struct nearby *nearby, const struct mailing *mailing) {
    const struct table *table = nearby->table;
    bool well = true;
    for (int c = 0; well && c < TABLE_COLUMNS; ++c) {
        if (!is_asked_for(nearby, c))
            continue;
        nearby->came.bytes[c] = table->bytes[c];
        nearby->came.column[c] =
            mailing_send(nearby->comm, mailing, table->bytes[c], table->column[c]);
        well = nearby->came.column[c] != NULL;
    }
    nearby->came.n = well ? mailing->route.n_from : 0;
    return well;
}

/* From all ranks, those near the centers of this one: where these are most of its own, all
 * of those, which need not be moved then. */
static bool send(struct nearby *nearby, const double *at, const double *reach) {
    static const double most = 0.5;
    struct comm *comm = nearby->comm;
    struct needs needs;
    struct mailing mailing = {0};
    forget_came(nearby);
    uint32_t *mine = mark_own(nearby, at, reach);
    bool well = needs_share(comm, mine, &needs);
    const bool stay =
        well && nearby_is_whole(nearby) && needs_own_part(&needs, &nearby->space) > most;
    well = well && needs_plan(comm, nearby->run->device, &needs, &nearby->space, stay,
                              nearby->run->options.memory_limit, &mailing);
    if (well)
        well = stay ? append(nearby, &mailing) : fetch(nearby, &mailing);
    mailing_free(&mailing);
    needs_free(&needs);
    free(mine);
    const bool agreed = comm_agree(comm);
    if (!agreed || nearby_is_whole(nearby))
        return agreed;
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
    if (placed && !nearby_is_whole(nearby))
        qsort(placed, (size_t)nearby->n, sizeof *placed, by_cell);
    for (int64_t k = 0; k < nearby->n; ++k)
        nearby->order[k] = placed[k].center;
    free(placed);
    return nearby->comm->size > 1 ? send(nearby, at, reach) : comm_agree(nearby->comm);
}

void nearby_free(struct nearby *nearby) {
    forget_came(nearby);
    free(nearby->order);
    free(nearby->seen);
    if (nearby->stay && nearby_is_whole(nearby))
        nearby->stay->position = nearby->positions.lent;
    else
        positions_take_back(nearby->run->device, &nearby->positions);
}
