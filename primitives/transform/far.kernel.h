/* Elements all over more memory than caches hold are asked for well before they are moved:
 * a second cache has more requests under way than a first one, which stores take by turns.
 * Neighbours are not: processors read ahead there. */
#ifndef WEFT_FAR_KERNEL_H
#define WEFT_FAR_KERNEL_H

#include <weft/kernel.h>

/* Elements of a work-item, those whose places are looked at together, and how far ahead;
 * how far ahead lines that are read and written one after the other are asked for, since
 * processors stop where a page ends. */
enum { FAR_EACH = 1024, FAR_GROUP = 8, FAR_AHEAD = 64, FAR_APART = 512, FAR_LINES = 1024 };

static inline int far_apart(u64 first, u64 last) {
    return last - first + FAR_APART > 2 * FAR_APART;
}

#endif
