/* Sorting integers within the cache by vectors: quicksort down to what sixteen registers
 * hold, and a bitonic network there. Each loop is compiled for items of 4 and of 8 bytes.
 * Sources: Batcher, "Sorting networks and their applications", AFIPS 1968; Blacher,
 * Giesen, Sanders and Wassenberg, "Vectorized and performance-portable quicksort", 2022. */
#include "sort_vectors.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include "sort_network.h"

/* The first `n` lanes, where that is no more than there are. */
INLINE __mmask16 first_lanes(i64 n) {
    return (__mmask16)(n >= 16 ? 0xffff : n <= 0 ? 0 : (1u << n) - 1);
}

INLINE __m512i load(const char *from, i64 n, i32 size) {
    const __m512i last = _mm512_set1_epi32(-1);
    return size == 4 ? _mm512_mask_loadu_epi32(last, first_lanes(n), from)
                     : _mm512_mask_loadu_epi64(last, (__mmask8)first_lanes(n), from);
}

INLINE void store(char *to, __m512i a, i64 n, i32 size) {
    if (size == 4)
        _mm512_mask_storeu_epi32(to, first_lanes(n), a);
    else
        _mm512_mask_storeu_epi64(to, (__mmask8)first_lanes(n), a);
}

/* n elements that `rows` registers hold; `to` may be `from`. */
INLINE void sort_few(const char *from, char *to, i64 n, i32 rows, i32 size) {
    const i64 lanes = 64 / size;
    __m512i v[ROWS];
#pragma GCC unroll 16
    for (i32 r = 0; r < rows; r++)
        v[r] = load(from + 64 * r, n - r * lanes, size);
    sort_registers(v, rows, size);
    if (rows > 1)
        interleave(v, rows, size);
    if (rows > 2)
        interleave(v, rows, size);
    if (rows > 4)
        interleave(v, rows, size);
    if (rows > 8)
        interleave(v, rows, size);
#pragma GCC unroll 16
    for (i32 r = 0; r < rows; r++)
        store(to + 64 * r, v[r], n - r * lanes, size);
}

INLINE void sort_leaf(const char *from, char *to, i64 n, i32 size) {
    const i64 lanes = 64 / size;
    if (n <= lanes)
        sort_few(from, to, n, 1, size);
    else if (n <= 2 * lanes)
        sort_few(from, to, n, 2, size);
    else if (n <= 4 * lanes)
        sort_few(from, to, n, 4, size);
    else if (n <= 8 * lanes)
        sort_few(from, to, n, 8, size);
    else
        sort_few(from, to, n, 16, size);
}

VECTORS static void sort_leaf4(const char *from, char *to, i64 n) {
    sort_leaf(from, to, n, 4);
}

VECTORS static void sort_leaf8(const char *from, char *to, i64 n) {
    sort_leaf(from, to, n, 8);
}

INLINE u64 element(const char *from, i64 i, i32 size) {
    u32 x4;
    u64 x8;
    if (size == 4)
        return __builtin_memcpy(&x4, from + 4 * i, 4), x4;
    return __builtin_memcpy(&x8, from + 8 * i, 8), x8;
}

/* Where elements lie: no less than `least`, no more than `most`. */
typedef struct range {
    u64 least, most;
} range;

/* n is no less than a register holds. */
INLINE range range_of(const char *from, i64 n, i32 size) {
    const i64 lanes = 64 / size;
    __m512i low = _mm512_loadu_si512(from + (n - lanes) * size), high = low;
    for (i64 i = 0; i + lanes <= n; i += lanes) {
        const __m512i x = _mm512_loadu_si512(from + i * size);
        low = least(low, x, size);
        high = most(high, x, size);
    }
    return size == 4 ? (range){_mm512_reduce_min_epu32(low), _mm512_reduce_max_epu32(high)}
                     : (range){_mm512_reduce_min_epu64(low), _mm512_reduce_max_epu64(high)};
}

/* The median of a sample, or what follows it, so that some elements are below it and some
 * are not; 0 where the sample's are all equal. */
INLINE u64 sampled_pivot(const char *from, i64 n, i32 size) {
    const i64 lanes = 64 / size, step = (n - lanes) / 2;
    _Alignas(64) char sample[64];
    __m512i v[3];
    for (i32 k = 0; k < 3; k++)
        v[k] = _mm512_loadu_si512(from + k * step * size);
    exchange(&v[0], &v[1], size);
    exchange(&v[1], &v[2], size);
    exchange(&v[0], &v[1], size);
    sort_registers(&v[1], 1, size);
    _mm512_store_si512(sample, v[1]);
    const u64 low = element(sample, 0, size), middle = element(sample, lanes / 2, size);
    if (low == element(sample, lanes - 1, size))
        return 0;
    return middle > low ? middle : low + 1;
}

/* The middle of the range, or of few elements where those below nearly fill the registers:
 * no input needs more such pivots than a key has bits. */
INLINE u64 middle_pivot(range r, i64 n, i32 size) {
    const i64 few = ROWS * 64 / size, goal = few - few / 8;
    const u64 width = r.most - r.least, each = width / (u64)n;
    return n < 2 * goal && each > 0 ? r.least + each * (u64)goal : r.most - width / 2;
}

/* The lanes in the mask first. Merged into `x`, since an instruction that clears what it
 * does not write waits on Zen 5 for the last one that wrote its register. */
INLINE __m512i compressed(__m512i x, u32 mask, i32 size) {
    return size == 4 ? _mm512_mask_compress_epi32(x, (__mmask16)mask, x)
                     : _mm512_mask_compress_epi64(x, (__mmask8)mask, x);
}

/* What is needed next: the rest of a chunk, and other chunks. */
typedef struct ahead {
    const char *line, *chunk_end, *memory;
    i64 length;
    const u32 *chunk, *end;
} ahead;

/* A line at a time, between other work: the processor waits where it is asked for many. */
INLINE void fetch_line(ahead *next) {
    if (next->line == next->chunk_end) {
        if (next->chunk == next->end)
            return;
        next->line = next->memory + *next->chunk++ * next->length;
        next->chunk_end = next->line + next->length;
    }
    __builtin_prefetch(next->line, 0, 2);
    next->line += 64;
}

/* One register's elements: how many are below. */
INLINE i64 split_register(__m512i x, char *low, char *above, __m512i pivot, i32 size) {
    const u32 less =
        size == 4 ? _mm512_cmplt_epu32_mask(x, pivot) : _mm512_cmplt_epu64_mask(x, pivot);
    _mm512_storeu_si512(low, compressed(x, less, size));
    _mm512_storeu_si512(above, compressed(x, ~less, size));
    return __builtin_popcount(less);
}

/* Elements below the pivot to `low`, which may be `from`, the others to `above`. Returns
 * how many are below. */
INLINE i64 split(const char *from, i64 n, char *low, char *above, u64 pivot, i32 size,
                 ahead *next) {
    const i64 lanes = 64 / size;
    const __m512i middle =
        size == 4 ? _mm512_set1_epi32((i32)(u32)pivot) : _mm512_set1_epi64((i64)pivot);
    i64 below = 0, i = 0;
    while (i + 4 * lanes <= n) {
        fetch_line(next);
#pragma GCC unroll 4
        for (i32 k = 0; k < 4; k++, i += lanes)
            below += split_register(_mm512_loadu_si512(from + i * size), low + below * size,
                                    above + (i - below) * size, middle, size);
    }
    for (; i + lanes <= n; i += lanes)
        below += split_register(_mm512_loadu_si512(from + i * size), low + below * size,
                                above + (i - below) * size, middle, size);
    for (; i < n; i++) {
        const u64 x = element(from, i, size);
        char *to = x < pivot ? low + below * size : above + (i - below) * size;
        __builtin_memcpy(to, from + i * size, (size_t)size);
        below += x < pivot;
    }
    return below;
}

/* What is sorted, and how. */
typedef struct course {
    range in;
    int samples; /* pivots that may yet come from samples, */
    int uneven;  /* since the middle of a range is no good one */
    ahead *next; /* what to fetch meanwhile, or NULL */
} course;

/* Of the two parts the lower one stays, with its spare memory behind the upper one's
 * elements; that one's spare memory is what it has left. */
VECTORS static void quicksort4(char *from, char *spare, char *to, i64 n, course c);
VECTORS static void quicksort8(char *from, char *spare, char *to, i64 n, course c);

INLINE void quicksort(char *from, char *spare, char *to, i64 n, course c, i32 size) {
    const i64 few = ROWS * 64 / size;
    while (n > few) {
        u64 pivot = c.uneven && c.samples-- > 0 ? sampled_pivot(from, n, size) : 0;
        if (pivot == 0) {
            if (c.uneven)
                c.in = range_of(from, n, size);
            if (c.in.least == c.in.most) {
                __builtin_memcpy(to, from, (size_t)(n * size));
                return;
            }
            pivot = middle_pivot(c.in, n, size);
        }
        const i64 below = split(from, n, from, spare, pivot, size, c.next),
                  above = n - below;
        c.uneven |= n > 2 * few && (below < n / 8 || above < n / 8);
        course lower = c;
        lower.in.most = pivot - 1;
        if (size == 4)
            quicksort4(from, spare + above * size, to, below, lower);
        else
            quicksort8(from, spare + above * size, to, below, lower);
        char *const left = from + below * size;
        from = spare;
        spare = left;
        to += below * size;
        c.in.least = pivot;
        n = above;
    }
    if (size == 4)
        sort_leaf4(from, to, n);
    else
        sort_leaf8(from, to, n);
}

VECTORS static void quicksort4(char *from, char *spare, char *to, i64 n, course c) {
    quicksort(from, spare, to, n, c, 4);
}

VECTORS static void quicksort8(char *from, char *spare, char *to, i64 n, course c) {
    quicksort(from, spare, to, n, c, 8);
}

/* Pivots from samples for n elements. */
static inline int samples_of(i64 n) {
    return 2 * (64 - __builtin_clzll((u64)n));
}

VECTORS static void sort_vectors(char *items, char *spare, char *to, i64 n, i32 size) {
    ahead nothing = {.length = 0};
    course c = {.samples = samples_of(n), .next = &nothing};
    if (n >= 64 / size)
        c.in = range_of(items, n, size);
    if (size == 4)
        quicksort4(items, spare, to, n, c);
    else
        quicksort8(items, spare, to, n, c);
}

INLINE const char *chunk_of(const sort_chunks *c, i64 k) {
    return c->memory + c->chunk[k] * c->length;
}

INLINE i64 split_chunks(const sort_chunks *c, char *low, char *above, u64 pivot, i32 size,
                        ahead *next) {
    i64 below = 0, others = 0;
    for (i64 k = 0; k < c->chunks; k++) {
        const i64 n = c->items[c->chunk[k]];
        const i64 less = split(chunk_of(c, k), n, low + below * size, above + others * size,
                               pivot, size, next);
        below += less;
        others += n - less;
    }
    return below;
}

INLINE range range_of_chunks(const sort_chunks *c, i32 size) {
    range all = {~0ull, 0};
    for (i64 k = 0; k < c->chunks; k++) {
        const char *from = chunk_of(c, k);
        const i64 n = c->items[c->chunk[k]];
        range r = {~0ull, 0};
        if (n >= 64 / size)
            r = range_of(from, n, size);
        for (i64 i = 0; n < 64 / size && i < n; i++) {
            const u64 x = element(from, i, size);
            r = (range){x < r.least ? x : r.least, x > r.most ? x : r.most};
        }
        all.least = r.least < all.least ? r.least : all.least;
        all.most = r.most > all.most ? r.most : all.most;
    }
    return all;
}

/* As quicksort, whose first split reads the chunks. */
INLINE void sort_chunks_sized(const sort_chunks *chunks, char *low, char *high, char *to,
                              i64 n, i32 size) {
    const range told = {chunks->least, chunks->most};
    const range in = told.least > told.most ? range_of_chunks(chunks, size) : told;
    ahead next = {.memory = chunks->memory,
                  .length = chunks->length,
                  .chunk = chunks->chunk + chunks->chunks,
                  .end = chunks->end};
    course c = {.in = in, .samples = samples_of(n), .next = &next};
    const u64 pivot = in.most - (in.most - in.least) / 2;
    const i64 below = split_chunks(chunks, low, high, pivot, size, &next);
    const i64 above = n - below;
    c.uneven = below < n / 8 || above < n / 8;
    course lower = c;
    lower.in.most = pivot - 1;
    c.in.least = pivot;
    if (size == 4) {
        quicksort4(low, high + above * size, to, below, lower);
        quicksort4(high, low, to + below * size, above, c);
    } else {
        quicksort8(low, high + above * size, to, below, lower);
        quicksort8(high, low, to + below * size, above, c);
    }
}

VECTORS static void sort_chunks4(const sort_chunks *chunks, char *low, char *high, char *to,
                                 i64 n) {
    sort_chunks_sized(chunks, low, high, to, n, 4);
}

VECTORS static void sort_chunks8(const sort_chunks *chunks, char *low, char *high, char *to,
                                 i64 n) {
    sort_chunks_sized(chunks, low, high, to, n, 8);
}

void sort_chunks_by_vectors(const sort_chunks *chunks, void *low, void *high, void *to,
                            i64 n, i32 size) {
    if (size == 4)
        sort_chunks4(chunks, low, high, to, n);
    else
        sort_chunks8(chunks, low, high, to, n);
}

int sort_has_vectors(void) {
    return __builtin_cpu_supports("avx512f") != 0;
}

void sort_by_vectors(void *items, void *spare, void *to, i64 n, i32 size) {
    if (size == 4)
        sort_vectors(items, spare, to, n, 4);
    else
        sort_vectors(items, spare, to, n, 8);
}

#else
int sort_has_vectors(void) {
    return 0;
}

void sort_by_vectors(void *items, void *spare, void *to, i64 n, i32 size) {
    (void)items, (void)spare, (void)to, (void)n, (void)size;
}

void sort_chunks_by_vectors(const sort_chunks *chunks, void *low, void *high, void *to,
                            i64 n, i32 size) {
    (void)chunks, (void)low, (void)high, (void)to, (void)n, (void)size;
}
#endif
