/* out[map[i]] = in[i], for all i or for some, those with a flag; structs in parts. A
 * work-item has `size` elements of n. */
#ifndef SCATTER_KERNEL_H
#define SCATTER_KERNEL_H

#include <weft/kernel.h>

static inline void scatter_u8_by_u32(index_t b, GLOBAL const u8 *in, GLOBAL const u32 *map,
                                     GLOBAL const u32 *flags, u32 some, GLOBAL u8 *out,
                                     u32 size, i64 n) {
    for (i64 i = b * size; i < n && i < (b + 1) * size; i++)
        if (!some || flags[i])
            out[map[i]] = in[i];
}
static inline void scatter_u8_by_i64(index_t b, GLOBAL const u8 *in, GLOBAL const i64 *map,
                                     GLOBAL const u32 *flags, u32 some, GLOBAL u8 *out,
                                     u32 size, i64 n) {
    for (i64 i = b * size; i < n && i < (b + 1) * size; i++)
        if (!some || flags[i])
            out[map[i]] = in[i];
}

static inline void scatter_u16_by_u32(index_t b, GLOBAL const u16 *in,
                                      GLOBAL const u32 *map, GLOBAL const u32 *flags,
                                      u32 some, GLOBAL u16 *out, u32 size, i64 n) {
    for (i64 i = b * size; i < n && i < (b + 1) * size; i++)
        if (!some || flags[i])
            out[map[i]] = in[i];
}
static inline void scatter_u16_by_i64(index_t b, GLOBAL const u16 *in,
                                      GLOBAL const i64 *map, GLOBAL const u32 *flags,
                                      u32 some, GLOBAL u16 *out, u32 size, i64 n) {
    for (i64 i = b * size; i < n && i < (b + 1) * size; i++)
        if (!some || flags[i])
            out[map[i]] = in[i];
}

static inline void scatter_u32_by_u32(index_t b, GLOBAL const u32 *in,
                                      GLOBAL const u32 *map, GLOBAL const u32 *flags,
                                      u32 some, GLOBAL u32 *out, u32 size, i64 n) {
    for (i64 i = b * size; i < n && i < (b + 1) * size; i++)
        if (!some || flags[i])
            out[map[i]] = in[i];
}
static inline void scatter_u32_by_i64(index_t b, GLOBAL const u32 *in,
                                      GLOBAL const i64 *map, GLOBAL const u32 *flags,
                                      u32 some, GLOBAL u32 *out, u32 size, i64 n) {
    for (i64 i = b * size; i < n && i < (b + 1) * size; i++)
        if (!some || flags[i])
            out[map[i]] = in[i];
}

static inline void scatter_u64_by_u32(index_t b, GLOBAL const u64 *in,
                                      GLOBAL const u32 *map, GLOBAL const u32 *flags,
                                      u32 some, GLOBAL u64 *out, u32 size, i64 n) {
    for (i64 i = b * size; i < n && i < (b + 1) * size; i++)
        if (!some || flags[i])
            out[map[i]] = in[i];
}
static inline void scatter_u64_by_i64(index_t b, GLOBAL const u64 *in,
                                      GLOBAL const i64 *map, GLOBAL const u32 *flags,
                                      u32 some, GLOBAL u64 *out, u32 size, i64 n) {
    for (i64 i = b * size; i < n && i < (b + 1) * size; i++)
        if (!some || flags[i])
            out[map[i]] = in[i];
}

static inline void scatter_words_by_u32(index_t b, GLOBAL const u32 *in,
                                        GLOBAL const u32 *map, GLOBAL const u32 *flags,
                                        u32 some, GLOBAL u32 *out, u32 size, i64 n,
                                        u32 parts) {
    for (i64 i = b * size; i < n && i < (b + 1) * size; i++)
        if (!some || flags[i])
            for (u32 k = 0; k < parts; k++)
                out[(index_t)map[i] * parts + k] = in[i * parts + k];
}
static inline void scatter_words_by_i64(index_t b, GLOBAL const u32 *in,
                                        GLOBAL const i64 *map, GLOBAL const u32 *flags,
                                        u32 some, GLOBAL u32 *out, u32 size, i64 n,
                                        u32 parts) {
    for (i64 i = b * size; i < n && i < (b + 1) * size; i++)
        if (!some || flags[i])
            for (u32 k = 0; k < parts; k++)
                out[(index_t)map[i] * parts + k] = in[i * parts + k];
}

static inline void scatter_bytes_by_u32(index_t b, GLOBAL const u8 *in,
                                        GLOBAL const u32 *map, GLOBAL const u32 *flags,
                                        u32 some, GLOBAL u8 *out, u32 size, i64 n,
                                        u32 parts) {
    for (i64 i = b * size; i < n && i < (b + 1) * size; i++)
        if (!some || flags[i])
            for (u32 k = 0; k < parts; k++)
                out[(index_t)map[i] * parts + k] = in[i * parts + k];
}
static inline void scatter_bytes_by_i64(index_t b, GLOBAL const u8 *in,
                                        GLOBAL const i64 *map, GLOBAL const u32 *flags,
                                        u32 some, GLOBAL u8 *out, u32 size, i64 n,
                                        u32 parts) {
    for (i64 i = b * size; i < n && i < (b + 1) * size; i++)
        if (!some || flags[i])
            for (u32 k = 0; k < parts; k++)
                out[(index_t)map[i] * parts + k] = in[i * parts + k];
}

#endif
