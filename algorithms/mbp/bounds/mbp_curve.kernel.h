/* Slots along Hilbert's curve, on which neighbours are neighbours in space. (Skilling,
 * "Programming the Hilbert curve", AIP Conf. Proc. 707 (2004) 381.) */
#ifndef WEFT_MBP_CURVE_KERNEL_H
#define WEFT_MBP_CURVE_KERNEL_H

#include "mbp_bounds.kernel.h"

/* Two zero bits before each of the lowest 16 bits. */
static inline u64 mbp_curve_spread(u64 a) {
    a = (a | a << 16) & 0x0000ff0000ffu;
    a = (a | a << 8) & 0x00f00f00f00fu;
    a = (a | a << 4) & 0x0c30c30c30c3u;
    return (a | a << 2) & 0x249249249249u;
}

static inline u32 mbp_curve_cell(f64 x, f64 scale, i32 bits) {
    const f64 cells = (f64)((i64)1 << (bits - 1));
    const f64 cell = (x * scale + 1.0) * cells;
    return cell > 0.0 ? (u32)min(cell, 2.0 * cells - 1.0) : 0u;
}

/* A step from a cell to its place on the curve. */
static inline void mbp_curve_turn(u32 *x, u32 *y, u32 *z, i32 bit) {
    const u32 low = (1u << bit) - 1u;
    const u32 at_x = 0u - (*x >> bit & 1u), at_y = 0u - (*y >> bit & 1u),
              at_z = 0u - (*z >> bit & 1u);
    *x ^= low & at_x;
    const u32 swap_y = (*x ^ *y) & low & ~at_y;
    *x ^= swap_y | (low & at_y);
    *y ^= swap_y;
    const u32 swap_z = (*x ^ *z) & low & ~at_z;
    *x ^= swap_z | (low & at_z);
    *z ^= swap_z;
}
static inline u32 mbp_curve_flip(u32 z, i32 bit) {
    return ((1u << bit) - 1u) & (0u - (z >> bit & 1u));
}
static inline u64 mbp_curve_place(u32 x, u32 y, u32 z, u32 flip) {
    return mbp_curve_spread(x ^ flip) << 2 | mbp_curve_spread(y ^ flip) << 1 |
           mbp_curve_spread(z ^ flip);
}

static inline i32 mbp_curve_has_cells(u32 extent) {
    return extent >= 480 && extent <= 1900;
}

/* Of 16 slots the halo, and the place on the curve; empty ones come last in their halo. */
static inline void mbp_curve_keys(index_t row, i32 bits, mbp_halos of, mbp_bodies at,
                                  GLOBAL u64 *key) {
    const i64 halo = of.row_halo[row], slot = (i64)row * MBP_ROW;
    const i64 there = mbp_members(of.offset, halo) - mbp_rank(of.offset, halo, slot);
    const u64 from = (u64)halo << (3 * bits + 1);
    const f64 scale =
        mbp_curve_has_cells(of.extent[halo]) ? mbp_scale(of.extent[halo]) : 0.0;
    u32 a[MBP_ROW], b[MBP_ROW], c[MBP_ROW], flip[MBP_ROW];
    for (i32 l = 0; l < MBP_ROW; l++) {
        a[l] = mbp_curve_cell(at.x[slot + l], scale, bits);
        b[l] = mbp_curve_cell(at.y[slot + l], scale, bits);
        c[l] = mbp_curve_cell(at.z[slot + l], scale, bits);
        flip[l] = 0u;
    }
    for (i32 bit = bits - 1; bit > 0; bit--)
        for (i32 l = 0; l < MBP_ROW; l++)
            mbp_curve_turn(&a[l], &b[l], &c[l], bit);
    for (i32 l = 0; l < MBP_ROW; l++) {
        b[l] ^= a[l];
        c[l] ^= b[l];
    }
    for (i32 bit = bits - 1; bit > 0; bit--)
        for (i32 l = 0; l < MBP_ROW; l++)
            flip[l] ^= mbp_curve_flip(c[l], bit);
    for (i32 l = 0; l < MBP_ROW; l++)
        key[slot + l] = from | mbp_curve_place(a[l], b[l], c[l], flip[l]);
    for (i64 l = max(there, (i64)0); l < MBP_ROW; l++)
        key[slot + l] = from | (u64)1 << (3 * bits);
}

#endif
