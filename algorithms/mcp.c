#include "weft/mcp.h"
#include "cells.h"
#include "mcp.kernel.h"
#include "near.h"
#include "tally.h"
#include "weft/operators.h"
#include "weft/register.h"
#include "weft/scan.h"
#include "weft/select.h"
#include "weft/transform.h"

WEFT_KERNEL(mcp_spread, (in, grid_point, point), (in, u32, sorted), (inout, u32, friends))
WEFT_KERNEL(mcp_place, (in, u32, member), (inout, u32, place, 0))
WEFT_KERNEL(mcp_begin, (value, u32, members), (in, i64, offset), (shared, u32, begun, 0))
WEFT_KERNEL(mcp_assign, (value, i32, left_out), (in, u32, set_start, n + 1),
            (in, grid_point, point, 0), (in, u32, place, 0), (in, u32, begun, 0),
            (inout, u32, slot, 0), (out, u32, halo))
WEFT_GENERATOR(mcp_has_members, u32, (in, u32, cell_set, n + 1), (in, u32, halo, 0))
WEFT_GENERATOR(mcp_index, u32, (value, u32, first))
WEFT_KERNEL(mcp_sum, (value, friends_rule, rule), (value, i64, chunk), (value, i64, cells),
            (value, i64, pitch), (value, i64, rows), (in, u64, bits, 0),
            (in, u32, map_first, 0), (in, u32, neighbour, 0), (in, u64, row_key, 0),
            (in, u32, row_cell, 0), (in, u32, row, 0), (in, u32, listed, 0),
            (in, u32, cell_x, 0), (in, u32, cell_set, 0), (in, u32, cell_start, 0),
            (in, u32, halo, 0), (inout, u32, total, 0), (shared, u32, peak, 0))
WEFT_GENERATOR(mcp_may_win, u32, (value, i32, others), (in, u32, listed),
               (in, u32, cell_set, 0), (in, u32, halo, 0), (in, u32, total, 0),
               (in, u32, peak, 0), (in, u32, best, 0))
WEFT_KERNEL(mcp_count_cells, (value, friends_rule, rule), (value, i64, chunk),
            (value, i64, cells), (value, i64, pitch), (value, i64, rows),
            (in, u64, bits, 0), (in, u32, map_first, 0), (in, u32, neighbour, 0),
            (in, u64, row_key, 0), (in, u32, row_cell, 0), (in, u32, row, 0),
            (in, u32, listed, 0), (in, u32, cell_x, 0), (in, u32, cell_set, 0),
            (in, u32, cell_start, 0), (in, u32, set_start, 0), (in, u8, set_sub, 0),
            (in, grid_point, point, 0), (in, u32, slot, 0), (in, u32, halo, 0),
            (in, u32, total, 0), (in, u32, x, 0), (in, u32, y, 0), (in, u32, z, 0),
            (shared, u32, best, 0), (inout, u32, friends, 0))
WEFT_GENERATOR(mcp_size, u32, (in, u32, listed), (in, u32, cell_start, 0))
WEFT_KERNEL(mcp_count_members, (value, friends_rule, rule), (value, i64, cells),
            (value, i64, pitch), (value, i64, rows), (in, u64, bits, 0),
            (in, u32, map_first, 0), (in, u32, neighbour, 0), (in, u64, row_key, 0),
            (in, u32, row_cell, 0), (in, u32, row, 0), (in, u32, listed, 0),
            (in, u32, until, 0), (in, u32, cell_x, 0), (in, u32, cell_set, 0),
            (in, u32, cell_start, 0), (in, u32, set_start, 0), (in, u8, set_sub, 0),
            (in, grid_point, point, 0), (in, u32, slot, 0), (in, u32, halo, 0),
            (in, u32, total, 0), (in, u32, x, 0), (in, u32, y, 0), (in, u32, z, 0),
            (shared, u32, best, 0), (inout, u32, friends, 0))
WEFT_KERNEL(mcp_choose, (in, u32, set_start, n + 1), (in, u32, halo), (in, u32, slot, 0),
            (in, u32, friends, 0), (in, u32, best, 0), (shared, u32, winner, 0))
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

/* Sorted particles as members of halos. */
typedef struct mcp_members {
    weft_array halo; /* [sets] u32: of its members; 2^32 - 1 where there are none */
    weft_array slot; /* [points] u32: its place in halos->member, 2^32 - 1 outside halos;
                        undefined in sets without members */
    weft_array cell; /* u32: the cells that hold members, ascending */
} mcp_members;

static mcp_members assign(weft_device *device, const weft_halos *halos, i64 count,
                          int left_out, const grid_sets *s) {
    mcp_members m = {.halo = weft_scratch(device, WEFT_U32, s->sets),
                     .slot = weft_scratch(device, WEFT_U32, s->points),
                     .cell = weft_scratch(device, WEFT_U32, s->cells)};
    const u32 zero = 0, none = UINT32_MAX;
    i64 cells = 0;
    weft_scope_open(device);
    const weft_array begun = weft_scratch(device, WEFT_U32, halos->members);
    const weft_array place = weft_scratch(device, WEFT_U32, count);
    weft_fill(device, begun, &zero);
    weft_for_each(device, halos->count, mcp_begin, .members = (u32)halos->members,
                  .offset = halos->offset, .begun = begun);
    weft_scan(device, begun, weft_plus(WEFT_U32), WEFT_INCLUSIVE, begun);
    weft_fill(device, place, &none);
    weft_for_each(device, halos->members, mcp_place, .member = halos->member,
                  .place = place);
    weft_for_each(device, s->sets, mcp_assign, .left_out = left_out,
                  .set_start = s->set_start, .point = s->point, .place = place,
                  .begun = begun, .slot = m.slot, .halo = m.halo);
    weft_copy_if(
        device, weft_lazy(s->cells, mcp_index, .first = 0),
        weft_lazy(s->cells, mcp_has_members, .cell_set = s->cell_set, .halo = m.halo),
        m.cell, &cells);
    weft_scope_close(device);
    m.cell = weft_slice(device, m.cell, 0, cells);
    return m;
}

/* Counts the friends of the members in these cells. */
static void count_in(weft_device *device, const friends_rule *rule,
                     const points_words *words, const near_index *near, const grid_sets *s,
                     const mcp_members *m, weft_array listed, weft_array total,
                     weft_array best, weft_array friends) {
    const i64 cells = listed.length;
    if (cells == 0)
        return;
    if (weft_concurrency(device) < 64) {
        weft_for_each(device, (cells + near->chunk - 1) / near->chunk, mcp_count_cells,
                      .rule = *rule, .chunk = near->chunk, .cells = cells,
                      .pitch = near->map.pitch, .rows = near->rows, .bits = near->map.bits,
                      .map_first = near->map.first, .neighbour = near->neighbour,
                      .row_key = near->row_key, .row_cell = near->row_cell,
                      .row = near->row, .listed = listed, .cell_x = s->cell_x,
                      .cell_set = s->cell_set, .cell_start = s->cell_start,
                      .set_start = s->set_start, .set_sub = s->set_sub, .point = s->point,
                      .slot = m->slot, .halo = m->halo, .total = total, .x = words->x,
                      .y = words->y, .z = words->z, .best = best, .friends = friends);
        return;
    }
    u32 members = 0;
    weft_scope_open(device);
    const weft_array until = weft_scratch(device, WEFT_U32, cells);
    weft_scan(device,
              weft_lazy(cells, mcp_size, .listed = listed, .cell_start = s->cell_start),
              weft_plus(WEFT_U32), WEFT_INCLUSIVE, until);
    weft_read(device, weft_slice(device, until, cells - 1, 1), &members);
    weft_for_each(device, members, mcp_count_members, .rule = *rule, .cells = cells,
                  .pitch = near->map.pitch, .rows = near->rows, .bits = near->map.bits,
                  .map_first = near->map.first, .neighbour = near->neighbour,
                  .row_key = near->row_key, .row_cell = near->row_cell, .row = near->row,
                  .listed = listed, .until = until, .cell_x = s->cell_x,
                  .cell_set = s->cell_set, .cell_start = s->cell_start,
                  .set_start = s->set_start, .set_sub = s->set_sub, .point = s->point,
                  .slot = m->slot, .halo = m->halo, .total = total, .x = words->x,
                  .y = words->y, .z = words->z, .best = best, .friends = friends);
    weft_scope_close(device);
}

/* The most friends of a member of each halo, and friends [points], exact for those. Cells
 * with the most particles near come first: then most others need not be looked at. */
static void count(weft_device *device, const friends_rule *rule, const points_words *words,
                  i64 worth, grid_sets *s, const mcp_members *m, weft_array best,
                  weft_array friends) {
    const u32 zero = 0;
    const i64 cells = m->cell.length;
    weft_scope_open(device);
    const near_index near = near_prepare(device, &rule->g, s, s, worth);
    const weft_array total = weft_scratch(device, WEFT_U32, s->cells);
    const weft_array some = weft_scratch(device, WEFT_U32, cells);
    const weft_array peak = weft_scratch(device, WEFT_U32, best.length);
    weft_fill(device, peak, &zero);
    weft_for_each(device, (cells + near.chunk - 1) / near.chunk, mcp_sum, .rule = *rule,
                  .chunk = near.chunk, .cells = cells, .pitch = near.map.pitch,
                  .rows = near.rows, .bits = near.map.bits, .map_first = near.map.first,
                  .neighbour = near.neighbour, .row_key = near.row_key,
                  .row_cell = near.row_cell, .row = near.row, .listed = m->cell,
                  .cell_x = s->cell_x, .cell_set = s->cell_set, .cell_start = s->cell_start,
                  .halo = m->halo, .total = total, .peak = peak);
    weft_fill(device, best, &zero);
    weft_fill(device, friends, &zero);
    for (i32 others = 0; others < 2; others++) {
        i64 count = 0;
        weft_copy_if(device, m->cell,
                     weft_lazy(cells, mcp_may_win, .others = others, .listed = m->cell,
                               .cell_set = s->cell_set, .halo = m->halo, .total = total,
                               .peak = peak, .best = best),
                     some, &count);
        count_in(device, rule, words, &near, s, m, weft_slice(device, some, 0, count),
                 total, best, friends);
    }
    weft_scope_close(device);
}

static void find(weft_device *device, const points_words *words, i64 n, int left_out,
                 const weft_halos *halos, weft_cells *cells, weft_array particle,
                 weft_array best) {
    const u32 none = UINT32_MAX;
    grid_sets *sets = &cells->sets;
    const mcp_members m = assign(device, halos, n, left_out, sets);
    const weft_array friends = weft_scratch(device, WEFT_U32, sets->points);
    const weft_array winner = weft_scratch(device, WEFT_U32, halos->count);
    count(device, &cells->rule, words, n, sets, &m, best, friends);
    weft_fill(device, winner, &none);
    weft_for_each(device, sets->sets, mcp_choose, .set_start = sets->set_start,
                  .halo = m.halo, .slot = m.slot, .friends = friends, .best = best,
                  .winner = winner);
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
        if (cells)
            find(device, &words, points->count, options->min_friends > 0, halos, cells,
                 weft_slice(device, particle, 0, halos->count),
                 weft_slice(device, friends, 0, halos->count));
        if (!kept)
            weft_cells_free(device, cells);
    }
    weft_scope_close(device);
    return weft_check(device);
}
