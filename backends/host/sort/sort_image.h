/* Keys to places in the order, and back. In these functions `kind` is a constant wherever
 * they are called, so that each loop around them is compiled for one kind. */
#ifndef WEFT_BACKENDS_HOST_SORT_IMAGE_H
#define WEFT_BACKENDS_HOST_SORT_IMAGE_H

#include "sort_form.h"

#include <string.h>

/* What the loops need of a form, in registers. */
typedef struct turn32 {
    u32 flip, base, rotate;
} turn32;

typedef struct turn64 {
    u64 flip, base;
    u32 rotate;
} turn64;

static inline turn32 turn32_of(const sort_form *form) {
    return (turn32){(u32)form->flip, (u32)form->base, (u32)form->rotate};
}

static inline turn64 turn64_of(const sort_form *form) {
    return (turn64){form->flip, form->base, (u32)form->rotate};
}

static inline __attribute__((always_inline)) u32 raw32(sort_kind kind, const char *keys,
                                                       i64 i) {
    u8 key1;
    u16 key2;
    u32 key4;
    if (kind == SORT_U8)
        return memcpy(&key1, keys + i, 1), key1;
    if (kind == SORT_U16)
        return memcpy(&key2, keys + 2 * i, 2), key2;
    return memcpy(&key4, keys + 4 * i, 4), key4;
}

static inline __attribute__((always_inline)) u64 raw64(const char *keys, i64 i) {
    u64 key;
    memcpy(&key, keys + 8 * i, 8);
    return key;
}

/* All bits set of a NaN, none of any other key. */
static inline __attribute__((always_inline)) u32 is_nan32(sort_kind kind, u32 key) {
    return kind == SORT_F32 && (key & 0x7fffffffu) > 0x7f800000u ? ~(u32)0 : 0;
}

static inline __attribute__((always_inline)) u64 is_nan64(sort_kind kind, u64 key) {
    return kind == SORT_F64 && (key & ~0ull >> 1) > 0x7ff0000000000000u ? ~(u64)0 : 0;
}

/* The image: integers are flipped to unsigned order; of floats the sign bit is set, or
 * where it was set all bits are turned over. */
static inline __attribute__((always_inline)) u32 image32(sort_kind kind, u32 key,
                                                         u32 flip) {
    return (kind == SORT_F32 ? key ^ ((0u - (key >> 31)) | 0x80000000u) : key) ^ flip;
}

static inline __attribute__((always_inline)) u64 image64(sort_kind kind, u64 key,
                                                         u64 flip) {
    return (kind == SORT_F64 ? key ^ ((0u - (key >> 63)) | 1ull << 63) : key) ^ flip;
}

static inline __attribute__((always_inline)) u32 y32(sort_kind kind, u32 key, turn32 t) {
    const u32 x = image32(kind, key, t.flip);
    return (x << t.rotate | x >> (-t.rotate & 31)) - t.base;
}

static inline __attribute__((always_inline)) u64 y64(sort_kind kind, u64 key, turn64 t) {
    const u64 x = image64(kind, key, t.flip);
    return (x << t.rotate | x >> (-t.rotate & 63)) - t.base;
}

static inline __attribute__((always_inline)) u32 key32(sort_kind kind, u32 y, turn32 t) {
    const u32 x = y + t.base, image = (x >> t.rotate | x << (-t.rotate & 31)) ^ t.flip;
    return kind == SORT_F32 ? image ^ (((image >> 31) - 1) | 0x80000000u) : image;
}

static inline __attribute__((always_inline)) u64 key64(sort_kind kind, u64 y, turn64 t) {
    const u64 x = y + t.base, image = (x >> t.rotate | x << (-t.rotate & 63)) ^ t.flip;
    return kind == SORT_F64 ? image ^ (((image >> 63) - 1) | 1ull << 63) : image;
}

#endif
