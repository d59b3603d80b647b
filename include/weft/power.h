/* Power spectra: of particles in a periodic box, and of densities on a grid. */
#ifndef WEFT_POWER_H
#define WEFT_POWER_H

#include "mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Several processes share the mesh where each calls with its slab of it, as the others do,
 * and with the particles or the planes of the density that it has. The bits are those of
 * one process with the particles of all, process after process.
 *
 * The call calls what follows, in the same order on all of them. Errors: the device's;
 * other ones the caller keeps and ends with weft_fail.
 *
 * Calls `add` on one process after the other, with what the one before left in `sum`; all
 * get what the last one left. */
typedef void weft_power_add(void *context, void *sum);
typedef weft_status weft_power_in_turn(void *user, weft_device *device, weft_power_add *add,
                                       void *context, void *sum, int64_t bytes);

/* weft_mesh_deposit of the particles of all, onto the planes that the options tell, or, of
 * a process that has none, of no particles. */
typedef weft_status weft_power_deposit(void *user, weft_device *device,
                                       const weft_mesh_options *options, weft_array mesh);

/* weft_fourier_transform of all of the mesh, forward, f64, of which a process has
 *   real      [planes][n[1]][n[2]]
 *   spectrum  [n[0]][rows][columns] complex */
typedef weft_status weft_power_transform(void *user, weft_device *device, weft_array real,
                                         weft_array spectrum);

/* Numbers of the spectrum back to planes.
 *   rows    [n[0]][rows][columns] f64
 *   planes  [planes][n[1]][n[2] / 2 + 1] f64 */
typedef weft_status weft_power_to_planes(void *user, weft_device *device, weft_array rows,
                                         weft_array planes);

/* A part of the mesh: planes along x, 0 or more, process after process; and of its spectrum
 * rows along y, and columns of these along z. All processes together have each plane once,
 * and each column of each row. */
typedef struct weft_power_slab {
    int64_t first_plane, planes;
    int64_t first_row, rows;
    int64_t first_column, columns;
    weft_power_in_turn *in_turn;
    weft_power_deposit *deposit; /* of particles alone */
    weft_power_transform *transform;
    weft_power_to_planes *to_planes;
    void *user; /* for these */
    uint64_t reserved[4];
} weft_power_slab;

typedef struct weft_power_options {
    int64_t n[3];            /* points of the mesh, as weft_fourier_transform takes them */
    double box[3];           /* the period of each axis, above 0 */
    weft_mesh_window window; /* of particles; of a density that with which its points were
                                averaged, 1 for means over cells, or 0 for none */
    int32_t plain;           /* 1: particles on one mesh alone, not interlaced */
    const weft_power_slab *slab; /* NULL: the mesh is this process's alone */
    uint64_t reserved[7];
} weft_power_options;

/* Shell s = 1, 2, ... has the modes whose wave number is s - 1/2 to s + 1/2 times 2 pi over
 * the longest side of the box. How many shells are whole: that lie below the Nyquist wave
 * number of each axis. 0 where there is none. */
WEFT_API int64_t weft_power_shells(const weft_power_options *options);

/* The power spectrum of particles: P(k) = V |sum of m exp(-i k x) / sum of m|^2.
 *   mass    [count] f32 or f64, at least 0 and not all 0; {0}: all are equal
 *   k       [shells] host memory: the mean wave number of the shell's modes, in the inverse
 *           of the box's unit (2 pi is in it)
 *   power   [shells] host memory: the mean of P, in the cube of that unit
 *   modes   [shells] host memory: how many modes that is; k and -k are two
 *   shot_noise   NULL, or V sum of m^2 / (sum of m)^2, which is part of `power`
 * The mesh's window is divided out. Two meshes half a point apart are combined, so that
 * images of an odd sum of shifts, the largest ones, do not alias. What is left is, of an
 * amplitude, of order (k / (4 k_Nyquist - k))^window.
 * Cost: two deposits and two transforms, or one of each. Scratch of 32 bytes a point of the
 * mesh, or 24; of a slab those of its points.
 * Repeats: bit for bit on every backend.
 * Errors: WEFT_E_ARGUMENT (an option; no particles; a bad one, named), WEFT_E_TYPE,
 * WEFT_E_SHAPE, WEFT_E_MEMORY.
 * Source: Sefusatti, Crocce, Scoccimarro and Couchman 2016 (MNRAS 460, 3624); Hockney and
 * Eastwood 1988, section 7-8, for interlacing. */
WEFT_API weft_status weft_power_particles(weft_device *device, const weft_points *points,
                                          weft_array mass,
                                          const weft_power_options *options, double *k,
                                          double *power, int64_t *modes,
                                          double *shot_noise);

/* The same of a density, in any unit: of its ratio to the mean.
 *   density   [n[0] n[1] n[2]] f64 or i64, the last axis fastest; its sum is not 0; of a
 *             slab its planes
 * Errors: as above. */
WEFT_API weft_status weft_power_density(weft_device *device, weft_array density,
                                        const weft_power_options *options, double *k,
                                        double *power, int64_t *modes);

#ifdef __cplusplus
}
#endif
#endif
