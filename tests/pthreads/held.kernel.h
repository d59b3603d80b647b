/* Numbers whose computation the host may hold back. */
#ifndef WEFT_TESTS_PTHREADS_HELD_KERNEL_H
#define WEFT_TESTS_PTHREADS_HELD_KERNEL_H

#include <weft/kernel.h>

void held_pass(i64 i, i64 n); /* defined by held.c: these never run on another device */

static inline f32 held_f32(index_t i, i64 n) {
    held_pass(i, n);
    return (f32)(((u32)i * 2654435761u) >> 8) * 0.7f;
}
static inline u32 held_u32(index_t i, i64 n) {
    held_pass(i, n);
    return ((u32)i * 2654435761u) >> 20;
}
static inline u32 held_flag(index_t i, i64 n) {
    held_pass(i, n);
    return ((u32)i * 2654435761u) >> 31;
}
static inline f32 held_plus(f32 a, f32 b) {
    return a + b;
}

#endif
