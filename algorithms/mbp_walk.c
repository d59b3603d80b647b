/* Bounds from a tree: by leaves of members where few kernels run at once, and by single
 * members, neighbours on the same way, where many do. */
#include "mbp.h"
#include "mbp_lanes.kernel.h"
#include "weft/register.h"
#include "weft/select.h"

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
WEFT_GENERATOR(mbp_lanes_row, u32, (in, u32, places))
WEFT_GENERATOR(mbp_lanes_head, u32, (in, u32, places))
WEFT_GENERATOR(mbp_lanes_number, u32, (value, u32, first))
WEFT_GENERATOR(mbp_lanes_begins, u32, (in, u32, rows), (in, i64, offset, 0),
               (in, u32, row_halo, 0))
WEFT_KERNEL(mbp_lanes_bound, (value, i64, blocks), (value, i64, count),
            (value, f64, softening), (value, f32, tolerance), (value, i32, fine),
            (value, i64, levels), (in, u32, begins), (in, u32, rows, 0),
            (in, f32, depth, 0), (in, i64, level, 0), (in, i64, offset, 0),
            (in, u32, row_halo, 0), (in, u32, extent, 0), (in, u32, heaviest, 0),
            (in, u32, order, 0), (in, f32, x, 0), (in, f32, y, 0), (in, f32, z, 0),
            (in, f32, mass, 0), (in, f32, node_x, 0), (in, f32, node_y, 0),
            (in, f32, node_z, 0), (in, f32, node_mass, 0), (in, f32, node_square, 0),
            (in, f32, node_reach, 0), (inout, f32, low, 0), (inout, f32, high, 0))

/* Kernels at once from which on single members walk, in parts until ENOUGH do at once; on
 * fewer, they walk by rows with at least FULL of them in the mean. */
enum { MANY = 64, TOGETHER = 32, FULL = 4, ENOUGH = 1 << 18, MOST_PARTS = 256 };

void mbp_bound_nothing(weft_device *device, const mbp_slots *slots, f64 softening,
                       const mbp_bounds *bounds) {
    weft_for_each(device, slots->rows * MBP_ROW, mbp_walk_nothing, .softening = softening,
                  .offset = slots->offset, .row_halo = slots->row_halo,
                  .extent = slots->extent, .low = bounds->low, .high = bounds->high);
}

/* The rows that places are in: [places] u32, and how many. */
static weft_array rows_of(weft_device *device, weft_array places, i64 *count) {
    const weft_array rows = weft_scratch(device, WEFT_U32, places.length);
    weft_copy_if(device, weft_lazy(places.length, mbp_lanes_row, .places = places),
                 weft_lazy(places.length, mbp_lanes_head, .places = places), rows, count);
    return weft_slice(device, rows, 0, *count);
}

static void bound_by_rows(weft_device *device, const mbp_slots *slots, const mbp_tree *tree,
                          f64 softening, f64 tolerance, int fine, weft_array depth,
                          weft_array rows, const mbp_bounds *bounds) {
    i64 blocks = 0;
    const weft_array begins = weft_scratch(device, WEFT_U32, rows.length);
    weft_copy_if(device, weft_lazy(rows.length, mbp_lanes_number, .first = 0),
                 weft_lazy(rows.length, mbp_lanes_begins, .rows = rows,
                           .offset = slots->offset, .row_halo = slots->row_halo),
                 begins, &blocks);
    weft_for_each(device, blocks, mbp_lanes_bound, .blocks = blocks, .count = rows.length,
                  .begins = begins, .rows = rows, .softening = softening,
                  .tolerance = (f32)tolerance, .fine = fine, .levels = tree->levels,
                  .depth = depth, .level = tree->level, .offset = slots->offset,
                  .row_halo = slots->row_halo, .extent = slots->extent,
                  .heaviest = slots->heaviest, .order = tree->order, .x = tree->x,
                  .y = tree->y, .z = tree->z, .mass = tree->mass, .node_x = tree->node_x,
                  .node_y = tree->node_y, .node_z = tree->node_z,
                  .node_mass = tree->node_mass, .node_square = tree->node_square,
                  .node_reach = tree->node_reach, .low = bounds->low, .high = bounds->high);
}

static void bound_members(weft_device *device, const mbp_slots *slots, const mbp_tree *tree,
                          f64 softening, f64 tolerance, weft_array depth, weft_array places,
                          int many, const mbp_bounds *bounds) {
    const i64 together = many ? TOGETHER : 1, targets = places.length;
    const i64 width = (targets + together - 1) / together * together;
    i64 parts = 1;
    while (many && parts < MOST_PARTS && 2 * parts * width <= ENOUGH)
        parts *= 2;
    const weft_array sums = weft_scratch(device, WEFT_STRUCT(mbp_walk_part), parts * width);
    weft_for_each(device, parts * width, mbp_walk_sum, .targets = targets, .width = width,
                  .parts = parts, .together = together, .softening = softening,
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
}

void mbp_bound_by_tree(weft_device *device, const mbp_slots *slots, const mbp_tree *tree,
                       f64 softening, f64 tolerance, int fine, weft_array depth,
                       weft_array places, const mbp_bounds *bounds) {
    const int many = weft_concurrency(device) >= MANY;
    weft_scope_open(device);
    i64 count = places.length;
    const weft_array rows = many ? places : rows_of(device, places, &count);
    if (!many && count * FULL <= places.length)
        bound_by_rows(device, slots, tree, softening, tolerance, fine, depth, rows, bounds);
    else
        bound_members(device, slots, tree, softening, tolerance, depth, places, many,
                      bounds);
    weft_scope_close(device);
}
