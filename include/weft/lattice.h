/* The lattice on which the particles of a simulation began: which of them was where, told
 * by their ids. */
#ifndef WEFT_LATTICE_H
#define WEFT_LATTICE_H

#include "points.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Site (i, j, k), of n[0] along x, n[1] along y and n[2] along z, is element
 * (i n[1] + j) n[2] + k. The lattice is periodic, as the box is. */
typedef struct weft_lattice {
    int64_t n[3];
    double box[3];
    weft_array particle; /* [sites] u32, the index of the particle that began there */
    weft_array position; /* [3 sites] f64, x y z of each site's particle, inside the box */
    double separation;   /* of neighbours on the lattice, from where they were at first to
                            where they are: |dx| + |dy| + |dz| in boxes, the mean */
    weft_array boxes; /* [6 blocks] f64, low x y z and high x y z of each 4 by 4 by 4 cubes,
                         block (i, j, k) as sites; {0}: found by those who need them */
    uint64_t reserved[2];
} weft_lattice;

/* Finds the lattice. Of ids from `first` on, the id of a particle is
 * first + (a q + b) r + c for q by r numbers b and c: simulations number their lattice so.
 * Which of a, b and c runs along which axis is tried in all six orders, and that is taken
 * in which neighbours on the lattice are nearest to where they began. (Of equal ones, the
 * first in the order xyz, xzy, yxz, yzx, zxy, zyx.)
 *   points   all particles of the box, finite; those outside the box are wrapped into it
 *   id       [count] i64, a permutation of the `count` numbers from the least on
 *   n        [3] how many a, b and c there are; NULL: as many of each
 *   box      [3] the periods, above 0
 *   out      new arrays, for weft_lattice_free; {0} after an error
 * Cost: three passes over the particles in the order of the lattice. 28 bytes a particle,
 * and 48 a block; 4 bytes of scratch. Who takes no more vectors may free out->particle and
 * set it to {0}: what works on a sheet needs 24. Repeats: bit for bit everywhere. Errors:
 * WEFT_E_ARGUMENT: ids that are no permutation (names one), a count that is no cube or not
 * the product of n, fewer than 3 a side, neighbours that are about as far from each other
 * as particles anywhere (ids that do not tell a lattice), a cube of the lattice that is
 * wider than half the box (it cannot be told how it lies), a coordinate that is not finite;
 * WEFT_E_TYPE, WEFT_E_SHAPE, WEFT_E_MEMORY. Source: the ids of SWIFT's, GADGET-4's and
 * monofonIC's initial conditions.
 */
WEFT_API weft_status weft_lattice_find(weft_device *device, const weft_points *points,
                                       weft_array id, const int64_t n[3],
                                       const double box[3], weft_lattice *out);

/* Vectors in the order of sites.
 *   vectors   [3 particles] f32 or f64, x y z of each particle
 *   out       [3 sites] f64
 * Cost: one pass in the order of sites. Repeats: bit for bit everywhere.
 * Errors: WEFT_E_ARGUMENT (a lattice that is not weft_lattice_find's; missing, read-only),
 * WEFT_E_TYPE, WEFT_E_SHAPE. */
WEFT_API weft_status weft_lattice_take(weft_device *device, const weft_lattice *lattice,
                                       weft_array vectors, weft_array out);

/* Frees the arrays and sets all to {0}. NULL does nothing. */
WEFT_API void weft_lattice_free(weft_device *device, weft_lattice *lattice);

/* Some planes of a lattice, for who has these particles alone, in the terms of ids: planes
 * in which one digit, a, b or c, is the same, for `count` of them from `first` on; and the
 * next, around the period, where count < n[digit]. Each owner of a slab
 *   1. asks for its slab of weft_lattice_whole's, along any digit: weft_lattice_steps,
 *   2. adds up all slabs' steps: weft_lattice_order tells each the digit of each axis,
 *   3. places its particles, of a slab along the digit of x: weft_lattice_place. */
typedef struct weft_lattice_slab {
    int64_t n[3]; /* of the whole: how many a, b and c there are */
    double box[3];
    int64_t least; /* id of the whole */
    int64_t first, count;
    int digit; /* 0, 1 or 2: a, b or c */
    int reserved;
} weft_lattice_slab;

/* The whole lattice, as a slab along digit 0.
 *   count         particles of the whole, with ids least to most
 *   n, box        as weft_lattice_find has them
 *   out           {0} after an error
 * Errors: WEFT_E_ARGUMENT, those of weft_lattice_find that count, ids' ends, n and box
 * tell. */
WEFT_API weft_status weft_lattice_whole(weft_device *device, int64_t count, int64_t least,
                                        int64_t most, const int64_t n[3],
                                        const double box[3], weft_lattice_slab *out);

/* How far apart neighbours are, summed over the slab but for the next plane.
 *   points, id   the slab's particles, and the next plane's, in any order
 *   steps        [9] in 2^-30 boxes, of digit k along axis a at 3 k + a; 0 after an error
 * Cost: two passes over the particles; 4 bytes of scratch each. Repeats: bit for bit
 * everywhere; sums of slabs are exactly the whole's. Errors: WEFT_E_ARGUMENT (a slab that
 * is none, an id that is missing, a coordinate that is not finite, 2^32 - 1 particles or
 * more), WEFT_E_TYPE, WEFT_E_SHAPE, WEFT_E_MEMORY. */
WEFT_API weft_status weft_lattice_steps(weft_device *device, const weft_points *points,
                                        weft_array id, const weft_lattice_slab *slab,
                                        uint64_t steps[9]);

/* The digit, 0 to 2, that runs along x, y and z: that of weft_lattice_find.
 *   slab         one of the whole, of which n is read
 *   steps        [9] of the whole
 *   separation   as in weft_lattice; may be NULL
 * Errors: WEFT_E_ARGUMENT: neighbours that are about as far from each other as particles
 * anywhere. */
WEFT_API weft_status weft_lattice_order(weft_device *device, const weft_lattice_slab *slab,
                                        const uint64_t steps[9], int digit[3],
                                        double *separation);

/* The slab as a lattice of its planes and, unless it has all, the next: for
 * weft_lattice_take, and for deposits as <weft/sheet.h> has them of slabs.
 *   points, id   as weft_lattice_steps has them
 *   digit        [3] of each axis; that of x is the slab's
 *   out          new arrays, for weft_lattice_free; {0} after an error. Its separation is
 *                0, and its boxes are around the cubes of its planes but for the next
 * Cost: as weft_lattice_find, less a pass. Repeats: bit for bit everywhere.
 * Errors: as weft_lattice_steps; WEFT_E_ARGUMENT for fewer than 3 planes, and a cube that
 * is wider than half the box. */
WEFT_API weft_status weft_lattice_place(weft_device *device, const weft_points *points,
                                        weft_array id, const weft_lattice_slab *slab,
                                        const int digit[3], weft_lattice *out);

#ifdef __cplusplus
}
#endif
#endif
