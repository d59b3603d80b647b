/* A constant of each width, and words or bytes [first, first + count) of each struct. */
#ifndef WEFT_FILL_KERNEL_H
#define WEFT_FILL_KERNEL_H

#include <weft/kernel.h>

typedef struct fill_block {
    u32 words[16];
} fill_block;

#pragma weft for T in u8 u16 u32 u64
static inline T fill_T(index_t i, T value) {
    (void)i;
    return value;
}
#pragma weft end

/* Structs of a few words, which are moved as a whole. */
#pragma weft for T : N in words3 : 3 words4 : 4 words6 : 6 words8 : 8 words12 : 12
typedef struct T {
    u32 word[N];
} T;
static inline T fill_whole_T(index_t i, T value) {
    (void)i;
    return value;
}
#pragma weft end

static inline void fill_words(index_t i, fill_block block, u32 first, u32 count, u32 parts,
                              GLOBAL u32 *out) {
    for (u32 k = 0; k < count; k++)
        out[i * parts + first + k] = block.words[k];
}
static inline void fill_bytes(index_t i, fill_block block, u32 first, u32 count, u32 parts,
                              GLOBAL u8 *out) {
    for (u32 k = 0; k < count; k++)
        out[i * parts + first + k] = (u8)(block.words[k / 4] >> k % 4 * 8);
}

#endif
