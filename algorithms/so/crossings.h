/* First crossings, found by many work-items a center. */
#ifndef WEFT_SO_CROSSINGS_H
#define WEFT_SO_CROSSINGS_H

#include "so_crossings.kernel.h"
#include "algorithms/so/around/task.h"

WEFT_BUNDLE(so_found, (optional, f64, within, 0), (inout, f64, reach, 0),
            (inout, i64, need, 0), (inout, i64, count, 0), (inout, f64, mass, 0),
            (inout, f64, radius, 0))

/* Looks once around listed centers (u32), as far as `reach` says. Notes what is known then,
 * or a larger reach and a need above 0. */
void so_crossings_measure(weft_device *device, const so_task *task, weft_array list,
                          const so_found_arrays *found);

#endif
