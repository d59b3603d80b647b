/* Bounds in short halos, for processors with vectors: a halo is gathered, rounded and
 * bounded by one kernel, so that it stays near. */
#ifndef WEFT_MBP_SHORT_KERNEL_H
#define WEFT_MBP_SHORT_KERNEL_H

#include "mbp_estimate.kernel.h"

/* Slots of a halo, at least a row. */
static inline i64 mbp_short_slots(index_t halo, GLOBAL const i64 *offset) {
    return max((mbp_members(offset, halo) + MBP_ROW - 1) / MBP_ROW, (i64)1) * MBP_ROW;
}

/* Coordinates of 16 particles, as words from number k on. */
static inline void mbp_short_fetch(const index_t *at, i64 k, i32 wide,
                                   GLOBAL const u32 *from, GLOBAL u32 *word) {
    if (wide)
        for (i32 l = 0; l < MBP_ROW; l++) {
            word[2 * (k + l)] = from[2 * at[l]];
            word[2 * (k + l) + 1] = from[2 * at[l] + 1];
        }
    else
        for (i32 l = 0; l < MBP_ROW; l++)
            word[k + l] = from[at[l]];
}

/* Short halos, `items` at a time. For each of these there are f64 and f32 of [4][width],
 * for places and masses, used for one halo after the other; what stays lies in slots:
 * coordinates as words, upper bounds `high` of each |phi|, and `best` of each halo's
 * largest from below. */
typedef struct mbp_shorts {
    i64 items, halos, width;
    f64 softening;
    GLOBAL const i64 *offset;
    GLOBAL u32 *word;
    GLOBAL f64 *place;
    GLOBAL f32 *rounded, *high, *best;
} mbp_shorts;

/* What item t has of a halo. */
typedef struct mbp_short_halo {
    i64 begin, members, slots;
    GLOBAL u32 *word_x, *word_y, *word_z;
    GLOBAL f64 *x, *y, *z, *mass;
    GLOBAL f32 *at_x, *at_y, *at_z, *weight, *high;
} mbp_short_halo;

static inline mbp_short_halo mbp_short_take(index_t t, i64 halo, i32 wide, mbp_shorts s) {
    const i64 slot = MBP_ROW * mbp_first_row(s.offset, halo), w = s.width;
    const i64 slots = mbp_short_slots((index_t)halo, s.offset), words = slots << wide;
    GLOBAL u32 *word = s.word + 3 * (slot << wide);
    GLOBAL f64 *place = s.place + 4 * w * t;
    GLOBAL f32 *rounded = s.rounded + 4 * w * t;
    const mbp_short_halo h = {s.offset[halo],  mbp_members(s.offset, halo),
                              slots,           word,
                              word + words,    word + 2 * words,
                              place,           place + w,
                              place + 2 * w,   place + 3 * w,
                              rounded,         rounded + w,
                              rounded + 2 * w, rounded + 3 * w,
                              s.high + slot};
    return h;
}

/* Coordinates of the members; empty slots are like the last one. */
static inline void mbp_short_gather(mbp_short_halo h, mbp_particles p) {
    for (i64 k = 0; k < h.slots; k += MBP_ROW) {
        index_t at[MBP_ROW];
        for (i32 l = 0; l < MBP_ROW; l++)
            at[l] = (index_t)(p.member[h.begin + min(k + l, h.members - 1)] * p.stride);
        mbp_short_fetch(at, k, p.wide, p.x, h.word_x);
        mbp_short_fetch(at, k, p.wide, p.y, h.word_y);
        mbp_short_fetch(at, k, p.wide, p.z, h.word_z);
    }
}

static inline u64 mbp_short_most(const u64 *lanes) {
    u64 most = 0u;
    for (i32 l = 0; l < MBP_ROW; l++)
        most = max(most, lanes[l]);
    return most;
}

/* Places on an axis, relative to the first one; the largest exponent. */
static inline u32 mbp_short_unwrap_axis(i64 slots, i32 wide, f64 box,
                                        GLOBAL const u32 *word, GLOBAL f64 *to) {
    const f64 first = points_coordinate(word, 0, wide);
    u64 most[MBP_ROW];
    for (i32 l = 0; l < MBP_ROW; l++)
        most[l] = 0u;
    for (i64 k = 0; k < slots; k += MBP_ROW)
        for (i32 l = 0; l < MBP_ROW; l++) {
            to[k + l] = points_coordinate(word, (index_t)(k + l), wide) - first;
            most[l] = max(most[l], f64_bits(fabs(to[k + l])));
        }
    if (box > 0 && mbp_short_most(most) > f64_bits(0.5 * box)) {
        for (i32 l = 0; l < MBP_ROW; l++)
            most[l] = 0u;
        for (i64 k = 0; k < slots; k++) {
            to[k] = points_remainder(to[k], box);
            most[k % MBP_ROW] = max(most[k % MBP_ROW], f64_bits(fabs(to[k])));
        }
    }
    return mbp_exponent(bits_f64(mbp_short_most(most)));
}

static inline u32 mbp_short_unwrap(mbp_short_halo h, mbp_particles p) {
    const u32 x = mbp_short_unwrap_axis(h.slots, p.wide, p.box_x, h.word_x, h.x);
    const u32 y = mbp_short_unwrap_axis(h.slots, p.wide, p.box_y, h.word_y, h.y);
    return max(x, max(y, mbp_short_unwrap_axis(h.slots, p.wide, p.box_z, h.word_z, h.z)));
}

/* The members' masses; the largest exponent. */
static inline u32 mbp_short_weigh(mbp_short_halo h, mbp_particles p) {
    u32 heaviest = 0u;
    for (i64 k = 0; k < h.slots; k++)
        h.mass[k] = p.particle_mass;
    if (!p.mass)
        return mbp_exponent(p.particle_mass);
    for (i64 k = 0; k < h.members; k++) {
        h.mass[k] = mbp_mass_of(p, h.begin + k);
        heaviest = max(heaviest, mbp_exponent(h.mass[k]));
    }
    return heaviest;
}

/* Numbers as they are summed. */
static inline void mbp_short_round(i64 members, i64 slots, f64 scale, f32 empty,
                                   GLOBAL const f64 *from, GLOBAL f32 *to) {
    for (i64 k = 0; k < slots; k++) {
        const f32 rounded = (f32)(from[k] * scale);
        to[k] = k < members ? rounded : empty;
    }
}

/* Upper bounds `high` of |phi| of the members, and a lower one of the largest, which is
 * returned. */
static inline f32 mbp_short_narrowed(mbp_short_halo h, u32 extent, u32 heaviest,
                                     f64 softening) {
    if (!mbp_in_range(extent, heaviest, softening)) {
        for (i64 k = 0; k < h.members; k++)
            h.high[k] = mbp_unknown(k, h.members, extent, softening).high;
        return 0.0f;
    }
    const f64 scale = mbp_scale(extent);
    const f32 soft2 = mbp_scaled_soft2(softening, scale);
    const mbp_rounded b = {h.at_x, h.at_y, h.at_z, h.weight};
    mbp_short_round(h.members, h.slots, scale, 3.0f, h.x, h.at_x);
    mbp_short_round(h.members, h.slots, scale, 3.0f, h.y, h.at_y);
    mbp_short_round(h.members, h.slots, scale, 3.0f, h.z, h.at_z);
    mbp_short_round(h.members, h.slots, mbp_scale(heaviest), 0.0f, h.mass, h.weight);
    mbp_estimate_sum(h.slots, soft2, b, h.high);
    mbp_estimate_raise(h.members, h.slots, soft2, mbp_estimate_lightest(h.members, b.mass),
                       h.high);
    return mbp_estimate_narrow(h.members, h.slots, soft2, b, h.high);
}

/* Bounds of the members of halos t, t + items, ... */
static inline void mbp_short_bound(index_t t, mbp_particles p, mbp_shorts s) {
    for (i64 halo = t; halo < s.halos; halo += s.items) {
        const mbp_short_halo h = mbp_short_take(t, halo, p.wide, s);
        s.best[halo] = 0.0f;
        if (h.members == 0)
            continue;
        mbp_short_gather(h, p);
        const u32 extent = mbp_short_unwrap(h, p), heaviest = mbp_short_weigh(h, p);
        s.best[halo] = mbp_short_narrowed(h, extent, heaviest, s.softening);
    }
}

#endif
