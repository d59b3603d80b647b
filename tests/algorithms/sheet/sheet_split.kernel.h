/* Sums by atomics of 32 bits, which only devices without those of 64 use. */
#ifndef SHEET_SPLIT_KERNEL_H
#define SHEET_SPLIT_KERNEL_H
#include <weft/kernel.h>
#include "../../../algorithms/sheet/sheet_add.kernel.h"

static inline void sheet_split(index_t i, u32 cells, GLOBAL const i64 *value,
                               GLOBAL u32 *words) {
    sheet_add_split(words, i % cells, value[i]);
}

#endif
