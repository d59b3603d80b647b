/* Groups of particles, by their labels. */
#ifndef WEFT_HALOS_KERNEL_H
#define WEFT_HALOS_KERNEL_H

#include "algorithms/points/points.kernel.h"

/* The first member of a group that is named after a particle: that particle. */
static inline u32 halos_named(index_t i, GLOBAL const u32 *label) {
    return label[i] == (u32)i;
}

/* Counts the others, until a group has enough. */
static inline void halos_tally(index_t i, u32 groups, u32 least, GLOBAL const u32 *label,
                               GLOBAL u32 *tally) {
    const u32 group = label[i];
    if (group != (u32)i && group < groups && atomic_load_u32(&tally[group]) < least)
        atomic_add_u32(&tally[group], 1u);
}

static inline u32 halos_keeps(index_t i, u32 groups, u32 least, GLOBAL const u32 *label,
                              GLOBAL const u32 *tally) {
    return label[i] < groups && tally[label[i]] >= least;
}

static inline void halos_measure(index_t i, GLOBAL const u32 *start,
                                 GLOBAL const u32 *member, GLOBAL const i64 *id,
                                 GLOBAL i64 *tag, GLOBAL u32 *size) {
    const u32 first = member[start[i]];
    tag[i] = id ? id[first] : (i64)first;
    size[i] = start[i + 1] - start[i];
}

static inline i64 halos_size(index_t i, GLOBAL const u32 *size) {
    return (i64)size[i];
}

/* Moves member i, of the halo with ordinal[i] - 1 halos before it, to its halo's place. */
static inline void halos_move(index_t i, GLOBAL const u32 *ordinal, GLOBAL const u32 *start,
                              GLOBAL const u32 *rank, GLOBAL const i64 *offset,
                              GLOBAL const u32 *from, GLOBAL u32 *to) {
    const u32 halo = ordinal[i] - 1;
    to[offset[rank[halo]] + (i64)((u32)i - start[halo])] = from[i];
}

static inline void halos_spread(index_t i, GLOBAL const u32 *halo, GLOBAL const i64 *tag,
                                GLOBAL const u32 *member, GLOBAL i64 *label) {
    label[member[i]] = tag[halo[i] - 1];
}

#endif
