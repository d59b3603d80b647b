/* Elements of two arrays, one after the other in a numbering that goes on from a to b. */
#ifndef JOIN_KERNEL_H
#define JOIN_KERNEL_H

#include <weft/kernel.h>

static inline void join_u8(index_t i, i64 a_length, GLOBAL const i64 *sources,
                           GLOBAL const u8 *a, GLOBAL const u8 *b, GLOBAL u8 *out) {
    const i64 from = sources[i];
    out[i] = from < a_length ? a[from] : b[from - a_length];
}
static inline void join_u16(index_t i, i64 a_length, GLOBAL const i64 *sources,
                            GLOBAL const u16 *a, GLOBAL const u16 *b, GLOBAL u16 *out) {
    const i64 from = sources[i];
    out[i] = from < a_length ? a[from] : b[from - a_length];
}
static inline void join_u32(index_t i, i64 a_length, GLOBAL const i64 *sources,
                            GLOBAL const u32 *a, GLOBAL const u32 *b, GLOBAL u32 *out) {
    const i64 from = sources[i];
    out[i] = from < a_length ? a[from] : b[from - a_length];
}
static inline void join_u64(index_t i, i64 a_length, GLOBAL const i64 *sources,
                            GLOBAL const u64 *a, GLOBAL const u64 *b, GLOBAL u64 *out) {
    const i64 from = sources[i];
    out[i] = from < a_length ? a[from] : b[from - a_length];
}
static inline void join_words(index_t i, i64 a_length, GLOBAL const i64 *sources,
                              GLOBAL const u32 *a, GLOBAL const u32 *b, GLOBAL u32 *out,
                              u32 parts) {
    const i64 from = sources[i];
    for (u32 k = 0; k < parts; k++)
        out[i * parts + k] =
            from < a_length ? a[from * parts + k] : b[(from - a_length) * parts + k];
}
static inline void join_bytes(index_t i, i64 a_length, GLOBAL const i64 *sources,
                              GLOBAL const u8 *a, GLOBAL const u8 *b, GLOBAL u8 *out,
                              u32 parts) {
    const i64 from = sources[i];
    for (u32 k = 0; k < parts; k++)
        out[i * parts + k] =
            from < a_length ? a[from * parts + k] : b[(from - a_length) * parts + k];
}

#endif
