/* Candidates that begin together, one after the other, on devices with vectors. */
#include "settle.kernel.h"
#include "algorithms/points/points.h"
#include "algorithms/pyramid/lengths.h"
#include "subhalos.h"

WEFT_BUNDLE(settle_groups, (in, i64, offset, 0), (in, u32, who, 0), (in, u32, member, 0),
            (in, u32, particle, 0))
WEFT_BUNDLE(settle_found, (inout, u32, held, 0), (out, u32, open, 0),
            (inout, f64, energy, 0), (inout, f64, spread, 0))
WEFT_KERNEL(settle_candidates, (value, settle_rule, rule), (bundle, points_coordinates, at),
            (bundle, points_coordinates, flow), (bundle, points_masses, masses),
            (bundle, settle_groups, g), (inout, f64, column, 0), (inout, u32, name, 0),
            (bundle, settle_found, to))

/* Candidates with more members are all pairs of too much work for one thread; and so many
 * work-items for each that runs at once, so that all end together. */
enum { MOST_MEMBERS = 1 << 15, TURNS = 8 };

void subhalos_settle(weft_device *device, const subhalos_task *task,
                     const subhalos_groups *groups, const subhalos_settled *to,
                     weft_array open) {
    const weft_bodies *bodies = task->bodies;
    const f64 *box = bodies->box;
    i64 longest = lengths_most(device, groups->count, groups->offset);
    if (groups->count == 0 || weft_check(device) != WEFT_OK)
        return;
    longest = longest < MOST_MEMBERS ? longest : MOST_MEMBERS;
    const i64 most = TURNS * weft_concurrency(device);
    const settle_rule rule = {.u = {task->o.hubble, {box[0], box[1], box[2]}},
                              .soft2 = task->o.softening * task->o.softening,
                              .gravity = task->o.gravity,
                              .candidates = groups->count,
                              .items = groups->count < most ? groups->count : most,
                              .width = (longest + PULL_ROW - 1) / PULL_ROW * PULL_ROW,
                              .least = task->o.least};
    const settle_groups_arrays g = {groups->offset, groups->who, groups->member,
                                    groups->particle};
    const settle_found_arrays found = {to->held, open, to->energy, to->spread};
    weft_scope_open(device);
    const i64 room = rule.items * rule.width;
    weft_for_each(device, rule.items, settle_candidates, .rule = rule, .at = task->words,
                  .flow = task->flow, .masses = points_masses_of(device, bodies), .g = g,
                  .column = weft_scratch(device, WEFT_F64, SETTLE_COLUMNS * room),
                  .name = weft_scratch(device, WEFT_U32, room), .to = found);
    weft_scope_close(device);
}
