/* What of a loop one thread begins with, and others help with. */
#ifndef WEFT_BACKENDS_PTHREADS_PORTION_H
#define WEFT_BACKENDS_PTHREADS_PORTION_H

#include "weft/short_names.h"

#include <stdatomic.h>

/* Chunks of [next, end) are still to be done. */
typedef struct portion {
    _Alignas(64) _Atomic i64 next;
    i64 end;
} portion;

/* Takes the next chunk, of at most `size` elements, and fewer as the end comes near, such
 * that each of `sharers` gets some; but not fewer than `least`, nor than are `worth` a
 * chunk while a quarter of what is left is more. */
static inline i64 portion_take(portion *p, i64 least, i64 size, i64 worth, i64 sharers,
                               i64 *end) {
    i64 begin = atomic_load_explicit(&p->next, memory_order_relaxed);
    do {
        const i64 left = p->end - begin;
        i64 fair = left / sharers;
        if (fair < worth)
            fair = worth < left / 4 ? worth : left / 4;
        fair = fair < size ? fair : size;
        const i64 length = fair < least ? least : fair / least * least;
        *end = left < length ? p->end : begin + length;
    } while (begin < p->end && !atomic_compare_exchange_weak(&p->next, &begin, *end));
    return begin;
}

#endif
