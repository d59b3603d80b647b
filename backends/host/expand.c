/* Each element as often as its count says: runs are written into the nearest cache, begun
 * by as many as a vector holds whatever their length, and go around the caches from there.
 * Threads share the way through the counts of a block and then what they make, block after
 * block. */
#include "host.h"
#include "tuning.h"
#include "weft/register_macros.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum { TILE = 1 << 13, WIDE = 32 }; /* bytes */

typedef struct expanding {
    const weft_expand_call *call;
    i64 blocks;
    const u32 *counts;
    const i64 *places;
} expanding;

static i64 smaller(i64 a, i64 b) {
    return a < b ? a : b;
}

/* The last block that begins at a step of the way or before. */
static i64 block_at(const expanding *e, i64 step) {
    i64 low = 0, high = e->blocks;
    while (high - low > 1) {
        const i64 middle = low + (high - low) / 2;
        if (middle * e->call->block + e->places[middle] <= step)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The element that a step of a block's part of the way stands before. */
static i64 element_at(const expanding *e, i64 block, i64 step) {
    const i64 past = step - (block + 1) * e->call->block, first = e->places[block],
              last = smaller(e->places[block + 1], past > first ? past : first);
    return smaller(last, e->call->out.length);
}

/* As many of a value as WIDE bytes hold. */
INLINE void begin_run(char *to, const char *value, i64 size) {
    u64 narrow = 0, some[WIDE / sizeof(u64)];
    memcpy(&narrow, value, (size_t)size);
    narrow |= size == sizeof(u32) ? narrow << 32 : 0;
    for (size_t k = 0; k < WIDE / sizeof(u64); k++)
        some[k] = narrow;
    memcpy(to, some, WIDE);
}

/* What is written goes to `out` by way of a tile. */
typedef struct writer {
    char *out;
    i64 used;
    _Alignas(64) char tile[TILE + WIDE];
} writer;

static void flush(writer *w) {
    host_stream(w->out, w->tile, TILE, 1);
    w->out += TILE;
    w->used -= TILE;
    memcpy(w->tile, w->tile + TILE, WIDE);
}

/* The rest of a run that is begun, in pieces. */
INLINE void write_rest(writer *w, const char *value, i64 bytes, i64 size) {
    for (; bytes > 0; bytes -= WIDE) {
        begin_run(w->tile + w->used, value, size);
        w->used += bytes < WIDE ? bytes : WIDE;
        if (w->used >= TILE)
            flush(w);
    }
}

INLINE void write_runs(writer *w, const char *in, const u32 *counts, i64 n, i64 size) {
    char *tile = w->tile;
    i64 used = w->used;
    for (i64 i = 0; i < n; i++, in += size) {
        const i64 bytes = counts[i] * size;
        begin_run(tile + used, in, size);
        used += bytes < WIDE ? bytes : WIDE;
        if (used < TILE && bytes <= WIDE)
            continue;
        w->used = used;
        if (used >= TILE)
            flush(w);
        write_rest(w, in, bytes - WIDE, size);
        used = w->used;
    }
    w->used = used;
}

/* Those of a block that make elements [from, to) of what it makes. */
static void cut(const u32 *counts, i64 n, i64 from, i64 to, u32 *some) {
    for (i64 i = 0, at = 0; i < n; at += counts[i++]) {
        const i64 begin = at > from ? at : from, end = smaller(at + counts[i], to);
        some[i] = end > begin ? (u32)(end - begin) : 0;
    }
}

/* Elements [from, to), of which the first comes of block b or the next ones. */
INLINE void expand(const expanding *e, i64 b, i64 from, i64 to, i64 size) {
    _Alignas(64) char values[HOST_EXPAND_BLOCK * sizeof(u64)];
    u32 some[HOST_EXPAND_BLOCK];
    writer w = {.out = host_at(e->call->out, from)};
    for (; e->places[b] < to; b++) {
        const i64 first = b * e->call->block, begin = e->places[b], end = e->places[b + 1],
                  n = smaller(e->call->counts.length - first, e->call->block);
        const u32 *counts = e->counts + first;
        if (begin < from || end > to) {
            cut(counts, n, from - begin, to - begin, some);
            counts = some;
        }
        write_runs(&w, host_elements(&e->call->in, first, first + n, values), counts, n,
                   size);
    }
    host_stream(w.out, w.tile, (size_t)w.used, 1);
    host_stream_end();
}

WEFT_CLONES static void expand_4(const expanding *e, i64 b, i64 from, i64 to) {
    expand(e, b, from, to, 4);
}
WEFT_CLONES static void expand_8(const expanding *e, i64 b, i64 from, i64 to) {
    expand(e, b, from, to, 8);
}

static void expand_part(void *context, i64 begin, i64 end, i64 thread) {
    const expanding *e = context;
    const i64 b = block_at(e, begin), from = element_at(e, b, begin),
              to = element_at(e, block_at(e, end), end);
    (void)thread;
    if (from >= to)
        return;
    if (WEFT_SIZE(e->call->out.type) == sizeof(u32))
        expand_4(e, b, from, to);
    else
        expand_8(e, b, from, to);
}

int host_expand(const weft_expand_call *call, const host_crew *crew) {
    const i64 n = call->counts.length, blocks = (n + call->block - 1) / call->block;
    expanding e = {call, blocks, host_at(call->counts, 0), host_at(call->places, 0)};
    if (!host_bypasses(call->out) || call->out.type >= WEFT_STRUCTS ||
        WEFT_SIZE(call->out.type) < sizeof(u32) || call->block > HOST_EXPAND_BLOCK)
        return 0;
    crew->run(crew->team,
              blocks * call->block + smaller(e.places[blocks], call->out.length),
              HOST_PORTION_LEAST, HOST_PORTION_MOST, expand_part, &e);
    return 1;
}
