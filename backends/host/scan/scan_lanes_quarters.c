/* Scans of sums in four vectors of 16 bytes at a time. */
#include "scan_lanes.h"
#include "weft/register_macros.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define VECTORS
#endif
#endif

#ifdef VECTORS
#define INLINE static inline __attribute__((always_inline))

typedef enum kind { U32, U64, F32, F64 } kind;
enum { QUARTER = 16, QUARTERS = 4, GROUP = QUARTER * QUARTERS };

/* Lanes of 4 bytes, or in pairs those of 8. */
typedef u32 words __attribute__((vector_size(QUARTER)));
typedef u64 longs __attribute__((vector_size(QUARTER)));
typedef f32 floats __attribute__((vector_size(QUARTER)));
typedef f64 doubles __attribute__((vector_size(QUARTER)));

INLINE int is_narrow(kind k) {
    return k == U32 || k == F32;
}

INLINE words add(kind k, words a, words b) {
    switch (k) {
    case U32:
        return a + b;
    case U64:
        return (words)((longs)a + (longs)b);
    case F32:
        return (words)((floats)a + (floats)b);
    default:
        return (words)((doubles)a + (doubles)b);
    }
}

INLINE words last_lane(kind k, words x) {
    return is_narrow(k) ? __builtin_shufflevector(x, x, 3, 3, 3, 3)
                        : __builtin_shufflevector(x, x, 2, 3, 2, 3);
}

INLINE words first_lane(kind k, words x) {
    return is_narrow(k) ? __builtin_shufflevector(x, x, 0, 0, 2, 2)
                        : __builtin_shufflevector(x, x, 0, 1, 0, 1);
}

/* Each lane the one before, the first the last of `before`. */
INLINE words one_later(kind k, words before, words x) {
    return is_narrow(k) ? __builtin_shufflevector(before, x, 3, 4, 5, 6)
                        : __builtin_shufflevector(before, x, 2, 3, 4, 5);
}

/* What stays closed: a lane with a head at it or before it in what was summed. */
typedef struct group {
    words x[QUARTERS], closed[QUARTERS];
} group;

/* Puts s before x in the lanes of the mask that are open. (No sum is -0, so adding 0 to the
 * others changes nothing.) */
INLINE void put(kind k, group *g, int q, words mask, words s) {
    g->x[q] = add(k, s & mask & ~g->closed[q], g->x[q]);
}

INLINE void scan_quarter(kind k, group *g, int q) {
    const words second = {0, 0, ~0u, ~0u}, odd = {0, ~0u, 0, ~0u};
    put(k, g, q, is_narrow(k) ? odd : second, first_lane(k, g->x[q]));
    g->closed[q] |= first_lane(k, g->closed[q]);
    if (is_narrow(k)) {
        put(k, g, q, second, __builtin_shufflevector(g->x[q], g->x[q], 1, 1, 1, 1));
        g->closed[q] |= __builtin_shufflevector(g->closed[q], g->closed[q], 0, 1, 1, 1);
    }
}

/* Puts what quarter `from` has come to before another. */
INLINE void join(kind k, group *g, int from, int q) {
    const words all = {~0u, ~0u, ~0u, ~0u};
    put(k, g, q, all, last_lane(k, g->x[from]));
    g->closed[q] |= last_lane(k, g->closed[from]);
}

INLINE words load(const void *from) {
    words x;
    memcpy(&x, from, sizeof x);
    return x;
}

INLINE words load_heads(kind k, const u32 *heads) {
    const words zero = {0, 0, 0, 0};
    if (is_narrow(k))
        return (words)(load(heads) != zero);
    const words pairs = {heads[0], heads[0], heads[1], heads[1]};
    return (words)(pairs != zero);
}

INLINE void store(void *to, words x, int bypass) {
#ifdef __SSE2__
    if (bypass) {
        _mm_stream_si128(to, (__m128i)x);
        return;
    }
#endif
    (void)bypass;
    memcpy(to, &x, sizeof x);
}

/* What precedes a group: its sum in all lanes, and the quarter before it. */
typedef struct walk {
    words sum, before;
} walk;

INLINE void scan_group(kind k, walk *w, const char *in, const u32 *heads, int exclusive,
                       char *out, int bypass) {
    enum { NARROW = QUARTER / sizeof(u32), WIDE = QUARTER / sizeof(u64) };
    const words zero = {0, 0, 0, 0}, all = ~zero;
    const int lanes = is_narrow(k) ? NARROW : WIDE;
    group g;
    words head[QUARTERS];
    WEFT_UNROLL
    for (int q = 0; q < QUARTERS; q++) {
        g.x[q] = load(in + q * QUARTER);
        if (k == F32 || k == F64)
            g.x[q] = add(k, zero, g.x[q]);
        g.closed[q] = head[q] = heads ? load_heads(k, heads + q * lanes) : zero;
        scan_quarter(k, &g, q);
    }
    join(k, &g, 0, 1);
    join(k, &g, 2, 3);
    join(k, &g, 1, 2);
    join(k, &g, 1, 3);
    WEFT_UNROLL
    for (int q = 0; q < QUARTERS; q++) {
        put(k, &g, q, all, w->sum);
        words y = g.x[q];
        if (exclusive)
            y = one_later(k, w->before, y) & ~head[q];
        w->before = g.x[q];
        store(out + q * QUARTER, y, bypass);
    }
    w->sum = last_lane(k, w->before);
}

INLINE void walk_all(kind k, const char *in, const u32 *heads, int exclusive, i64 n,
                     void *sum, char *out, int bypass, const char *fetch) {
    const size_t size = is_narrow(k) ? sizeof(u32) : sizeof(u64);
    const i64 lanes = GROUP / (i64)size, whole = n / lanes * lanes;
    _Alignas(GROUP) char some[GROUP] = {0};
    u32 some_heads[GROUP / sizeof(u32)] = {0};
    memcpy(some, sum, size);
    walk w = {.sum = load(some)};
    w.sum = is_narrow(k) ? __builtin_shufflevector(w.sum, w.sum, 0, 0, 0, 0)
                         : __builtin_shufflevector(w.sum, w.sum, 0, 1, 0, 1);
    w.before = w.sum;
    for (i64 i = 0; i < whole; i += lanes) {
        if (heads)
            __builtin_prefetch(fetch + (size_t)i * size);
        else
            __builtin_prefetch(fetch + (size_t)i * size, 0, 2);
        scan_group(k, &w, in + (size_t)i * size, heads ? heads + i : NULL, exclusive,
                   out + (size_t)i * size, bypass);
    }
    if (whole < n) {
        memset(some, 0, sizeof some);
        memcpy(some, in + (size_t)whole * size, (size_t)(n - whole) * size);
        if (heads)
            memcpy(some_heads, heads + whole, (size_t)(n - whole) * sizeof *heads);
        scan_group(k, &w, some, heads ? some_heads : NULL, exclusive, some, 0);
        memcpy(out + (size_t)whole * size, some, (size_t)(n - whole) * size);
    }
    memcpy(sum, &w.sum, size);
}

INLINE void walk_any(kind k, const void *in, const u32 *heads, int exclusive, i64 n,
                     void *sum, void *out, int bypass, const char *fetch) {
    if (heads && exclusive)
        walk_all(k, in, heads, 1, n, sum, out, bypass, fetch);
    else if (heads)
        walk_all(k, in, heads, 0, n, sum, out, bypass, fetch);
    else if (exclusive)
        walk_all(k, in, NULL, 1, n, sum, out, bypass, fetch);
    else
        walk_all(k, in, NULL, 0, n, sum, out, bypass, fetch);
}

WEFT_CLONES static void plus_u32(const void *in, const u32 *heads, int exclusive, i64 n,
                                 void *sum, void *out, int bypass, const void *fetch) {
    walk_any(U32, in, heads, exclusive, n, sum, out, bypass, fetch ? fetch : in);
}
WEFT_CLONES static void plus_u64(const void *in, const u32 *heads, int exclusive, i64 n,
                                 void *sum, void *out, int bypass, const void *fetch) {
    walk_any(U64, in, heads, exclusive, n, sum, out, bypass, fetch ? fetch : in);
}
WEFT_CLONES static void plus_f32(const void *in, const u32 *heads, int exclusive, i64 n,
                                 void *sum, void *out, int bypass, const void *fetch) {
    walk_any(F32, in, heads, exclusive, n, sum, out, bypass, fetch ? fetch : in);
}
WEFT_CLONES static void plus_f64(const void *in, const u32 *heads, int exclusive, i64 n,
                                 void *sum, void *out, int bypass, const void *fetch) {
    walk_any(F64, in, heads, exclusive, n, sum, out, bypass, fetch ? fetch : in);
}

const scan_lanes_set scan_lanes_quarters = {plus_u32, plus_u64, plus_f32, plus_f64};
#else
const scan_lanes_set scan_lanes_quarters = {NULL, NULL, NULL, NULL};
#endif
