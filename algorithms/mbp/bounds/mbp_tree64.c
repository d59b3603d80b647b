/* Bounds from a tree in f64. */
#include "mbp_bounds.h"
#include "mbp_tree64.kernel.h"
#include "algorithms/pyramid/pyramid.h"
#include "weft/transform.h"

WEFT_KERNEL(mbp_tree64_members, (bundle, mbp_halos, of), (bundle, mbp_bodies, at),
            (in, u32, order, 16 * n), (out, mbp_tree64_tile, tile))
WEFT_KERNEL(mbp_tree64_above, (value, i64, halos), (value, i64, level),
            (in, i64, offset, 0), (in, mbp_tree64_tile, below, 0),
            (out, mbp_tree64_tile, tile))
WEFT_KERNEL(mbp_tree64_bound, (value, f64, tolerance), (bundle, mbp_halos, of),
            (in, i64, level, 0), (in, u32, order, 0), (in, mbp_tree64_tile, tile, 0),
            (in, u32, places), (in, u32, best, 0), (bundle, mbp_bounds, to))
WEFT_KERNEL(mbp_tree64_leave, (bundle, mbp_halos, of), (bundle, mbp_bodies, at),
            (bundle, mbp_rounded, b), (in, u32, order), (inout, f32, high, 0))

void mbp_leave_coincident(weft_device *device, const mbp_slots *slots, const mbp_tree *tree,
                          weft_array high) {
    if (slots->of.softening * slots->of.softening > 0)
        return;
    weft_for_each(device, slots->count, mbp_tree64_leave, .of = slots->of, .at = slots->at,
                  .b = tree->at, .order = tree->order, .high = high);
}

void mbp_tree64_build(weft_device *device, const mbp_slots *slots, mbp_tree *tree) {
    const pyramid p = pyramid_over(slots->members, slots->halos, tree->longest,
                                   MBP_ROW_BITS, MBP_ROW_BITS, 1);
    const weft_array tile =
        weft_scratch(device, WEFT_STRUCT(mbp_tree64_tile), pyramid_total(&p));
    weft_for_each(device, slots->rows, mbp_tree64_members, .of = slots->of, .at = slots->at,
                  .order = tree->order, .tile = pyramid_level(device, &p, tile, 0));
    for (i64 l = 1; l < p.levels; l++)
        weft_for_each(device, pyramid_size(&p, l), mbp_tree64_above, .halos = slots->halos,
                      .level = l, .offset = slots->of.offset,
                      .below = pyramid_level(device, &p, tile, l - 1),
                      .tile = pyramid_level(device, &p, tile, l));
    tree->level64 = pyramid_begins(device, &p);
    tree->tile64 = tile;
}

void mbp_tree64_walk_by(weft_device *device, const mbp_slots *slots, const mbp_tree *tree,
                        f64 tolerance, i32 walks, weft_array best, weft_array places,
                        mbp_bounds_arrays to) {
    (void)walks;
    weft_for_each(device, places.length, mbp_tree64_bound, .tolerance = tolerance,
                  .of = slots->of, .level = tree->level64, .order = tree->order,
                  .tile = tree->tile64, .places = places, .best = best, .to = to);
}
