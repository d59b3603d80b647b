/* Sorting what lies in the cache. */
#include "radix.h"
#include "weft/register_macros.h"

#include <string.h>

typedef struct radix_plan {
    i32 first, width, passes; /* digits of `width` bits from bit `first` on */
    i64 cost;
} radix_plan;

/* The cheapest way to sort by bits [low, high), in quarters of an item's move. */
static radix_plan plan(i64 n, i32 low, i32 high) {
    const i32 bits = high - low;
    radix_plan best = {low, 0, 0, INT64_MAX};
    for (i32 passes = 1; passes <= RADIX_PASSES; passes++) {
        const i32 width = (bits + passes - 1) / passes;
        if (width > RADIX_DIGIT)
            continue;
        const i64 cost = passes * (4 * n + ((i64)2 << width));
        if (cost < best.cost)
            best = (radix_plan){low, width, passes, cost};
    }
    return best;
}

static inline __attribute__((always_inline)) void count_digits(const char *items, i64 n,
                                                               i32 size,
                                                               const radix_plan *p,
                                                               i32 passes, u32 *counts) {
    const u32 mask = (1u << p->width) - 1;
    for (i64 i = 0; i < n; i++) {
        u64 key = radix_word(items, i, size) >> p->first;
        __builtin_prefetch(items + (n + i) * size, 0, 2); /* what is sorted next */
        for (i32 k = 0; k < passes; k++) {
            counts[((u32)k << p->width) + ((u32)key & mask)]++;
            key >>= p->width;
        }
    }
}

static inline __attribute__((always_inline)) void move(const char *restrict from, i64 n,
                                                       i32 size, i32 shift, u32 mask,
                                                       u32 *restrict place,
                                                       char *restrict to) {
    for (i64 i = 0; i < n; i++) {
        const u32 digit = (u32)(radix_word(from, i, size) >> shift) & mask;
        memcpy(to + (i64)place[digit]++ * size, from + i * size, (size_t)size);
    }
}

/* Counts to places; 0 where all items share one digit. */
static int to_places(u32 *counts, u32 digits, i64 n) {
    u32 sum = 0;
    for (u32 d = 0; d < digits; d++) {
        const u32 count = counts[d];
        if (count == n)
            return 0;
        counts[d] = sum;
        sum += count;
    }
    return 1;
}

static inline __attribute__((always_inline)) char *
sort_digits(char *from, char *to, i64 n, i32 size, const radix_plan *p, u32 *counts) {
    memset(counts, 0, sizeof *counts * ((size_t)p->passes << p->width));
    if (p->passes == 1)
        count_digits(from, n, size, p, 1, counts);
    else if (p->passes == 2)
        count_digits(from, n, size, p, 2, counts);
    else if (p->passes == 3)
        count_digits(from, n, size, p, 3, counts);
    else
        count_digits(from, n, size, p, p->passes, counts);
    const u32 digits = 1u << p->width;
    for (i32 k = 0; k < p->passes; k++) {
        u32 *place = counts + ((u32)k << p->width);
        if (!to_places(place, digits, n))
            continue;
        move(from, n, size, p->first + k * p->width, digits - 1, place, to);
        char *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

/* Insertion by the bits from `low` on; 0 where it takes more than `moves`. */
static inline __attribute__((always_inline)) int insert(char *items, i64 n, i32 size,
                                                        i32 low, i64 moves) {
    for (i64 i = 1; i < n; i++) {
        const u64 key = radix_word(items, i, size) >> low;
        if (key >= radix_word(items, i - 1, size) >> low)
            continue;
        char item[16];
        memcpy(item, items + i * size, (size_t)size);
        i64 j = i;
        for (; j > 0 && radix_word(items, j - 1, size) >> low > key; j--)
            memcpy(items + j * size, items + (j - 1) * size, (size_t)size);
        memcpy(items + j * size, item, (size_t)size);
        moves -= i - j;
        if (moves < 0)
            return 0;
    }
    return 1;
}

static i32 bit_length(u64 x) {
    return x ? 64 - __builtin_clzll(x) : 0;
}

static inline __attribute__((always_inline)) char *
sort(char *items, char *spare, i64 n, i32 size, i32 low, i32 high, u32 *counts) {
    if (n <= RADIX_FEW) {
        insert(items, n, size, low, INT64_MAX);
        return items;
    }
    const radix_plan whole = plan(n, low, high);
    /* Of random keys, one in 256 agrees with another in so many bits. */
    const i32 enough = bit_length((u64)n) + 8;
    if (high - low > enough) {
        const radix_plan most = plan(n, high - enough, high);
        if (most.cost + 3 * n < whole.cost) {
            char *sorted = sort_digits(items, spare, n, size, &most, counts);
            if (insert(sorted, n, size, low, n / 4))
                return sorted;
            spare = sorted == items ? spare : items;
            items = sorted;
        }
    }
    return sort_digits(items, spare, n, size, &whole, counts);
}

WEFT_CLONES void *radix_sort(void *items, void *spare, i64 n, i32 size, i32 low, i32 high,
                             u32 *counts) {
    if (size == 4)
        return sort(items, spare, n, 4, low, high, counts);
    if (size == 8)
        return sort(items, spare, n, 8, low, high, counts);
    return sort(items, spare, n, 16, low, high, counts);
}
