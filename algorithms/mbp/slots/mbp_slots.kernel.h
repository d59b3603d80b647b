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

static inline i64 mbp_first_slot(GLOBAL const i64 *offset, i64 halo) {
    return MBP_ROW * mbp_first_row(offset, halo);
}

/* Which member of its halo a slot holds; one past the last or more: none. */
static inline i64 mbp_rank(GLOBAL const i64 *offset, i64 halo, i64 slot) {
    return slot - mbp_first_slot(offset, halo);
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

/* Which of the members of all halos, halo by halo, is in a slot. */
static inline i64 mbp_member(mbp_halos of, i64 slot) {
    const i64 halo = mbp_halo(of, slot);
    return of.offset[halo] + mbp_rank(of.offset, halo, slot);
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

/* What is made of particles: the bodies in slots, and of each halo the largest exponents.
 */
typedef struct mbp_made {
    GLOBAL f64 *x, *y, *z, *mass;
    GLOBAL u32 *extent, *heaviest;
} mbp_made;

/* Coordinates of particles member[0 .. count - 1] less that of `first`; the bits of the
 * largest. `wide` is a constant where this is called. */
static inline u64 mbp_slots_apart(i64 count, i64 stride, i32 wide, u32 first,
                                  GLOBAL const u32 *member, GLOBAL const u32 *words,
                                  GLOBAL f64 *to) {
    const f64 origin = points_coordinate(words, (index_t)(first * stride), wide);
    u64 most = 0u;
    for (i64 l = 0; l < count; l++) {
        to[l] = points_coordinate(words, (index_t)(member[l] * stride), wide) - origin;
        most = max(most, f64_bits(fabs(to[l])));
    }
    return most;
}

/* The same through a periodic box; the largest exponent. */
static inline u32 mbp_slots_axis(i64 count, i64 stride, i32 wide, u32 first,
                                 GLOBAL const u32 *member, GLOBAL const u32 *words, f64 box,
                                 GLOBAL f64 *to) {
    u64 most = wide ? mbp_slots_apart(count, stride, 1, first, member, words, to)
                    : mbp_slots_apart(count, stride, 0, first, member, words, to);
    if (box > 0 && most > f64_bits(0.5 * box)) {
        most = 0u;
        for (i64 l = 0; l < count; l++) {
            to[l] = points_remainder(to[l], box);
            most = max(most, f64_bits(fabs(to[l])));
        }
    }
    return mbp_exponent(bits_f64(most));
}

/* Where the members in slots [each t, each t + each) of a row lie, relative to their halo's
 * first, and their masses. */
static inline void mbp_slots_place(index_t t, i64 members, i32 each, points_period box,
                                   points_coordinates at, points_masses masses,
                                   GLOBAL const u32 *member, GLOBAL const i64 *offset,
                                   GLOBAL const u32 *row_halo, mbp_made to) {
    const i64 begin = (i64)t * each, halo = row_halo[begin / MBP_ROW], stride = at.stride;
    const i64 first = offset[halo], k = first + mbp_rank(offset, halo, begin);
    const i64 count = min(offset[halo + 1] - k, (i64)each);
    for (i64 l = k + 2 * each; l < min(k + 3 * each, members); l++)
        points_prefetch(at.x, (index_t)(member[l] * stride), at.wide);
    for (i64 l = max(count, (i64)0); l < each; l++)
        to.x[begin + l] = to.y[begin + l] = to.z[begin + l] = to.mass[begin + l] = 0.0;
    if (count <= 0)
        return;
    GLOBAL const u32 *own = member + k;
    const u32 from = member[first],
              far_x = mbp_slots_axis(count, stride, at.wide, from, own, at.x, box.axis[0],
                                     to.x + begin),
              far_y = mbp_slots_axis(count, stride, at.wide, from, own, at.y, box.axis[1],
                                     to.y + begin),
              far_z = mbp_slots_axis(count, stride, at.wide, from, own, at.z, box.axis[2],
                                     to.z + begin);
    u32 heavy = 0u;
    for (i64 l = 0; l < count; l++) {
        to.mass[begin + l] = points_mass(&masses, own[l]);
        heavy = max(heavy, mbp_exponent(to.mass[begin + l]));
    }
    mbp_raise(to.extent + halo, max(far_x, max(far_y, far_z)));
    mbp_raise(to.heaviest + halo, heavy);
}

#endif
