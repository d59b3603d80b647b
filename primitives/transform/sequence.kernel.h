/* start + i * step of each type; integers wrap around, signed ones share the bits. */
#ifndef SEQUENCE_KERNEL_H
#define SEQUENCE_KERNEL_H

#include <weft/kernel.h>

static inline u8 sequence_u8(index_t i, u8 start, u8 step) {
    return (u8)(start + (u8)i * (u32)step);
}
static inline u16 sequence_u16(index_t i, u16 start, u16 step) {
    return (u16)(start + (u16)i * (u32)step);
}
static inline u32 sequence_u32(index_t i, u32 start, u32 step) {
    return start + (u32)i * step;
}
static inline u64 sequence_u64(index_t i, u64 start, u64 step) {
    return start + (u64)i * step;
}
static inline f32 sequence_f32(index_t i, f32 start, f32 step) {
    return start + (f32)i * step;
}

#endif
