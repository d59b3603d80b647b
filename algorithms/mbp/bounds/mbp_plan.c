#include "mbp_bounds.h"

static const mbp_plan plans[] = {
    [WEFT_SIMD] = {.short_below = MBP_SHORT,
                   .by_halo = mbp_bound_short,
                   .by_pairs = mbp_pairs_by_rows,
                   .nodes = mbp_tree_of_tiles,
                   .by_tree = mbp_walk_by_groups,
                   .seeds = mbp_tree_seeds},
    [WEFT_SIMT] = {.short_below = 32768,
                   .by_pairs = mbp_pairs_by_fours,
                   .nodes = mbp_tree64_build,
                   .by_tree = mbp_tree64_walk_by},
};

const mbp_plan *mbp_plan_of(const weft_device *device) {
    return &plans[weft_device_style(device)];
}
