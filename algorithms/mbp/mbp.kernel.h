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

/* Halos in rows, and the largest exponents of their coordinates and masses. */
typedef struct mbp_halos {
    f64 softening;
    GLOBAL const i64 *offset;
    GLOBAL const u32 *row_halo, *extent, *heaviest;
} mbp_halos;

static inline i64 mbp_halo(mbp_halos of, i64 slot) {
    return of.row_halo[slot / MBP_ROW];
}
static inline i32 mbp_is_empty(mbp_halos of, i64 slot) {
    const i64 halo = mbp_halo(of, slot);
    return mbp_rank(of.offset, halo, slot) >= mbp_members(of.offset, halo);
}

/* Members in slots: places relative to the halo's first member, and masses. */
typedef struct mbp_bodies {
    GLOBAL const f64 *x, *y, *z, *mass;
} mbp_bodies;

/* Bounds of |phi|, scaled alike in a halo. */
typedef struct mbp_bounds {
    GLOBAL f32 *low, *high;
} mbp_bounds;

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

/* Particles as they lie: coordinates of `member` k are words number member[k] stride,
 * masses are words, or all are `particle_mass`. */
typedef struct mbp_particles {
    i64 stride;
    i32 wide, wide_mass;
    f64 box_x, box_y, box_z, particle_mass;
    GLOBAL const u32 *member, *x, *y, *z, *mass;
} mbp_particles;

static inline f64 mbp_mass_of(mbp_particles p, i64 k) {
    return p.mass ? points_coordinate(p.mass, (index_t)p.member[k], p.wide_mass)
                  : p.particle_mass;
}

/* Where each member lies, relative to its halo's first, and its mass; of each halo the
 * largest exponents. */
static inline void mbp_place(index_t slot, mbp_particles p, GLOBAL const i64 *offset,
                             GLOBAL const u32 *row_halo, GLOBAL f64 *x, GLOBAL f64 *y,
                             GLOBAL f64 *z, GLOBAL f64 *mass, GLOBAL u32 *extent,
                             GLOBAL u32 *heaviest) {
    const i64 halo = row_halo[slot / MBP_ROW], rank = mbp_rank(offset, halo, slot);
    x[slot] = y[slot] = z[slot] = mass[slot] = 0.0;
    if (rank >= mbp_members(offset, halo))
        return;
    const index_t first = (index_t)(p.member[offset[halo]] * p.stride);
    const index_t at = (index_t)(p.member[offset[halo] + rank] * p.stride);
    x[slot] = points_separation(p.x, at, first, p.wide, p.box_x);
    y[slot] = points_separation(p.y, at, first, p.wide, p.box_y);
    z[slot] = points_separation(p.z, at, first, p.wide, p.box_z);
    mass[slot] = mbp_mass_of(p, offset[halo] + rank);
    mbp_raise(extent + halo, max(mbp_exponent(x[slot]),
                                 max(mbp_exponent(y[slot]), mbp_exponent(z[slot]))));
    mbp_raise(heaviest + halo, mbp_exponent(mass[slot]));
}

/* The most that the |phi| of a halo's members are at least. */
static inline void mbp_best(index_t slot, mbp_halos of, GLOBAL const f32 *low,
                            GLOBAL u32 *best) {
    if (low[slot] > 0.0f)
        mbp_raise(best + mbp_halo(of, slot), f32_bits(low[slot]));
}

/* About how deep a halo is, where its members weigh 1 and nothing else is known. */
static inline f32 mbp_depth(index_t halo, GLOBAL const i64 *offset,
                            GLOBAL const u32 *best) {
    return best[halo] > 0 ? bits_f32(best[halo]) : (f32)mbp_members(offset, halo);
}

/* Whether the slot's member may be the most bound one, by its bounds. */
static inline u32 mbp_survives(index_t slot, mbp_halos of, GLOBAL const f32 *high,
                               GLOBAL const u32 *best) {
    return high[slot] >= bits_f32(best[mbp_halo(of, slot)]);
}

static inline i64 mbp_slot(index_t slot, i64 first) {
    return first + slot;
}

/* The same of the member in a place of the tree's order. */
static inline u32 mbp_place_survives(index_t place, mbp_halos of, GLOBAL const u32 *order,
                                     GLOBAL const f32 *high, GLOBAL const u32 *best) {
    return mbp_survives((index_t)order[place], of, high, best);
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
static inline i64 mbp_price(index_t slot, mbp_halos of, GLOBAL const f32 *high,
                            GLOBAL const u32 *best) {
    return mbp_survives(slot, of, high, best) ? mbp_members(of.offset, mbp_halo(of, slot))
                                              : 0;
}

/* Blocks of members of a survivor's halo. */
static inline i64 mbp_blocks(index_t k, mbp_halos of, GLOBAL const i64 *survivor) {
    return (mbp_members(of.offset, mbp_halo(of, survivor[k])) + MBP_BLOCK - 1) / MBP_BLOCK;
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

/* What slot j, of those before `end`, adds to the sum that defines the potential of the
 * member in slot i. Empty slots, the member itself and pairs at no distance add +0, which
 * changes no bit of a sum. */
static inline f64 mbp_term(i64 i, i64 j, i64 end, f64 soft2, mbp_bodies b) {
    const f64 dx = b.x[j] - b.x[i], dy = b.y[j] - b.y[i], dz = b.z[j] - b.z[i];
    const f64 s2 = ((dx * dx + dy * dy) + dz * dz) + soft2;
    const i32 adds = j != i && j < end && s2 != 0.0;
    return (adds ? b.mass[j] : 0.0) / sqrt(adds ? s2 : 1.0);
}

/* One block of that sum. */
static inline f64 mbp_sum_block(i64 i, i64 begin, i64 last, f64 soft2, mbp_bodies b) {
    const i64 end = min(begin + MBP_BLOCK, last);
    f64 sum = 0.0;
    for (i64 j = begin; j < end; j += MBP_ROW) {
        f64 term[MBP_ROW];
        for (i32 l = 0; l < MBP_ROW; l++)
            term[l] = mbp_term(i, j + l, end, soft2, b);
        for (i32 l = 0; l < MBP_ROW; l++)
            sum += term[l];
    }
    return sum;
}

/* Survivors in ascending slots. Number k has the blocks up to ends[k] of all; number `from`
 * is the first here. */
typedef struct mbp_survivors {
    i64 from, count;
    GLOBAL const i64 *slot, *ends;
} mbp_survivors;

/* The first block of survivor k, counted from here. */
static inline i64 mbp_begin(mbp_survivors s, i64 k) {
    return k > 0 ? s.ends[k - 1] - s.from : 0;
}

/* The survivor that a block is of. */
static inline i64 mbp_survivor_of(mbp_survivors s, i64 block) {
    return mbp_search(s.ends, s.count, s.from + block + 1);
}

/* A block of all the survivors of a halo by work-items in a row. */
static inline void mbp_sum(index_t t, mbp_halos of, mbp_bodies b, mbp_survivors s,
                           GLOBAL f64 *sums) {
    const i64 halo = mbp_halo(of, s.slot[mbp_survivor_of(s, t)]);
    const i64 first = MBP_ROW * mbp_first_row(of.offset, halo);
    const i64 last = first + mbp_members(of.offset, halo);
    const i64 low = mbp_search(s.slot, s.count, first);
    const i64 together = mbp_search(s.slot, s.count, last) - low;
    const i64 turn = t - mbp_begin(s, low), block = turn / together;
    const i64 k = low + turn % together;
    sums[mbp_begin(s, k) + block] = mbp_sum_block(s.slot[k], first + block * MBP_BLOCK,
                                                  last, of.softening * of.softening, b);
}

/* One term of a block each, where there are few blocks for so many work-items. */
static inline void mbp_terms(index_t t, mbp_halos of, mbp_bodies b, mbp_survivors s,
                             GLOBAL f64 *terms) {
    const i64 block = t / MBP_BLOCK, k = mbp_survivor_of(s, block);
    const i64 i = s.slot[k], halo = mbp_halo(of, i);
    const i64 first = MBP_ROW * mbp_first_row(of.offset, halo);
    const i64 end = first + mbp_members(of.offset, halo);
    const i64 j = first + (block - mbp_begin(s, k)) * MBP_BLOCK + t % MBP_BLOCK;
    terms[t] = j < end ? mbp_term(i, j, end, of.softening * of.softening, b) : 0.0;
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
static inline void mbp_pair_parts(index_t block, mbp_survivors s, GLOBAL f64 *sums) {
    const i64 k = mbp_survivor_of(s, block), begin = mbp_begin(s, k);
    if ((block - begin) % MBP_PART == 0)
        mbp_pair(sums + block, min(mbp_begin(s, k + 1) - block, (i64)MBP_PART), 1,
                 MBP_PART);
}

/* Adds up a survivor's parts. */
static inline void mbp_pair_all(index_t k, mbp_survivors s, GLOBAL f64 *sums,
                                GLOBAL f64 *potential) {
    const i64 begin = mbp_begin(s, k), count = mbp_begin(s, k + 1) - begin;
    mbp_pair(sums + begin, count, MBP_PART, count);
    potential[k] = 0.0 - sums[begin];
}

/* Those where a member is, and behind it, are left to it: without softening they add
 * nothing to each other, and their potentials are the same sums. */
static inline void mbp_leave_behind(i64 i, i64 last, mbp_bodies b, GLOBAL f32 *high) {
    for (i64 j = i + 1; j < last; j++) {
        const i32 is_there = (b.x[j] == b.x[i]) & (b.y[j] == b.y[i]) & (b.z[j] == b.z[i]);
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
