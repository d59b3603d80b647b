/* Sorting integers within the cache by vectors: quicksort down to what sixteen registers
 * hold, and a bitonic network there. Each loop is compiled for items of 4 and of 8 bytes.
 * Sources: Batcher, "Sorting networks and their applications", AFIPS 1968; Blacher,
 * Giesen, Sanders and Wassenberg, "Vectorized and performance-portable quicksort", 2022. */
#include "sort_vectors.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include "sort_leaf.h"
#include "sort_split.h"

VECTORS static void sort_leaf4(const char *from, char *to, i64 n) {
    sort_leaf(from, to, n, 4);
}

VECTORS static void sort_leaf8(const char *from, char *to, i64 n) {
    sort_leaf(from, to, n, 8);
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
