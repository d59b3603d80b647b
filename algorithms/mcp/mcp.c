#include "weft/mcp.h"
#include "algorithms/cells/cells.h"
#include "mcp.kernel.h"
#include "mcp_short.h"
#include "algorithms/cells/near.h"
#include "algorithms/cells/tally.h"
#include "weft/operators.h"
#include "weft/register.h"
#include "weft/scan.h"
#include "weft/select.h"
#include "weft/transform.h"

WEFT_KERNEL(mcp_spread, (in, grid_point, point), (in, u32, sorted), (inout, u32, friends))
WEFT_KERNEL(mcp_place, (in, u32, member), (inout, u32, place, 0))
WEFT_KERNEL(mcp_begin, (value, u32, members), (in, i64, offset), (shared, u32, begun, 0))
WEFT_GENERATOR(mcp_halo, u32, (in, u32, set_start), (in, grid_point, point, 0),
               (in, u32, place, 0), (in, u32, begun, 0))
WEFT_KERNEL(mcp_seek_halo, (in, u32, set_start, n + 1), (in, grid_point, point, 0),
            (in, u32, place, 0), (in, u32, begun, 0), (inout, u32, halo))
WEFT_KERNEL(mcp_survey, (in, u32, cell_set, n + 1), (in, u32, set_start, 0),
            (in, u32, halo, 0), (out, u32, holds), (shared, u32, peak, 0))
WEFT_GENERATOR(mcp_index, u32, (value, u32, first))
WEFT_KERNEL(mcp_count_cells, (value, friends_rule, rule), (value, i32, others),
            (value, u32, members), (value, i64, chunk), (value, i64, cells),
            (value, i64, pitch), (value, i64, rows), (in, u64, bits, 0),
            (in, u32, map_first, 0), (in, u32, neighbour, 0), (in, u64, row_key, 0),
            (in, u32, row_cell, 0), (in, u32, row, 0), (in, u32, listed, 0),
            (in, u32, cell_x, 0), (in, u32, cell_set, 0), (in, u32, cell_start, 0),
            (in, u32, set_start, 0), (in, u8, set_sub, 0), (in, grid_point, point, 0),
            (in, u32, place, 0), (in, u32, halo, 0), (in, u32, peak, 0), (in, u32, x, 0),
            (in, u32, y, 0), (in, u32, z, 0), (shared, u32, best, 0),
            (inout, u32, friends, 0))
WEFT_KERNEL(mcp_may_win, (value, friends_rule, rule), (value, i32, others),
            (value, i64, pitch), (value, i64, rows), (in, u64, bits, 0),
            (in, u32, map_first, 0), (in, u32, neighbour, 0), (in, u64, row_key, 0),
            (in, u32, row_cell, 0), (in, u32, row, 0), (in, u32, listed),
            (in, u32, cell_x, 0), (in, u32, cell_set, 0), (in, u32, cell_start, 0),
            (in, u32, set_start, 0), (in, u32, halo, 0), (in, u32, peak, 0),
            (shared, u32, best, 0), (out, u32, may))
WEFT_GENERATOR(mcp_size, u32, (in, u32, listed), (in, u32, cell_start, 0))
WEFT_KERNEL(mcp_count_members, (value, friends_rule, rule), (value, i32, others),
            (value, u32, members), (value, i64, cells), (value, i64, pitch),
            (value, i64, rows), (in, u64, bits, 0), (in, u32, map_first, 0),
            (in, u32, neighbour, 0), (in, u64, row_key, 0), (in, u32, row_cell, 0),
            (in, u32, row, 0), (in, u32, listed, 0), (in, u32, until, 0),
            (in, u32, cell_x, 0), (in, u32, cell_set, 0), (in, u32, cell_start, 0),
            (in, u32, set_start, 0), (in, u8, set_sub, 0), (in, grid_point, point, 0),
            (in, u32, place, 0), (in, u32, halo, 0), (in, u32, peak, 0), (in, u32, x, 0),
            (in, u32, y, 0), (in, u32, z, 0), (shared, u32, best, 0),
            (inout, u32, friends, 0))
WEFT_KERNEL(mcp_choose, (in, u32, begun), (in, u32, friends), (in, u32, best, 0),
            (shared, u32, winner, 0))
WEFT_KERNEL(mcp_tell, (in, u32, winner), (in, u32, member, 0), (out, u32, particle))

static void check_options(weft_device *device, const char *name,
                          const weft_fof_options *options) {
    if (weft_check(device) != WEFT_OK)
        return;
    if (options)
        friends_check(device, name, "linking length", options->linking_length,
                      options->box);
    else
        weft_fail(device, WEFT_E_ARGUMENT, "%s: 'options' is NULL", name);
}

static void check_output(weft_device *device, const char *name, const char *which,
                         weft_array array, i64 count) {
    if (array.type != WEFT_U32)
        weft_fail(device, WEFT_E_TYPE, "%s: '%s' is not of type u32", name, which);
    else if (array.length < count)
        weft_fail(device, WEFT_E_SHAPE,
                  "%s: '%s' has %lld elements, at least %lld are needed", name, which,
                  (long long)array.length, (long long)count);
}

static void count_all(weft_device *device, const points_words *words, weft_cells *cells,
                      weft_array friends) {
    const i64 n = cells->sets.points;
    const weft_array sorted = weft_scratch(device, WEFT_U32, n);
    tally_friends(device, &cells->rule, words, &cells->sets, 0, UINT32_MAX, sorted);
    weft_for_each(device, n, mcp_spread, .point = cells->sets.point, .sorted = sorted,
                  .friends = friends);
}

weft_status weft_friends_count(weft_device *device, const weft_points *points,
                               const weft_fof_options *options, weft_array friends) {
    static const char name[] = "weft_friends_count";
    check_options(device, name, options);
    weft_scope_open(device);
    const points_words words = points_view(device, name, points);
    if (weft_check(device) == WEFT_OK)
        check_output(device, name, "friends", friends, points->count);
    if (weft_check(device) == WEFT_OK && points->count > 0) {
        weft_cells *kept = cells_kept(device, name, points->count, options);
        weft_cells *cells =
            kept ? kept
                 : cells_new(device, name, &words, points->count, options, (weft_array){0});
        if (cells)
            count_all(device, &words, cells, friends);
        if (!kept)
            weft_cells_free(device, cells);
    }
    weft_scope_close(device);
    return weft_check(device);
}

/* Members of halos, and where they are among sorted particles. */
typedef struct mcp_members {
    u32 count;
    weft_array begun; /* [count + 1] u32: halos begun up to and with that of each; then 0 */
    weft_array place; /* [particles] u32: where each is among them; count for no halo */
    weft_array halo;  /* [sets] u32: of its members; 2^32 - 1 where there are none */
    weft_array cell;  /* u32: the cells that hold members, ascending */
    weft_array peak;  /* [halos] u32: how many particles its largest set has */
} mcp_members;

static mcp_members assign(weft_device *device, const weft_halos *halos, i64 count,
                          int left_out, const grid_sets *s) {
    mcp_members m = {.count = (u32)halos->members,
                     .begun = weft_scratch(device, WEFT_U32, halos->members + 1),
                     .place = weft_scratch(device, WEFT_U32, count),
                     .halo = weft_scratch(device, WEFT_U32, s->sets),
                     .cell = weft_scratch(device, WEFT_U32, s->cells),
                     .peak = weft_scratch(device, WEFT_U32, halos->count)};
    const weft_array all = weft_slice(device, m.begun, 0, halos->members);
    const u32 zero = 0;
    i64 cells = 0;
    weft_fill(device, m.begun, &zero);
    weft_for_each(device, halos->count, mcp_begin, .members = m.count,
                  .offset = halos->offset, .begun = all);
    weft_scan(device, all, weft_plus(WEFT_U32), WEFT_INCLUSIVE, all);
    weft_fill(device, m.place, &m.count);
    weft_for_each(device, halos->members, mcp_place, .member = halos->member,
                  .place = m.place);
    weft_transform(device, s->sets, m.halo, mcp_halo, .set_start = s->set_start,
                   .point = s->point, .place = m.place, .begun = m.begun);
    if (left_out)
        weft_for_each(device, s->sets, mcp_seek_halo, .set_start = s->set_start,
                      .point = s->point, .place = m.place, .begun = m.begun,
                      .halo = m.halo);
    weft_scope_open(device);
    const weft_array holds = weft_scratch(device, WEFT_U32, s->cells);
    weft_fill(device, m.peak, &zero);
    weft_for_each(device, s->cells, mcp_survey, .cell_set = s->cell_set,
                  .set_start = s->set_start, .halo = m.halo, .holds = holds,
                  .peak = m.peak);
    weft_copy_if(device, weft_lazy(s->cells, mcp_index, .first = 0), holds, m.cell, &cells);
    weft_scope_close(device);
    m.cell = weft_slice(device, m.cell, 0, cells);
    return m;
}

/* Counts the friends of the members in these cells, where many work-items run. */
static void count_in(weft_device *device, const friends_rule *rule,
                     const points_words *words, const near_index *near, const grid_sets *s,
                     const mcp_members *m, i32 others, weft_array listed, weft_array best,
                     weft_array friends) {
    const i64 cells = listed.length;
    u32 particles = 0;
    if (cells == 0)
        return;
    weft_scope_open(device);
    const weft_array until = weft_scratch(device, WEFT_U32, cells);
    weft_scan(device,
              weft_lazy(cells, mcp_size, .listed = listed, .cell_start = s->cell_start),
              weft_plus(WEFT_U32), WEFT_INCLUSIVE, until);
    weft_read(device, weft_slice(device, until, cells - 1, 1), &particles);
    weft_for_each(
        device, particles, mcp_count_members, .rule = *rule, .others = others,
        .members = m->count, .cells = cells, .pitch = near->map.pitch, .rows = near->rows,
        .bits = near->map.bits, .map_first = near->map.first, .neighbour = near->neighbour,
        .row_key = near->row_key, .row_cell = near->row_cell, .row = near->row,
        .listed = listed, .until = until, .cell_x = s->cell_x, .cell_set = s->cell_set,
        .cell_start = s->cell_start, .set_start = s->set_start, .set_sub = s->set_sub,
        .point = s->point, .place = m->place, .halo = m->halo, .peak = m->peak,
        .x = words->x, .y = words->y, .z = words->z, .best = best, .friends = friends);
    weft_scope_close(device);
}

static void count_many(weft_device *device, const friends_rule *rule,
                       const points_words *words, const near_index *near,
                       const grid_sets *s, const mcp_members *m, i32 others,
                       weft_array best, weft_array friends) {
    const i64 cells = m->cell.length;
    i64 count = 0;
    weft_scope_open(device);
    const weft_array may = weft_scratch(device, WEFT_U32, cells);
    const weft_array some = weft_scratch(device, WEFT_U32, cells);
    weft_for_each(device, cells, mcp_may_win, .rule = *rule, .others = others,
                  .pitch = near->map.pitch, .rows = near->rows, .bits = near->map.bits,
                  .map_first = near->map.first, .neighbour = near->neighbour,
                  .row_key = near->row_key, .row_cell = near->row_cell, .row = near->row,
                  .listed = m->cell, .cell_x = s->cell_x, .cell_set = s->cell_set,
                  .cell_start = s->cell_start, .set_start = s->set_start, .halo = m->halo,
                  .peak = m->peak, .best = best, .may = may);
    weft_copy_if(device, m->cell, may, some, &count);
    count_in(device, rule, words, near, s, m, others, weft_slice(device, some, 0, count),
             best, friends);
    weft_scope_close(device);
}

static void count_few(weft_device *device, const friends_rule *rule,
                      const points_words *words, const near_index *near, const grid_sets *s,
                      const mcp_members *m, i32 others, weft_array best,
                      weft_array friends) {
    const i64 cells = m->cell.length, chunk = near->chunk;
    weft_for_each(device, (cells + chunk - 1) / chunk, mcp_count_cells, .rule = *rule,
                  .others = others, .members = m->count, .chunk = chunk, .cells = cells,
                  .pitch = near->map.pitch, .rows = near->rows, .bits = near->map.bits,
                  .map_first = near->map.first, .neighbour = near->neighbour,
                  .row_key = near->row_key, .row_cell = near->row_cell, .row = near->row,
                  .listed = m->cell, .cell_x = s->cell_x, .cell_set = s->cell_set,
                  .cell_start = s->cell_start, .set_start = s->set_start,
                  .set_sub = s->set_sub, .point = s->point, .place = m->place,
                  .halo = m->halo, .peak = m->peak, .x = words->x, .y = words->y,
                  .z = words->z, .best = best, .friends = friends);
}

/* The most friends of a member of each halo, and friends [members], exact for those. The
 * largest sets come first: then most others need not be looked at. */
static void count(weft_device *device, const friends_rule *rule, const points_words *words,
                  i64 worth, grid_sets *s, const mcp_members *m, weft_array best,
                  weft_array friends) {
    const u32 zero = 0;
    weft_scope_open(device);
    const near_index near = near_prepare(device, &rule->g, s, s, worth);
    weft_fill(device, best, &zero);
    weft_fill(device, friends, &zero);
    for (i32 others = 0; others < 2; others++)
        if (weft_device_style(device) == WEFT_SIMD)
            count_few(device, rule, words, &near, s, m, others, best, friends);
        else
            count_many(device, rule, words, &near, s, m, others, best, friends);
    weft_scope_close(device);
}

static void find(weft_device *device, const points_words *words, i64 n, int left_out,
                 const weft_halos *halos, weft_cells *cells, weft_array particle,
                 weft_array best) {
    const u32 none = UINT32_MAX;
    const mcp_members m = assign(device, halos, n, left_out, &cells->sets);
    const weft_array friends = weft_scratch(device, WEFT_U32, halos->members);
    const weft_array winner = weft_scratch(device, WEFT_U32, halos->count);
    count(device, &cells->rule, words, n, &cells->sets, &m, best, friends);
    weft_fill(device, winner, &none);
    weft_for_each(device, halos->members, mcp_choose, .begun = m.begun, .friends = friends,
                  .best = best, .winner = winner);
    weft_for_each(device, halos->count, mcp_tell, .winner = winner, .member = halos->member,
                  .particle = particle);
}

/* Where all take part, the friends of a member are members: no others need be sorted. */
static weft_cells *sort_some(weft_device *device, const char *name,
                             const points_words *words, i64 n,
                             const weft_fof_options *options, const weft_halos *halos) {
    return cells_new(device, name, words, n, options,
                     options->min_friends > 0 ? (weft_array){0} : halos->member);
}

/* Those that come first. */
static weft_halos first_of(weft_device *device, const weft_halos *halos, i64 count) {
    weft_halos some = *halos;
    some.count = count;
    weft_read(device, weft_slice(device, halos->offset, count, 1), &some.members);
    some.member = weft_slice(device, halos->member, 0, some.members);
    return some;
}

weft_status weft_mcp(weft_device *device, const weft_points *points,
                     const weft_fof_options *options, const weft_halos *halos,
                     weft_array particle, weft_array friends) {
    static const char name[] = "weft_mcp";
    check_options(device, name, options);
    weft_scope_open(device);
    const points_words words = points_view(device, name, points);
    if (weft_check(device) == WEFT_OK) {
        check_output(device, name, "particle", particle, halos->count);
        check_output(device, name, "friends", friends, halos->count);
    }
    if (weft_check(device) == WEFT_OK && points->count > 0 && halos->count > 0) {
        weft_cells *kept = cells_kept(device, name, points->count, options);
        weft_cells *cells =
            kept ? kept : sort_some(device, name, &words, points->count, options, halos);
        i64 count = halos->count;
        if (kept && options->min_friends <= 0)
            count = mcp_find_short(device, &kept->rule, options->linking_length, &words,
                                   halos, particle, friends);
        if (cells && count > 0) {
            const weft_halos some = first_of(device, halos, count);
            find(device, &words, points->count, options->min_friends > 0, &some, cells,
                 weft_slice(device, particle, 0, count),
                 weft_slice(device, friends, 0, count));
        }
        if (!kept)
            weft_cells_free(device, cells);
    }
    weft_scope_close(device);
    return weft_check(device);
}
