#include "weft/mcp.h"
#include "mcp.kernel.h"
#include "near.h"
#include "tally.h"
#include "weft/register.h"
#include "weft/search.h"
#include "weft/transform.h"

WEFT_GENERATOR(mcp_position, i64, (value, i64, first))
WEFT_KERNEL(mcp_spread, (in, grid_point, point), (in, u32, sorted), (inout, u32, friends))
WEFT_KERNEL(mcp_place, (in, u32, member), (inout, u32, place, 0))
WEFT_KERNEL(mcp_assign, (in, grid_point, point), (in, u32, place, 0), (in, u32, above, 0),
            (out, u32, slot), (out, u32, halo))
WEFT_KERNEL(mcp_peak, (in, u32, set_start, n + 1), (in, u32, halo, 0),
            (shared, u32, peak, 0))
WEFT_KERNEL(mcp_count, (value, friends_rule, rule), (value, i32, first_round),
            (value, i64, chunk), (value, i64, parts), (value, i64, cells),
            (value, i64, pitch), (value, i64, rows), (in, u64, bits, 0),
            (in, u32, map_first, 0), (in, u32, neighbour, 0), (in, u32, row_cell, 0),
            (in, u32, row, 0), (in, u32, cell_x, 0), (in, u32, cell_set, 0),
            (in, u32, set_start, 0), (in, u8, set_sub, 0), (in, grid_point, point, 0),
            (in, u32, halo, 0), (in, u32, peak, 0), (in, u32, x, 0), (in, u32, y, 0),
            (in, u32, z, 0), (shared, u32, best, 0), (inout, u32, friends, 0))
WEFT_KERNEL(mcp_choose, (in, u32, halo), (in, u32, slot), (in, u32, friends),
            (in, u32, best, 0), (shared, u32, winner, 0))
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

weft_status weft_friends_count(weft_device *device, const weft_points *points,
                               const weft_fof_options *options, weft_array friends) {
    static const char name[] = "weft_friends_count";
    check_options(device, name, options);
    weft_scope_open(device);
    const points_words words = points_view(device, name, points);
    if (weft_check(device) == WEFT_OK)
        check_output(device, name, "friends", friends, points->count);
    if (weft_check(device) == WEFT_OK && points->count > 0) {
        const i64 n = points->count;
        points_words places;
        const friends_rule rule = friends_choose(
            device, name, &words, n, options->linking_length, options->box, &places);
        grid_sets sets = grid_sort(device, &rule.g, &places, n, (weft_array){0});
        const weft_array sorted = weft_scratch(device, WEFT_U32, n);
        tally_friends(device, &rule, &words, &sets, 0, UINT32_MAX, sorted);
        weft_for_each(device, n, mcp_spread, .point = sets.point, .sorted = sorted,
                      .friends = friends);
        grid_free(device, &sets);
    }
    weft_scope_close(device);
    return weft_check(device);
}

/* Sorted particles as members of halos. */
typedef struct mcp_members {
    weft_array slot; /* [points] u32: its place in halos->member; 2^32 - 1 outside halos, */
    weft_array halo; /* [points] u32: and its halo */
    weft_array peak; /* [halos] u32: particles in the largest set */
} mcp_members;

static mcp_members assign(weft_device *device, const weft_halos *halos, i64 count,
                          const grid_sets *s) {
    const mcp_members m = {.slot = weft_scratch(device, WEFT_U32, s->points),
                           .halo = weft_scratch(device, WEFT_U32, s->points),
                           .peak = weft_scratch(device, WEFT_U32, halos->count)};
    const u32 zero = 0, none = UINT32_MAX;
    weft_scope_open(device);
    const weft_array above = weft_scratch(device, WEFT_U32, halos->members);
    const weft_array place = weft_scratch(device, WEFT_U32, count);
    weft_upper_bound(device, weft_slice(device, halos->offset, 0, halos->count),
                     weft_lazy(halos->members, mcp_position, .first = 0), above);
    weft_fill(device, place, &none);
    weft_for_each(device, halos->members, mcp_place, .member = halos->member,
                  .place = place);
    weft_for_each(device, s->points, mcp_assign, .point = s->point, .place = place,
                  .above = above, .slot = m.slot, .halo = m.halo);
    weft_fill(device, m.peak, &zero);
    weft_for_each(device, s->sets, mcp_peak, .set_start = s->set_start, .halo = m.halo,
                  .peak = m.peak);
    weft_scope_close(device);
    return m;
}

/* The most friends of a member of each halo, and friends [points], exact for those. */
static void count(weft_device *device, const friends_rule *rule, const points_words *words,
                  i64 worth, grid_sets *s, const mcp_members *m, weft_array best,
                  weft_array friends) {
    const u32 zero = 0;
    weft_scope_open(device);
    const near_index near = near_prepare(device, &rule->g, s, s, worth);
    weft_fill(device, best, &zero);
    weft_fill(device, friends, &zero);
    for (i32 round = 0; round < 2; round++)
        weft_for_each(
            device, (s->cells + near.chunk - 1) / near.chunk * near.parts, mcp_count,
            .rule = *rule, .first_round = round == 0, .chunk = near.chunk,
            .parts = near.parts, .cells = s->cells, .pitch = near.map.pitch,
            .rows = near.rows, .bits = near.map.bits, .map_first = near.map.first,
            .neighbour = near.neighbour, .row_cell = near.row_cell, .row = near.row,
            .cell_x = s->cell_x, .cell_set = s->cell_set, .set_start = s->set_start,
            .set_sub = s->set_sub, .point = s->point, .halo = m->halo, .peak = m->peak,
            .x = words->x, .y = words->y, .z = words->z, .best = best, .friends = friends);
    weft_scope_close(device);
}

static void find(weft_device *device, const char *name, const points_words *words, i64 n,
                 const weft_fof_options *options, const weft_halos *halos,
                 weft_array particle, weft_array best) {
    const u32 none = UINT32_MAX;
    points_words places;
    const friends_rule rule = friends_choose(
        device, name, words, n, options->linking_length, options->box, &places);
    if (weft_check(device) != WEFT_OK)
        return;
    /* Where all take part, the friends of a member are members. */
    const int members_do = options->min_friends <= 0;
    grid_sets sets = grid_sort(device, &rule.g, &places, members_do ? halos->members : n,
                               members_do ? halos->member : (weft_array){0});
    const mcp_members m = assign(device, halos, n, &sets);
    const weft_array friends = weft_scratch(device, WEFT_U32, sets.points);
    const weft_array winner = weft_scratch(device, WEFT_U32, halos->count);
    count(device, &rule, words, n, &sets, &m, best, friends);
    weft_fill(device, winner, &none);
    weft_for_each(device, sets.points, mcp_choose, .halo = m.halo, .slot = m.slot,
                  .friends = friends, .best = best, .winner = winner);
    weft_for_each(device, halos->count, mcp_tell, .winner = winner, .member = halos->member,
                  .particle = particle);
    grid_free(device, &sets);
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
    if (weft_check(device) == WEFT_OK && points->count > 0 && halos->count > 0)
        find(device, name, &words, points->count, options, halos,
             weft_slice(device, particle, 0, halos->count),
             weft_slice(device, friends, 0, halos->count));
    weft_scope_close(device);
    return weft_check(device);
}
