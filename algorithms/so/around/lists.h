/* The particles around centers, nearest first, found by many work-items a center: one for
 * each row of cells, then one for each particle. */
#ifndef WEFT_SO_LISTS_H
#define WEFT_SO_LISTS_H

#include "so_lists.kernel.h"
#include "task.h"

/* Of some spheres, one after the other, in scratch. */
typedef struct so_lists {
    i64 first, spheres; /* their places among those that are listed */
    i64 members;
    i32 shift;         /* key >> shift is a particle's sphere, counted from 0 */
    weft_array key;    /* [members] u64 */
    weft_array offset; /* [spheres + 1] i64, from 0 */
    weft_array r2;  /* [members] f64, ascending in each sphere, among equal ones ids do */
    weft_array who; /* [members] u32, their indices in the input */
} so_lists;

typedef void so_lists_use(weft_device *device, const so_task *task, const so_lists *lists,
                          void *context);

/* Whether a device of that style, and cells of these numbers, are for this. */
int so_lists_suit(const weft_device *device, const so_task *task);

/* Calls `use` for all listed centers, as many at once as memory in proportion to a quarter
 * of the particles can hold, and at least one.
 *   list     u32, centers of the task
 *   reach2   [centers] f64, of whom: particles with r^2 <= reach2; below 0: none */
void so_lists_each(weft_device *device, const so_task *task, weft_array list,
                   weft_array reach2, so_lists_use *use, void *context);

#endif
