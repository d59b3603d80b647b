/* Bounds from a tree: by 16 members together, in vectors, or by single members, neighbours
 * in lock step on the same way. */
#include "mbp.h"
#include "algorithms/tuning.h"
#include "weft/transform.h"

WEFT_KERNEL(mbp_walk_nothing, (bundle, mbp_halos, of), (bundle, mbp_bounds, to))
WEFT_KERNEL(mbp_walk_sum, (value, mbp_walk_parts, cut), (value, f32, tolerance),
            (bundle, mbp_halos, of), (bundle, mbp_nodes, nodes), (bundle, mbp_rounded, b),
            (in, u32, places, 0), (in, f32, depth, 0), (out, mbp_walk_part, sums))
WEFT_KERNEL(mbp_walk_bound, (value, mbp_walk_parts, cut), (bundle, mbp_halos, of),
            (in, u32, places), (in, u32, order, 0), (in, mbp_walk_part, sums, 0),
            (bundle, mbp_bounds, to))
WEFT_GENERATOR(mbp_depth, f32, (in, i64, offset, n + 1), (in, u32, best))
WEFT_KERNEL(mbp_lanes_bound, (value, i64, targets), (value, f32, tolerance),
            (value, i32, walks), (bundle, mbp_halos, of), (bundle, mbp_tiled, tree),
            (bundle, mbp_rounded, b), (in, u32, places, 0), (in, u32, best, 0),
            (bundle, mbp_bounds, to))

enum { MOST_PARTS = 256 };

void mbp_bound_nothing(weft_device *device, const mbp_slots *slots, mbp_bounds_arrays to) {
    weft_for_each(device, slots->rows * MBP_ROW, mbp_walk_nothing, .of = slots->of,
                  .to = to);
}

static void bound_lanes(weft_device *device, const mbp_slots *slots, const mbp_tree *tree,
                        f64 tolerance, i32 walks, weft_array best, weft_array places,
                        mbp_bounds_arrays to) {
    const i64 targets = places.length;
    weft_for_each(device, (targets + MBP_ROW - 1) / MBP_ROW, mbp_lanes_bound,
                  .targets = targets, .tolerance = (f32)tolerance, .walks = walks,
                  .of = slots->of, .tree = tree->tiles, .b = tree->at, .places = places,
                  .best = best, .to = to);
}

/* In parts, until enough work-items walk. */
static void bound_members(weft_device *device, const mbp_slots *slots, const mbp_tree *tree,
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
    weft_transform(device, slots->halos, depth, mbp_depth, .offset = slots->of.offset,
                   .best = best);
    const weft_array sums =
        weft_scratch(device, WEFT_STRUCT(mbp_walk_part), cut.parts * width);
    weft_for_each(device, cut.parts * width, mbp_walk_sum, .cut = cut,
                  .tolerance = (f32)tolerance, .of = slots->of, .nodes = tree->nodes,
                  .b = tree->at, .places = places, .depth = depth, .sums = sums);
    weft_for_each(device, targets, mbp_walk_bound, .cut = cut, .of = slots->of,
                  .places = places, .order = tree->order, .sums = sums, .to = to);
    weft_scope_close(device);
}

void mbp_bound_by_tree(weft_device *device, const mbp_slots *slots, const mbp_tree *tree,
                       f64 tolerance, i32 walks, weft_array best, weft_array places,
                       mbp_bounds_arrays to) {
    typedef void bound(weft_device *, const mbp_slots *, const mbp_tree *, f64, i32,
                       weft_array, weft_array, mbp_bounds_arrays);
    static bound *const by_style[] = {
        [WEFT_SIMD] = bound_lanes, [WEFT_SIMT] = bound_members};
    by_style[weft_device_style(device)](device, slots, tree, tolerance, walks, best, places,
                                        to);
}
