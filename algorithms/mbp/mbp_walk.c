/* Bounds from a tree: by 16 members together, in vectors, or by single members, neighbours
 * in lock step on the same way. */
#include "mbp.h"
#include "mbp_lanes.kernel.h"
#include "algorithms/tuning.h"
#include "weft/register.h"
#include "weft/transform.h"

WEFT_KERNEL(mbp_walk_nothing, (value, f64, softening), (in, i64, offset, 0),
            (in, u32, row_halo, 0), (in, u32, extent, 0), (out, f32, low), (out, f32, high))
WEFT_KERNEL(mbp_walk_sum, (value, i64, targets), (value, i64, width), (value, i64, parts),
            (value, i64, together), (value, f64, softening), (value, f32, tolerance),
            (value, i64, levels), (in, u32, places, 0), (in, f32, depth, 0),
            (in, i64, level, 0), (in, i64, offset, 0), (in, u32, row_halo, 0),
            (in, u32, extent, 0), (in, u32, heaviest, 0), (in, f32, x, 0), (in, f32, y, 0),
            (in, f32, z, 0), (in, f32, mass, 0), (in, f32, node_x, 0), (in, f32, node_y, 0),
            (in, f32, node_z, 0), (in, f32, node_mass, 0), (in, f32, node_square, 0),
            (in, f32, node_reach, 0), (out, mbp_walk_part, sums))
WEFT_KERNEL(mbp_walk_bound, (value, i64, width), (value, i64, parts),
            (value, f64, softening), (in, u32, places), (in, i64, offset, 0),
            (in, u32, row_halo, 0), (in, u32, extent, 0), (in, u32, heaviest, 0),
            (in, u32, order, 0), (in, mbp_walk_part, sums, 0), (inout, f32, low, 0),
            (inout, f32, high, 0))
WEFT_GENERATOR(mbp_depth, f32, (in, i64, offset, n + 1), (in, u32, best))
WEFT_KERNEL(mbp_lanes_bound, (value, i64, targets), (value, f64, softening),
            (value, f32, tolerance), (value, i32, walks), (in, u32, places, 0),
            (in, u32, best, 0), (in, i64, level, 0), (in, i64, offset, 0),
            (in, u32, row_halo, 0), (in, u32, extent, 0), (in, u32, heaviest, 0),
            (in, u32, order, 0), (in, mbp_tile, tile, 0), (in, f32, x, 0), (in, f32, y, 0),
            (in, f32, z, 0), (in, f32, mass, 0), (inout, f32, low, 0),
            (inout, f32, high, 0))

enum { TOGETHER = 32, MOST_PARTS = 256 };

void mbp_bound_nothing(weft_device *device, const mbp_slots *slots, f64 softening,
                       const mbp_bounds *bounds) {
    weft_for_each(device, slots->rows * MBP_ROW, mbp_walk_nothing, .softening = softening,
                  .offset = slots->offset, .row_halo = slots->row_halo,
                  .extent = slots->extent, .low = bounds->low, .high = bounds->high);
}

static void bound_lanes(weft_device *device, const mbp_slots *slots, const mbp_tree *tree,
                        f64 softening, f64 tolerance, i32 walks, weft_array best,
                        weft_array places, const mbp_bounds *bounds) {
    const i64 targets = places.length;
    weft_for_each(
        device, (targets + MBP_ROW - 1) / MBP_ROW, mbp_lanes_bound, .targets = targets,
        .softening = softening, .tolerance = (f32)tolerance, .walks = walks,
        .places = places, .best = best, .level = tree->level, .offset = slots->offset,
        .row_halo = slots->row_halo, .extent = slots->extent, .heaviest = slots->heaviest,
        .order = tree->order, .tile = tree->tile, .x = tree->x, .y = tree->y, .z = tree->z,
        .mass = tree->mass, .low = bounds->low, .high = bounds->high);
}

/* In parts, until enough work-items walk. */
static void bound_members(weft_device *device, const mbp_slots *slots, const mbp_tree *tree,
                          f64 softening, f64 tolerance, i32 walks, weft_array best,
                          weft_array places, const mbp_bounds *bounds) {
    (void)walks;
    const i64 targets = places.length;
    const i64 width = (targets + TOGETHER - 1) / TOGETHER * TOGETHER;
    const i64 enough = tuning_of(device)->mbp_walk_items * weft_concurrency(device);
    i64 parts = 1;
    while (parts < MOST_PARTS && 2 * parts * width <= enough)
        parts *= 2;
    weft_scope_open(device);
    const weft_array depth = weft_scratch(device, WEFT_F32, slots->halos);
    weft_transform(device, slots->halos, depth, mbp_depth, .offset = slots->offset,
                   .best = best);
    const weft_array sums = weft_scratch(device, WEFT_STRUCT(mbp_walk_part), parts * width);
    weft_for_each(device, parts * width, mbp_walk_sum, .targets = targets, .width = width,
                  .parts = parts, .together = TOGETHER, .softening = softening,
                  .tolerance = (f32)tolerance, .levels = tree->levels, .places = places,
                  .depth = depth, .level = tree->level, .offset = slots->offset,
                  .row_halo = slots->row_halo, .extent = slots->extent,
                  .heaviest = slots->heaviest, .x = tree->x, .y = tree->y, .z = tree->z,
                  .mass = tree->mass, .node_x = tree->node_x, .node_y = tree->node_y,
                  .node_z = tree->node_z, .node_mass = tree->node_mass,
                  .node_square = tree->node_square, .node_reach = tree->node_reach,
                  .sums = sums);
    weft_for_each(device, targets, mbp_walk_bound, .width = width, .parts = parts,
                  .softening = softening, .places = places, .offset = slots->offset,
                  .row_halo = slots->row_halo, .extent = slots->extent,
                  .heaviest = slots->heaviest, .order = tree->order, .sums = sums,
                  .low = bounds->low, .high = bounds->high);
    weft_scope_close(device);
}

void mbp_bound_by_tree(weft_device *device, const mbp_slots *slots, const mbp_tree *tree,
                       f64 softening, f64 tolerance, i32 walks, weft_array best,
                       weft_array places, const mbp_bounds *bounds) {
    typedef void bound(weft_device *, const mbp_slots *, const mbp_tree *, f64, f64, i32,
                       weft_array, weft_array, const mbp_bounds *);
    static bound *const by_style[] = {
        [WEFT_SIMD] = bound_lanes, [WEFT_SIMT] = bound_members};
    by_style[weft_device_style(device)](device, slots, tree, softening, tolerance, walks,
                                        best, places, bounds);
}
