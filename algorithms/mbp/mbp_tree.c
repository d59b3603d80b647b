/* A tree over each halo, built level by level. */
#include "mbp.h"
#include "weft/operators.h"
#include "weft/reduce.h"
#include "weft/select.h"
#include "weft/sort.h"
#include "weft/transform.h"

WEFT_GENERATOR(mbp_tree_key, u64, (value, i32, bits), (bundle, mbp_halos, of),
               (bundle, mbp_bodies, at))
WEFT_KERNEL(mbp_tree_keys, (value, i32, bits), (bundle, mbp_halos, of),
            (bundle, mbp_bodies, at), (out, u64, key, 16 * n))
WEFT_GENERATOR(mbp_tree_slot, u32, (value, u32, first))
WEFT_GENERATOR(mbp_tree_members, i64, (in, i64, offset, n + 1))
WEFT_KERNEL(mbp_tree_leaf, (bundle, mbp_halos, of), (bundle, mbp_bodies, at),
            (in, u32, order, 0), (out, mbp_tree_node, node))
WEFT_KERNEL(mbp_tree_join, (value, i64, halos), (value, i64, l), (in, i64, offset, 0),
            (in, mbp_tree_node, below, 0), (out, mbp_tree_node, node))
WEFT_KERNEL(mbp_tree_round, (in, mbp_tree_node, node), (out, f32, x), (out, f32, y),
            (out, f32, z), (out, f32, mass), (out, f32, square), (out, f32, reach))
WEFT_KERNEL(mbp_tiles_leaves, (value, i64, halos), (in, i64, offset, 0),
            (bundle, mbp_rounded, at), (out, mbp_tile, tile))
WEFT_KERNEL(mbp_tiles_above, (value, i64, halos), (value, i64, level), (in, i64, offset, 0),
            (in, mbp_tile, below, 0), (out, mbp_tile, tile))
WEFT_KERNEL(mbp_tiles_seed, (in, i64, offset, n + 1), (in, mbp_tile, tile, 0),
            (out, u32, place, 16 * n))

enum { MOST_LEVELS = 16, MOST_BITS = 16 };

static int bits_of(i64 n) {
    int bits = 0;
    while (n >> bits)
        bits++;
    return bits;
}

/* Cells of about one member for each halo's densest parts, as far as keys have room. */
static weft_array sort_slots(weft_device *device, const mbp_slots *slots, i64 largest) {
    const i64 count = slots->rows * MBP_ROW;
    const int halo_bits = bits_of(slots->halos), room = (62 - halo_bits) / 3;
    const int wanted = bits_of(largest) / 3 + 5;
    int bits = wanted < room ? wanted : room;
    bits = bits < MOST_BITS ? bits : MOST_BITS;
    const weft_array order = weft_scratch(device, WEFT_U32, count);
    weft_scope_open(device);
    const weft_array key = weft_scratch(device, WEFT_U64, count);
    if (weft_device_style(device) == WEFT_SIMT)
        weft_transform(device, count, key, mbp_tree_key, .bits = bits, .of = slots->of,
                       .at = slots->at);
    else
        weft_for_each(device, slots->rows, mbp_tree_keys, .bits = bits, .of = slots->of,
                      .at = slots->at, .key = key);
    weft_transform(device, count, order, mbp_tree_slot, .first = 0);
    weft_sort_bits(device, key, order, WEFT_ASCENDING, 0, 3 * bits + 1 + halo_bits);
    weft_scope_close(device);
    return order;
}

static void build_nodes(weft_device *device, const mbp_slots *slots, i64 largest,
                        mbp_tree *tree) {
    i64 begin[MOST_LEVELS + 1] = {0, slots->rows}, levels = 1;
    for (i64 s = MBP_ROW * MBP_TREE_FAN; s < largest && levels < MOST_LEVELS;
         s *= MBP_TREE_FAN, levels++)
        begin[levels + 1] = begin[levels] + slots->members / s + slots->halos;
    const i64 count = begin[levels], room = count + MBP_TREE_FAN - 1;
    const mbp_nodes_arrays to = {levels,
                                 weft_scratch(device, WEFT_I64, levels),
                                 weft_scratch(device, WEFT_F32, room),
                                 weft_scratch(device, WEFT_F32, room),
                                 weft_scratch(device, WEFT_F32, room),
                                 weft_scratch(device, WEFT_F32, room),
                                 weft_scratch(device, WEFT_F32, room),
                                 weft_scratch(device, WEFT_F32, room)};
    tree->nodes = to;
    weft_write(device, to.level, begin);
    weft_scope_open(device);
    const weft_array node = weft_scratch(device, WEFT_STRUCT(mbp_tree_node), count);
    weft_for_each(device, slots->rows, mbp_tree_leaf, .of = slots->of, .at = slots->at,
                  .order = tree->order, .node = node);
    for (i64 l = 1; l < levels; l++)
        weft_for_each(device, begin[l + 1] - begin[l], mbp_tree_join, .halos = slots->halos,
                      .l = l, .offset = slots->of.offset,
                      .below =
                          weft_slice(device, node, begin[l - 1], begin[l] - begin[l - 1]),
                      .node = weft_slice(device, node, begin[l], begin[l + 1] - begin[l]));
    weft_for_each(device, count, mbp_tree_round, .node = node, .x = to.x, .y = to.y,
                  .z = to.z, .mass = to.mass, .square = to.square, .reach = to.reach);
    weft_scope_close(device);
}

static void build_tiles(weft_device *device, const mbp_slots *slots, i64 largest,
                        mbp_tree *tree) {
    i64 begin[MOST_LEVELS + 1] = {0}, levels = 0;
    for (i64 s = MBP_ROW * MBP_ROW; levels == 0 || s < largest * MBP_ROW;
         s *= MBP_ROW, levels++)
        begin[levels + 1] = begin[levels] + slots->members / s + slots->halos;
    const weft_array tile = weft_scratch(device, WEFT_STRUCT(mbp_tile), begin[levels]);
    tree->tiles =
        (mbp_tiled_arrays){tree->order, weft_scratch(device, WEFT_I64, levels), tile};
    weft_write(device, tree->tiles.level, begin);
    weft_for_each(device, begin[1], mbp_tiles_leaves, .halos = slots->halos,
                  .offset = slots->of.offset, .at = tree->at,
                  .tile = weft_slice(device, tile, 0, begin[1]));
    for (i64 l = 1; l < levels; l++)
        weft_for_each(device, begin[l + 1] - begin[l], mbp_tiles_above,
                      .halos = slots->halos, .level = l, .offset = slots->of.offset,
                      .below =
                          weft_slice(device, tile, begin[l - 1], begin[l] - begin[l - 1]),
                      .tile = weft_slice(device, tile, begin[l], begin[l + 1] - begin[l]));
}

weft_array mbp_tree_seeds(weft_device *device, const mbp_slots *slots,
                          const mbp_tree *tree) {
    const weft_array place = weft_scratch(device, WEFT_U32, slots->halos * MBP_ROW);
    weft_for_each(device, slots->halos, mbp_tiles_seed, .offset = slots->of.offset,
                  .tile = tree->tiles.tile, .place = place);
    return place;
}

mbp_tree mbp_tree_build(weft_device *device, const mbp_slots *slots) {
    typedef void build(weft_device *, const mbp_slots *, i64, mbp_tree *);
    static build *const by_style[] = {[WEFT_SIMD] = build_tiles, [WEFT_SIMT] = build_nodes};
    mbp_tree tree = {0};
    i64 largest = 0;
    weft_reduce(device,
                weft_lazy(slots->halos, mbp_tree_members, .offset = slots->of.offset),
                weft_maximum(WEFT_I64), &largest);
    tree.order = sort_slots(device, slots, largest);
    tree.at = mbp_round(device, slots, tree.order);
    by_style[weft_device_style(device)](device, slots, largest, &tree);
    return tree;
}
