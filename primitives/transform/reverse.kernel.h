/* Swaps element i with the i-th from the end. */
#ifndef REVERSE_KERNEL_H
#define REVERSE_KERNEL_H

#include <weft/kernel.h>

static inline void reverse_u8(index_t i, i64 length, GLOBAL u8 *out) {
    const index_t other = (index_t)length - 1 - i;
    const u8 held = out[i];
    out[i] = out[other];
    out[other] = held;
}
static inline void reverse_u16(index_t i, i64 length, GLOBAL u16 *out) {
    const index_t other = (index_t)length - 1 - i;
    const u16 held = out[i];
    out[i] = out[other];
    out[other] = held;
}
static inline void reverse_u32(index_t i, i64 length, GLOBAL u32 *out) {
    const index_t other = (index_t)length - 1 - i;
    const u32 held = out[i];
    out[i] = out[other];
    out[other] = held;
}
static inline void reverse_u64(index_t i, i64 length, GLOBAL u64 *out) {
    const index_t other = (index_t)length - 1 - i;
    const u64 held = out[i];
    out[i] = out[other];
    out[other] = held;
}
static inline void reverse_words(index_t i, i64 length, GLOBAL u32 *out, u32 parts) {
    const index_t other = (index_t)length - 1 - i;
    for (u32 k = 0; k < parts; k++) {
        const u32 held = out[i * parts + k];
        out[i * parts + k] = out[other * parts + k];
        out[other * parts + k] = held;
    }
}
static inline void reverse_bytes(index_t i, i64 length, GLOBAL u8 *out, u32 parts) {
    const index_t other = (index_t)length - 1 - i;
    for (u32 k = 0; k < parts; k++) {
        const u8 held = out[i * parts + k];
        out[i * parts + k] = out[other * parts + k];
        out[other * parts + k] = held;
    }
}

/* Heads of segments, as a walk from the last element to the first meets them. */
static inline u32 reverse_heads(index_t i, i64 length, GLOBAL const u32 *heads) {
    return i == 0 || heads[(index_t)length - i];
}

#endif
