/* Sums over segments that offsets tell: each by itself in 64 bytes of lanes, which are
 * folded by halves. Threads share the way along elements and segments; a segment that is
 * too long for one is folded as a reduction is. */
#include "backends/host/host.h"
#include "backends/host/tuning.h"
#include "weft/array.h"
#include "weft/operators.h"
#include "weft/register_macros.h"

#include <stdatomic.h>
#include <string.h>

typedef struct summing {
    const weft_segments_call *call;
    i64 n, segments;
    i64 *left; /* segments of more than HOST_FOLD_BLOCK elements, */
    i64 room;  /*   as many as there are where offsets ascend */
    _Atomic i64 left_count;
} summing;

/* Where a segment of n elements begins, whatever the offsets are. */
static inline i64 place(const i64 *offsets, i64 n, i64 segment) {
    const i64 at = offsets[segment] < n ? offsets[segment] : n;
    return at > 0 ? at : 0;
}

static i64 begin_of(const summing *s, i64 segment) {
    return place(host_at(s->call->offsets, 0), s->n, segment);
}

#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define VECTORS
#endif
#endif

#ifdef VECTORS
#define INLINE static inline __attribute__((always_inline))

typedef enum kind { U32, U64, F32, F64 } kind;
enum {
    GROUP = 64,
    WORDS = GROUP / sizeof(u32),
    AHEAD = 1 << 12 /* bytes from here that are fetched: segments are short */
};

typedef u32 words __attribute__((vector_size(GROUP)));
typedef u64 longs __attribute__((vector_size(GROUP)));
typedef f32 floats __attribute__((vector_size(GROUP)));
typedef f64 doubles __attribute__((vector_size(GROUP)));

INLINE void add(kind k, words *sum, const words *x) {
    switch (k) {
    case U32:
        *sum += *x;
        break;
    case U64:
        *sum = (words)((longs)*sum + (longs)*x);
        break;
    case F32:
        *sum = (words)((floats)*sum + (floats)*x);
        break;
    default:
        *sum = (words)((doubles)*sum + (doubles)*x);
    }
}

/* Two groups of ones, two of zeros. */
#define ONES ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u
static const u32 mask[4 * WORDS] = {ONES, ONES, ONES, ONES};

/* Group `which` of a segment of up to two, zeros behind its end; `room`: bytes that can be
 * read. */
INLINE void load(const char *from, i64 bytes, i64 room, int which, words *x) {
    const i64 skipped = which * GROUP;
    if (room >= skipped + GROUP) {
        words all, kept;
        memcpy(&all, from + skipped, GROUP);
        memcpy(&kept, (const char *)mask + (2 * GROUP - bytes) + skipped, GROUP);
        *x = all & kept;
        return;
    }
    memset(x, 0, GROUP);
    if (bytes > skipped)
        memcpy(x, from + skipped, (size_t)(bytes - skipped));
}

INLINE void fold(kind k, words *x) {
    words y = __builtin_shufflevector(*x, *x, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4,
                                      5, 6, 7);
    add(k, x, &y);
    y = __builtin_shufflevector(*x, *x, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10,
                                11);
    add(k, x, &y);
    y = __builtin_shufflevector(*x, *x, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12,
                                13);
    add(k, x, &y);
    if (k == U64 || k == F64)
        return;
    y = __builtin_shufflevector(*x, *x, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15,
                                14);
    add(k, x, &y);
}

INLINE void sum_segment(kind k, const char *from, i64 bytes, i64 room, words *sum) {
    const i64 few = bytes < 2 * GROUP ? bytes : 2 * GROUP;
    words all, x;
    load(from, few, room, 0, &all);
    load(from, few, room, 1, &x);
    add(k, &all, &x);
    i64 at = few;
    for (; at + GROUP <= bytes; at += GROUP) {
        memcpy(&x, from + at, GROUP);
        add(k, &all, &x);
    }
    if (at < bytes) {
        load(from + at, bytes - at, room - at, 0, &x);
        add(k, &all, &x);
    }
    fold(k, &all);
    *sum = all;
}

INLINE void sum_segments(kind k, summing *s, i64 first, i64 last) {
    const i64 size = k == U32 || k == F32 ? sizeof(u32) : sizeof(u64), n = s->n;
    const i64 *offsets = host_at(s->call->offsets, 0);
    const char *in = host_at(s->call->in.span, 0);
    char *out = host_at(s->call->out, 0);
    i64 begin = place(offsets, n, first);
    for (i64 i = first; i < last; i++) {
        const i64 end = place(offsets, n, i + 1), length = end > begin ? end - begin : 0;
        const i64 at = length > HOST_FOLD_BLOCK ? atomic_fetch_add(&s->left_count, 1) : -1;
        if (at >= 0 && at < s->room) {
            s->left[at] = i;
        } else {
            words sum;
            __builtin_prefetch(in + begin * size + AHEAD);
            __builtin_prefetch(in + begin * size + AHEAD + GROUP);
            sum_segment(k, in + begin * size, length * size, (n - begin) * size, &sum);
            memcpy(out + i * size, &sum, (size_t)size);
        }
        begin = end;
    }
}

WEFT_CLONES static void sum_u32(summing *s, i64 first, i64 last) {
    sum_segments(U32, s, first, last);
}
WEFT_CLONES static void sum_u64(summing *s, i64 first, i64 last) {
    sum_segments(U64, s, first, last);
}
WEFT_CLONES static void sum_f32(summing *s, i64 first, i64 last) {
    sum_segments(F32, s, first, last);
}
WEFT_CLONES static void sum_f64(summing *s, i64 first, i64 last) {
    sum_segments(F64, s, first, last);
}

/* The first segment that the way comes to at a step or later. */
static i64 segment_at(const summing *s, i64 step) {
    i64 low = 0, high = s->segments;
    while (low < high) {
        const i64 middle = low + (high - low) / 2;
        if (begin_of(s, middle) - begin_of(s, 0) + middle < step)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void sum_part(void *context, i64 begin, i64 end, i64 thread) {
    summing *s = context;
    const i64 first = segment_at(s, begin), last = segment_at(s, end);
    (void)thread;
    switch (s->call->op->type) {
    case WEFT_I32:
    case WEFT_U32:
        sum_u32(s, first, last);
        break;
    case WEFT_I64:
    case WEFT_U64:
        sum_u64(s, first, last);
        break;
    case WEFT_F32:
        sum_f32(s, first, last);
        break;
    default:
        sum_f64(s, first, last);
    }
}

static int takes(const weft_segments_call *call) {
    const weft_type type = call->op->type;
    return !call->in.generator && call->op == weft_plus(type) &&
           WEFT_SIZE(type) >= sizeof(u32);
}

int host_reduce_segments(weft_device *device, const weft_segments_call *call,
                         const host_crew *crew) {
    const i64 n = call->in.span.length, room = n / HOST_FOLD_BLOCK + 1;
    summing s = {call, n, call->offsets.length - 1, NULL, room, 0};
    if (!takes(call))
        return 0;
    const weft_array list = weft_scratch(device, WEFT_I64, room);
    if (weft_check(device) != WEFT_OK)
        return 1;
    s.left = weft_buffer_memory(list.buffer);
    const i64 elements = begin_of(&s, s.segments) - begin_of(&s, 0);
    crew->run(crew->team, (elements > 0 ? elements : 0) + s.segments, HOST_PORTION_LEAST,
              HOST_PORTION_MOST, sum_part, &s);
    for (i64 k = 0; k < s.left_count && k < room && weft_check(device) == WEFT_OK; k++) {
        const i64 i = s.left[k], begin = begin_of(&s, i);
        weft_input part = call->in;
        weft_span out = call->out;
        part.span.first += begin;
        part.span.length = begin_of(&s, i + 1) - begin;
        out.first += i;
        out.length = 1;
        weft_scope_open(device);
        device->backend->reduce(device, &part, call->op, out);
        weft_scope_close(device);
    }
    return 1;
}
#else
int host_reduce_segments(weft_device *device, const weft_segments_call *call,
                         const host_crew *crew) {
    (void)device, (void)call, (void)crew;
    return 0;
}
#endif
