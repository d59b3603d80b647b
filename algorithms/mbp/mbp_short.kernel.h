/* The most bound particles of short halos, for processors with vectors: a halo is gathered,
 * rounded and bounded by one kernel, so that it stays near; and another one, with each
 * operation rounded for itself, decides. */
#ifndef WEFT_MBP_SHORT_KERNEL_H
#define WEFT_MBP_SHORT_KERNEL_H

#include "mbp_rough.kernel.h"

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

/* Those of the members; empty slots are like the last one. */
static inline void mbp_short_gather(i64 members, i64 slots, i64 stride, i32 wide,
                                    GLOBAL const u32 *member, GLOBAL const u32 *from_x,
                                    GLOBAL const u32 *from_y, GLOBAL const u32 *from_z,
                                    GLOBAL u32 *word_x, GLOBAL u32 *word_y,
                                    GLOBAL u32 *word_z) {
    for (i64 k = 0; k < slots; k += MBP_ROW) {
        index_t at[MBP_ROW];
        for (i32 l = 0; l < MBP_ROW; l++)
            at[l] = (index_t)(member[min(k + l, members - 1)] * stride);
        mbp_short_fetch(at, k, wide, from_x, word_x);
        mbp_short_fetch(at, k, wide, from_y, word_y);
        mbp_short_fetch(at, k, wide, from_z, word_z);
    }
}

static inline u64 mbp_short_most(const u64 *lanes) {
    u64 most = 0u;
    for (i32 l = 0; l < MBP_ROW; l++)
        most = max(most, lanes[l]);
    return most;
}

/* Places on an axis, relative to the first one; the largest exponent. */
static inline u32 mbp_short_unwrap(i64 slots, i32 wide, f64 box, GLOBAL const u32 *word,
                                   GLOBAL f64 *to) {
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

/* The members' masses; the largest exponent. */
static inline u32 mbp_short_weigh(i64 members, i64 slots, i32 wide, i32 has_mass,
                                  f64 particle_mass, GLOBAL const u32 *member,
                                  GLOBAL const u32 *from, GLOBAL f64 *mass) {
    u32 heaviest = 0u;
    for (i64 k = 0; k < slots; k++)
        mass[k] = particle_mass;
    if (!has_mass)
        return mbp_exponent(particle_mass);
    for (i64 k = 0; k < members; k++) {
        mass[k] = points_coordinate(from, (index_t)member[k], wide);
        heaviest = max(heaviest, mbp_exponent(mass[k]));
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

/* Upper bounds `high` of |phi| of members in slots, and a lower one of the largest, which
 * is returned. */
static inline f32 mbp_short_narrowed(i64 members, i64 slots, u32 extent, u32 heaviest,
                                     f64 softening, GLOBAL const f64 *x,
                                     GLOBAL const f64 *y, GLOBAL const f64 *z,
                                     GLOBAL const f64 *mass, GLOBAL f32 *at_x,
                                     GLOBAL f32 *at_y, GLOBAL f32 *at_z, GLOBAL f32 *weight,
                                     GLOBAL f32 *high) {
    if (!mbp_pairs_holds(extent, heaviest, softening)) {
        for (i64 k = 0; k < members; k++)
            high[k] = mbp_pairs_unknown(k, members, extent, softening).high;
        return 0.0f;
    }
    const f64 scale = mbp_pairs_scale(extent), soft = softening * scale;
    const f32 soft2 = (f32)(soft * soft);
    mbp_short_round(members, slots, scale, 3.0f, x, at_x);
    mbp_short_round(members, slots, scale, 3.0f, y, at_y);
    mbp_short_round(members, slots, scale, 3.0f, z, at_z);
    mbp_short_round(members, slots, mbp_pairs_scale(heaviest), 0.0f, mass, weight);
    mbp_rough_sum(slots, soft2, at_x, at_y, at_z, weight, high);
    mbp_rough_raise(members, slots, soft2, mbp_rough_lightest(members, weight), high);
    return mbp_rough_narrow(members, slots, soft2, at_x, at_y, at_z, weight, high);
}

/* Bounds of the members of halos t, t + items, ...: an upper one of each |phi| in `high`,
 * and of each halo's largest one a lower one in `best`; and their coordinates, as words.
 * One halo after the other has its numbers from t width on. */
static inline void
mbp_short_bound(index_t t, i64 items, i64 halos, i64 width, i64 stride, i32 wide, f64 box_x,
                f64 box_y, f64 box_z, i32 wide_mass, i32 has_mass, f64 particle_mass,
                f64 softening, GLOBAL const i64 *offset, GLOBAL const u32 *member,
                GLOBAL const u32 *from_x, GLOBAL const u32 *from_y,
                GLOBAL const u32 *from_z, GLOBAL const u32 *from_mass, GLOBAL u32 *word_x,
                GLOBAL u32 *word_y, GLOBAL u32 *word_z, GLOBAL f64 *x, GLOBAL f64 *y,
                GLOBAL f64 *z, GLOBAL f64 *mass, GLOBAL f32 *at_x, GLOBAL f32 *at_y,
                GLOBAL f32 *at_z, GLOBAL f32 *weight, GLOBAL f32 *high, GLOBAL f32 *best) {
    const i64 at = t * width;
    for (i64 halo = t; halo < halos; halo += items) {
        const i64 members = mbp_members(offset, halo);
        const i64 slots = mbp_short_slots((index_t)halo, offset);
        const i64 s = MBP_ROW * mbp_first_row(offset, halo), w = s << wide;
        GLOBAL const u32 *own = member + offset[halo];
        best[halo] = 0.0f;
        if (members == 0)
            continue;
        mbp_short_gather(members, slots, stride, wide, own, from_x, from_y, from_z,
                         word_x + w, word_y + w, word_z + w);
        const u32 extent =
            max(mbp_short_unwrap(slots, wide, box_x, word_x + w, x + at),
                max(mbp_short_unwrap(slots, wide, box_y, word_y + w, y + at),
                    mbp_short_unwrap(slots, wide, box_z, word_z + w, z + at)));
        const u32 heaviest = mbp_short_weigh(members, slots, wide_mass, has_mass,
                                             particle_mass, own, from_mass, mass + at);
        best[halo] = mbp_short_narrowed(members, slots, extent, heaviest, softening, x + at,
                                        y + at, z + at, mass + at, at_x + at, at_y + at,
                                        at_z + at, weight + at, high + s);
    }
}

/* The rank of the most bound member among those whose upper bounds are not below `best`.
 * No bound is finite where a member is not alone. */
static inline i64 mbp_short_decide(i64 members, f64 soft2, f32 best, GLOBAL const f64 *x,
                                   GLOBAL const f64 *y, GLOBAL const f64 *z,
                                   GLOBAL const f64 *mass, GLOBAL f32 *high,
                                   GLOBAL f64 *potential) {
    f64 sums[MBP_SHORT / MBP_BLOCK];
    i64 chosen = -1;
    for (i64 i = 0; i < members; i++) {
        if (high[i] < best)
            continue;
        i64 blocks = 0;
        for (i64 begin = 0; begin < members; begin += MBP_BLOCK)
            sums[blocks++] = mbp_sum_block(i, begin, members, soft2, x, y, z, mass);
        for (i64 part = 1; part < blocks; part *= 2)
            for (i64 b = 0; b + part < blocks; b += 2 * part)
                sums[b] += sums[b + part];
        if (chosen < 0 || 0.0 - sums[0] < *potential) {
            chosen = i;
            *potential = 0.0 - sums[0];
        }
        if (soft2 == 0.0 && high[i] == bits_f32(0x7f800000u))
            mbp_leave_behind(i, members, x, y, z, high);
    }
    return chosen;
}

/* The most bound members of halos t, t + items, ..., from what mbp_short_bound left. */
static inline void mbp_short_choose(index_t t, i64 items, i64 halos, i64 width, i32 wide,
                                    f64 box_x, f64 box_y, f64 box_z, i32 wide_mass,
                                    i32 has_mass, f64 particle_mass, f64 soft2,
                                    GLOBAL const i64 *offset, GLOBAL const u32 *member,
                                    GLOBAL const u32 *from_mass, GLOBAL const u32 *word_x,
                                    GLOBAL const u32 *word_y, GLOBAL const u32 *word_z,
                                    GLOBAL f32 *high, GLOBAL const f32 *best, GLOBAL f64 *x,
                                    GLOBAL f64 *y, GLOBAL f64 *z, GLOBAL f64 *mass,
                                    GLOBAL u32 *particle, GLOBAL f64 *potential) {
    const i64 at = t * width;
    for (i64 halo = t; halo < halos; halo += items) {
        const i64 members = mbp_members(offset, halo);
        const i64 slots = mbp_short_slots((index_t)halo, offset);
        const i64 s = MBP_ROW * mbp_first_row(offset, halo), w = s << wide;
        GLOBAL const u32 *own = member + offset[halo];
        particle[halo] = 0xffffffffu;
        potential[halo] = 0.0;
        if (members == 0)
            continue;
        mbp_short_unwrap(slots, wide, box_x, word_x + w, x + at);
        mbp_short_unwrap(slots, wide, box_y, word_y + w, y + at);
        mbp_short_unwrap(slots, wide, box_z, word_z + w, z + at);
        mbp_short_weigh(members, slots, wide_mass, has_mass, particle_mass, own, from_mass,
                        mass + at);
        const i64 chosen = mbp_short_decide(members, soft2, best[halo], x + at, y + at,
                                            z + at, mass + at, high + s, potential + halo);
        if (chosen >= 0)
            particle[halo] = own[chosen];
    }
}

#endif
