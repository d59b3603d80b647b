/* Bounds for members that crowd within the softening. */
#include "mbp_bounds.h"
#include "mbp_soft.kernel.h"
#include "algorithms/pyramid/pyramid.h"
#include "weft/operators.h"
#include "weft/reduce.h"
#include "weft/transform.h"

WEFT_KERNEL(mbp_soft_gather, (value, i64, halos), (bundle, mbp_halos, of),
            (bundle, mbp_bodies, at), (in, u32, order, 0), (out, mbp_soft_group, group))
WEFT_GENERATOR(mbp_soft_crowd, i64, (in, mbp_soft_group, group))
WEFT_KERNEL(mbp_soft_sum, (bundle, mbp_halos, of), (bundle, mbp_bodies, b),
            (in, u32, order, 0), (in, f32, high, 0), (inout, mbp_soft_group, group))
WEFT_GENERATOR(mbp_soft_deepest, f64, (value, i64, groups), (in, i64, offset, 0),
               (in, mbp_soft_group, group, 0))
WEFT_KERNEL(mbp_soft_narrow, (bundle, mbp_halos, of), (bundle, mbp_bodies, b),
            (in, u32, order, 0), (in, mbp_soft_group, group, 0), (in, f64, deepest, 0),
            (bundle, mbp_bounds, to))

/* Fewer walk the tree in no time, or cost more here than they do there. */
enum { LEAST = 1024, LEAST_SHARE = 64 };

static void narrow(weft_device *device, const mbp_slots *slots, const mbp_tree *tree,
                   weft_array group, mbp_bounds_arrays to) {
    const weft_array deepest = weft_scratch(device, WEFT_F64, slots->halos);
    weft_for_each(device, group.length, mbp_soft_sum, .of = slots->of, .b = slots->at,
                  .order = tree->order, .high = to.high, .group = group);
    weft_transform(device, slots->halos, deepest, mbp_soft_deepest, .groups = group.length,
                   .offset = slots->of.offset, .group = group);
    weft_for_each(device, group.length, mbp_soft_narrow, .of = slots->of, .b = slots->at,
                  .order = tree->order, .group = group, .deepest = deepest, .to = to);
}

int mbp_soft_bound(weft_device *device, const mbp_slots *slots, const mbp_tree *tree,
                   mbp_bounds_arrays to) {
    const i64 groups = pyramid_blocks(slots->members, slots->halos, MBP_SOFT_BITS);
    i64 crowd = 0;
    if (!(slots->of.softening * slots->of.softening > 0))
        return 0;
    weft_scope_open(device);
    const weft_array group = weft_scratch(device, WEFT_STRUCT(mbp_soft_group), groups);
    weft_for_each(device, groups, mbp_soft_gather, .halos = slots->halos, .of = slots->of,
                  .at = slots->at, .order = tree->order, .group = group);
    weft_reduce(device, weft_lazy(groups, mbp_soft_crowd, .group = group),
                weft_plus(WEFT_I64), &crowd);
    const int many = crowd >= LEAST && crowd >= slots->members / LEAST_SHARE;
    if (many)
        narrow(device, slots, tree, group, to);
    weft_scope_close(device);
    return many;
}
