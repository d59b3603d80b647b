/* Deposits as on devices that have atomics of 32 bits alone. */
#ifndef SHEET_WORDS_KERNEL_H
#define SHEET_WORDS_KERNEL_H
#include <weft/kernel.h>
#undef WEFT_ATOMIC_U64
#include "../../../algorithms/sheet/sheet.kernel.h"

static inline void sheet_words(index_t i, sheet_frame f, GLOBAL const f64 *position,
                               GLOBAL u32 *windows, GLOBAL u32 *units) {
    sheet_deposit(i, f, 0, position, windows, units);
}

#endif
