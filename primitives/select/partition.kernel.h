/* A block of a stable partition: what is kept goes on from the block's place, the rest
 * after all that is kept. */
#ifndef PARTITION_KERNEL_H
#define PARTITION_KERNEL_H

#include "select.kernel.h"

static inline void partition_u8(index_t b, i64 length, u32 block, GLOBAL const u32 *flags,
                                GLOBAL const i64 *places, i64 before,
                                GLOBAL const i64 *total, GLOBAL const u8 *in,
                                GLOBAL u8 *out) {
    const index_t first = b * (index_t)block, end = select_end(b, block, length);
    index_t yes = (index_t)places[b];
    index_t no = (index_t)(total[0] + before) + first - yes;
    for (index_t i = first; i < end; i++) {
        const index_t kept = flags[i] != 0;
        const index_t to = no + kept * (yes - no); /* no branch */
        out[to] = in[i];
        yes += kept;
        no += 1 - kept;
    }
}
static inline void partition_u16(index_t b, i64 length, u32 block, GLOBAL const u32 *flags,
                                 GLOBAL const i64 *places, i64 before,
                                 GLOBAL const i64 *total, GLOBAL const u16 *in,
                                 GLOBAL u16 *out) {
    const index_t first = b * (index_t)block, end = select_end(b, block, length);
    index_t yes = (index_t)places[b];
    index_t no = (index_t)(total[0] + before) + first - yes;
    for (index_t i = first; i < end; i++) {
        const index_t kept = flags[i] != 0;
        const index_t to = no + kept * (yes - no); /* no branch */
        out[to] = in[i];
        yes += kept;
        no += 1 - kept;
    }
}
static inline void partition_u32(index_t b, i64 length, u32 block, GLOBAL const u32 *flags,
                                 GLOBAL const i64 *places, i64 before,
                                 GLOBAL const i64 *total, GLOBAL const u32 *in,
                                 GLOBAL u32 *out) {
    const index_t first = b * (index_t)block, end = select_end(b, block, length);
    index_t yes = (index_t)places[b];
    index_t no = (index_t)(total[0] + before) + first - yes;
    for (index_t i = first; i < end; i++) {
        const index_t kept = flags[i] != 0;
        const index_t to = no + kept * (yes - no); /* no branch */
        out[to] = in[i];
        yes += kept;
        no += 1 - kept;
    }
}
static inline void partition_u64(index_t b, i64 length, u32 block, GLOBAL const u32 *flags,
                                 GLOBAL const i64 *places, i64 before,
                                 GLOBAL const i64 *total, GLOBAL const u64 *in,
                                 GLOBAL u64 *out) {
    const index_t first = b * (index_t)block, end = select_end(b, block, length);
    index_t yes = (index_t)places[b];
    index_t no = (index_t)(total[0] + before) + first - yes;
    for (index_t i = first; i < end; i++) {
        const index_t kept = flags[i] != 0;
        const index_t to = no + kept * (yes - no); /* no branch */
        out[to] = in[i];
        yes += kept;
        no += 1 - kept;
    }
}
static inline void partition_words(index_t b, i64 length, u32 block,
                                   GLOBAL const u32 *flags, GLOBAL const i64 *places,
                                   i64 before, GLOBAL const i64 *total,
                                   GLOBAL const u32 *in, GLOBAL u32 *out, u32 parts) {
    const index_t first = b * (index_t)block, end = select_end(b, block, length);
    index_t yes = (index_t)places[b];
    index_t no = (index_t)(total[0] + before) + first - yes;
    for (index_t i = first; i < end; i++) {
        const index_t kept = flags[i] != 0;
        const index_t to = no + kept * (yes - no); /* no branch */
        for (u32 k = 0; k < parts; k++)
            out[to * parts + k] = in[i * parts + k];
        yes += kept;
        no += 1 - kept;
    }
}
static inline void partition_bytes(index_t b, i64 length, u32 block,
                                   GLOBAL const u32 *flags, GLOBAL const i64 *places,
                                   i64 before, GLOBAL const i64 *total, GLOBAL const u8 *in,
                                   GLOBAL u8 *out, u32 parts) {
    const index_t first = b * (index_t)block, end = select_end(b, block, length);
    index_t yes = (index_t)places[b];
    index_t no = (index_t)(total[0] + before) + first - yes;
    for (index_t i = first; i < end; i++) {
        const index_t kept = flags[i] != 0;
        const index_t to = no + kept * (yes - no); /* no branch */
        for (u32 k = 0; k < parts; k++)
            out[to * parts + k] = in[i * parts + k];
        yes += kept;
        no += 1 - kept;
    }
}

#endif
