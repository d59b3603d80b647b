/* Checks and bounds of points, for the algorithms that read them. */
#ifndef WEFT_ALGORITHMS_POINTS_H
#define WEFT_ALGORITHMS_POINTS_H

#include "weft/bodies.h"
#include "points.kernel.h"
#include "weft/register.h"

WEFT_BUNDLE(points_coordinates, (in, u32, x, 0), (in, u32, y, 0), (in, u32, z, 0),
            (value, i64, stride), (value, i32, wide))
typedef points_coordinates_arrays points_words;
WEFT_BUNDLE(points_masses, (optional, u32, words, 0), (value, f64, each),
            (value, i32, wide))

/* Checks that `points` are what weft_points says; `what` names the call. The words of an
 * axis that there is not are scratch of the open scope. */
points_words points_view(weft_device *device, const char *what, const weft_points *points);

/* The velocities of bodies that have them, as points. */
points_words points_velocities(weft_device *device, const char *what,
                               const weft_bodies *bodies);

points_masses_arrays points_masses_of(weft_device *device, const weft_bodies *bodies);

/* A box around nothing; and the one around all boxes of `part`, as points_bounds has it. */
points_box points_empty(void);
points_box points_around(weft_device *device, const char *what, weft_array part, i64 count);

/* The box around them, on the host. Errors: WEFT_E_ARGUMENT where a coordinate is not
 * finite. Undefined for no points. */
points_box points_bounds(weft_device *device, const char *what, const points_words *words,
                         i64 count);

/* The same around some 1,024 of them, an odd number apart, since many start on a lattice of
 * even numbers; `bad` is set where one of these is not finite. */
points_box points_sample(weft_device *device, const points_words *words, i64 count);

/* Scratch of u32: all of one value; the numbers from 0 on. */
weft_array points_filled(weft_device *device, i64 count, u32 value);
weft_array points_numbers(weft_device *device, i64 count);

/* The numbers of the elements whose flag is set, into `to`, u32 or i64, as weft_copy_if
 * does. */
void points_list(weft_device *device, weft_array flags, weft_array to, i64 *count);

/* The same, u32, at the beginning of scratch that is as long as all flags. */
weft_array points_listed(weft_device *device, weft_array flags);

#endif
