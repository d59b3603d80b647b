/* The one-sweep sort for warps, emulated. KEY_TYPE, VALUE_TYPE (or none), STATE_TYPE,
 * SORTED_AT, TWICE and ALONE come from the build. */
#include "emulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 256, ITEMS = 3 };
typedef KEY_TYPE KEY;
typedef STATE_TYPE STATE;
#define SIGN ((KEY)((KEY)1 << (8 * sizeof(KEY) - 1)))
#define INFINITE ((KEY)(sizeof(KEY) == 8 ? 0x7ff0000000000000u : 0x7f800000u))
#define POOL (SORTED_AT + 8192)
#ifdef VALUE_TYPE
#define VALUE VALUE_TYPE
#define VALUE_PARAMETERS                                                                   \
    , VALUE *values, const long first_value, VALUE *values_out, const long first_value_out
#else
#define VALUE_PARAMETERS
#endif

#include "backends/opencl/sort/sort_digit.cl"
#include "backends/opencl/sort/sort_warps.cl"

_Static_assert(POOL >= WARPS * DIGITS * 4 && POOL >= SORTED_AT + TILE * 8,
               "the pool is too small");

typedef struct arguments {
    u32 n, block, tiles, mask;
    u64 flip;
    int begin_bit, end_bit, shift, pass, passes, turn;
    weft_counts *counts;
    STATE *work, *next_work;
    KEY *keys, *keys_out;
    u64 *values, *values_out;
} arguments;

#if ALONE
static void alone(void *p) {
    const arguments *a = p;
#ifdef VALUE
    weft_sort_alone(a->n, a->begin_bit, a->end_bit, a->flip, a->keys, 1, a->keys_out, 1,
                    (VALUE *)a->values, 2, (VALUE *)a->values_out, 2);
#else
    weft_sort_alone(a->n, a->begin_bit, a->end_bit, a->flip, a->keys, 1, a->keys_out, 1);
#endif
}
#else
static void count(void *p) {
    const arguments *a = p;
    weft_sort_count(a->n, a->block, a->begin_bit, a->end_bit, a->flip, a->tiles, a->turn,
                    a->counts, a->work, a->keys, 1);
}

static void pass(void *p) {
    const arguments *a = p;
#ifdef VALUE
    weft_sort_pass(a->n, a->shift, a->mask, (u32)(a->flip >> a->shift), a->pass, a->turn,
                   a->counts, a->work, a->next_work, a->keys, 1, a->keys_out, 1,
                   (VALUE *)a->values, 2, (VALUE *)a->values_out, 2);
#else
    weft_sort_pass(a->n, a->shift, a->mask, (u32)(a->flip >> a->shift), a->pass, a->turn,
                   a->counts, a->work, a->next_work, a->keys, 1, a->keys_out, 1);
#endif
}

#endif

static void swap(void *a, void *b) {
    void *x, *y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    memcpy(a, &y, sizeof y);
    memcpy(b, &x, sizeof x);
}

typedef struct item {
    u64 image, key, value, index;
} item;

static int compare(const void *a, const void *b) {
    const item *x = a, *y = b;
    return x->image != y->image ? (x->image > y->image) - (x->image < y->image)
                                : (x->index > y->index) - (x->index < y->index);
}

static int check(u32 n, int begin_bit, int end_bit, u64 flip, u64 key_mask, int unfair) {
    arguments a = {.n = n, .begin_bit = begin_bit, .end_bit = end_bit, .flip = flip};
    a.tiles = (n + TILE - 1) / TILE;
    a.block = (n + 3) / 4;
    a.passes = (end_bit - begin_bit + 7) / 8;
    a.turn = (int)(n & 1);
    a.counts = malloc(2 * sizeof *a.counts);
    memset(a.counts, 0xff, 2 * sizeof *a.counts);
    memset(&a.counts[a.turn], 0, sizeof *a.counts);
    a.work = malloc((size_t)a.tiles * DIGITS * sizeof *a.work);
    a.next_work = malloc((size_t)a.tiles * DIGITS * sizeof *a.work);
    memset(a.work, 0xff, (size_t)a.tiles * DIGITS * sizeof *a.work);
    memset(a.next_work, 0xff, (size_t)a.tiles * DIGITS * sizeof *a.work);
    a.keys = malloc(((size_t)n + 1) * sizeof *a.keys);
    a.keys_out = malloc(((size_t)n + 1) * sizeof *a.keys);
    a.values = malloc(((size_t)n + 2) * sizeof *a.values);
    a.values_out = malloc(((size_t)n + 2) * sizeof *a.values);
    item *expected = malloc((size_t)n * sizeof *expected);
    const int bits = end_bit - begin_bit;
    for (u32 i = 0; i < n; i++) {
        const KEY key = (KEY)(random_bits() & key_mask);
        a.keys[1 + i] = key;
        expected[i] = (item){(u64)(KEY)(weft_bits(key) ^ (KEY)flip) >> begin_bit, key,
                             random_bits(), i};
        if (bits < 64)
            expected[i].image &= ((u64)1 << bits) - 1;
#ifdef VALUE
        expected[i].value = (VALUE)expected[i].value;
        ((VALUE *)a.values)[2 + i] = (VALUE)expected[i].value;
#endif
    }
    qsort(expected, n, sizeof *expected, compare);
#if ALONE
    emulate(1, GROUP, alone, &a, unfair);
    if (a.passes % 2) {
        swap(&a.keys, &a.keys_out);
        swap(&a.values, &a.values_out);
    }
    memset(&a.counts[1 - a.turn], 0, sizeof *a.counts); /* not used */
#else
    emulate((i32)((n + a.block - 1) / a.block), GROUP, count, &a, unfair);
    for (a.pass = 0; a.pass < a.passes; a.pass++) {
        a.shift = begin_bit + 8 * a.pass;
        a.mask = end_bit - a.shift < 8 ? (1u << (end_bit - a.shift)) - 1 : 255;
        emulate((i32)a.tiles, GROUP, pass, &a, unfair);
        swap(&a.keys, &a.keys_out);
        swap(&a.values, &a.values_out);
        swap(&a.work, &a.next_work);
    }
#endif
    const weft_counts empty = {0};
    int same = memcmp(&a.counts[1 - a.turn], &empty, sizeof empty) == 0;
    for (u32 i = 0; i < n; i++) {
        same &= a.keys[1 + i] == (KEY)expected[i].key;
#ifdef VALUE
        same &= ((VALUE *)a.values)[2 + i] == (VALUE)expected[i].value;
#endif
    }
    if (!same)
        printf("n = %u, bits %d to %d: differs\n", n, begin_bit, end_bit);
    free(expected);
    free(a.values_out);
    free(a.values);
    free(a.keys_out);
    free(a.keys);
    free(a.next_work);
    free(a.work);
    free(a.counts);
    return same;
}

int main(void) {
    const u32 sizes[] = {1,        2,    31,       32,           33,
                         TILE - 1, TILE, TILE + 1, 9 * TILE + 5, 17 * TILE};
    const int bits = 8 * (int)sizeof(KEY);
    int right = 1;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes && (!ALONE || sizes[k] <= TILE);
         k++)
        for (int unfair = 0; unfair < 2; unfair++) {
            right &= check(sizes[k], 0, bits, SIGN, ~(u64)0, unfair);
            right &= check(sizes[k], 0, bits, ~(u64)SIGN, ~(u64)0, unfair);
            right &= check(sizes[k], 3, bits > 8 ? 14 : 7, ~(u64)0, ~(u64)0, unfair);
            right &= check(sizes[k], 0, 8, 0, 5, unfair);
            right &= check(sizes[k], 0, 8, 0, 0, unfair);
        }
    return !right;
}
