/* A tree over each halo, built level by level. */
#include "mbp_bounds.h"
#include "mbp_curve.kernel.h"
#include "algorithms/pyramid/lengths.h"
#include "algorithms/pyramid/pyramid.h"
#include "weft/sort.h"
#include "weft/transform.h"

WEFT_KERNEL(mbp_curve_keys, (value, i32, bits), (bundle, mbp_halos, of),
            (bundle, mbp_bodies, at), (out, u64, key, 16 * n))
WEFT_KERNEL(mbp_tiles_leaves, (value, i64, halos), (in, i64, offset, 0),
            (bundle, mbp_rounded, at), (out, mbp_tile, tile))
WEFT_KERNEL(mbp_tiles_above, (value, i64, halos), (value, i64, level), (in, i64, offset, 0),
            (in, mbp_tile, below, 0), (out, mbp_tile, tile))
WEFT_KERNEL(mbp_tiles_seed, (in, i64, offset, n + 1), (in, mbp_tile, tile, 0),
            (out, u32, place, 16 * n))

enum { MOST_BITS = 16 };

/* Cells of about one member for each halo's densest parts, as far as keys have room. */
static weft_array sort_slots(weft_device *device, const mbp_slots *slots, i64 longest) {
    const i64 count = slots->count;
    const int halo_bits = lengths_bits(slots->halos + 1), room = (62 - halo_bits) / 3;
    const int wanted = lengths_bits(longest + 1) / 3 + 5;
    int bits = wanted < room ? wanted : room;
    bits = bits < MOST_BITS ? bits : MOST_BITS;
    const weft_array order = points_numbers(device, count);
    weft_scope_open(device);
    const weft_array key = weft_scratch(device, WEFT_U64, count);
    weft_for_each(device, slots->rows, mbp_curve_keys, .bits = bits, .of = slots->of,
                  .at = slots->at, .key = key);
    weft_sort_bits(device, key, order, WEFT_ASCENDING, 0, 3 * bits + 1 + halo_bits);
    weft_scope_close(device);
    return order;
}

void mbp_tree_of_tiles(weft_device *device, const mbp_slots *slots, mbp_tree *tree) {
    const pyramid p = pyramid_over(slots->members, slots->halos, tree->longest,
                                   2 * MBP_ROW_BITS, MBP_ROW_BITS, 1);
    const weft_array tile = weft_scratch(device, WEFT_STRUCT(mbp_tile), pyramid_total(&p));
    tree->at = mbp_round(device, slots, tree->order);
    tree->tiles = (mbp_tiled_arrays){tree->order, pyramid_begins(device, &p), tile};
    weft_for_each(device, pyramid_size(&p, 0), mbp_tiles_leaves, .halos = slots->halos,
                  .offset = slots->of.offset, .at = tree->at,
                  .tile = pyramid_level(device, &p, tile, 0));
    for (i64 l = 1; l < p.levels; l++)
        weft_for_each(device, pyramid_size(&p, l), mbp_tiles_above, .halos = slots->halos,
                      .level = l + 1, .offset = slots->of.offset,
                      .below = pyramid_level(device, &p, tile, l - 1),
                      .tile = pyramid_level(device, &p, tile, l));
}

weft_array mbp_tree_seeds(weft_device *device, const mbp_slots *slots,
                          const mbp_tree *tree) {
    const weft_array place = weft_scratch(device, WEFT_U32, slots->halos * MBP_ROW);
    weft_for_each(device, slots->halos, mbp_tiles_seed, .offset = slots->of.offset,
                  .tile = tree->tiles.tile, .place = place);
    return place;
}

mbp_tree mbp_tree_order(weft_device *device, const mbp_slots *slots) {
    mbp_tree tree = {.longest = lengths_most(device, slots->halos, slots->of.offset)};
    tree.order = sort_slots(device, slots, tree.longest);
    return tree;
}
