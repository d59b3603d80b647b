/* Bounds from a tree in f32, by single members of which neighbours go the same way. */
#include "mbp_bounds.h"
#include "algorithms/pyramid/pyramid.h"
#include "algorithms/tuning.h"
#include "weft/transform.h"

WEFT_KERNEL(mbp_nodes_leaf, (bundle, mbp_halos, of), (bundle, mbp_bodies, at),
            (in, u32, order, 0), (out, mbp_node, node))
WEFT_KERNEL(mbp_nodes_join, (value, i64, halos), (value, i64, l), (in, i64, offset, 0),
            (in, mbp_node, below, 0), (out, mbp_node, node))
WEFT_KERNEL(mbp_nodes_round, (in, mbp_node, node), (out, f32, x), (out, f32, y),
            (out, f32, z), (out, f32, mass), (out, f32, square), (out, f32, reach))
WEFT_KERNEL(mbp_walk_sum, (value, mbp_walk_parts, cut), (value, f32, tolerance),
            (bundle, mbp_halos, of), (bundle, mbp_nodes, nodes), (bundle, mbp_rounded, b),
            (in, u32, places, 0), (in, u32, best, 0), (out, mbp_walk_part, sums))
WEFT_KERNEL(mbp_walk_bound, (value, mbp_walk_parts, cut), (bundle, mbp_halos, of),
            (in, u32, places), (in, u32, order, 0), (in, mbp_walk_part, sums, 0),
            (bundle, mbp_bounds, to))

enum { MOST_PARTS = 256 };

void mbp_tree_of_nodes(weft_device *device, const mbp_slots *slots, mbp_tree *tree) {
    const pyramid p = pyramid_over(slots->members, slots->halos, tree->longest,
                                   MBP_ROW_BITS, MBP_NODES_FAN_BITS, MBP_NODES_FAN);
    const i64 count = pyramid_total(&p);
    tree->at = mbp_round(device, slots, tree->order);
    mbp_nodes_arrays to = {.levels = p.levels, .level = pyramid_begins(device, &p)};
    weft_array *const columns[] = {&to.x, &to.y, &to.z, &to.mass, &to.square, &to.reach};
    for (int k = 0; k < 6; k++)
        *columns[k] = weft_scratch(device, WEFT_F32, count + MBP_NODES_FAN - 1);
    tree->nodes = to;
    weft_scope_open(device);
    const weft_array node = weft_scratch(device, WEFT_STRUCT(mbp_node), count);
    weft_for_each(device, slots->rows, mbp_nodes_leaf, .of = slots->of, .at = slots->at,
                  .order = tree->order, .node = node);
    for (i64 l = 1; l < p.levels; l++)
        weft_for_each(device, pyramid_size(&p, l), mbp_nodes_join, .halos = slots->halos,
                      .l = l, .offset = slots->of.offset,
                      .below = pyramid_level(device, &p, node, l - 1),
                      .node = pyramid_level(device, &p, node, l));
    weft_for_each(device, count, mbp_nodes_round, .node = node, .x = to.x, .y = to.y,
                  .z = to.z, .mass = to.mass, .square = to.square, .reach = to.reach);
    weft_scope_close(device);
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
    const weft_array sums =
        weft_scratch(device, WEFT_STRUCT(mbp_walk_part), cut.parts * width);
    weft_for_each(device, cut.parts * width, mbp_walk_sum, .cut = cut,
                  .tolerance = (f32)tolerance, .of = slots->of, .nodes = tree->nodes,
                  .b = tree->at, .places = places, .best = best, .sums = sums);
    weft_for_each(device, targets, mbp_walk_bound, .cut = cut, .of = slots->of,
                  .places = places, .order = tree->order, .sums = sums, .to = to);
    weft_scope_close(device);
}
