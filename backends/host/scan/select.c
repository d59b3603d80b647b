/* Selections in one pass: a block is compacted in the cache, then learns where it goes. A
 * partition counts first, to know where the others begin; in place it puts them elsewhere
 * until all who read what they replace are done. */
#include "backends/host/host.h"
#include "backends/host/tuning.h"
#include "weft/array.h"
#include "weft/register_macros.h"

#include <stdatomic.h>

enum {
    LINE = 64,
    STEP = HOST_TILE / sizeof(u32),
    PIECE = 1 << 10 /* bytes that are written before more of the next block is asked for */
};

typedef struct selecting {
    const weft_select_call *call;
    i64 length;       /* of a block */
    int in_place;     /* blocks go where blocks before them were, which are in the cache */
    weft_span others; /* of a partition, where they go from number `counted` on */
    size_t elements;  /* bytes of a block's */
    _Atomic i64 counted;
} selecting;

/* A block; those selected follow, the others (of a partition), and of a tile its elements
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

/* The same where flags are generated, which takes longer: two blocks for each thread. */
static i64 lazy_length(size_t size, i64 n, i64 threads) {
    const i64 most = block_length(size), each = n / (2 * threads) / STEP * STEP;
    const i64 fair = each > HOST_SELECT_FEW ? each : HOST_SELECT_FEW;
    return fair < most ? fair : most;
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
    char *kept = elements_of(s, m, 0), *others = elements_of(s, m, 1),
         *tile = elements_of(s, m, call->partition ? 2 : 1);
    _Alignas(LINE) u32 memory_of_flags[STEP];
    m->begin = begin;
    m->count = end - begin;
    m->selected = 0;
    for (i64 i = begin, next; i < end; i = next) {
        next = end - i < STEP ? end : i + STEP;
        const char *in = host_elements(&call->in, i, next, tile);
        const u32 *flags = host_elements(&call->flags, i, next, memory_of_flags);
        const i64 other = i - begin - m->selected;
        m->selected += host_compact(in, flags, call->keep, next - i, size,
                                    kept + (size_t)m->selected * size,
                                    call->partition ? others + (size_t)other * size : NULL);
    }
    *(i64 *)total = m->selected;
}

static void join(void *context, void *sum, const void *total) {
    (void)context;
    *(i64 *)sum += *(const i64 *)total;
}

/* Asks for elements [from, to) of a block, for the second cache. (Calls of what does
 * nothing else are taken for nothing by gcc, unless they are inlined early.) */
static inline __attribute__((always_inline)) void ask(const selecting *s, i64 b, i64 from,
                                                      i64 to) {
    const size_t size = WEFT_SIZE(s->call->out.type);
    const char *in = host_at(s->call->in.span, b * s->length);
    for (size_t k = (size_t)from * size; k < (size_t)to * size; k += LINE)
        __builtin_prefetch(in + k, 0, 2);
}

/* Puts elements at a place; where they go around the caches, elements [from, to) of the
 * next block (-1: none) are asked for meanwhile, a few with each piece. */
static void put(const selecting *s, weft_span out, i64 place, const char *elements,
                i64 count, i64 next, i64 from, i64 to) {
    const int bypass = host_bypasses(out);
    if (next < 0 || !bypass || s->call->in.generator) {
        host_put(out, place, elements, count, bypass);
        return;
    }
    char *at = host_at(out, place);
    const i64 room = out.length - place < count ? out.length - place : count;
    const size_t bytes = room > 0 ? (size_t)room * WEFT_SIZE(out.type) : 0,
                 head = (size_t)(-(uintptr_t)at % LINE);
    const i64 pieces = bytes < 2 * PIECE ? 1 : (i64)(bytes / PIECE);
    size_t done = 0;
    for (i64 p = 0; p < pieces; p++) {
        const size_t end = p + 1 < pieces ? head + (size_t)(p + 1) * PIECE : bytes;
        ask(s, next, from + (to - from) * p / pieces,
            from + (to - from) * (p + 1) / pieces);
        host_stream(at + done, elements + done, end - done, bypass);
        done = end;
    }
}

static void finish(void *context, i64 b, void *memory, const void *sum, i64 next) {
    selecting *s = context;
    block *m = memory;
    const i64 place = *(const i64 *)sum,
              middle = s->call->partition ? m->selected : m->count;
    (void)b;
    if (s->in_place && place == m->begin && m->selected == m->count)
        return; /* and so nobody writes what the next block may read */
    put(s, s->call->out, place, elements_of(s, m, 0), m->selected, next, 0, middle);
    if (s->call->partition)
        put(s, s->others, s->counted + m->begin - place, elements_of(s, m, 1),
            m->count - m->selected, next, middle, m->count);
}

WEFT_CLONES static i64 count_flags(const u32 *flags, i64 n) {
    u32 count = 0;
    for (i64 i = 0; i < n; i++)
        count += flags[i] != 0;
    return count;
}

static void count_parts(void *context, i64 begin, i64 end, i64 thread) {
    selecting *s = context;
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

/* The others of a partition in place, in scratch. */
static weft_span others_apart(weft_device *device, const weft_select_call *select) {
    const weft_array apart = weft_scratch(device, select->out.type, select->out.length);
    weft_span span = select->out;
    span.first = 0;
    span.memory = weft_check(device) == WEFT_OK ? weft_buffer_memory(apart.buffer) : NULL;
    return span;
}

typedef struct putting {
    weft_input from;
    weft_span to;
} putting;

static void put_part(void *context, i64 begin, i64 end, i64 thread) {
    const putting *p = context;
    (void)thread;
    host_copy(&p->from, p->to, begin, end);
}

static void put_others(const selecting *s, i64 selected, const host_crew *crew) {
    const i64 n = s->call->flags.span.length - selected;
    putting p = {.from.span = s->others, .to = s->call->out};
    p.to.first += selected;
    if (n > 0)
        crew->run(crew->team, n, HOST_PORTION_LEAST, HOST_PORTION_MOST, put_part, &p);
}

weft_status host_select(weft_device *device, const weft_select_call *select,
                        const host_crew *crew) {
    const i64 n = select->flags.span.length;
    selecting s = {.call = select,
                   .others = select->out,
                   .in_place = select->in.span.type && weft_select_is_in_place(select)};
    i64 *count = host_at(select->count, 0);
    const int apart = select->partition && s.in_place;
    if (apart)
        s.others = others_apart(device, select);
    else if (select->partition || !select->in.span.type)
        count_all(&s, crew);
    if (!select->in.span.type) {
        *count = s.counted;
        return WEFT_OK;
    }
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    const size_t size = WEFT_SIZE(select->out.type);
    s.length = select->flags.generator && crew->threads > 1
                   ? lazy_length(size, n, crew->threads)
                   : block_length(size);
    s.elements = lines((size_t)s.length * size + LINE);
    const i64 step = s.length < STEP ? s.length : STEP;
    const size_t parts = select->partition ? 2 : 1,
                 tile = select->in.generator ? lines((size_t)step * size) : 0;
    const host_chain chain = {.blocks = (n + s.length - 1) / s.length,
                              .memory = sizeof(block) + parts * s.elements + tile,
                              .total = sizeof(i64),
                              .once = s.in_place,
                              .within = within,
                              .join = join,
                              .finish = finish};
    *count = 0;
    host_run_chain(device, crew, &chain, &s, count);
    if (apart && weft_check(device) == WEFT_OK)
        put_others(&s, *count, crew);
    return weft_check(device);
}
