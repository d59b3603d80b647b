/* Sums of 64-bit integers, by several work-items at once. */
#ifndef SHEET_ADD_KERNEL_H
#define SHEET_ADD_KERNEL_H

#include <weft/kernel.h>

/* The same with atomics of 32 bits: who makes the lower word wrap carries. */
static inline void sheet_add_split(GLOBAL u32 *words, index_t cell, i64 units) {
    const u32 low = (u32)(u64)units, high = (u32)((u64)units >> 32);
    const u32 before = atomic_add_u32(words + 2 * cell, low);
    const u32 carried = high + (before + low < before);
    if (carried != 0)
        atomic_add_u32(words + 2 * cell + 1, carried);
}

/* Adds to the integer whose words, the lower first, are words[2 cell] and the next. */
static inline void sheet_add(GLOBAL u32 *words, index_t cell, i64 units) {
#ifdef WEFT_ATOMIC_U64
    atomic_add_u64((GLOBAL u64 *)(words + 2 * cell), (u64)units);
#else
    sheet_add_split(words, cell, units);
#endif
}

#endif
