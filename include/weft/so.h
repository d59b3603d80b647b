/* Spherical overdensities: the mass around centers inside which the mean density is a
 * given one (M200c, M500c, ...), of all particles. */
#ifndef WEFT_SO_H
#define WEFT_SO_H

#include "bodies.h"
#include "fof.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WEFT_SO_MOST = 16 };

/* What is known of particles that are not given, where a caller hands over those near some
 * centers alone: because others are elsewhere, or do not fit. */
typedef struct weft_so_part {
    weft_array within; /* [centers] f64 of the device, the caller's, above 0: all particles
                          no farther than this from a center are given. A sphere that may
                          end beyond is left open: its count is -1, mass and radius are 0 */
    double least, greatest; /* masses of all particles there are */
    uint64_t reserved[8];
} weft_so_part;

/* The definition. All particles are sorted by (r^2, id) around a center, where
 * r^2 = (dx dx + dy dy) + dz dz on the coordinates as they were read, with
 * dx = remainder(x - center, box) on periodic axes, each operation rounded to f64 and none
 * fused. M_k is the mass of the first k. Sphere k is dense if its mean density is above D:
 * (M_k M_k) q > (r_k^2 r_k^2) r_k^2 in f64, with q = v v and v = 3 / (4 pi D), which the
 * host rounds. N is the smallest k whose sphere is dense while that of k + 1 is not; past
 * the last particle there is none that is dense. Then count = N, mass = M_N and
 * radius = cbrt(M_N v), rounded to nearest: the sphere of that radius holds N particles and
 * its mean density is D. Where no sphere is dense all three are 0.
 *   - M_k of equal masses m, however they are given, is k m, rounded once; of others the
 *     sum of all whole blocks of 256 particles before k, in their order, plus that of the
 *     rest, in its order;
 *   - a center need not be a particle. Around one that is, a larger D never gives a larger
 *     sphere;
 *   - in a periodic box each particle counts once, at its nearest image, also in spheres
 *     that reach more than half the box. */
typedef struct weft_so_options {
    int64_t densities; /* how many thresholds, at most WEFT_SO_MOST, */
    double
        density[WEFT_SO_MOST]; /*   in any order: above 0; mass / length^3 of the input */
    weft_array id;             /* [n] i64, unique: orders particles of other masses at one
                                  distance; {0}: the input index is the id */
    weft_array guess;          /* [centers] f32, f64 or i64: mass near that of the lowest
                                  threshold, or for i64 how many particles; {0}: unknown.
                                  It decides how long a search takes, and no result */
    weft_cells *cells; /* what weft_fof_cells stored for the same points and box, so that
                          nothing is sorted again (unless its linking length is
                          far from 0.2 of the mean separation); or NULL */
    const weft_so_part *part; /* NULL: all particles there are are given */
    int64_t keep; /* so many particles around centers may be kept, of 12 bytes each, so that
                     calls that are told these spheres need not look for them again; it
                     decides no result. On GPUs none are kept */
    uint64_t reserved[6];
} weft_so_options;

/* For threshold t and center c, element t * centers + c: so a threshold is a slice. */
typedef struct weft_so_spheres {
    int64_t centers, densities;
    weft_array count;   /* i64 [densities * centers] */
    weft_array mass;    /* f64, likewise */
    weft_array radius;  /* f64 */
    weft_array kept[3]; /* what options.keep asked for, for such calls alone; no arrays
                           where nothing is kept */
    int64_t particles;  /* what is kept is of so many */
    uint64_t reserved[5];
} weft_so_spheres;

/* Measures the spheres of all thresholds around all centers.
 *   bodies    all particles; velocities are not used
 *   centers   finite; f32 or f64, whatever the particles are
 *   options   needed: it has the thresholds
 *   out       new arrays, for weft_so_free; {0} after an error
 * Each center starts with a sphere that its guess fills, and doubles its volume until the
 * last crossing lies inside, or until one particle more would not be dense at its edge, or
 * all mass there is.
 * Cost: without cells a sort of the particles; then for each center the particles of the
 * cells that its sphere touches, some twice the sphere's; a center without dense spheres
 * takes all within cbrt(all mass v). A sphere is the work of one work-item, on GPUs of one
 * for each row of cells and for each particle.
 * Scratch of 16 bytes per particle, 24 where masses differ, and of 8 MiB, `keep` included;
 * on GPUs of up to 45 bytes for each particle near some spheres at a time, which are at
 * most a quarter of all, 2^22, or what one needs; without cells 60 bytes per particle more.
 * Repeats: bit for bit on every backend; by (r^2, id) on the order of the particles, too.
 * Errors: WEFT_E_ARGUMENT (an option, a mass that is not above 0, or a coordinate that is
 * not finite, naming the particle; masses and densities whose squares leave the range of
 * f64; cells of other points), WEFT_E_TYPE, WEFT_E_SHAPE, WEFT_E_MEMORY.
 * Source: the masses of Lacey and Cole 1994 (MNRAS 271, 676); docs/overdensities.md. */
WEFT_API weft_status weft_so(weft_device *device, const weft_bodies *bodies,
                             const weft_points *centers, const weft_so_options *options,
                             weft_so_spheres *out);

/* Frees the arrays and sets all to {0}. NULL does nothing. */
WEFT_API void weft_so_free(weft_device *device, weft_so_spheres *spheres);

#ifdef __cplusplus
}
#endif
#endif
