/* The particles around centers, nearest first. */
#ifndef WEFT_SO_MEMBERS_H
#define WEFT_SO_MEMBERS_H

#include "task.h"

/* Of some spheres, one after the other, in scratch. */
typedef struct so_members {
    i64 first, spheres; /* their centers among those of the task */
    i64 members;
    weft_array offset; /* [spheres + 1] i64, from 0 */
    weft_array r2;  /* [members] f64, ascending in each sphere, among equal ones ids do */
    weft_array who; /* [members] u32, their indices in the input */
    weft_array place, velocity; /* [3 members] f64, as the task wants them told: places from
                                   the center, velocities as they were read */
} so_members;

typedef void so_members_use(weft_device *device, const so_task *task,
                            const so_members *members, void *context);

/* Calls `use` for all centers of the task, as many at once as memory in proportion to an
 * eighth of the particles can hold, and at least one.
 *   reach2   [centers] f64, of whom: particles with r^2 <= reach2; below 0: none
 *   count    [centers] i64, how many these are; {0}: they are counted
 * Errors: WEFT_E_ARGUMENT where `count` is wrong, naming the center. */
void so_members_each(weft_device *device, const so_task *task, weft_array reach2,
                     weft_array count, so_members_use *use, void *context);

/* That the sphere of a center holds as many as were announced; WEFT_E_ARGUMENT else. */
void so_members_compare(weft_device *device, const char *call, i64 center, i64 have,
                        i64 announced);

/* The task's search, for lists that tell whose distances they have. */
so_search so_kept_named(const so_task *task);

/* Counts particles with r^2 <= reach2 around all centers; below 0: none. On CPUs they are
 * kept in scratch as far as there is room for half of all, if nobody has kept some.
 *   reach2, count   [centers] f64, i64 */
void so_kept_count_all(weft_device *device, so_task *task, weft_array reach2,
                       weft_array count);

#endif
