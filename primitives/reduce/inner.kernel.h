/* Products, element by element. */
#ifndef INNER_KERNEL_H
#define INNER_KERNEL_H

#include <weft/kernel.h>

static inline u8 inner_u8(index_t i, GLOBAL const u8 *a, GLOBAL const u8 *b) {
    return (u8)((u32)a[i] * b[i]);
}
static inline u16 inner_u16(index_t i, GLOBAL const u16 *a, GLOBAL const u16 *b) {
    return (u16)((u32)a[i] * b[i]);
}
static inline u32 inner_u32(index_t i, GLOBAL const u32 *a, GLOBAL const u32 *b) {
    return a[i] * b[i];
}
static inline u64 inner_u64(index_t i, GLOBAL const u64 *a, GLOBAL const u64 *b) {
    return a[i] * b[i];
}
static inline f32 inner_f32(index_t i, GLOBAL const f32 *a, GLOBAL const f32 *b) {
    return a[i] * b[i];
}

#endif
