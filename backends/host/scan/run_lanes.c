/* Runs of keys by 64 bytes of values at a time: where a key differs from the next one a run
 * ends, and its sum and its key are compressed. */
#include "run_lanes.h"
#include "weft/operators.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include "lanes_avx512.h"

#include <string.h>

/* Bytes ahead of a group that are asked for: where a page ends, processors stop reading
 * ahead by themselves. */
enum { AHEAD = 2 << 10 };

/* Eight keys of 8 bytes or up to sixteen of 4, of which those of the mask are there. */
INLINE __m512i load_keys(const char *from, u32 some, i32 bytes) {
    return bytes == 4 ? _mm512_maskz_loadu_epi32((__mmask16)some, from)
                      : _mm512_maskz_loadu_epi64((__mmask8)some, from);
}

INLINE u32 differ(const char *keys, u32 some, u32 more, i32 bytes) {
    const __m512i a = load_keys(keys, some, bytes),
                  b = load_keys(keys + bytes, more, bytes);
    return bytes == 4 ? _mm512_mask_cmpneq_epi32_mask((__mmask16)more, a, b)
                      : _mm512_mask_cmpneq_epi64_mask((__mmask8)more, a, b);
}

/* Merged into x: lanes made zero instead would wait for what their register held. */
INLINE void compress(char *to, __m512i x, u32 mask, i32 bytes) {
    _mm512_storeu_si512(to, bytes == 4 ? _mm512_mask_compress_epi32(x, (__mmask16)mask, x)
                                       : _mm512_mask_compress_epi64(x, (__mmask8)mask, x));
}

typedef struct walk_of_runs {
    char *keys_out, *sums_out;
    i64 runs;
    u32 begins; /* whether a run begins with the next element */
    __m512i sum;
} walk_of_runs;

/* What each lane's run has come to; of sums that wrap around, what all have: those of runs
 * are what one end has more than the end before, and need no heads on the way. */
INLINE __m512i go_on(walk_of_runs *w, __m512i x, u32 heads, kind k) {
    const u32 all = (1u << lanes_of(k)) - 1;
    if (wraps(k)) {
        const __m512i own = scan_lanes_512(k, x, 0, x), before = w->sum;
        w->sum = add(k, last_lane(k, own), all, before);
        return add(k, own, all, before);
    }
    const __m512i last = last_heads(k, heads);
    const u32 goes_on = open(k, all, last, _mm512_set1_epi32(-1));
    const __m512i y = add(k, scan_lanes_512(k, x, 1, last), goes_on, w->sum);
    w->sum = last_lane(k, y);
    return y;
}

/* Sums up to ends of runs, and behind them up to the last element, become those of runs. */
INLINE void take_differences(char *sums, i64 runs, kind k) {
    u32 *words = (u32 *)(void *)sums;
    u64 *longs = (u64 *)(void *)sums;
    for (i64 r = runs; r > 0 && k == U32; r--)
        words[r] -= words[r - 1];
    for (i64 r = runs; r > 0 && k == U64; r--)
        longs[r] -= longs[r - 1];
}

/* A group of `some` elements: masks of it; `more`: those after which a key is known. */
INLINE void add_group(walk_of_runs *w, const run_part *part, i64 i, u32 some, u32 more,
                      kind k, i32 bytes) {
    const i32 lanes = lanes_of(k), size = 64 / lanes;
    const int split = lanes == 16 && bytes == 8;
    const char *keys = part->keys + i * bytes, *in = part->in + i * size;
    __builtin_prefetch(keys + AHEAD);
    if (split)
        __builtin_prefetch(keys + 64 + AHEAD);
    __builtin_prefetch(in + AHEAD);
    u32 ends = differ(keys, some, more, bytes);
    if (split)
        ends |= differ(keys + 64, some >> 8, more >> 8, bytes) << 8;
    ends |= some & ~more;
    const u32 heads = (ends << 1 | w->begins) & some;
    w->begins = ends >> (lanes - 1);
    const __m512i x = lanes == 16 ? _mm512_maskz_loadu_epi32((__mmask16)some, in)
                                  : _mm512_maskz_loadu_epi64((__mmask8)some, in);
    const __m512i y = go_on(w, x, heads, k);
    compress(w->sums_out + w->runs * size, y, ends, size);
    const i64 first = split ? __builtin_popcount(ends & 0xff) : 0;
    compress(w->keys_out + w->runs * bytes, load_keys(keys, some, bytes), ends, bytes);
    if (split)
        compress(w->keys_out + (w->runs + first) * bytes,
                 load_keys(keys + 64, some >> 8, bytes), ends >> 8, bytes);
    w->runs += __builtin_popcount(ends);
}

INLINE i64 walk(const run_part *part, kind k, i32 bytes, void *keys_out, void *sums_out,
                void *sum) {
    const i64 lanes = lanes_of(k), n = part->n;
    const u32 all = (1u << lanes) - 1;
    walk_of_runs w = {
        .keys_out = keys_out, .sums_out = sums_out, .begins = part->begins != 0};
    w.sum = _mm512_setzero_si512();
    i64 i = 0;
    for (; i + lanes < n; i += lanes)
        add_group(&w, part, i, all, all, k, bytes);
    const u32 some = (1u << (n - i)) - 1;
    add_group(&w, part, i, some, part->ends ? some >> 1 : some, k, bytes);
    if (wraps(k)) {
        char *behind = w.sums_out + w.runs * (64 / lanes);
        store_sum(k, behind, w.sum);
        take_differences(w.sums_out, w.runs, k);
        memcpy(sum, behind, (size_t)(64 / lanes));
    } else {
        store_sum(k, sum, w.sum);
    }
    return w.runs;
}

TARGET static i64 plus_u32_by_4(const run_part *part, void *keys_out, void *sums_out,
                                void *sum) {
    return walk(part, U32, 4, keys_out, sums_out, sum);
}
TARGET static i64 plus_u32_by_8(const run_part *part, void *keys_out, void *sums_out,
                                void *sum) {
    return walk(part, U32, 8, keys_out, sums_out, sum);
}
TARGET static i64 plus_u64_by_4(const run_part *part, void *keys_out, void *sums_out,
                                void *sum) {
    return walk(part, U64, 4, keys_out, sums_out, sum);
}
TARGET static i64 plus_u64_by_8(const run_part *part, void *keys_out, void *sums_out,
                                void *sum) {
    return walk(part, U64, 8, keys_out, sums_out, sum);
}
TARGET static i64 plus_f32_by_4(const run_part *part, void *keys_out, void *sums_out,
                                void *sum) {
    return walk(part, F32, 4, keys_out, sums_out, sum);
}
TARGET static i64 plus_f32_by_8(const run_part *part, void *keys_out, void *sums_out,
                                void *sum) {
    return walk(part, F32, 8, keys_out, sums_out, sum);
}
TARGET static i64 plus_f64_by_4(const run_part *part, void *keys_out, void *sums_out,
                                void *sum) {
    return walk(part, F64, 4, keys_out, sums_out, sum);
}
TARGET static i64 plus_f64_by_8(const run_part *part, void *keys_out, void *sums_out,
                                void *sum) {
    return walk(part, F64, 8, keys_out, sums_out, sum);
}

run_lanes *run_lanes_of(const weft_operator *op, i32 key_bytes) {
    if (op != weft_plus(op->type) || (key_bytes != 4 && key_bytes != 8) ||
        !__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512cd"))
        return NULL;
    const int wide = key_bytes == 8;
    switch (op->type) {
    case WEFT_I32:
    case WEFT_U32:
        return wide ? plus_u32_by_8 : plus_u32_by_4;
    case WEFT_I64:
    case WEFT_U64:
        return wide ? plus_u64_by_8 : plus_u64_by_4;
    case WEFT_F32:
        return wide ? plus_f32_by_8 : plus_f32_by_4;
    case WEFT_F64:
        return wide ? plus_f64_by_8 : plus_f64_by_4;
    default:
        return NULL;
    }
}

#else
run_lanes *run_lanes_of(const weft_operator *op, i32 key_bytes) {
    (void)op, (void)key_bytes;
    return NULL;
}
#endif
