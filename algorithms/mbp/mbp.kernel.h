/* Members of halos in rows of 16, and their potential as it is defined.
 *
 * Rows never cross halos, and are counted without a scan: halo h owns the rows from
 * offset[h] / 16 + h up to where halo h + 1 begins, which are as many as it needs or one
 * more. A slot is a place in a row; slots past a halo's last member are empty. */
#ifndef WEFT_MBP_KERNEL_H
#define WEFT_MBP_KERNEL_H

#include "algorithms/points/points.kernel.h"

enum { MBP_ROW = 16, MBP_BLOCK = 256, MBP_PART = 64 };

/* Halos with fewer members are short: a work-item with vectors takes one. */
enum { MBP_SHORT = 4096 };

/* As many places as walk together, in the order of a tree. */
enum { MBP_TURN = 32 };

static inline i64 mbp_first_row(GLOBAL const i64 *offset, i64 halo) {
    return offset[halo] / MBP_ROW + halo;
}

static inline i64 mbp_members(GLOBAL const i64 *offset, i64 halo) {
    return offset[halo + 1] - offset[halo];
}

/* How many halos there are up to this one, where it is long; they come by length. */
static inline i64 mbp_long(index_t halo, i64 least, GLOBAL const i64 *offset) {
    return mbp_members(offset, halo) >= least ? halo + 1 : 0;
}

/* Where a halo begins that is one of those from `first` on. */
static inline i64 mbp_begin_of(index_t halo, i64 first, GLOBAL const i64 *offset) {
    return offset[halo] - first;
}

/* The halo that owns a node, where halo h owns those of 2^bits members each from
 * offset[h] / 2^bits + h on: the last one that begins at or before it. */
static inline i64 mbp_owner(i64 node, i64 halos, i64 bits, GLOBAL const i64 *offset) {
    i64 low = 0, high = halos;
    while (high - low > 1) {
        const i64 middle = low + (high - low) / 2;
        if ((offset[middle] >> bits) + middle <= node)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static inline void mbp_row(index_t row, i64 halos, GLOBAL const i64 *offset,
                           GLOBAL u32 *row_halo) {
    row_halo[row] = (u32)mbp_owner(row, halos, 4, offset);
}

/* Which member of its halo a slot holds; one past the last or more: none. */
static inline i64 mbp_rank(GLOBAL const i64 *offset, i64 halo, i64 slot) {
    return slot - MBP_ROW * mbp_first_row(offset, halo);
}

/* The biased exponent of a number. */
static inline u32 mbp_exponent(f64 a) {
    return (u32)(f64_bits(a) >> 52) & 0x7ffu;
}

/* The sum of a row. */
static inline f64 mbp_total(const f64 *row) {
    f64 sum[MBP_ROW / 2];
    for (i32 l = 0; l < MBP_ROW / 2; l++)
        sum[l] = row[l] + row[l + MBP_ROW / 2];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) +
           ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

static inline void mbp_raise(GLOBAL u32 *most, u32 value) {
    if (value > atomic_load_u32(most))
        atomic_max_u32(most, value);
}

/* A coordinate relative to the halo's first member, as the potential is defined. */
static inline f64 mbp_unwrap(GLOBAL const u32 *words, i64 at, i64 first, i32 wide,
                             f64 box) {
    return points_separation(words, (index_t)at, (index_t)first, wide, box);
}

/* Where each member lies; of each halo the largest exponent of a coordinate. */
static inline void mbp_place(index_t slot, i64 stride, i32 wide, f64 box_x, f64 box_y,
                             f64 box_z, GLOBAL const i64 *offset,
                             GLOBAL const u32 *row_halo, GLOBAL const u32 *member,
                             GLOBAL const u32 *from_x, GLOBAL const u32 *from_y,
                             GLOBAL const u32 *from_z, GLOBAL f64 *x, GLOBAL f64 *y,
                             GLOBAL f64 *z, GLOBAL u32 *extent) {
    const i64 halo = row_halo[slot / MBP_ROW], rank = mbp_rank(offset, halo, slot);
    x[slot] = y[slot] = z[slot] = 0.0;
    if (rank >= mbp_members(offset, halo))
        return;
    const i64 first = member[offset[halo]] * stride;
    const i64 at = member[offset[halo] + rank] * stride;
    x[slot] = mbp_unwrap(from_x, at, first, wide, box_x);
    y[slot] = mbp_unwrap(from_y, at, first, wide, box_y);
    z[slot] = mbp_unwrap(from_z, at, first, wide, box_z);
    mbp_raise(extent + halo, max(mbp_exponent(x[slot]),
                                 max(mbp_exponent(y[slot]), mbp_exponent(z[slot]))));
}

/* The mass of each member; of each halo the largest exponent. */
static inline void mbp_weigh(index_t slot, i32 wide, i32 has_mass, f64 particle_mass,
                             GLOBAL const i64 *offset, GLOBAL const u32 *row_halo,
                             GLOBAL const u32 *member, GLOBAL const u32 *from,
                             GLOBAL f64 *mass, GLOBAL u32 *heaviest) {
    const i64 halo = row_halo[slot / MBP_ROW], rank = mbp_rank(offset, halo, slot);
    mass[slot] = 0.0;
    if (rank >= mbp_members(offset, halo))
        return;
    mass[slot] = has_mass
                     ? points_coordinate(from, (index_t)member[offset[halo] + rank], wide)
                     : particle_mass;
    mbp_raise(heaviest + halo, mbp_exponent(mass[slot]));
}

/* The most that the |phi| of a halo's members are at least. */
static inline void mbp_best(index_t slot, GLOBAL const u32 *row_halo, GLOBAL const f32 *low,
                            GLOBAL u32 *best) {
    if (low[slot] > 0.0f)
        mbp_raise(best + row_halo[slot / MBP_ROW], f32_bits(low[slot]));
}

/* About how deep a halo is, where its members weigh 1 and nothing else is known. */
static inline f32 mbp_depth(index_t halo, GLOBAL const i64 *offset,
                            GLOBAL const u32 *best) {
    return best[halo] > 0 ? bits_f32(best[halo]) : (f32)mbp_members(offset, halo);
}

/* Whether the slot's member may be the most bound one, by its bounds. */
static inline u32 mbp_survives(index_t slot, GLOBAL const u32 *row_halo,
                               GLOBAL const f32 *high, GLOBAL const u32 *best) {
    return high[slot] >= bits_f32(best[row_halo[slot / MBP_ROW]]);
}

static inline i64 mbp_slot(index_t slot, i64 first) {
    return first + slot;
}

/* The same of the member in a place of the tree's order. */
static inline u32 mbp_place_survives(index_t place, GLOBAL const u32 *row_halo,
                                     GLOBAL const u32 *order, GLOBAL const f32 *high,
                                     GLOBAL const u32 *best) {
    return mbp_survives((index_t)order[place], row_halo, high, best);
}

static inline u32 mbp_place_number(index_t place, u32 first) {
    return first + (u32)place;
}

/* The k-th place of a share, which are those of every so-many-th turn. */
static inline u32 mbp_share_place(index_t k, u32 share, u32 shares) {
    return ((u32)(k / MBP_TURN) * shares + share) * MBP_TURN + (u32)(k % MBP_TURN);
}

/* Leaves the member in a place to the other shares, by a bound that does not survive. */
static inline void mbp_leave(index_t place, u32 share, u32 shares, GLOBAL const u32 *order,
                             GLOBAL f32 *high) {
    if ((u32)(place / MBP_TURN) % shares != share)
        high[order[place]] = -1.0f;
}

/* What it takes to evaluate a slot's member in full, where it may be the most bound one. */
static inline i64 mbp_price(index_t slot, GLOBAL const i64 *offset,
                            GLOBAL const u32 *row_halo, GLOBAL const f32 *high,
                            GLOBAL const u32 *best) {
    return mbp_survives(slot, row_halo, high, best)
               ? mbp_members(offset, row_halo[slot / MBP_ROW])
               : 0;
}

/* Blocks of members of a survivor's halo. */
static inline i64 mbp_blocks(index_t k, GLOBAL const i64 *offset,
                             GLOBAL const u32 *row_halo, GLOBAL const i64 *survivor) {
    return (mbp_members(offset, row_halo[survivor[k] / MBP_ROW]) + MBP_BLOCK - 1) /
           MBP_BLOCK;
}

/* Where the first number is that is at least `least`; n where none is. */
static inline i64 mbp_search(GLOBAL const i64 *ascending, i64 n, i64 least) {
    i64 low = 0, high = n;
    while (low < high) {
        const i64 middle = low + (high - low) / 2;
        if (ascending[middle] < least)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static inline i64 mbp_begin(GLOBAL const i64 *ends, i64 k, i64 from) {
    return k > 0 ? ends[k - 1] : from;
}

/* What slot j, of those before `end`, adds to the sum that defines the potential of the
 * member in slot i. Empty slots, the member itself and pairs at no distance add +0, which
 * changes no bit of a sum. */
static inline f64 mbp_term(i64 i, i64 j, i64 end, f64 soft2, GLOBAL const f64 *x,
                           GLOBAL const f64 *y, GLOBAL const f64 *z,
                           GLOBAL const f64 *mass) {
    const f64 dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
    const f64 s2 = ((dx * dx + dy * dy) + dz * dz) + soft2;
    const i32 adds = j != i && j < end && s2 != 0.0;
    return (adds ? mass[j] : 0.0) / sqrt(adds ? s2 : 1.0);
}

/* One block of that sum. */
static inline f64 mbp_sum_block(i64 i, i64 begin, i64 last, f64 soft2, GLOBAL const f64 *x,
                                GLOBAL const f64 *y, GLOBAL const f64 *z,
                                GLOBAL const f64 *mass) {
    const i64 end = min(begin + MBP_BLOCK, last);
    f64 sum = 0.0;
    for (i64 j = begin; j < end; j += MBP_ROW) {
        f64 term[MBP_ROW];
        for (i32 l = 0; l < MBP_ROW; l++)
            term[l] = mbp_term(i, j + l, end, soft2, x, y, z, mass);
        for (i32 l = 0; l < MBP_ROW; l++)
            sum += term[l];
    }
    return sum;
}

/* The same block of all the survivors of a halo by work-items in a row. Survivor k has the
 * blocks up to ends[k]; block 0 here is number `from` of all. */
static inline void mbp_sum(index_t t, i64 from, i64 survivors, f64 soft2,
                           GLOBAL const i64 *offset, GLOBAL const u32 *row_halo,
                           GLOBAL const i64 *survivor, GLOBAL const i64 *ends,
                           GLOBAL const f64 *x, GLOBAL const f64 *y, GLOBAL const f64 *z,
                           GLOBAL const f64 *mass, GLOBAL f64 *sums) {
    const i64 halo =
        row_halo[survivor[mbp_search(ends, survivors, from + t + 1)] / MBP_ROW];
    const i64 first = MBP_ROW * mbp_first_row(offset, halo);
    const i64 last = first + mbp_members(offset, halo);
    const i64 low = mbp_search(survivor, survivors, first);
    const i64 together = mbp_search(survivor, survivors, last) - low;
    const i64 turn = from + t - mbp_begin(ends, low, from);
    const i64 block = turn / together, k = low + turn % together, i = survivor[k];
    sums[mbp_begin(ends, k, from) - from + block] =
        mbp_sum_block(i, first + block * MBP_BLOCK, last, soft2, x, y, z, mass);
}

/* One term of a block each, where there are few blocks for so many work-items. */
static inline void mbp_terms(index_t t, i64 from, i64 survivors, f64 soft2,
                             GLOBAL const i64 *offset, GLOBAL const u32 *row_halo,
                             GLOBAL const i64 *survivor, GLOBAL const i64 *ends,
                             GLOBAL const f64 *x, GLOBAL const f64 *y, GLOBAL const f64 *z,
                             GLOBAL const f64 *mass, GLOBAL f64 *terms) {
    const i64 block = from + t / MBP_BLOCK, k = mbp_search(ends, survivors, block + 1);
    const i64 i = survivor[k], halo = row_halo[i / MBP_ROW];
    const i64 first = MBP_ROW * mbp_first_row(offset, halo);
    const i64 end = first + mbp_members(offset, halo);
    const i64 j = first + (block - mbp_begin(ends, k, from)) * MBP_BLOCK + t % MBP_BLOCK;
    terms[t] = j < end ? mbp_term(i, j, end, soft2, x, y, z, mass) : 0.0;
}

static inline void mbp_add_terms(index_t block, GLOBAL const f64 *terms, GLOBAL f64 *sums) {
    f64 sum = 0.0;
    for (i32 j = 0; j < MBP_BLOCK; j += MBP_ROW) {
        f64 term[MBP_ROW];
        for (i32 l = 0; l < MBP_ROW; l++)
            term[l] = terms[(i64)block * MBP_BLOCK + j + l];
        for (i32 l = 0; l < MBP_ROW; l++)
            sum += term[l];
    }
    sums[block] = sum;
}

/* Adds sums in pairs, in place: what `from` neighbours add up to lies in the first of them,
 * and then what `to` do. */
static inline void mbp_pair(GLOBAL f64 *sum, i64 count, i64 from, i64 to) {
    for (i64 part = from; part < to && part < count; part *= 2)
        for (i64 p = 0; p + part < count; p += 2 * part)
            sum[p] += sum[p + part];
}

/* Adds up MBP_PART of a survivor's blocks, by the first of them. */
static inline void mbp_pair_parts(index_t block, i64 from, i64 survivors,
                                  GLOBAL const i64 *ends, GLOBAL f64 *sums) {
    const i64 k = mbp_search(ends, survivors, from + block + 1);
    const i64 rank = from + block - mbp_begin(ends, k, from);
    if (rank % MBP_PART == 0)
        mbp_pair(sums + block, min(ends[k] - from - block, (i64)MBP_PART), 1, MBP_PART);
}

/* Adds up a survivor's parts. */
static inline void mbp_pair_all(index_t k, i64 from, GLOBAL const i64 *ends,
                                GLOBAL f64 *sums, GLOBAL f64 *potential) {
    const i64 begin = mbp_begin(ends, k, from), count = ends[k] - begin;
    mbp_pair(sums + (begin - from), count, MBP_PART, count);
    potential[k] = 0.0 - sums[begin - from];
}

/* Those where a member is, and behind it, are left to it: without softening they add
 * nothing to each other, and their potentials are the same sums. */
static inline void mbp_leave_behind(i64 i, i64 last, GLOBAL const f64 *x,
                                    GLOBAL const f64 *y, GLOBAL const f64 *z,
                                    GLOBAL f32 *high) {
    for (i64 j = i + 1; j < last; j++) {
        const i32 is_there = (x[j] == x[i]) & (y[j] == y[i]) & (z[j] == z[i]);
        high[j] = is_there ? -1.0f : high[j];
    }
}

/* The survivor with the smallest potential; they ascend by slot, and so by id. */
static inline void mbp_choose(index_t halo, i64 survivors, GLOBAL const i64 *offset,
                              GLOBAL const u32 *member, GLOBAL const i64 *survivor,
                              GLOBAL const f64 *phi, GLOBAL u32 *particle,
                              GLOBAL f64 *potential) {
    const i64 first = MBP_ROW * mbp_first_row(offset, halo);
    const i64 end = first + mbp_members(offset, halo);
    i64 k = mbp_search(survivor, survivors, first);
    i64 best = k;
    particle[halo] = 0xffffffffu;
    potential[halo] = 0.0;
    if (k == survivors || survivor[k] >= end)
        return;
    for (; k < survivors && survivor[k] < end; k++)
        if (phi[k] < phi[best])
            best = k;
    particle[halo] = member[offset[halo] + survivor[best] - first];
    potential[halo] = phi[best];
}

#endif
