/* A tree over each halo, built level by level. */
#include "mbp.h"
#include "mbp_tiles.kernel.h"
#include "mbp_tree.kernel.h"
#include "weft/operators.h"
#include "weft/reduce.h"
#include "weft/register.h"
#include "weft/select.h"
#include "weft/sort.h"
#include "weft/transform.h"

WEFT_GENERATOR(mbp_tree_key, u64, (value, i32, bits), (in, i64, offset, 0),
               (in, u32, row_halo, 0), (in, u32, extent, 0), (in, f64, x), (in, f64, y),
               (in, f64, z))
WEFT_KERNEL(mbp_tree_keys, (value, i32, bits), (in, i64, offset, 0), (in, u32, row_halo),
            (in, u32, extent, 0), (in, f64, x, 16 * n), (in, f64, y, 16 * n),
            (in, f64, z, 16 * n), (out, u64, key, 16 * n))
WEFT_GENERATOR(mbp_tree_slot, u32, (value, u32, first))
WEFT_GENERATOR(mbp_tree_members, i64, (in, i64, offset, n + 1))
WEFT_KERNEL(mbp_tree_leaf, (in, i64, offset, 0), (in, u32, row_halo), (in, u32, extent, 0),
            (in, u32, heaviest, 0), (in, u32, order, 0), (in, f64, x, 0), (in, f64, y, 0),
            (in, f64, z, 0), (in, f64, mass, 0), (out, mbp_tree_node, node))
WEFT_KERNEL(mbp_tree_join, (value, i64, halos), (value, i64, l), (in, i64, offset, 0),
            (in, mbp_tree_node, below, 0), (out, mbp_tree_node, node))
WEFT_KERNEL(mbp_tree_round, (in, mbp_tree_node, node), (out, f32, x), (out, f32, y),
            (out, f32, z), (out, f32, mass), (out, f32, square), (out, f32, reach))
WEFT_KERNEL(mbp_tree_place, (in, u32, order), (in, f32, from_x, 0), (in, f32, from_y, 0),
            (in, f32, from_z, 0), (in, f32, from_mass, 0), (out, f32, x), (out, f32, y),
            (out, f32, z), (out, f32, mass))
WEFT_KERNEL(mbp_tiles_leaves, (value, i64, halos), (in, i64, offset, 0), (in, f32, x, 0),
            (in, f32, y, 0), (in, f32, z, 0), (in, f32, mass, 0), (out, mbp_tile, tile))
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
        weft_transform(device, count, key, mbp_tree_key, .bits = bits,
                       .offset = slots->offset, .row_halo = slots->row_halo,
                       .extent = slots->extent, .x = slots->x, .y = slots->y,
                       .z = slots->z);
    else
        weft_for_each(device, slots->rows, mbp_tree_keys, .bits = bits,
                      .offset = slots->offset, .row_halo = slots->row_halo,
                      .extent = slots->extent, .x = slots->x, .y = slots->y, .z = slots->z,
                      .key = key);
    weft_transform(device, count, order, mbp_tree_slot, .first = 0);
    weft_sort_bits(device, key, order, WEFT_ASCENDING, 0, 3 * bits + 1 + halo_bits);
    weft_scope_close(device);
    return order;
}

static void build_nodes(weft_device *device, const mbp_slots *slots, i64 largest,
                        mbp_tree *tree) {
    i64 begin[MOST_LEVELS + 1] = {0, slots->rows};
    tree->levels = 1;
    for (i64 s = MBP_ROW * MBP_TREE_FAN; s < largest && tree->levels < MOST_LEVELS;
         s *= MBP_TREE_FAN) {
        begin[tree->levels + 1] = begin[tree->levels] + slots->members / s + slots->halos;
        tree->levels++;
    }
    const i64 count = begin[tree->levels];
    tree->level = weft_scratch(device, WEFT_I64, tree->levels);
    weft_write(device, tree->level, begin);
    weft_array *const rounded[] = {&tree->node_x,    &tree->node_y,      &tree->node_z,
                                   &tree->node_mass, &tree->node_square, &tree->node_reach};
    for (int k = 0; k < 6; k++)
        *rounded[k] = weft_scratch(device, WEFT_F32, count + MBP_TREE_FAN - 1);
    weft_scope_open(device);
    const weft_array node = weft_scratch(device, WEFT_STRUCT(mbp_tree_node), count);
    weft_for_each(device, slots->rows, mbp_tree_leaf, .offset = slots->offset,
                  .row_halo = slots->row_halo, .extent = slots->extent,
                  .heaviest = slots->heaviest, .order = tree->order, .x = slots->x,
                  .y = slots->y, .z = slots->z, .mass = slots->mass, .node = node);
    for (i64 l = 1; l < tree->levels; l++) {
        weft_for_each(device, begin[l + 1] - begin[l], mbp_tree_join, .halos = slots->halos,
                      .l = l, .offset = slots->offset,
                      .below =
                          weft_slice(device, node, begin[l - 1], begin[l] - begin[l - 1]),
                      .node = weft_slice(device, node, begin[l], begin[l + 1] - begin[l]));
    }
    weft_for_each(device, count, mbp_tree_round, .node = node, .x = tree->node_x,
                  .y = tree->node_y, .z = tree->node_z, .mass = tree->node_mass,
                  .square = tree->node_square, .reach = tree->node_reach);
    weft_scope_close(device);
}

static void build_tiles(weft_device *device, const mbp_slots *slots, i64 largest,
                        mbp_tree *tree) {
    i64 begin[MOST_LEVELS + 1] = {0}, s = MBP_ROW * MBP_ROW;
    for (tree->levels = 0; tree->levels == 0 || s < largest * MBP_ROW; s *= MBP_ROW) {
        begin[tree->levels + 1] = begin[tree->levels] + slots->members / s + slots->halos;
        tree->levels++;
    }
    tree->level = weft_scratch(device, WEFT_I64, tree->levels);
    tree->tile = weft_scratch(device, WEFT_STRUCT(mbp_tile), begin[tree->levels]);
    weft_write(device, tree->level, begin);
    weft_for_each(device, begin[1], mbp_tiles_leaves, .halos = slots->halos,
                  .offset = slots->offset, .x = tree->x, .y = tree->y, .z = tree->z,
                  .mass = tree->mass, .tile = weft_slice(device, tree->tile, 0, begin[1]));
    for (i64 l = 1; l < tree->levels; l++)
        weft_for_each(
            device, begin[l + 1] - begin[l], mbp_tiles_above, .halos = slots->halos,
            .level = l, .offset = slots->offset,
            .below = weft_slice(device, tree->tile, begin[l - 1], begin[l] - begin[l - 1]),
            .tile = weft_slice(device, tree->tile, begin[l], begin[l + 1] - begin[l]));
}

weft_array mbp_tree_seeds(weft_device *device, const mbp_slots *slots,
                          const mbp_tree *tree) {
    const weft_array place = weft_scratch(device, WEFT_U32, slots->halos * MBP_ROW);
    weft_for_each(device, slots->halos, mbp_tiles_seed, .offset = slots->offset,
                  .tile = tree->tile, .place = place);
    return place;
}

mbp_tree mbp_tree_build(weft_device *device, const mbp_slots *slots, f64 softening) {
    typedef void build(weft_device *, const mbp_slots *, i64, mbp_tree *);
    static build *const by_style[] = {[WEFT_SIMD] = build_tiles, [WEFT_SIMT] = build_nodes};
    const i64 count = slots->rows * MBP_ROW;
    mbp_tree tree = {0};
    i64 largest = 0;
    weft_reduce(device, weft_lazy(slots->halos, mbp_tree_members, .offset = slots->offset),
                weft_maximum(WEFT_I64), &largest);
    tree.order = sort_slots(device, slots, largest);
    tree.x = weft_scratch(device, WEFT_F32, count);
    tree.y = weft_scratch(device, WEFT_F32, count);
    tree.z = weft_scratch(device, WEFT_F32, count);
    tree.mass = weft_scratch(device, WEFT_F32, count);
    weft_scope_open(device);
    const mbp_rounded from = mbp_round(device, slots, softening);
    weft_for_each(device, count, mbp_tree_place, .order = tree.order, .from_x = from.x,
                  .from_y = from.y, .from_z = from.z, .from_mass = from.mass, .x = tree.x,
                  .y = tree.y, .z = tree.z, .mass = tree.mass);
    weft_scope_close(device);
    by_style[weft_device_style(device)](device, slots, largest, &tree);
    return tree;
}
