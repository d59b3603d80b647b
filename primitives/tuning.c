/* Numbers that were measured, on 2026-11-21: those of WEFT_SIMD on two cores of a Xeon with
 * AVX-512 and 2 MiB of second-level cache a core, those of WEFT_SIMT on an H200, of 132
 * compute units and 50 MiB of cache. */
#include "tuning.h"

static const weft_tuning tunings[] = {
    [WEFT_SIMD] = {.count = 256,
                   .compare = 256,
                   .select = 128,
                   .merge = 1024,
                   .order_block = 2048,
                   .order_part = 4096,
                   .sets = 4400, /* no power of two: parts in other sets of the cache */
                   .sets_at_once = 4,
                   .scatter = 1 << 12,
                   .each = 1 << 18,
                   .expand = 1 << 13,
                   .find = 1 << 21,
                   .scatter_alone = 1 << 18,
                   .extreme = 256,
                   .extreme_blocks = 1 << 13,
                   .histogram_rows = 1,
                   .histogram_shared = 1,
                   .histogram_table = 1 << 20,
                   .histogram_chunk = 1 << 14,
                   .histogram_each = 16,
                   .histogram_chunks = 1 << 12,
                   .histogram_copied = 1 << 8,
                   .search_groups = 16,
                   .search_cached = 1 << 21,
                   .search_least = 1 << 14,
                   .search_most = 1 << 22},
    [WEFT_SIMT] = {.count = 1,
                   .compare = 1,
                   .select = 8,
                   .merge = 16,
                   .order_block = 8,
                   .order_part = 16,
                   .sets = 16,
                   .sets_at_once = 1,
                   .scatter = 1,
                   .each = 1 << 24,
                   .expand = 1,
                   .find = 1 << 26,
                   .find_first = 1 << 20,
                   .scatter_alone = 1,
                   .extreme = 1,
                   .gather_by_copy = 1,
                   .heads_unmasked = 1,
                   .histogram_shared = 256,
                   .histogram_table = 1 << 20,
                   .search_groups = 1,
                   .search_cached = 1 << 26,
                   .search_least = 1 << 21,
                   .search_most = 1 << 25},
};

const weft_tuning *weft_tuning_of(const weft_device *device) {
    return &tunings[weft_device_style(device)];
}
