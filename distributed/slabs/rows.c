#include "rows.h"
#include "parts.h"
#include "pencils.h"

#include <stdlib.h>
#include <weft/transform.h>

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* The planes of a rank's slab that travel in a round. */
static struct slab planes_of(const struct slabs *slabs, int rank, int64_t round) {
    const struct slab all = slabs_shared(slabs, rank);
    const int64_t before = smaller(round * slabs->piece, all.count);
    return (struct slab){all.first + before, smaller(slabs->piece, all.count - before)};
}

struct slab rows_planes(const struct rows *r, int64_t round) {
    return planes_of(r->slabs, r->slabs->comm->rank, round);
}

int64_t rows_rounds(const struct rows *r) {
    return (slabs_most(r->slabs) + r->slabs->piece - 1) / r->slabs->piece;
}

/* Whether two ranks have the same columns. */
static bool are_peers(const struct slabs *slabs, int rank, int other) {
    return rank != other && rank % slabs->each == other % slabs->each;
}

static bool is_peer(const struct rows *r, int rank) {
    return are_peers(r->slabs, r->slabs->comm->rank, rank);
}

/* Its own rows stay, so that none go to itself. */
static void settle(struct rows *r, int64_t round) {
    const struct comm *comm = r->slabs->comm;
    struct route *route = &r->route;
    const int64_t planes = rows_planes(r, round).count;
    route->n_to = route->n_from = 0;
    for (int rank = 0; rank < comm->size; ++rank) {
        const int64_t columns = is_peer(r, rank) ? r->columns : 0;
        route->to_first[rank] = route->n_to;
        route->from_first[rank] = route->n_from;
        route->to[rank] = planes * slabs_rows(r->slabs, rank).count * columns;
        route->from[rank] = planes_of(r->slabs, rank, round).count * r->own.count * columns;
        route->n_to += route->to[rank];
        route->n_from += route->from[rank];
    }
}

/* Where on its shelf another rank lays what this one takes: forward it lays its planes'
 * rows for all its peers in turn, back its rows of all their planes. */
static const char *place_on(const struct rows *r, int64_t round, int rank, bool back) {
    const struct slabs *slabs = r->slabs;
    int64_t rows = 0;
    for (int k = 0; k < slabs->comm->rank; ++k) {
        const int whose_planes = back ? k : rank, whose_rows = back ? rank : k;
        if (are_peers(slabs, rank, k))
            rows += planes_of(slabs, whose_planes, round).count *
                    slabs_rows(slabs, whose_rows).count;
    }
    return comm_laid_shelf(r->shelves, rank) + (size_t)(rows * r->row) * PARTS_WORD;
}

/* This rank's rows of the planes that `from` sends. */
static weft_array part_of(const struct rows *r, int64_t round, int from) {
    const struct slab planes = planes_of(r->slabs, from, round);
    const int64_t plane = r->own.count * r->row;
    return weft_slice(r->device, r->words, planes.first * plane, planes.count * plane);
}

/* Where those are sorted that go to a rank. */
static weft_array sorted_for(const struct rows *r, int64_t round, int rank) {
    return weft_slice(r->device, r->sorted[round % 2], r->route.to_first[rank] * r->word,
                      r->route.to[rank] * r->word);
}

void rows_arrange(struct rows *r, int64_t round, weft_array planes, bool back) {
    const struct comm *comm = r->slabs->comm;
    settle(r, round);
    for (int rank = 0; rank < comm->size; ++rank) {
        const bool mine = rank == comm->rank;
        const struct slab rows = slabs_rows(r->slabs, rank);
        const slabs_rows_of of = {r->slabs->n[1] * r->row, rows.first * r->row,
                                  rows.count * r->row};
        if (mine || is_peer(r, rank))
            parts_move(r->device, rows_planes(r, round).count, of, planes,
                       mine ? part_of(r, round, rank) : sorted_for(r, round, rank), back);
    }
}

/* Between what is here of others' planes, one rank's behind the other's, and this rank's
 * spectrum: on a device, or on the host. */
static void place(const struct rows *r, int64_t round, weft_array here, bool back) {
    for (int from = 0; from < r->slabs->comm->size; ++from) {
        const weft_array part = part_of(r, round, from);
        const int64_t first = r->route.from_first[from] * r->word;
        char *at = r->in + (size_t)first * PARTS_WORD;
        if (!is_peer(r, from))
            continue;
        if (here.type) {
            const weft_array its = weft_slice(r->device, here, first, part.length);
            weft_copy(r->device, back ? part : its, back ? its : part);
        } else if (back) {
            weft_read(r->device, part, (void *)at);
        } else {
            weft_write(r->device, part, (const void *)at);
        }
    }
}

/* The same of rows that travel as messages: to a device of its own at once, which takes
 * several threads where it is large. */
static void place_rows(const struct rows *r, int64_t round, bool back) {
    weft_scope_open(r->device);
    const bool apart = weft_device_style(r->device) == WEFT_SIMT;
    const weft_array here =
        apart ? weft_scratch(r->device, WEFT_U64, r->route.n_from * r->word)
              : (weft_array){0};
    if (apart && !back)
        weft_write(r->device, here, (const void *)r->in);
    place(r, round, here, back);
    if (apart && back)
        weft_read(r->device, here, (void *)r->in);
    weft_scope_close(r->device);
}

/* All that was sorted in a round. */
static weft_array sorted_of(const struct rows *r, int64_t round) {
    return weft_slice(r->device, r->sorted[round % 2], 0, r->route.n_to * r->word);
}

void rows_lay(struct rows *r, int64_t round, bool back) {
    const struct comm *comm = r->slabs->comm;
    settle(r, round);
    if (!r->shelves && back)
        place_rows(r, round, true);
    else if (!r->shelves)
        weft_read(r->device, sorted_of(r, round), (void *)r->out);
    else if (!back)
        weft_read_later(r->beside, sorted_of(r, round), comm_shelf(r->shelves, comm->rank));
    for (int from = 0; r->shelves && back && from < comm->size; ++from)
        if (is_peer(r, from))
            weft_read_later(r->beside, part_of(r, round, from),
                            comm_shelf(r->shelves, comm->rank) +
                                (size_t)(r->route.from_first[from] * r->word) * PARTS_WORD);
}

bool rows_laid(struct rows *r, int64_t round, bool back) {
    struct comm *comm = r->slabs->comm;
    const struct route *route = &r->route;
    const size_t bytes = (size_t)r->word * PARTS_WORD;
    settle(r, round);
    slabs_check(comm, r->device);
    if (r->shelves)
        return comm_laid(comm, r->shelves, r->beside,
                         (back ? route->n_from : route->n_to) * (int64_t)bytes);
    return back ? route_send_back(comm, route, bytes, r->in, r->out)
                : route_send(comm, route, bytes, r->out, r->in);
}

void rows_take(struct rows *r, int64_t round, bool back) {
    settle(r, round);
    if (!r->shelves && back)
        weft_write(r->device, sorted_of(r, round), (const void *)r->out);
    else if (!r->shelves)
        place_rows(r, round, false);
    for (int rank = 0; r->shelves && rank < r->slabs->comm->size; ++rank)
        if (is_peer(r, rank))
            weft_write_later(r->beside,
                             back ? sorted_for(r, round, rank) : part_of(r, round, rank),
                             place_on(r, round, rank, back));
}

/* Those of the ranks where what a rank lays at a time fits; the same for all ranks. What
 * ranks of a slab send to each other, for the next planes, may go through the same memory.
 */
static struct comm_shelves *shelves_for(const struct slabs *slabs, weft_type type) {
    struct comm_shelves *shelves = slabs->shelves;
    const int64_t planes = smaller(slabs->piece, slabs_most(slabs)), n = slabs->n[1];
    const int64_t others = slabs->count - 1, all = (n + others) / slabs->count;
    const int64_t rows = n - smaller(n / slabs->count, n - all * others);
    const int64_t numbers = planes * rows * (slabs->n[2] / 2 + 1) * 2;
    const bool fits = shelves && shelves->of &&
                      numbers * (int64_t)WEFT_SIZE(type) <= (int64_t)shelves->bytes;
    return fits && slabs->each == 1 ? shelves : NULL;
}

/* On the host; the first round is the largest. */
static void take_room(struct rows *r) {
    const size_t out = (size_t)(r->route.n_to * r->word) * PARTS_WORD;
    const size_t in = (size_t)(r->route.n_from * r->word) * PARTS_WORD;
    r->room = parts_take_room(r->slabs, out + in);
    r->out = r->room.memory;
    r->in = r->out ? r->out + out : NULL;
}

bool rows_begin(struct rows *r, const struct slabs *slabs, weft_device *device,
                weft_array spectrum) {
    struct comm *comm = slabs->comm;
    const int64_t columns = slabs_columns(slabs, comm->rank).count;
    const int64_t word = 2 * (int64_t)WEFT_SIZE(spectrum.type) / PARTS_WORD;
    *r = (struct rows){.slabs = slabs,
                       .device = device,
                       .beside = device,
                       .words = weft_as(device, spectrum, WEFT_U64),
                       .columns = columns,
                       .word = word,
                       .row = columns * word,
                       .own = slabs_rows(slabs, comm->rank),
                       .shelves = shelves_for(slabs, spectrum.type),
                       .route = slabs_route(comm)};
    if (!r->route.to)
        return comm_agree(comm);
    if (r->shelves && slabs->beside)
        r->beside = slabs->beside;
    settle(r, 0);
    for (int k = 0; k < 2; ++k)
        r->sorted[k] = k == 1 && r->beside == device
                           ? r->sorted[0]
                           : weft_scratch(device, WEFT_U64, r->route.n_to * word);
    if (!r->shelves)
        take_room(r);
    return comm_agree(comm);
}

void rows_end(struct rows *r) {
    free(r->route.to);
    if (r->room.memory)
        parts_leave_room(r->slabs, r->room);
}
