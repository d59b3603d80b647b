#include "poisson.h"
#include "algorithms/mbp/mbp.h"
#include "poisson.kernel.h"
#include "algorithms/points/arguments.h"
#include "weft/listener.h"
#include "weft/poisson.h"
#include "weft/register.h"
#include "weft/runs.h"
#include "weft/transform.h"

#include <stdlib.h>
#include <string.h>

WEFT_OPERATOR(poisson_join, poisson_frame,
              {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0})
WEFT_BUNDLE(poisson_batch, (value, i64, first_slot), (value, i64, first_halo),
            (value, i32, n), (in, poisson_frame, frame, 0))
WEFT_GENERATOR(poisson_row, poisson_frame, (value, poisson_frame, none),
               (bundle, mbp_halos, of), (bundle, mbp_bodies, at))
WEFT_KERNEL(poisson_deposit, (bundle, mbp_halos, of), (bundle, mbp_bodies, at),
            (bundle, poisson_batch, b), (shared, u32, parts, 0))
WEFT_GENERATOR(poisson_density, f32, (in, u32, parts))
WEFT_KERNEL(poisson_deepest, (value, i32, n), (in, u32, parts), (in, f32, depth),
            (shared, u32, deepest, 0))
WEFT_KERNEL(poisson_first, (value, i32, n), (in, u32, parts), (in, f32, depth),
            (in, u32, deepest, 0), (shared, u32, center, 0))
WEFT_GENERATOR(poisson_near, u32, (bundle, mbp_halos, of), (bundle, mbp_bodies, at),
               (bundle, poisson_batch, b), (value, f64, reach), (in, u32, center, 0))
WEFT_KERNEL(poisson_start, (in, u32, flags), (out, f32, low), (out, f32, high))
WEFT_KERNEL(poisson_others, (bundle, mbp_halos, of), (in, u32, flags), (inout, f32, low),
            (inout, f32, high))
WEFT_KERNEL(poisson_doubt, (bundle, mbp_halos, of), (in, u32, flags), (in, f32, high),
            (in, u32, best, 0), (shared, u32, proven, 0))

enum {
    MOST_POINTS = 1 << 22 /* of the grids of a batch, where one has no more */
};
static const f64 REACH = 2; /* cells */

/* Halos [first, end), whose grids are of one size. */
typedef struct batch {
    i64 first, end, n;
} batch;

static i64 grid_of(const weft_poisson_options *options, i64 members) {
    if (options->grid)
        return options->grid;
    return members < 1000 ? 7 : members < 10000 ? 15 : members < 100000 ? 31 : 63;
}

static batch next_batch(const weft_poisson_options *options, const i64 *offset, i64 halos,
                        i64 first) {
    batch b = {first, first, grid_of(options, offset[first + 1] - offset[first])};
    const i64 side = options->boundary ? poisson_open_side(b.n) : b.n;
    const i64 points = side * side * side;
    do
        b.end++;
    while (b.end < halos && (b.end - b.first + 1) * points <= MOST_POINTS &&
           grid_of(options, offset[b.end + 1] - offset[b.end]) == b.n);
    return b;
}

/* Flags the candidates of a batch.
 *   symbol   of open boundaries; {0}: they are zero
 *   flags    [slots of the batch] u32 */
static void find_candidates(weft_device *device, const mbp_slots *slots, weft_array frame,
                            batch b, weft_array symbol, i64 slot, weft_array flags) {
    const i64 count = b.end - b.first, points = count * b.n * b.n * b.n;
    const i32 n = (i32)b.n;
    const poisson_batch_arrays grids = {slot, b.first, n, frame};
    weft_scope_open(device);
    const weft_array parts = points_filled(device, points, 0);
    const weft_array depth = weft_scratch(device, WEFT_F32, points);
    const weft_array deepest = points_filled(device, count, 0);
    const weft_array center = points_filled(device, count, UINT32_MAX);
    weft_for_each(device, flags.length, poisson_deposit, .of = slots->of, .at = slots->at,
                  .b = grids, .parts = parts);
    weft_transform(device, points, depth, poisson_density, .parts = parts);
    if (symbol.length)
        poisson_solve_open(device, b.n, symbol, depth);
    else
        poisson_solve(device, b.n, depth);
    weft_for_each(device, points, poisson_deepest, .n = n, .parts = parts, .depth = depth,
                  .deepest = deepest);
    weft_for_each(device, points, poisson_first, .n = n, .parts = parts, .depth = depth,
                  .deepest = deepest, .center = center);
    weft_transform(device, flags.length, flags, poisson_near, .of = slots->of,
                   .at = slots->at, .b = grids, .reach = REACH, .center = center);
    weft_scope_close(device);
}

/* The frame of each halo: [rows], of which the first ones are in use. */
static weft_array frames_of(weft_device *device, const mbp_slots *slots) {
    const weft_array frame = weft_scratch(device, WEFT_STRUCT(poisson_frame), slots->rows);
    weft_scope_open(device);
    const weft_array halo = weft_scratch(device, WEFT_U32, slots->rows);
    weft_reduce_by_key(device, slots->of.row_halo,
                       weft_lazy(slots->rows, poisson_row, .none = poisson_join_identity,
                                 .of = slots->of, .at = slots->at),
                       weft_op(poisson_join), halo, frame, NULL);
    weft_scope_close(device);
    return frame;
}

/* Where results go. */
typedef struct results {
    weft_array particle, potential;
    weft_array proven; /* {0}: no proof is asked for */
} results;

/* Bounds all others too, so that none is left unless it may be more bound. */
static void prove(weft_device *device, const mbp_slots *slots, const mbp_rule *rule,
                  weft_array flags, mbp_bounds_arrays bounds, weft_array best,
                  weft_array proven) {
    const i64 count = slots->count;
    mbp_rule others = *rule;
    others.deep = 1;
    weft_for_each(device, count, poisson_others, .of = slots->of, .flags = flags,
                  .low = bounds.low, .high = bounds.high);
    if (count <= (i64)UINT32_MAX)
        mbp_bound_by_tree(device, slots, &others, bounds, best);
    weft_fill(device, proven, &(u32){1});
    weft_for_each(device, count, poisson_doubt, .of = slots->of, .flags = flags,
                  .high = bounds.high, .best = best, .proven = proven);
}

/* The most bound candidates, as weft_mbp finds members.
 *   flags   [slots] u32, not 0 for candidates */
static void decide(weft_device *device, const mbp_slots *slots, const mbp_rule *rule,
                   weft_array flags, weft_array member, const results *out) {
    const i64 count = slots->count;
    weft_task_until(device, out->proven.type ? 0.75 : 0.9);
    const mbp_bounds_arrays bounds = {weft_scratch(device, WEFT_F32, count),
                                      weft_scratch(device, WEFT_F32, count)};
    const weft_array best = points_filled(device, slots->halos, 0);
    weft_for_each(device, count, poisson_start, .flags = flags, .low = bounds.low,
                  .high = bounds.high);
    if (count <= (i64)UINT32_MAX) /* places are u32 */
        mbp_bound_by_tree(device, slots, rule, bounds, best);
    weft_task_until(device, 0.9);
    if (out->proven.type)
        prove(device, slots, rule, flags, bounds, best, out->proven);
    weft_task_until(device, 1);
    mbp_decide(device, rule, slots, bounds.high, best, member, out->particle,
               out->potential);
}

static void find(weft_device *device, const mbp_slots *slots, const mbp_rule *rule,
                 const weft_poisson_options *options, weft_array member,
                 const results *out) {
    const i64 halos = slots->halos;
    i64 *offset = malloc((size_t)(halos + 1) * sizeof *offset);
    if (!offset) {
        weft_fail(device, WEFT_E_MEMORY, "out of memory: the sizes of %lld halos",
                  (long long)halos);
        return;
    }
    const weft_array flags = weft_scratch(device, WEFT_U32, slots->count);
    const weft_array frame = frames_of(device, slots);
    weft_read(device, slots->of.offset, offset);
    weft_array symbol = {0};
    for (batch b = {0}; b.end < halos && weft_check(device) == WEFT_OK;) {
        const i64 last = b.n;
        b = next_batch(options, offset, halos, b.end);
        if (options->boundary && b.n != last) /* at most four times: halos descend */
            symbol = poisson_symbol(device, b.n);
        const i64 slot = mbp_first_slot(offset, b.first);
        const i64 end = mbp_first_slot(offset, b.end);
        weft_task_until(device, 0.6 * (f64)b.end / (f64)halos);
        find_candidates(device, slots, frame, b, symbol, slot,
                        weft_slice(device, flags, slot, end - slot));
    }
    decide(device, slots, rule, flags, member, out);
    free(offset);
}

static weft_status run(weft_device *device, const char *name, const weft_bodies *bodies,
                       const weft_poisson_options *options, const weft_halos *halos,
                       const results *out) {
    static const weft_poisson_options defaults = {0};
    options = options ? options : &defaults;
    if (!arguments_bodies(device, name, bodies) ||
        !arguments_known(device, name, "options", options->reserved,
                         sizeof options->reserved) ||
        !arguments_given(device, name, "halos", halos))
        return weft_check(device);
    const mbp_rule rule = {
        .call = name, .bodies = bodies, .softening = options->softening, .some = 1};
    if (options->grid != 0 &&
        (options->grid < WEFT_POISSON_LEAST_GRID || options->grid > WEFT_POISSON_MOST_GRID))
        weft_fail(device, WEFT_E_ARGUMENT, "%s: grid is %lld, not 0 or %d to %d", name,
                  (long long)options->grid, WEFT_POISSON_LEAST_GRID,
                  WEFT_POISSON_MOST_GRID);
    if (options->boundary != WEFT_POISSON_ZERO && options->boundary != WEFT_POISSON_OPEN)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: there is no boundary %d", name,
                  (int)options->boundary);
    weft_task_begin(device, name);
    weft_scope_open(device);
    arguments_array(device, name, "particle", out->particle, WEFT_U32, halos->count);
    arguments_array(device, name, "potential", out->potential, WEFT_F64, halos->count);
    if (out->proven.type)
        arguments_array(device, name, "proven", out->proven, WEFT_U32, halos->count);
    arguments_members(device, name, bodies, halos);
    const mbp_slots slots = mbp_prepare(device, &rule, halos);
    if (slots.halos > 0)
        find(device, &slots, &rule, options, halos->member, out);
    weft_scope_close(device);
    weft_task_end(device);
    return weft_check(device);
}

weft_status weft_poisson(weft_device *device, const weft_bodies *bodies,
                         const weft_poisson_options *options, const weft_halos *halos,
                         weft_array particle, weft_array potential) {
    const results out = {.particle = particle, .potential = potential};
    return run(device, "weft_poisson", bodies, options, halos, &out);
}

weft_status weft_poisson_prove(weft_device *device, const weft_bodies *bodies,
                               const weft_poisson_options *options, const weft_halos *halos,
                               weft_array particle, weft_array potential,
                               weft_array proven) {
    const results out = {particle, potential, proven};
    if (proven.type == 0)
        weft_fail(device, WEFT_E_ARGUMENT, "weft_poisson_prove: 'proven' is no array");
    return run(device, "weft_poisson_prove", bodies, options, halos, &out);
}
