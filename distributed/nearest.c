#include "nearest.h"
#include "around.h"
#include "cut.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of the device that a point takes beside its coordinates: scratch, id, whether it is
 * a target, answer. */
enum { POINT = 100 + 8 + 4 + 4 };

/* Points of which the first `own` may search. */
struct search {
    struct positions positions;
    const int64_t *id, *index;
    int64_t own;
};

static bool searches(const struct search *s, int64_t row) {
    return row < s->own && s->index[row] < 0;
}

/* Of targets and what searches among them, as rows of the search; `found` is by place. */
static bool ask_device(struct comm *comm, weft_device *device, const struct search *s,
                       const weft_nearest_options *rule, const uint32_t *rows, int64_t n,
                       uint32_t *found) {
    weft_nearest_options options = *rule;
    const struct positions *positions = &s->positions;
    const size_t bytes = 3 * (size_t)positions->bytes;
    void *at = comm_allocate(comm, n, bytes, "a piece of space");
    int64_t *id = comm_allocate(comm, n, sizeof *id, "a piece of space");
    uint32_t *target = comm_allocate(comm, n, sizeof *target, "a piece of space");
    if (at && id && target) {
        table_gather(comm->threads, positions->at, bytes, rows, n, at);
        table_gather(comm->threads, s->id, sizeof *id, rows, n, id);
        for (int64_t k = 0; k < n; ++k)
            target[k] = s->index[rows[k]] >= 0;
        const weft_array lent[] = {
            weft_borrow_const(
                device, positions->bytes == 4 ? (weft_type)WEFT_F32 : (weft_type)WEFT_F64,
                at, 3 * n),
            weft_borrow_const(device, WEFT_I64, id, n),
            weft_borrow_const(device, WEFT_U32, target, n)};
        const weft_points points = weft_points_interleaved(device, lent[0]);
        weft_scope_open(device);
        const weft_array nearest = weft_scratch(device, WEFT_U32, n);
        options.id = lent[1];
        weft_nearest(device, &points, &options, lent[2], nearest);
        weft_read(device, nearest, found);
        weft_scope_close(device);
        for (int k = 2; k >= 0; --k)
            weft_return(device, lent[k]);
        table_well(comm, device);
    }
    free(at);
    free(id);
    free(target);
    return comm->trouble == 0;
}

static const uint32_t none = UINT32_MAX;

/* The rows of a piece, if any of its own searches: into found [points]. */
static bool search_rows(struct comm *comm, weft_device *device, const struct search *s,
                        const weft_nearest_options *options, const uint32_t *rows,
                        int64_t own, int64_t n, uint32_t *answer, uint32_t *found) {
    int64_t searching = 0;
    for (int64_t k = 0; k < own; ++k) {
        searching += searches(s, rows[k]);
        found[rows[k]] = none;
    }
    if (searching == 0)
        return true;
    if (!ask_device(comm, device, s, options, rows, n, answer))
        return false;
    for (int64_t k = 0; k < own; ++k) {
        if (searches(s, rows[k]))
            found[rows[k]] = answer[k] == none ? none : rows[answer[k]];
    }
    return true;
}

static bool search_pieces(struct comm *comm, weft_device *device, const struct search *s,
                          const weft_nearest_options *options, int64_t limit,
                          uint32_t *found) {
    weft_fof_options reach = {.linking_length = options->length};
    const int64_t each = POINT + 3 * s->positions.bytes, n = s->positions.n;
    struct cut cut = {0};
    memcpy(reach.box, options->box, sizeof reach.box);
    const bool whole = limit == 0 || n <= limit / each;
    if (n >= (int64_t)UINT32_MAX) {
        io_fail(&comm->error, "%lld particles are too many for one rank: use more ranks",
                (long long)n);
        return comm_fail(comm, 1);
    }
    bool well =
        whole || cut_to_fit(comm, &s->positions, &reach, limit, each, 1, true, found, &cut);
    const int64_t most = !well ? 0 : whole ? n : cut_largest(&cut);
    uint32_t *rows = comm_allocate(comm, most, sizeof *rows, "a piece of space");
    uint32_t *answer = comm_allocate(comm, most, sizeof *answer, "a piece of space");
    well = well && rows && answer;
    for (int64_t k = 0; well && whole && k < n; ++k)
        rows[k] = (uint32_t)k;
    if (well && whole)
        well = search_rows(comm, device, s, options, rows, n, n, answer, found);
    for (int p = 0; well && p < cut.domains.n; ++p) {
        const int64_t count = cut_rows(&cut, p, found, rows);
        if (comm->told)
            comm->told(p, cut.domains.n);
        well =
            search_rows(comm, device, s, options, rows, cut.own[p], count, answer, found);
        weft_memory_trim(device); /* pieces differ in size */
    }
    free(rows);
    free(answer);
    cut_free(&cut);
    return well;
}

/* Adds copies of targets of other domains to the memory of the columns, not to the number
 * of the points. Returns how many there are with them. */
static int64_t bring_targets(struct comm *comm, weft_device *device, struct table *points,
                             struct space *space) {
    static const int columns[] = {LINK_POSITION, LINK_ID, LINK_INDEX};
    struct mailing mailing;
    int64_t all = points->n;
    if (comm->size == 1)
        return all;
    space->ghosts.both = true;
    bool well =
        ghosts_plan(comm, device, &space->ghosts, points->column[LINK_INDEX], &mailing);
    for (size_t k = 0; well && k < sizeof columns / sizeof *columns; ++k)
        well = table_append(comm, points, columns[k], &mailing);
    if (well)
        all += mailing.route.n_from;
    mailing_free(&mailing);
    comm_end(comm, COMM_GHOSTS);
    return all;
}

/* Leaves the points that found a target, and its index in the place of their ids. */
static bool keep_found(struct comm *comm, struct table *points, const uint32_t *found) {
    int64_t *id = points->column[LINK_ID], kept = 0;
    const int64_t *index = points->column[LINK_INDEX];
    uint32_t *row = comm_allocate(comm, points->n, sizeof *row, "what found its nearest");
    for (int64_t i = 0; row && i < points->n; ++i) {
        if (index[i] < 0 && found[i] != none) {
            id[i] = index[found[i]];
            row[kept++] = (uint32_t)i;
        }
    }
    const bool well = row && table_take(comm, points, row, kept);
    free(row);
    return well;
}

bool nearest_find(struct comm *comm, weft_device *device, struct table *points,
                  const weft_nearest_options *options, int64_t limit) {
    weft_fof_options reach = {.linking_length = options->length};
    struct space space;
    uint32_t *found = NULL;
    memcpy(reach.box, options->box, sizeof reach.box);
    if (space_settle(comm, NULL, points, &reach, limit, &space)) {
        const int64_t all = bring_targets(comm, device, points, &space);
        found = comm_allocate(comm, all, sizeof *found, "the nearest of each");
        const struct search search = {{.at = points->column[LINK_POSITION],
                                       .bytes = (int)points->bytes[LINK_POSITION] / 3,
                                       .n = all},
                                      points->column[LINK_ID],
                                      points->column[LINK_INDEX],
                                      points->n};
        if (found && comm->trouble == 0 &&
            search_pieces(comm, device, &search, options, limit, found))
            keep_found(comm, points, found);
    }
    free(found);
    space_free(&space);
    comm_end(comm, COMM_LINK);
    return comm_agree(comm);
}
