/* Gravity of equal masses in a periodic cube: a part that is smooth, from a mesh, and the
 * rest of it, from pairs. */
#ifndef WEFT_GRAVITY_H
#define WEFT_GRAVITY_H

#include "fourier.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Lengths are in sides of the cube, and G times the mass of a particle is 1. The
 * acceleration of a particle is the sum, over all others and all their periodic images, of
 * d / |d|^3, where d leads from it to the other; the mean density does not pull.
 *
 * The pull of a point is split in two. That of a ball around it whose density falls as
 * (1 - r^2 / a^2)^4 is smooth, and is found on the mesh. The difference of the two is 0
 * beyond a, exactly, and a polynomial of r^2 beside 1 / r^3 within. */

typedef enum weft_gravity_split {
    WEFT_GRAVITY_BALL = 0,
    WEFT_GRAVITY_HACC = 1 /* to compare: HACC's filtered mesh, spread over 2 points of each
                             axis, and the polynomial of 3.116326 points that it lacks; 5 %
                             off where they meet, beside 0.07 % of the ball */
} weft_gravity_split;

/* Several processes share the mesh of m^3 points where each has a plan for a slab of it and
 * calls as the others do: with the particles x for which floor(x m / 2^32) is one of its
 * planes. The bits are those of one process.
 *
 * Their plans call what follows, in the same order on all of them; arrays may be worked on
 * through weft_read and weft_write, too. Errors: the device's; other ones the caller keeps
 * and ends with weft_fail. */

/* weft_fourier_transform of all of the mesh, of which a process has
 *   real      [planes][m][m]
 *   spectrum  [m][rows][columns] complex */
typedef weft_status weft_gravity_transform(void *user, weft_device *device,
                                           weft_fourier_direction direction,
                                           weft_array real, weft_array spectrum);

/* mesh [1 + planes + 2][m][m]: beside its own a process has the plane before and the two
 * behind them, modulo m; without planes it has none. `add` adds all those to the own ones
 * of the processes whose they are (i64), `fill` copies the own ones there. */
typedef weft_status weft_gravity_planes(void *user, weft_device *device, weft_array mesh);

/* A part of the mesh: planes along x from the first one on, 0 or more; and of its spectrum
 * rows along y, and columns of these along z. All processes together have each plane once,
 * and each column of each row. */
typedef struct weft_gravity_slab {
    int64_t first_plane, planes;
    int64_t first_row, rows;
    int64_t particles; /* of all processes: 1 or more */
    weft_gravity_transform *transform;
    weft_gravity_planes *add, *fill;
    void *user;                    /* for these */
    int64_t first_column, columns; /* 0 columns: all from the first on */
    uint64_t reserved[4];
} weft_gravity_slab;

/* What a plan is made for. Initialise it by the names of its members. */
typedef struct weft_gravity_options {
    int64_t mesh;      /* points along each axis: 8 .. 65536, even, as transforms take it */
    int64_t most;      /* particles, at most, of all processes: 1 .. 4000000000 */
    double reach;      /* a, in distances of points: 2 .. mesh / 2 - 1; 0: 5.5 */
    double softening;  /* in sides of the cube: 0 .. 1; see weft_gravity_short */
    int32_t precision; /* of the mesh: 0 for f32, 1 for f64 */
    int32_t split;     /* WEFT_GRAVITY_BALL, or WEFT_GRAVITY_HACC with a reach of 0 */
    const weft_gravity_slab *slab; /* copied; NULL: the mesh is this process's alone */
    uint64_t reserved[7];
} weft_gravity_options;

/* What the calls below need, for all steps of a run: memory, and tables. */
typedef struct weft_gravity weft_gravity;

/* A plan, which weft_gravity_free frees, on the device that it was made for, before that is
 * closed. NULL after an error.
 * Memory: 12 bytes a point of the mesh in f32, 24 in f64, and in calls a half as much
 * again, which the device's pool keeps; of a slab those of its points, and of 3 planes.
 * Errors: WEFT_E_ARGUMENT (an option), WEFT_E_MEMORY. */
WEFT_API weft_gravity *weft_gravity_new(weft_device *device,
                                        const weft_gravity_options *options);
WEFT_API void weft_gravity_free(weft_device *device, weft_gravity *plan);

/* The smooth part of the accelerations of particles.
 *   x, y, z     [n] u32: positions, in sides of the cube times 2^32; n = x.length, at most
 *               the plan's number
 *   ax, ay, az  [n] f64, apart from each other
 * Particles are spread over 4 points of each axis by the cubic B-spline, in fixed point;
 * the force is a product of the spectrum, and is gathered with the same spline. So a
 * particle does not pull itself, and all together do not move, up to rounding.
 * Cost: four transforms, 64 additions and 192 reads a particle; where few threads share
 * many points a sort before, with scratch of 24 bytes a particle, which weft_gravity_short
 * needs as well. Repeats: bit for bit on every backend, in any order of the particles.
 * Errors: WEFT_E_ARGUMENT (no plan, one of another device, more particles than it is for,
 * one that is not in the plan's slab),
 * WEFT_E_TYPE, WEFT_E_SHAPE, WEFT_E_MEMORY.
 * Source: Hockney and Eastwood, "Computer simulation using particles", 1988, chapter 8. */
WEFT_API weft_status weft_gravity_long(weft_device *device, weft_gravity *plan,
                                       weft_array x, weft_array y, weft_array z,
                                       weft_array ax, weft_array ay, weft_array az);

/* What the smooth part lacks of the pull of particles within reach: d / (|d|^2 + e^2)^(3/2)
 * with the softening e (Plummer's), less what the ball pulls. The sum of both calls is the
 * acceleration. Arrays are those of weft_gravity_long, but ax, ay and az may be shorter, of
 * one length m: then the first m particles have accelerations, and the others only pull.
 * Particles at one place do not pull each other. f32 rounds a term by 1e-5 of 1 / |d|^2,
 * and places by 2^-24 of the way to the middle of the box below.
 * Cost: a sort; then 16 particles, which are neighbours, meet all that are within reach of
 * the box around them. In all 40 bytes a particle and 1/10 a point of the mesh, of which 24
 * lie in the plan's own memory, if there is room, and the others are scratch. A WEFT_SIMT
 * device keeps 20 bytes a particle more, and lists of what is within reach in the rest of
 * that memory, or 16 bytes a particle; if they need more, piece by piece.
 * Repeats: bit for bit on every backend. Another order of the particles changes how sums
 * round where some are within 2^-21 of each other along each axis.
 * Errors: as above.
 * Source: Hockney and Eastwood 1988, chapter 8, for pairs beside a mesh; Habib and others
 * 2016 (New Astronomy 42, 49), section 3, for lists that neighbours share and HACC's split.
 */
WEFT_API weft_status weft_gravity_short(weft_device *device, weft_gravity *plan,
                                        weft_array x, weft_array y, weft_array z,
                                        weft_array ax, weft_array ay, weft_array az);

/* Particles in one of the cubes of 1 / 2^b of the side, b being what this returns, share
 * their lists. So weft_gravity_short gives those of a cube the same bits wherever all in it
 * and in the 26 around it are there, in the same order, and are asked for together or not
 * at all: a process may have some cubes. -1: no plan. */
WEFT_API int32_t weft_gravity_cubes(const weft_gravity *plan);

/* The potentials of both parts, each given as the accelerations are. Their sum is that of a
 * particle: the sum, over all others and all their periodic images, of -1 / (|d|^2 +
 * e^2)^(1/2), and what makes its mean over the cube 0. Half the sum over particles is their
 * potential energy. The constants of both parts are with the first.
 *   x, y, z     as above
 *   potential   [n] f64; [m] of the second, as above
 * Particles at one place do not count for each other. Error: 1e-5 of the sum of 1 / |d|
 * over those within reach, and that of the mesh. The split of HACC has the integral of its
 * polynomial, and less what each particle has of itself on the mesh, exactly.
 * Cost: two transforms; what weft_gravity_short costs. Repeats: as above. Errors: as above.
 * Source: as above; de Leeuw, Perram and Smith 1980 (Proc. R. Soc. A 373, 27), section 1,
 * for the mean. */
WEFT_API weft_status weft_gravity_long_potential(weft_device *device, weft_gravity *plan,
                                                 weft_array x, weft_array y, weft_array z,
                                                 weft_array potential);
WEFT_API weft_status weft_gravity_short_potential(weft_device *device, weft_gravity *plan,
                                                  weft_array x, weft_array y, weft_array z,
                                                  weft_array potential);

#ifdef __cplusplus
}
#endif
#endif
