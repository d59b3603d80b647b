/* A periodic mesh: masses of particles onto its points, and numbers at its points back to
 * particles. */
#ifndef WEFT_MESH_H
#define WEFT_MESH_H

#include "points.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Over how many points of each axis a particle is spread: by the B-spline of that order. */
typedef enum weft_mesh_window {
    WEFT_MESH_NGP = 1, /* nearest grid point */
    WEFT_MESH_CIC = 2, /* cloud in cell */
    WEFT_MESH_TSC = 3, /* triangular shaped cloud */
    WEFT_MESH_PCS = 4  /* piecewise cubic */
} weft_mesh_window;

enum { WEFT_MESH_MOST = 1 << 20 };

/* Point (i, j, k) lies at i box[0] / n[0], and so on; positions may lie outside the box. */
typedef struct weft_mesh_options {
    int64_t n[3];    /* points along x, y and z: 1 .. WEFT_MESH_MOST */
    double box[3];   /* the period of each axis, above 0 */
    double shift[3]; /* added to positions, in distances of points: -1 .. 1 */
    double units;    /* weft_mesh_deposit: units of a mass of 1, above 0 */
    weft_mesh_window window;
    int64_t first_plane, planes; /* weft_mesh_deposit: along x the planes, modulo n[0], that
                                    the mesh has; 0 planes: it has all, from 0 on */
    uint64_t reserved[6];
} weft_mesh_options;

/* Units of a mass of 1: the power of two of which `total` has at most 2^62 and `largest`,
 * the largest mass, at most 2^50, up to 2^1000; those of both 1 for masses that are not
 * above 0. */
WEFT_API double weft_mesh_units(double largest, double total);

/* Adds the masses of particles to the points around them, in units.
 *   mass    [count] f32 or f64, at least 0; {0}, no array: each has mass 1
 *   mesh    [n[0] n[1] n[2]] i64, the last axis fastest: added to, so fill it with 0 first;
 *           of some planes [planes n[1] n[2]]: what falls beside them is left out
 * A particle's mass in units is rounded to a whole number, halves up, at most 2^52. Shares
 * along x are differences of sums of the window's weights, each times that number and
 * rounded; they are divided along y, and those along z, in the same way. So
 *   - a particle adds exactly its units to the mesh;
 *   - a point is off by at most 3 units and what f64 rounds, for each particle.
 * Cost: window^3 additions a particle, atomic ones on GPUs and on small meshes, else after
 * a sort of particles by where they are (8 bytes of scratch each, and those
 * of the sort).
 * Repeats: bit for bit on every backend, in any order of particles and of calls.
 * Errors: WEFT_E_ARGUMENT (an option; a coordinate that is not finite, a mass below 0 or
 * above 2^52 units, naming the particle), WEFT_E_TYPE, WEFT_E_SHAPE, WEFT_E_MEMORY.
 * Source: Hockney and Eastwood, "Computer simulation using particles", 1988, section 5-3;
 * Sefusatti, Crocce, Scoccimarro and Couchman 2016 (MNRAS 460, 3624) for the cubic one. */
WEFT_API weft_status weft_mesh_deposit(weft_device *device, const weft_points *points,
                                       weft_array mass, const weft_mesh_options *options,
                                       weft_array mesh);

/* The first of the planes that a particle at `x` is spread over, which are as many as the
 * window's points: those behind the last are the first again. Of options that
 * weft_mesh_deposit takes, and a finite x. */
WEFT_API int64_t weft_mesh_plane(const weft_mesh_options *options, double x);

/* The sum of the mesh's numbers, each times the window's weight there, for each particle.
 * With a force that is antisymmetric between points, the same window for both calls
 * conserves momentum (Hockney and Eastwood, section 5-2).
 *   mesh    [n[0] n[1] n[2]] f32 or f64
 *   out     [count] f64
 * `units` is not looked at, and all planes are there. Cost: window^3 reads a particle.
 * Repeats: bit for bit on every backend.
 * Errors: as above. */
WEFT_API weft_status weft_mesh_gather(weft_device *device, const weft_points *points,
                                      const weft_mesh_options *options, weft_array mesh,
                                      weft_array out);

#ifdef __cplusplus
}
#endif
#endif
