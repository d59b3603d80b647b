/* What a plan holds. */
#ifndef WEFT_ALGORITHMS_GRAVITY_H
#define WEFT_ALGORITHMS_GRAVITY_H

#include "gravity_mesh.kernels.h"
#include "weft/gravity.h"
#include "weft/register.h"

WEFT_BUNDLE(gravity_at, (in, u32, x), (in, u32, y), (in, u32, z))
WEFT_BUNDLE(gravity_waves, (in, f64, sharpen, 0), (in, f64, slope, 0), (in, f64, green, 0),
            (value, i64, n), (value, i64, planes), (value, i64, parts))

struct weft_gravity {
    weft_device *device;
    weft_gravity_options options;
    f64 units; /* of a mass of 1 on the mesh */
    gravity_waves_arrays waves;
    weft_array store; /* two spectra; their memory is the mesh of masses before */
    weft_array real;  /* [mesh^3]: densities, then accelerations */
};

/* Tables of the mesh's waves, on the host, for a reach in distances of points. */
void gravity_tables(weft_device *device, weft_gravity *plan);

/* Whether the call's plan and particles are good. */
int gravity_check(weft_device *device, const char *call, const weft_gravity *plan,
                  const weft_array at[3], const weft_array out[3]);

#endif
