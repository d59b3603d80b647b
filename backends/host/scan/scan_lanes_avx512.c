/* Scans of sums, 64 bytes at a time. */
#include "scan_lanes.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include "lanes_avx512.h"

/* y, each lane the one before; the first the last of `before`; 0 where one begins. */
INLINE __m512i one_later(kind k, __m512i before, __m512i y, u32 heads) {
    return lanes_of(k) == 16 ? _mm512_maskz_alignr_epi32((__mmask16)~heads, y, before, 15)
                             : _mm512_maskz_alignr_epi64((__mmask8)~heads, y, before, 7);
}

typedef struct walk {
    const char *in;
    const u32 *heads;
    char *out;
    const char *fetch;
    __m512i sum, before; /* in all lanes; the group before, or in all lanes the sum */
} walk;

/* A group of `some` elements: masks of it. */
INLINE void scan_group(kind k, walk *w, i64 i, u32 some, int headed, int exclusive,
                       int bypass) {
    const int narrow = lanes_of(k) == 16;
    const u32 all = narrow ? 0xffff : 0xff;
    const i64 size = narrow ? 4 : 8;
    const __mmask16 words = (__mmask16)some;
    if (headed)
        __builtin_prefetch(w->fetch + i * size);
    else
        __builtin_prefetch(w->fetch + i * size, 0, 2);
    __m512i x = some == all ? _mm512_loadu_si512(w->in + i * size)
                : narrow    ? _mm512_maskz_loadu_epi32(words, w->in + i * size)
                            : _mm512_maskz_loadu_epi64((__mmask8)some, w->in + i * size);
    u32 heads = 0;
    if (headed) {
        const __m512i flags = _mm512_maskz_loadu_epi32(words, w->heads + i);
        heads = _mm512_test_epi32_mask(flags, flags);
    }
    const __m512i last = last_heads(k, heads);
    x = scan_lanes_512(k, x, headed, last);
    const u32 goes_on = headed ? open(k, all, last, _mm512_set1_epi32(-1)) : all;
    __m512i y = add(k, x, goes_on, w->sum);
    w->sum = headed ? last_lane(k, y) : add(k, last_lane(k, x), all, w->sum);
    if (exclusive) {
        const __m512i inclusive = y;
        y = one_later(k, w->before, y, heads);
        w->before = inclusive;
    }
    if (some == all && bypass)
        _mm512_stream_si512((__m512i *)(void *)(w->out + i * size), y);
    else if (some == all)
        _mm512_storeu_si512(w->out + i * size, y);
    else if (narrow)
        _mm512_mask_storeu_epi32(w->out + i * size, words, y);
    else
        _mm512_mask_storeu_epi64(w->out + i * size, (__mmask8)some, y);
}

INLINE void walk_all(kind k, walk w, int headed, int exclusive, i64 n, void *sum,
                     int bypass) {
    const i64 lanes = lanes_of(k), whole = n / lanes * lanes;
    const u32 all = (1u << lanes) - 1;
    w.sum = load_sum(k, sum);
    w.before = w.sum;
    for (i64 i = 0; i < whole; i += lanes)
        scan_group(k, &w, i, all, headed, exclusive, bypass);
    if (whole < n)
        scan_group(k, &w, whole, (1u << (n - whole)) - 1, headed, exclusive, 0);
    store_sum(k, sum, w.sum);
}

INLINE void walk_any(kind k, const void *in, const u32 *heads, int exclusive, i64 n,
                     void *sum, void *out, int bypass, const char *fetch) {
    const walk w = {.in = in, .heads = heads, .out = out, .fetch = fetch};
    if (heads && exclusive)
        walk_all(k, w, 1, 1, n, sum, bypass);
    else if (heads)
        walk_all(k, w, 1, 0, n, sum, bypass);
    else if (exclusive)
        walk_all(k, w, 0, 1, n, sum, bypass);
    else
        walk_all(k, w, 0, 0, n, sum, bypass);
}

TARGET static void plus_u32(const void *in, const u32 *heads, int exclusive, i64 n,
                            void *sum, void *out, int bypass, const void *fetch) {
    walk_any(U32, in, heads, exclusive, n, sum, out, bypass, fetch ? fetch : in);
}
TARGET static void plus_u64(const void *in, const u32 *heads, int exclusive, i64 n,
                            void *sum, void *out, int bypass, const void *fetch) {
    walk_any(U64, in, heads, exclusive, n, sum, out, bypass, fetch ? fetch : in);
}
TARGET static void plus_f32(const void *in, const u32 *heads, int exclusive, i64 n,
                            void *sum, void *out, int bypass, const void *fetch) {
    walk_any(F32, in, heads, exclusive, n, sum, out, bypass, fetch ? fetch : in);
}
TARGET static void plus_f64(const void *in, const u32 *heads, int exclusive, i64 n,
                            void *sum, void *out, int bypass, const void *fetch) {
    walk_any(F64, in, heads, exclusive, n, sum, out, bypass, fetch ? fetch : in);
}

const scan_lanes_set scan_lanes_avx512 = {plus_u32, plus_u64, plus_f32, plus_f64};
#else
const scan_lanes_set scan_lanes_avx512 = {NULL, NULL, NULL, NULL};
#endif
