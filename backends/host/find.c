/* The first flag that is set, or not: flags are made in the first cache, a tile at a time.
 * The first block is the caller's; others are taken in ascending order, up to the one in
 * which somebody found something. */
#include "host.h"
#include "weft/register_macros.h"

#include <stdatomic.h>

enum { FIRST = 1 << 15, LEAST = 1 << 13, MOST = 1 << 18, STEP = HOST_TILE / sizeof(u32) };

typedef struct finding {
    const weft_input *flags;
    u32 wanted;
    i64 block;         /* elements */
    _Atomic i64 next;  /* element to look at */
    _Atomic i64 found; /* the first so far, or how many there are */
} finding;

WEFT_CLONES static u32 any(const u32 *flags, u32 wanted, i64 n) {
    u32 is = 0;
    for (i64 i = 0; i < n; i++)
        is |= (flags[i] != 0) == wanted;
    return is;
}

/* The first of [begin, end), or end; no further than what somebody found. */
static i64 look(const finding *f, i64 begin, i64 end) {
    _Alignas(64) u32 tile[STEP];
    for (i64 i = begin; i < end && i < atomic_load(&f->found); i += STEP) {
        const i64 count = end - i < STEP ? end - i : STEP;
        const u32 *flags = host_elements(f->flags, i, i + count, tile);
        if (!any(flags, f->wanted, count))
            continue;
        while ((*flags != 0) != f->wanted)
            flags++, i++;
        return i;
    }
    return end;
}

static void look_at_blocks(void *context, i64 begin, i64 end, i64 thread) {
    finding *f = context;
    (void)begin, (void)end, (void)thread;
    for (i64 i; (i = atomic_fetch_add(&f->next, f->block)) < atomic_load(&f->found);) {
        const i64 n = f->flags->span.length, last = n - i < f->block ? n : i + f->block,
                  at = look(f, i, last);
        i64 found = atomic_load(&f->found);
        while (at < last && at < found &&
               !atomic_compare_exchange_weak(&f->found, &found, at))
            continue;
    }
}

/* Some blocks for each thread, so that none waits long for another. */
static i64 block_of(i64 n, i64 threads) {
    const i64 share = n / (4 * threads);
    return share < LEAST ? LEAST : share < MOST ? share : MOST;
}

i64 host_find(const weft_input *flags, int wanted, const host_crew *crew) {
    const i64 n = flags->span.length, first = n < FIRST ? n : FIRST,
              block = block_of(n, crew->threads), blocks = (n - first + block - 1) / block;
    finding f = {flags, wanted != 0, block, first, n};
    const i64 at = look(&f, 0, first);
    if (at < first)
        return at;
    if (blocks > 0)
        crew->run(crew->team, crew->threads < blocks ? crew->threads : blocks, 1, 1,
                  look_at_blocks, &f);
    return f.found < n ? f.found : -1;
}
