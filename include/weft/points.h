/* The positions of particles, as they lie in memory. */
#ifndef WEFT_POINTS_H
#define WEFT_POINTS_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The coordinates of `count` particles; those of particle i are x[i * stride],
 * y[i * stride] and z[i * stride]. All are f32 or all are f64; they are never rounded. z
 * may be {0}, no array: then it is 0 for all. Any unit of length, but one throughout a
 * call. */
typedef struct weft_points {
    weft_array x, y, z;
    int64_t stride, count;
} weft_points;

/* [3n] x y z x y z ...: three views of one array, no copy.
 * Errors: WEFT_E_SHAPE if the length is not a multiple of three. */
WEFT_API weft_points weft_points_interleaved(weft_device *device, weft_array positions);

/* [2n] x y x y ...: points in a plane; two views of one array, no copy.
 * Errors: WEFT_E_SHAPE if the length is not a multiple of two. */
WEFT_API weft_points weft_points_interleaved_2d(weft_device *device, weft_array positions);

/* [n] each; z may be {0}. Errors: WEFT_E_SHAPE if the lengths differ. */
WEFT_API weft_points weft_points_separate(weft_device *device, weft_array x, weft_array y,
                                          weft_array z);

#ifdef __cplusplus
}
#endif
#endif
