/* Members of halos in rows of 16, and the numbers that a member has:
 *
 *   particle   in the input
 *   member     among those of all halos, halo by halo, by ascending id:
 * halos.member[member] is the particle, and halo h has members offset[h] to offset[h + 1]
 *   rank       in its halo: member - offset[h]
 *   slot       in rows: rows never cross halos, and halo h owns those from mbp_first_row(h)
 *              on, the leaves of a pyramid; slot = 16 mbp_first_row(h) + rank
 *   place      in the order of a tree: slot = order[place]; a halo has the same places as
 *              slots, and a leaf of the tree is a row of places
 *
 * Slots past a halo's last member are empty, and so are as many of its places. */
#ifndef WEFT_MBP_SLOTS_KERNEL_H
#define WEFT_MBP_SLOTS_KERNEL_H

#include "algorithms/points/points.kernel.h"
#include "algorithms/pyramid/pyramid.kernel.h"

enum { MBP_ROW = 16, MBP_ROW_BITS = 4 };

/* The potential of a member is defined in blocks of so many others of its halo. */
enum { MBP_BLOCK = 256 };

static inline i64 mbp_blocks(i64 members) {
    return (members + MBP_BLOCK - 1) / MBP_BLOCK;
}

static inline i64 mbp_first_row(GLOBAL const i64 *offset, i64 halo) {
    return pyramid_first(offset[halo], halo, MBP_ROW_BITS);
}

static inline i64 mbp_members(GLOBAL const i64 *offset, i64 halo) {
    return offset[halo + 1] - offset[halo];
}

/* The halo of each row; exponents begin at 0, of halos, which are no more than rows. */
static inline void mbp_slots_row(index_t row, i64 halos, GLOBAL const i64 *offset,
                                 GLOBAL u32 *row_halo, GLOBAL u32 *extent,
                                 GLOBAL u32 *heaviest) {
    if ((i64)row < halos)
        extent[row] = heaviest[row] = 0;
    row_halo[row] = (u32)pyramid_owner(row, halos, MBP_ROW_BITS, offset);
}

/* Which member of its halo a slot holds; one past the last or more: none. */
static inline i64 mbp_rank(GLOBAL const i64 *offset, i64 halo, i64 slot) {
    return slot - MBP_ROW * mbp_first_row(offset, halo);
}

static inline i64 mbp_first_slot(GLOBAL const i64 *offset, i64 halo) {
    return MBP_ROW * mbp_first_row(offset, halo);
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

/* The biased exponent of a number. */
static inline u32 mbp_exponent(f64 a) {
    return (u32)(f64_bits(a) >> 52) & 0x7ffu;
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
static inline void mbp_slots_place(index_t slot, mbp_particles p, GLOBAL const i64 *offset,
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

#endif
