/* Bins by ranges: bin b has what is from edge b on and below edge b + 1, by C's <= and <.
 * What no bin has, NaN among it, gets a number that no bin has. */
#ifndef RANGES_KERNEL_H
#define RANGES_KERNEL_H

#include <weft/kernel.h>

#pragma weft for T in i8 u8 i16 u16 i32 u32 i64 u64 f32 f64
/* By halving: how many edges are not above x. */
static inline u32 ranges_found_T(index_t i, u32 bins, GLOBAL const T *edges,
                                 GLOBAL const T *x) {
    const T value = x[i];
    index_t found = 0;
    for (index_t left = (index_t)bins + 1; left > 0;) {
        const index_t middle = (left + 1) / 2;
        found += middle & (0 - (index_t)(edges[found + middle - 1] <= value));
        left -= middle;
    }
    return (u32)found - 1 < bins ? (u32)found - 1 : 0xffffffffu;
}
#pragma weft end

/* Of even ranges: the bin that a product says, less a quarter, or the one after it, since
 * less than a quarter is lost to its rounding and that of the edges. */
#pragma weft for T : U in i8 : u8 u8 : u8 i16 : u16 u16 : u16 i32 : u32 u32 : u32
static inline f32 ranges_guess_T(T value, T low, f32 scale) {
    return (f32)(U)((U)value - (U)low) * scale;
}
#pragma weft end
#pragma weft for T in i64 u64
static inline f32 ranges_guess_T(T value, T low, f32 scale) {
    return (f32)((u64)value - (u64)low) * scale;
}
#pragma weft end
#pragma weft for T in f32 f64
static inline T ranges_guess_T(T value, T low, T scale) {
    return (value - low) * scale;
}
#pragma weft end
#pragma weft for T in i8 u8 i16 u16 i32 u32 i64 u64 f32
typedef f32 ranges_scale_T;
#pragma weft end
typedef f64 ranges_scale_f64;
/* Without a branch: what is in no bin is near some, and then gets its number. */
#pragma weft for T in i8 u8 i16 u16 i32 u32 i64 u64 f32 f64
static inline u32 ranges_even_T(index_t i, u32 bins, ranges_scale_T scale,
                                GLOBAL const T *edges, GLOBAL const T *x) {
    const T value = x[i], low = edges[0];
    const ranges_scale_T guess = ranges_guess_T(value, low, scale) - (ranges_scale_T)0.25,
                         last = (ranges_scale_T)(bins - 1);
    const ranges_scale_T not_below = guess > 0 ? guess : 0;
    const u32 bin = (u32)(not_below < last ? not_below : last);
    const u32 outside = !(low <= value) | !(value < edges[(index_t)bins]);
    return (bin + (edges[(index_t)bin + 1] <= value)) | (0 - outside);
}
#pragma weft end

#endif
