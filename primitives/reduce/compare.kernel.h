/* The first element of each block in which two arrays differ, or the greatest number. */
#ifndef COMPARE_KERNEL_H
#define COMPARE_KERNEL_H

#include <weft/kernel.h>

static inline i64 compare_u8(index_t block, i64 base, i64 length, u32 size,
                             GLOBAL const u8 *a, GLOBAL const u8 *b) {
    const index_t first = block * (index_t)size, left = (index_t)length - first;
    const u32 count = left < (index_t)size ? (u32)left : size;
    u32 place = count;
    for (u32 k = 0; k < count; k++) {
        const u32 here = a[first + k] != b[first + k] ? k : count;
        place = here < place ? here : place;
    }
    return place < count ? base + (i64)first + (i64)place : (i64)0x7fffffffffffffff;
}
static inline i64 compare_u16(index_t block, i64 base, i64 length, u32 size,
                              GLOBAL const u16 *a, GLOBAL const u16 *b) {
    const index_t first = block * (index_t)size, left = (index_t)length - first;
    const u32 count = left < (index_t)size ? (u32)left : size;
    u32 place = count;
    for (u32 k = 0; k < count; k++) {
        const u32 here = a[first + k] != b[first + k] ? k : count;
        place = here < place ? here : place;
    }
    return place < count ? base + (i64)first + (i64)place : (i64)0x7fffffffffffffff;
}
static inline i64 compare_u32(index_t block, i64 base, i64 length, u32 size,
                              GLOBAL const u32 *a, GLOBAL const u32 *b) {
    const index_t first = block * (index_t)size, left = (index_t)length - first;
    const u32 count = left < (index_t)size ? (u32)left : size;
    u32 place = count;
    for (u32 k = 0; k < count; k++) {
        const u32 here = a[first + k] != b[first + k] ? k : count;
        place = here < place ? here : place;
    }
    return place < count ? base + (i64)first + (i64)place : (i64)0x7fffffffffffffff;
}
static inline i64 compare_u64(index_t block, i64 base, i64 length, u32 size,
                              GLOBAL const u64 *a, GLOBAL const u64 *b) {
    const index_t first = block * (index_t)size, left = (index_t)length - first;
    const u32 count = left < (index_t)size ? (u32)left : size;
    u32 place = count;
    for (u32 k = 0; k < count; k++) {
        const u32 here = a[first + k] != b[first + k] ? k : count;
        place = here < place ? here : place;
    }
    return place < count ? base + (i64)first + (i64)place : (i64)0x7fffffffffffffff;
}
static inline i64 compare_f32(index_t block, i64 base, i64 length, u32 size,
                              GLOBAL const f32 *a, GLOBAL const f32 *b) {
    const index_t first = block * (index_t)size, left = (index_t)length - first;
    const u32 count = left < (index_t)size ? (u32)left : size;
    u32 place = count;
    for (u32 k = 0; k < count; k++) {
        const u32 here = a[first + k] != b[first + k] ? k : count;
        place = here < place ? here : place;
    }
    return place < count ? base + (i64)first + (i64)place : (i64)0x7fffffffffffffff;
}

#endif
