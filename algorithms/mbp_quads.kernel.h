/* All pairs in f32 for devices that run many work-items: four members each, which meet
 * the same others, so that those are read once for four pairs.
 *
 * Sums, and what is claimed of them, are those of mbp_pairs.kernel.h; with rsqrt, and at
 * most 64 terms in f32, they are off by MBP_PAIRS_FINE. */
#ifndef WEFT_MBP_QUADS_KERNEL_H
#define WEFT_MBP_QUADS_KERNEL_H

#include "mbp_pairs.kernel.h"

enum { MBP_QUADS_OWN = 4, MBP_QUADS_BLOCK = 64 };

/* A slot as it is summed, read at once. */
typedef struct __attribute__((aligned(16))) mbp_quads_body {
    f32 x, y, z, mass;
} mbp_quads_body;

static inline mbp_quads_body mbp_quads_gather(index_t slot, GLOBAL const f32 *x,
                                              GLOBAL const f32 *y, GLOBAL const f32 *z,
                                              GLOBAL const f32 *mass) {
    const mbp_quads_body body = {x[slot], y[slot], z[slot], mass[slot]};
    return body;
}

typedef struct mbp_quads_sums {
    f32 mass[MBP_QUADS_OWN], square[MBP_QUADS_OWN];
} mbp_quads_sums;

static inline void mbp_quads_meet(mbp_quads_sums *s, i32 k, mbp_quads_body own,
                                  mbp_quads_body other, i32 is_itself, f32 soft2) {
    const f32 dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
    const f32 inverse = rsqrt(mad(dx, dx, mad(dy, dy, mad(dz, dz, soft2))));
    const f32 r = is_itself ? 0.0f : inverse;
    s->mass[k] = mad(other.mass, r, s->mass[k]);
    s->square[k] = mad(r, r, s->square[k]);
}

/* Bounds of the members in slots 4 t to 4 t + 3. Only the block that they are in asks who
 * meets itself, and blocks begin alike for all of a halo, so that neighbours read alike. */
static inline void mbp_quads_bound(index_t t, f64 softening, GLOBAL const i64 *offset,
                                   GLOBAL const u32 *row_halo, GLOBAL const u32 *extent,
                                   GLOBAL const u32 *heaviest,
                                   GLOBAL const mbp_quads_body *body, GLOBAL f32 *low,
                                   GLOBAL f32 *high) {
    const i64 a = MBP_QUADS_OWN * (i64)t, halo = row_halo[a / MBP_ROW];
    const i64 first = MBP_ROW * mbp_first_row(offset, halo);
    const i64 members = mbp_members(offset, halo), rank = a - first;
    for (i32 k = 0; k < MBP_QUADS_OWN; k++) {
        const mbp_pairs_range to =
            mbp_pairs_unknown(rank + k, members, extent[halo], softening);
        low[a + k] = to.low;
        high[a + k] = to.high;
    }
    if (rank >= members || !mbp_pairs_holds(extent[halo], heaviest[halo], softening))
        return;
    const f64 soft = softening * mbp_pairs_scale(extent[halo]);
    const f32 soft2 = (f32)(soft * soft);
    mbp_quads_body own[MBP_QUADS_OWN];
    f64 mass[MBP_QUADS_OWN], square[MBP_QUADS_OWN];
    for (i32 k = 0; k < MBP_QUADS_OWN; k++) {
        own[k] = body[a + k];
        mass[k] = square[k] = 0.0;
    }
    for (i64 j = 0; j < members; j += MBP_QUADS_BLOCK) {
        GLOBAL const mbp_quads_body *other = body + first + j;
        const i32 count = (i32)min(members - j, (i64)MBP_QUADS_BLOCK);
        mbp_quads_sums s;
        for (i32 k = 0; k < MBP_QUADS_OWN; k++)
            s.mass[k] = s.square[k] = 0.0f;
        if (rank / MBP_QUADS_BLOCK * MBP_QUADS_BLOCK == j) {
            const i32 me = (i32)(rank - j);
            for (i32 l = 0; l < count; l++)
                for (i32 k = 0; k < MBP_QUADS_OWN; k++)
                    mbp_quads_meet(&s, k, own[k], other[l], l == me + k, soft2);
        } else {
            for (i32 l = 0; l < count; l++)
                for (i32 k = 0; k < MBP_QUADS_OWN; k++)
                    mbp_quads_meet(&s, k, own[k], other[l], 0, soft2);
        }
        for (i32 k = 0; k < MBP_QUADS_OWN; k++) {
            mass[k] += (f64)s.mass[k];
            square[k] += (f64)s.square[k];
        }
    }
    for (i32 k = 0; k < MBP_QUADS_OWN && rank + k < members; k++) {
        const mbp_pairs_range to =
            mbp_pairs_claim(mass[k], square[k], 0.0, 0.0, MBP_PAIRS_FINE, soft2);
        low[a + k] = to.low;
        high[a + k] = to.high;
    }
}

#endif
