/* What bounds a style of device finds; those before any are known, and from a tree by 16
 * members together, in vectors. */
#include "mbp_bounds.h"

WEFT_KERNEL(mbp_bounds_nothing, (bundle, mbp_halos, of), (bundle, mbp_bounds, to))
WEFT_KERNEL(mbp_group_bound, (value, i64, targets), (value, f32, tolerance),
            (value, i32, walks), (bundle, mbp_halos, of), (bundle, mbp_tiled, tree),
            (bundle, mbp_rounded, b), (in, u32, places, 0), (in, u32, best, 0),
            (bundle, mbp_bounds, to))

mbp_bounds_arrays mbp_bound_nothing(weft_device *device, const mbp_slots *slots) {
    const mbp_bounds_arrays to = {weft_scratch(device, WEFT_F32, slots->count),
                                  weft_scratch(device, WEFT_F32, slots->count)};
    weft_for_each(device, slots->count, mbp_bounds_nothing, .of = slots->of, .to = to);
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

static const mbp_plan plans[] = {
    [WEFT_SIMD] = {.short_below = MBP_SHORT,
                   .by_halo = mbp_short_by_halo,
                   .by_pairs = mbp_pairs_by_rows,
                   .nodes = mbp_tree_of_tiles,
                   .by_tree = mbp_walk_by_groups,
                   .seeds = mbp_tree_seeds},
    [WEFT_SIMT] = {.short_below = 16384,
                   .pairs_below = 1600000000,
                   .by_pairs = mbp_pairs_by_fours,
                   .nodes = mbp_tree_of_nodes,
                   .by_tree = mbp_walk_alone},
};

const mbp_plan *mbp_plan_of(const weft_device *device) {
    return &plans[weft_device_style(device)];
}

mbp_tree mbp_tree_build(weft_device *device, const mbp_slots *slots) {
    mbp_tree tree = mbp_tree_order(device, slots);
    mbp_plan_of(device)->nodes(device, slots, &tree);
    return tree;
}
