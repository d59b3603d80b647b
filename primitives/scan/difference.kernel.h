/* Differences of neighbours; the first element stays. */
#ifndef DIFFERENCE_KERNEL_H
#define DIFFERENCE_KERNEL_H

#include <weft/kernel.h>

static inline u8 difference_u8(index_t i, GLOBAL const u8 *in) {
    return i == 0 ? in[0] : (u8)(in[i] - in[i - 1]);
}
static inline u16 difference_u16(index_t i, GLOBAL const u16 *in) {
    return i == 0 ? in[0] : (u16)(in[i] - in[i - 1]);
}
static inline u32 difference_u32(index_t i, GLOBAL const u32 *in) {
    return i == 0 ? in[0] : in[i] - in[i - 1];
}
static inline u64 difference_u64(index_t i, GLOBAL const u64 *in) {
    return i == 0 ? in[0] : in[i] - in[i - 1];
}
static inline f32 difference_f32(index_t i, GLOBAL const f32 *in) {
    return i == 0 ? in[0] : in[i] - in[i - 1];
}

#endif
