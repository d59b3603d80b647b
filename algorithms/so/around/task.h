/* What calls that look around centers share: the particles in their cells, the centers. */
#ifndef WEFT_SO_TASK_H
#define WEFT_SO_TASK_H

#include "algorithms/cells/cells.h"
#include "algorithms/points/points.h"
#include "so_kept.kernel.h"
#include "weft/so.h"

WEFT_BUNDLE(so_kept, (optional, so_kept_list, list, 0), (optional, f64, r2, 0),
            (optional, u32, who, 0))

typedef struct so_task {
    const char *call;
    so_search search;
    points_words words;
    weft_cells *cells;
    weft_array weight, id; /* words, i64; no arrays where all are equal, or input indices */
    weft_array center;     /* [3 centers] f64 */
    so_kept_arrays kept;   /* by weft_so, if it has */
    i64 told;          /* lists of members on CPUs tell 1: places; 2: velocities, too, */
    points_words flow; /* which are these */
    f64 least;         /* the least mass */
} so_task;

/* Begins the public call `call`, as a task with a scope: checks what it was given, and
 * prepares it. Returns whether there are particles, centers and thresholds at all, and no
 * error; so_task_end is needed in any case, and what comes until then is most of the task.
 */
int so_task_begin(weft_device *device, const char *call, const weft_bodies *bodies,
                  const weft_points *centers, const weft_so_options *options,
                  so_task *task);
void so_task_end(weft_device *device, const weft_so_options *options, so_task *task);

/* A new array of f64 or i64, all 0. */
weft_array so_zeros(weft_device *device, weft_type type, i64 n);

#endif
