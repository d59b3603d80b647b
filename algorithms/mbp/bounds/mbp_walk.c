/* Bounds from a tree: by 16 members together, in vectors, or by single members, neighbours
 * in lock step on the same way. */
#include "mbp_bounds.h"
#include "algorithms/tuning.h"
#include "weft/transform.h"

WEFT_KERNEL(mbp_walk_nothing, (bundle, mbp_halos, of), (bundle, mbp_bounds, to))
WEFT_KERNEL(mbp_walk_sum, (value, mbp_walk_parts, cut), (value, f32, tolerance),
            (bundle, mbp_halos, of), (bundle, mbp_nodes, nodes), (bundle, mbp_rounded, b),
            (in, u32, places, 0), (in, f32, depth, 0), (out, mbp_walk_part, sums))
WEFT_KERNEL(mbp_walk_bound, (value, mbp_walk_parts, cut), (bundle, mbp_halos, of),
            (in, u32, places), (in, u32, order, 0), (in, mbp_walk_part, sums, 0),
            (bundle, mbp_bounds, to))
WEFT_GENERATOR(mbp_bounds_depth, f32, (in, i64, offset, n + 1), (in, u32, best))
WEFT_KERNEL(mbp_group_bound, (value, i64, targets), (value, f32, tolerance),
            (value, i32, walks), (bundle, mbp_halos, of), (bundle, mbp_tiled, tree),
            (bundle, mbp_rounded, b), (in, u32, places, 0), (in, u32, best, 0),
            (bundle, mbp_bounds, to))

enum { MOST_PARTS = 256 };

mbp_bounds_arrays mbp_bound_nothing(weft_device *device, const mbp_slots *slots) {
    const mbp_bounds_arrays to = {weft_scratch(device, WEFT_F32, slots->count),
                                  weft_scratch(device, WEFT_F32, slots->count)};
    weft_for_each(device, slots->count, mbp_walk_nothing, .of = slots->of, .to = to);
    return to;
}

void mbp_walk_by_groups(weft_device *device, const mbp_slots *slots, const mbp_tree *tree,
                        f64 tolerance, i32 walks, weft_array best, weft_array places,
                        mbp_bounds_arrays to) {
    const i64 targets = places.length;
    weft_for_each(device, (targets + MBP_ROW - 1) / MBP_ROW, mbp_group_bound,
                  .targets = targets, .tolerance = (f32)tolerance, .walks = walks,
                  .of = slots->of, .tree = tree->tiles, .b = tree->at, .places = places,
                  .best = best, .to = to);
}

/* In parts, until enough work-items walk. */
void mbp_walk_alone(weft_device *device, const mbp_slots *slots, const mbp_tree *tree,
                    f64 tolerance, i32 walks, weft_array best, weft_array places,
                    mbp_bounds_arrays to) {
    (void)walks;
    const i64 targets = places.length;
    const i64 width = (targets + MBP_TURN - 1) / MBP_TURN * MBP_TURN;
    const i64 enough = tuning_of(device)->mbp_walk_items * weft_concurrency(device);
    mbp_walk_parts cut = {targets, width, 1};
    while (cut.parts < MOST_PARTS && 2 * cut.parts * width <= enough)
        cut.parts *= 2;
    weft_scope_open(device);
    const weft_array depth = weft_scratch(device, WEFT_F32, slots->halos);
    weft_transform(device, slots->halos, depth, mbp_bounds_depth,
                   .offset = slots->of.offset, .best = best);
    const weft_array sums =
        weft_scratch(device, WEFT_STRUCT(mbp_walk_part), cut.parts * width);
    weft_for_each(device, cut.parts * width, mbp_walk_sum, .cut = cut,
                  .tolerance = (f32)tolerance, .of = slots->of, .nodes = tree->nodes,
                  .b = tree->at, .places = places, .depth = depth, .sums = sums);
    weft_for_each(device, targets, mbp_walk_bound, .cut = cut, .of = slots->of,
                  .places = places, .order = tree->order, .sums = sums, .to = to);
    weft_scope_close(device);
}
