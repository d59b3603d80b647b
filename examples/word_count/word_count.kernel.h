#ifndef WORD_COUNT_KERNEL_H
#define WORD_COUNT_KERNEL_H

#include <weft/kernel.h>

static inline u32 word_count_is_letter(index_t i, GLOBAL const u8 *text) {
    const u32 letter = text[i] | 32u;
    return letter >= 'a' && letter <= 'z';
}

/* The length of a run, where it is a word. */
static inline i64 word_count_length(index_t i, GLOBAL const u32 *is_word,
                                    GLOBAL const i64 *length) {
    return is_word[i] ? length[i] : 0;
}

#endif
