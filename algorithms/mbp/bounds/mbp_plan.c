#include "mbp_bounds.h"

static const mbp_plan plans[] = {
    [WEFT_SIMD] = {.short_below = MBP_SHORT,
                   .by_pairs = mbp_pairs_by_rows,
                   .nodes = mbp_tree_of_tiles,
                   .by_tree = mbp_walk_by_groups,
                   .seeds = mbp_tree_seeds},
    [WEFT_SIMT] = {.by_pairs = mbp_pairs_by_fours,
                   .nodes = mbp_tree_of_nodes,
                   .by_tree = mbp_walk_alone},
};

const mbp_plan *mbp_plan_of(const weft_device *device) {
    return &plans[weft_device_style(device)];
}
