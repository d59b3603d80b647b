/* Orders of one's own. */
#ifndef ORDERED_KERNEL_H
#define ORDERED_KERNEL_H

#include <weft/kernel.h>

typedef struct ordered_body {
    f64 weight;
    u32 group, number;
} ordered_body;

typedef struct ordered_large {
    u32 key, rest[15];
} ordered_large;

typedef struct ordered_bytes {
    u8 key, a, b;
} ordered_bytes;

/* By group, then the heavier first. */
static inline int ordered_bodies(ordered_body a, ordered_body b) {
    return a.group < b.group || (a.group == b.group && a.weight > b.weight);
}
static inline int ordered_falling(u32 a, u32 b) {
    return a > b;
}
/* No order where there is NaN. */
static inline int ordered_less(f32 a, f32 b) {
    return a < b;
}
static inline int ordered_by_half(u32 a, u32 b) {
    return (a >> 16) < (b >> 16);
}
static inline int ordered_by_key(ordered_large a, ordered_large b) {
    return a.key < b.key;
}
static inline int ordered_by_byte(ordered_bytes a, ordered_bytes b) {
    return a.key < b.key;
}
/* The first word of elements of so many words, and the first two as one number. */
static inline u32 ordered_word(index_t i, u32 parts, GLOBAL const u32 *words) {
    return words[i * (index_t)parts];
}
static inline u64 ordered_words(index_t i, u32 parts, GLOBAL const u32 *words) {
    return (u64)words[i * (index_t)parts] << 32 | words[i * (index_t)parts + 1];
}
static inline u32 ordered_same(index_t i, GLOBAL const u32 *x) {
    return x[i];
}

#endif
