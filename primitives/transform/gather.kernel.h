/* out[i] = in[map[i]], for all i or for some, those with a flag; structs in parts. */
#ifndef GATHER_KERNEL_H
#define GATHER_KERNEL_H

#include <weft/kernel.h>

static inline u8 gather_one_u8_by_u32(index_t i, GLOBAL const u8 *in,
                                      GLOBAL const u32 *map) {
    return in[map[i]];
}
static inline u8 gather_one_u8_by_i64(index_t i, GLOBAL const u8 *in,
                                      GLOBAL const i64 *map) {
    return in[map[i]];
}

static inline u16 gather_one_u16_by_u32(index_t i, GLOBAL const u16 *in,
                                        GLOBAL const u32 *map) {
    return in[map[i]];
}
static inline u16 gather_one_u16_by_i64(index_t i, GLOBAL const u16 *in,
                                        GLOBAL const i64 *map) {
    return in[map[i]];
}

static inline u32 gather_one_u32_by_u32(index_t i, GLOBAL const u32 *in,
                                        GLOBAL const u32 *map) {
    return in[map[i]];
}
static inline u32 gather_one_u32_by_i64(index_t i, GLOBAL const u32 *in,
                                        GLOBAL const i64 *map) {
    return in[map[i]];
}

static inline u64 gather_one_u64_by_u32(index_t i, GLOBAL const u64 *in,
                                        GLOBAL const u32 *map) {
    return in[map[i]];
}
static inline u64 gather_one_u64_by_i64(index_t i, GLOBAL const u64 *in,
                                        GLOBAL const i64 *map) {
    return in[map[i]];
}

static inline void gather_u8_by_u32(index_t i, GLOBAL const u8 *in, GLOBAL const u32 *map,
                                    GLOBAL const u32 *flags, u32 some, GLOBAL u8 *out) {
    if (!some || flags[i])
        out[i] = in[map[i]];
}
static inline void gather_u8_by_i64(index_t i, GLOBAL const u8 *in, GLOBAL const i64 *map,
                                    GLOBAL const u32 *flags, u32 some, GLOBAL u8 *out) {
    if (!some || flags[i])
        out[i] = in[map[i]];
}

static inline void gather_u16_by_u32(index_t i, GLOBAL const u16 *in, GLOBAL const u32 *map,
                                     GLOBAL const u32 *flags, u32 some, GLOBAL u16 *out) {
    if (!some || flags[i])
        out[i] = in[map[i]];
}
static inline void gather_u16_by_i64(index_t i, GLOBAL const u16 *in, GLOBAL const i64 *map,
                                     GLOBAL const u32 *flags, u32 some, GLOBAL u16 *out) {
    if (!some || flags[i])
        out[i] = in[map[i]];
}

static inline void gather_u32_by_u32(index_t i, GLOBAL const u32 *in, GLOBAL const u32 *map,
                                     GLOBAL const u32 *flags, u32 some, GLOBAL u32 *out) {
    if (!some || flags[i])
        out[i] = in[map[i]];
}
static inline void gather_u32_by_i64(index_t i, GLOBAL const u32 *in, GLOBAL const i64 *map,
                                     GLOBAL const u32 *flags, u32 some, GLOBAL u32 *out) {
    if (!some || flags[i])
        out[i] = in[map[i]];
}

static inline void gather_u64_by_u32(index_t i, GLOBAL const u64 *in, GLOBAL const u32 *map,
                                     GLOBAL const u32 *flags, u32 some, GLOBAL u64 *out) {
    if (!some || flags[i])
        out[i] = in[map[i]];
}
static inline void gather_u64_by_i64(index_t i, GLOBAL const u64 *in, GLOBAL const i64 *map,
                                     GLOBAL const u32 *flags, u32 some, GLOBAL u64 *out) {
    if (!some || flags[i])
        out[i] = in[map[i]];
}

static inline void gather_words_by_u32(index_t i, GLOBAL const u32 *in,
                                       GLOBAL const u32 *map, GLOBAL const u32 *flags,
                                       u32 some, GLOBAL u32 *out, u32 parts) {
    if (!some || flags[i])
        for (u32 k = 0; k < parts; k++)
            out[i * parts + k] = in[(index_t)map[i] * parts + k];
}
static inline void gather_words_by_i64(index_t i, GLOBAL const u32 *in,
                                       GLOBAL const i64 *map, GLOBAL const u32 *flags,
                                       u32 some, GLOBAL u32 *out, u32 parts) {
    if (!some || flags[i])
        for (u32 k = 0; k < parts; k++)
            out[i * parts + k] = in[(index_t)map[i] * parts + k];
}

static inline void gather_bytes_by_u32(index_t i, GLOBAL const u8 *in,
                                       GLOBAL const u32 *map, GLOBAL const u32 *flags,
                                       u32 some, GLOBAL u8 *out, u32 parts) {
    if (!some || flags[i])
        for (u32 k = 0; k < parts; k++)
            out[i * parts + k] = in[(index_t)map[i] * parts + k];
}
static inline void gather_bytes_by_i64(index_t i, GLOBAL const u8 *in,
                                       GLOBAL const i64 *map, GLOBAL const u32 *flags,
                                       u32 some, GLOBAL u8 *out, u32 parts) {
    if (!some || flags[i])
        for (u32 k = 0; k < parts; k++)
            out[i * parts + k] = in[(index_t)map[i] * parts + k];
}

#endif
