/* From squares of modes to shells. */
#ifndef WEFT_ALGORITHMS_POWER_H
#define WEFT_ALGORITHMS_POWER_H

#include "weft/power.h"
#include "weft/short_names.h"

/* The mean over each shell of squares [n[0] n[1] (n[2] / 2 + 1)] f64, times `factor`; one
 * plane of them at a time is on the host, so that sums have one order. */
void power_shells(weft_device *device, const weft_power_options *options,
                  weft_array squares, f64 factor, f64 *k, f64 *power, i64 *modes);

#endif
