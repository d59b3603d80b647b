#include "algorithms/points/arguments.h"
#include "weft/mcp.h"
#include "algorithms/cells/cells.h"
#include "algorithms/cells/neighbours.h"
#include "algorithms/cells/stencil.h"
#include "algorithms/pyramid/lengths.h"
#include "mcp.kernel.h"
#include "mcp_short.h"
#include "weft/listener.h"
#include "weft/operators.h"
#include "weft/scan.h"
#include "weft/transform.h"

WEFT_KERNEL(mcp_spread, (in, grid_point, point), (in, u32, sorted), (inout, u32, friends))
WEFT_KERNEL(mcp_place, (in, u32, member), (inout, u32, place, 0))
WEFT_KERNEL(mcp_begin, (value, u32, members), (in, i64, offset), (shared, u32, begun, 0))
WEFT_KERNEL(mcp_find_halo, (value, i32, any), (bundle, grid_view, cells),
            (in, u32, place, 0), (in, u32, begun, 0), (out, u32, halo),
            (shared, u32, peak, 0))
WEFT_BUNDLE(mcp_members, (value, u32, members), (in, u32, place, 0), (in, u32, halo, 0),
            (in, u32, peak, 0), (shared, u32, best, 0), (inout, u32, friends, 0))
WEFT_KERNEL(mcp_count_cells, (bundle, friends_view, f), (bundle, grid_view, cells),
            (bundle, mcp_members, m), (optional, u32, neighbour, 0), (value, i32, others))
WEFT_KERNEL(mcp_take, (bundle, friends_view, f), (bundle, grid_view, cells),
            (bundle, mcp_members, m), (optional, u32, neighbour, 0), (value, i32, others),
            (out, u32, taken))
WEFT_KERNEL(mcp_count_taken, (bundle, friends_view, f), (bundle, grid_view, cells),
            (bundle, mcp_members, m), (optional, u32, neighbour, 0), (value, i32, others),
            (in, u32, until, 0))
WEFT_KERNEL(mcp_choose, (in, u32, begun), (in, u32, friends), (in, u32, best, 0),
            (shared, u32, winner, 0))
WEFT_KERNEL(mcp_tell, (in, u32, winner), (in, u32, member, 0), (out, u32, particle))

static void count_all(weft_device *device, weft_cells *cells, weft_array friends) {
    const i64 n = cells->sets.points;
    const weft_array sorted = weft_scratch(device, WEFT_U32, n);
    neighbours_count(device, &cells->friends, &cells->sets, 0, UINT32_MAX, sorted);
    weft_for_each(device, n, mcp_spread, .point = cells->sets.point, .sorted = sorted,
                  .friends = friends);
}

weft_status weft_friends_count(weft_device *device, const weft_points *points,
                               const weft_fof_options *options, weft_cells *cells,
                               weft_array friends) {
    static const char name[] = "weft_friends_count";
    cells_check(device, name, options);
    weft_task_begin(device, name);
    weft_scope_open(device);
    const points_words words = points_view(device, name, points);
    if (weft_check(device) == WEFT_OK)
        arguments_array(device, name, "friends", friends, WEFT_U32, points->count);
    if (weft_check(device) == WEFT_OK && points->count > 0) {
        weft_task_until(device, cells ? 0 : 0.4);
        weft_cells *kept = cells_kept(device, name, &words, points->count, options, cells);
        weft_cells *all = kept ? kept
                               : cells_new(device, name, &words, points->count, options,
                                           GRID_OPEN, (weft_array){0});
        weft_task_until(device, 1);
        if (all)
            count_all(device, all, friends);
        if (!kept)
            weft_cells_free(device, all);
    }
    weft_scope_close(device);
    weft_task_end(device);
    return weft_check(device);
}

/* What the passes over members work on. */
typedef struct mcp_task {
    const friends_view_arrays *friends;
    grid_sets *sets;
    mcp_members_arrays members;
    weft_array
        begun; /* [members + 1] u32: halos begun up to and with that of each; then 0 */
    weft_array neighbour; /* of the cells' rows, where stencil_find needs them */
} mcp_task;

/* Numbers the members, and the halos that they are of. */
static void number_members(weft_device *device, const weft_halos *halos, i64 count,
                           mcp_task *task) {
    const u32 none = (u32)halos->members;
    task->begun = points_filled(device, halos->members + 1, 0);
    const weft_array all = weft_slice(device, task->begun, 0, halos->members);
    const weft_array place = points_filled(device, count, none);
    weft_for_each(device, halos->count, mcp_begin, .members = none, .offset = halos->offset,
                  .begun = all);
    weft_scan(device, all, weft_plus(WEFT_U32), WEFT_INCLUSIVE, all);
    weft_for_each(device, halos->members, mcp_place, .member = halos->member,
                  .place = place);
    task->members.members = none;
    task->members.place = place;
}

/* Finds the sets that hold members. */
static void find_members(weft_device *device, i64 halos, int left_out, mcp_task *task) {
    const weft_array halo = weft_scratch(device, WEFT_U32, task->sets->sets);
    const weft_array peak = points_filled(device, halos, 0);
    weft_for_each(device, task->sets->sets, mcp_find_halo, .any = left_out,
                  .cells = *task->sets, .place = task->members.place, .begun = task->begun,
                  .halo = halo, .peak = peak);
    task->members.halo = halo;
    task->members.peak = peak;
}

/* The same as by cells, on many work-items: a few cells may hold the best, but all of their
 * particles count at once. */
static void count_by_particles(weft_device *device, const mcp_task *task, i32 others) {
    const i64 cells = task->sets->cells;
    u32 taken = 0;
    weft_scope_open(device);
    const weft_array until = weft_scratch(device, WEFT_U32, cells);
    weft_for_each(device, cells, mcp_take, .f = *task->friends, .cells = *task->sets,
                  .m = task->members, .neighbour = task->neighbour, .others = others,
                  .taken = until);
    weft_scan(device, until, weft_plus(WEFT_U32), WEFT_INCLUSIVE, until);
    weft_read(device, weft_slice(device, until, cells - 1, 1), &taken);
    weft_for_each(device, taken, mcp_count_taken, .f = *task->friends, .cells = *task->sets,
                  .m = task->members, .neighbour = task->neighbour, .others = others,
                  .until = until);
    weft_scope_close(device);
}

/* The most friends of a member of each halo, and friends [members], exact for those. The
 * largest sets come first: then most others need not be looked at. */
static void count(weft_device *device, const mcp_task *task) {
    const u32 zero = 0;
    weft_fill(device, task->members.best, &zero);
    for (i32 others = 0; others < 2; others++) {
        weft_task_until(device, others ? 0.95 : 0.7);
        if (weft_device_style(device) == WEFT_SIMD)
            weft_for_each(device, task->sets->cells, mcp_count_cells, .f = *task->friends,
                          .cells = *task->sets, .m = task->members,
                          .neighbour = task->neighbour, .others = others);
        else
            count_by_particles(device, task, others);
    }
}

static void find(weft_device *device, i64 n, int left_out, const weft_halos *halos,
                 weft_cells *cells, weft_array particle, weft_array best) {
    mcp_task task = {.friends = &cells->friends, .sets = &cells->sets};
    number_members(device, halos, n, &task);
    find_members(device, halos->count, left_out, &task);
    task.members.best = best;
    task.members.friends = points_filled(device, halos->members, 0);
    weft_scope_open(device);
    task.neighbour =
        stencil_prepare(device, &task.friends->rule.g, task.sets, task.sets, n);
    count(device, &task);
    weft_scope_close(device);
    const weft_array winner = points_filled(device, halos->count, UINT32_MAX);
    weft_for_each(device, halos->members, mcp_choose, .begun = task.begun,
                  .friends = task.members.friends, .best = best, .winner = winner);
    weft_for_each(device, halos->count, mcp_tell, .winner = winner, .member = halos->member,
                  .particle = particle);
}

/* Where all take part, the friends of a member are members: no others need be sorted. */
static weft_cells *sort_some(weft_device *device, const char *name,
                             const points_words *words, i64 n,
                             const weft_fof_options *options, const weft_halos *halos) {
    return cells_new(device, name, words, n, options, GRID_OPEN,
                     options->min_friends > 0 ? (weft_array){0} : halos->member);
}

weft_status weft_mcp(weft_device *device, const weft_points *points,
                     const weft_fof_options *options, weft_cells *cells,
                     const weft_halos *halos, weft_array particle, weft_array friends) {
    static const char name[] = "weft_mcp";
    cells_check(device, name, options);
    arguments_given(device, name, "halos", halos);
    weft_task_begin(device, name);
    weft_scope_open(device);
    const points_words words = points_view(device, name, points);
    if (weft_check(device) == WEFT_OK) {
        arguments_array(device, name, "particle", particle, WEFT_U32, halos->count);
        arguments_array(device, name, "friends", friends, WEFT_U32, halos->count);
    }
    if (weft_check(device) == WEFT_OK && points->count > 0 && halos->count > 0) {
        weft_task_until(device, 0.3);
        weft_cells *kept = cells_kept(device, name, &words, points->count, options, cells);
        weft_cells *sorted =
            kept ? kept : sort_some(device, name, &words, points->count, options, halos);
        i64 count = halos->count;
        weft_task_until(device, 0.4);
        if (kept && options->min_friends <= 0)
            count = mcp_find_short(device, &kept->friends, options->linking_length, halos,
                                   particle, friends);
        if (sorted && count > 0) {
            const weft_halos some = lengths_halos(device, halos, 0, count);
            find(device, points->count, options->min_friends > 0, &some, sorted,
                 weft_slice(device, particle, 0, count),
                 weft_slice(device, friends, 0, count));
        }
        if (!kept)
            weft_cells_free(device, sorted);
    }
    weft_scope_close(device);
    weft_task_end(device);
    return weft_check(device);
}
