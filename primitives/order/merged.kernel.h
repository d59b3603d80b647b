/* Two arrays merged into one, by their numbers: those of b go on from those of a, and of
 * equal elements those of a come first. In each run of equal elements the k-th of a and the
 * k-th of b are a pair. */
#ifndef MERGED_KERNEL_H
#define MERGED_KERNEL_H

#include <weft/kernel.h>

/* What the largest so far of is where each run begins. */
static inline u32 merged_start(index_t t, GLOBAL const u32 *heads) {
    return heads[t] ? (u32)t : 0;
}
static inline u32 merged_of_a(index_t t, u32 a_length, GLOBAL const u32 *number) {
    return number[t] < a_length;
}
/* Marks pairs, from the side of b; before[t] elements of a come before t. */
static inline void merged_pair(index_t t, u32 a_length, GLOBAL const u32 *number,
                               GLOBAL const u32 *start, GLOBAL const u32 *before,
                               GLOBAL u32 *paired) {
    const u32 of_a = before[t] - before[(index_t)start[t]];
    const u32 place = (u32)t - start[t] - of_a;
    if (number[t] >= a_length && place < of_a) {
        paired[t] = 1;
        paired[start[t] + place] = 1;
    }
}
/* Whether one is kept: bit 0 of `kept` keeps pairs (once), bit 1 and bit 2 elements of a
 * and of b without a partner. */
static inline u32 merged_keep(index_t t, u32 a_length, u32 kept, GLOBAL const u32 *number,
                              GLOBAL const u32 *paired) {
    const u32 of_a = number[t] < a_length;
    return paired[t] ? of_a & kept : of_a ? kept >> 1 & 1 : kept >> 2 & 1;
}
static inline void merged_narrow(index_t i, GLOBAL const i64 *wide, GLOBAL u32 *out) {
    out[i] = (u32)wide[i];
}
static inline i64 merged_source(index_t t, GLOBAL const u32 *number) {
    return number[t];
}

#endif
