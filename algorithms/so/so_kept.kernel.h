/* What weft_so gathered around centers, kept for calls that look at the same spheres. */
#ifndef WEFT_SO_KEPT_KERNEL_H
#define WEFT_SO_KEPT_KERNEL_H

#include "so_gather.kernel.h"

/* All particles up to reach2 of a center, of which no one is nearer than one before it by
 * more than `width`, the shells' that they are kept by; infinite: they are in no order.
 * reach2 below 0: none are kept. */
typedef struct so_kept_list {
    f64 reach2, width;
    i64 begin, count;
} so_kept_list;

/* These lists, to be read. */
typedef struct so_kept {
    GLOBAL const so_kept_list *list; /* NULL: nothing was kept */
    GLOBAL const f64 *r2;
    GLOBAL const u32 *who;
} so_kept;

static inline i32 so_kept_has(const so_kept *kept, index_t c, f64 reach2) {
    return kept->list && reach2 <= kept->list[c].reach2;
}

/* Where those end that may be up to reach2: before one past it by more than the width. */
static inline i64 so_kept_end(const so_kept *kept, const so_kept_list *list, f64 reach2) {
    const f64 reach = sqrt(reach2) + list->width, beyond = reach * reach * (1 + 1e-9);
    i64 low = list->begin, high = list->begin + list->count;
    while (low < high) {
        const i64 middle = low + (high - low) / 2;
        if (kept->r2[middle] > beyond)
            high = middle;
        else
            low = middle + 1;
    }
    return high;
}

/* Those up to reach2 around center c, as so_gather_all finds them. */
static inline void so_kept_take(const so_kept *kept, index_t c, f64 reach2,
                                so_runs_list *to) {
    const so_kept_list list = kept->list[c];
    GLOBAL const f64 *r2 = kept->r2 + list.begin;
    GLOBAL const u32 *who = kept->who + list.begin;
    const i64 some = so_kept_end(kept, &list, reach2) - list.begin;
    i64 count = 0;
    if (to->r2) {
        for (i64 k = 0; k < some; k++) {
            if (count < to->room) { /* the next is written over it unless it is near */
                to->r2[count] = r2[k];
                to->who[count] = who[k];
            }
            count += r2[k] <= reach2;
        }
    } else {
        for (i64 k = 0; k < some; k++)
            count += r2[k] <= reach2;
    }
    to->count = count;
}

#endif
