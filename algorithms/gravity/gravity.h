/* What a plan holds. */
#ifndef WEFT_ALGORITHMS_GRAVITY_H
#define WEFT_ALGORITHMS_GRAVITY_H

#include "gravity_mesh.kernels.h"
#include "gravity_pairs.kernel.h"
#include "weft/gravity.h"
#include "weft/register.h"

/* How deep the well of a ball of mass 1 and radius 1 is; and that of HACC's polynomial of
 * the same reach, which pairs go on to. */
#define GRAVITY_BALL 2.70703125
#define GRAVITY_HACC_WELL 2.5407920467

WEFT_BUNDLE(gravity_at, (in, u32, x, 0), (in, u32, y, 0), (in, u32, z, 0))
WEFT_BUNDLE(gravity_waves, (in, f64, sharpen, 0), (in, f64, slope, 0), (in, f64, green, 0),
            (in, f64, square, 0), (value, i64, n), (value, i64, first), (value, i64, rows),
            (value, i64, first_column), (value, i64, columns), (value, i64, parts),
            (value, i32, hacc))

struct weft_gravity {
    weft_device *device;
    weft_gravity_options options;
    weft_gravity_slab slab; /* all 0 where the mesh is whole */
    gravity_frame frame;
    f64 units; /* of a mass of 1 on the mesh */
    gravity_waves_arrays waves;
    i64 length;       /* of a spectrum */
    weft_array store; /* two spectra; their memory is the mesh of masses before */
    weft_array real;  /* [frame.extent][mesh][mesh]: densities, then accelerations */
    weft_array own;   /* of these, the planes that are this process's */
};

/* Sorted particles and their tiles: see gravity_tiles.kernel.h. */
WEFT_BUNDLE(gravity_tiles, (in, u32, x, 0), (in, u32, y, 0), (in, u32, z, 0),
            (in, u32, order, 0), (in, u32, tile, 0), (in, u32, first, 0),
            (in, u32, center, 0), (in, f32, size, 0), (value, i64, most),
            (value, i32, bits), (value, u32, wanted), (value, u32, reach),
            (value, f32, scale), (value, f32, soft), (value, f32, edge), (value, f64, unit))

/* Where the blocks `key >> shift` of sorted keys begin: [blocks + 1]. */
void gravity_starts(weft_device *device, weft_array key, i32 shift, i64 blocks,
                    weft_array start);

/* Memory for what pairs need: that of the mesh, which nobody uses meanwhile, while there is
 * some, and scratch. `words` are what is left of it. */
weft_array gravity_take(weft_device *device, weft_array *words, weft_type type, i64 length);

/* Sorts particles, of which the first `wanted` are asked for, in the plan's store and
 * scratch of the open scope; `words` becomes what is left of the store. There are most - 1
 * tiles, at most. */
gravity_tiles_arrays gravity_sorted(weft_device *device, const weft_gravity *plan,
                                    const weft_array at[3], i64 wanted, weft_array *words);

/* The spectrum of what is above the mean density, in the first half of the plan's store;
 * and how many particles there are in all. */
weft_array gravity_spectrum(weft_device *device, weft_gravity *plan, const weft_array at[3],
                            i64 *count);

/* Room for another; and its real numbers, wherever particles look for them. */
weft_array gravity_other(weft_device *device, const weft_gravity *plan);
void gravity_back(weft_device *device, weft_gravity *plan, weft_array spectrum);

/* The well of a particle on the mesh of HACC's split, where it is itself. */
gravity_well gravity_own_well(weft_device *device, const weft_gravity *plan);

/* Tables of the mesh's waves, on the host, for a reach in distances of points. */
void gravity_tables(weft_device *device, weft_gravity *plan);

/* Whether the call's plan and particles are good, and room for what is `wanted` of them. */
int gravity_check(weft_device *device, const char *call, const weft_gravity *plan,
                  const weft_array at[3], const weft_array out[3], i64 wanted);

#endif
