/* Selections in one pass: a block is compacted in the cache, then learns where it goes. A
 * partition counts first, to know where the others begin. */
#include "backends/host/host.h"
#include "backends/host/tuning.h"
#include "weft/register_macros.h"

#include <stdatomic.h>

enum { LINE = 64 };

typedef struct selecting {
    const weft_select_call *call;
    i64 length;      /* of a block */
    int in_place;    /* blocks go where blocks before them were, which are in the cache */
    size_t elements; /* bytes of a block's */
    _Atomic i64 counted;
} selecting;

/* A block; those selected follow, the others (of a partition), its elements and its flags
 * (where these are generated). */
typedef struct block {
    _Alignas(LINE) i64 begin;
    i64 count, selected;
    _Alignas(LINE) char memory[];
} block;

static i64 block_length(size_t size) {
    const i64 length = HOST_SELECT_BYTES / (i64)size;
    return length < HOST_SELECT_LEAST  ? HOST_SELECT_LEAST
           : length < HOST_SELECT_MOST ? length
                                       : HOST_SELECT_MOST;
}

static size_t lines(size_t bytes) {
    return (bytes + LINE - 1) / LINE * LINE;
}

static char *elements_of(const selecting *s, block *m, int which) {
    return m->memory + (size_t)which * s->elements;
}

static void within(void *context, i64 b, void *memory, void *total) {
    selecting *s = context;
    const weft_select_call *call = s->call;
    const size_t size = WEFT_SIZE(call->out.type);
    const i64 n = call->flags.span.length, begin = b * s->length,
              end = n - begin < s->length ? n : begin + s->length;
    block *m = memory;
    m->begin = begin;
    m->count = end - begin;
    const int parts = call->partition ? 2 : 1, own = call->in.generator ? 1 : 0;
    const void *in = host_elements(&call->in, begin, end, elements_of(s, m, parts));
    const u32 *flags =
        host_elements(&call->flags, begin, end, elements_of(s, m, parts + own));
    m->selected = host_compact(in, flags, call->keep, m->count, size, elements_of(s, m, 0));
    if (call->partition)
        host_compact(in, flags, !call->keep, m->count, size, elements_of(s, m, 1));
    *(i64 *)total = m->selected;
}

static void join(void *context, void *sum, const void *total) {
    (void)context;
    *(i64 *)sum += *(const i64 *)total;
}

static void finish(void *context, i64 b, void *memory, const void *sum, i64 next) {
    selecting *s = context;
    block *m = memory;
    const i64 place = *(const i64 *)sum;
    (void)b, (void)next;
    if (s->in_place && place == m->begin && m->selected == m->count)
        return; /* and so nobody writes what the next block may read */
    host_put(s->call->out, place, elements_of(s, m, 0), m->selected);
    if (s->call->partition)
        host_put(s->call->out, s->counted + m->begin - place, elements_of(s, m, 1),
                 m->count - m->selected);
}

WEFT_CLONES static i64 count_flags(const u32 *flags, i64 n) {
    u32 count = 0;
    for (i64 i = 0; i < n; i++)
        count += flags[i] != 0;
    return count;
}

static void count_parts(void *context, i64 begin, i64 end, i64 thread) {
    selecting *s = context;
    enum { STEP = HOST_TILE / sizeof(u32) };
    _Alignas(LINE) u32 tile[STEP];
    i64 count = 0;
    (void)thread;
    for (i64 i = begin; i < end; i += STEP) {
        const i64 next = end - i < STEP ? end : i + STEP;
        count += count_flags(host_elements(&s->call->flags, i, next, tile), next - i);
    }
    atomic_fetch_add(&s->counted, s->call->keep ? count : end - begin - count);
}

static void count_all(selecting *s, const host_crew *crew) {
    crew->run(crew->team, s->call->flags.span.length, HOST_PORTION_LEAST, HOST_PORTION_MOST,
              count_parts, s);
}

weft_status host_select(weft_device *device, const weft_select_call *select,
                        const host_crew *crew) {
    const i64 n = select->flags.span.length;
    selecting s = {.call = select};
    i64 *count = host_at(select->count, 0);
    if (select->partition || !select->in.span.type)
        count_all(&s, crew);
    if (!select->in.span.type) {
        *count = s.counted;
        return WEFT_OK;
    }
    const size_t size = WEFT_SIZE(select->out.type);
    s.length = block_length(size);
    s.in_place = select->in.span.memory == select->out.memory &&
                 select->in.span.first == select->out.first;
    s.elements = lines((size_t)s.length * size + LINE);
    const size_t parts = select->partition ? 2 : 1, own = select->in.generator ? 1 : 0,
                 flags = select->flags.generator ? (size_t)s.length * sizeof(u32) : 0;
    const host_chain chain = {(n + s.length - 1) / s.length,
                              sizeof(block) + (parts + own) * s.elements + lines(flags),
                              sizeof(i64),
                              within,
                              join,
                              finish};
    *count = 0;
    return host_run_chain(device, crew, &chain, &s, count);
}
