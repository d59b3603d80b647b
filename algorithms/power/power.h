/* From masses and meshes to shells. */
#ifndef WEFT_ALGORITHMS_POWER_H
#define WEFT_ALGORITHMS_POWER_H

#include "weft/power.h"
#include "weft/short_names.h"

enum { POWER_BLOCK = 1 << 16 /* numbers that are read at a time */ };

/* The part of the mesh that is this process's; without functions where that is all of it.
 */
weft_power_slab power_slab(const weft_power_options *options);
void power_check_slab(weft_device *device, const char *call,
                      const weft_power_options *options);

/* Calls `add`, on one process after the other where there are several. */
void power_in_turn(weft_device *device, const weft_power_options *options,
                   weft_power_add *add, void *context, void *sum, i64 bytes);

/* Particles of all, the largest mass, their sum and that of their squares. Errors: a bad
 * mass; none that is above 0. */
typedef struct power_masses {
    i64 count;
    f64 largest, sum, squares;
} power_masses;
power_masses power_masses_of(weft_device *device, const char *call,
                             const weft_power_options *options, weft_array mass, i64 count);

/* The mean over each shell of squares [planes n[1] (n[2] / 2 + 1)] f64, of this process's
 * planes, times `factor`; one plane of them at a time is on the host, so that sums have one
 * order. */
void power_shells(weft_device *device, const weft_power_options *options,
                  weft_array squares, f64 factor, f64 *k, f64 *power, i64 *modes);

#endif
