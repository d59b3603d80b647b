/* Numbers that were measured, on 2026-11-21 and 22: those of WEFT_SIMD on two cores of a
 * Xeon with AVX-512, those of WEFT_SIMT on an H200, of 132 compute units, each with 2,048
 * work-items in flight. */
#include "tuning.h"

static const tuning tunings[] = {
    [WEFT_SIMD] = {.grid_block = 256,
                   .points_block = 256,
                   .mbp_cheap_each = 4,
                   .mbp_tree64 = 256,
                   .subhalos_batch = 1 << 18,
                   .subhalos_pairs = 1 << 8,
                   .sheet_batch = 1 << 18,
                   .sheet_list = 1 << 21},
    [WEFT_SIMT] = {.grid_block = 1,
                   .points_block = 16,
                   .mbp_cheap = 500000000,
                   .mbp_tree64 = 16384,
                   .mbp_walk_items = 2048,
                   .mbp_pairs_items = 16 * 2048,
                   .subhalos_batch = 1 << 24,
                   .subhalos_pairs = 1 << 30,
                   .sheet_batch = 1 << 19,
                   .sheet_list = 1 << 22,
                   .sheet_rows = 1},
};

const tuning *tuning_of(const weft_device *device) {
    return &tunings[weft_device_style(device)];
}
