/* Slots along Hilbert's curve. */
#ifndef WEFT_MBP_CURVE_KERNEL_H
#define WEFT_MBP_CURVE_KERNEL_H

#include "algorithms/pyramid/curve.kernel.h"
#include "mbp_bounds.kernel.h"

static inline u32 mbp_curve_cell(f64 x, f64 scale, i32 bits) {
    const f64 cells = (f64)((i64)1 << (bits - 1));
    const f64 cell = (x * scale + 1.0) * cells;
    return cell > 0.0 ? (u32)min(cell, 2.0 * cells - 1.0) : 0u;
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
    u32 a[MBP_ROW], b[MBP_ROW], c[MBP_ROW];
    for (i32 l = 0; l < MBP_ROW; l++) {
        a[l] = mbp_curve_cell(at.x[slot + l], scale, bits);
        b[l] = mbp_curve_cell(at.y[slot + l], scale, bits);
        c[l] = mbp_curve_cell(at.z[slot + l], scale, bits);
    }
    for (i32 bit = bits - 1; bit > 0; bit--)
        for (i32 l = 0; l < MBP_ROW; l++)
            curve_turn(&a[l], &b[l], &c[l], bit);
    for (i32 l = 0; l < MBP_ROW; l++)
        key[slot + l] = from | curve_place(a[l], b[l], c[l]);
    for (i64 l = max(there, (i64)0); l < MBP_ROW; l++)
        key[slot + l] = from | (u64)1 << (3 * bits);
}

#endif
