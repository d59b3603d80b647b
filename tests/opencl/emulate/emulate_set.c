/* Set operations for warps, emulated. KEY_TYPE, IS_FLOAT and SOURCES come from the build.
 */
#include "emulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 64, ITEMS = 5, LANES = 4 };
typedef KEY_TYPE KEY;
#define SIGN ((KEY)((KEY)1 << (8 * sizeof(KEY) - 1)))
#define INFINITE ((KEY)(sizeof(KEY) == 8 ? 0x7ff0000000000000u : 0x7f800000u))
#if SOURCES
typedef i64 RESULT;
#else
typedef KEY RESULT;
#endif
typedef u32 weft_element;
#define weft_combine(a, b) ((a) + (b))
#define BITS(x) (x)
#define FROM_BITS(x) (x)
#define WIDE_ELEMENT 0
#define COUNTED 0
#define FIXED 0

#include "backends/opencl/scan/look_back.cl"
#include "backends/opencl/sort/sort_digit.cl"

static inline KEY weft_image(const KEY key) {
    return weft_bits(key);
}

#include "backends/opencl/sort/set_cuts.cl"
#include "backends/opencl/sort/set_warps.cl"

enum { FIRST = 3, FIRST_ALL = 1 };

typedef struct arguments {
    index_t a_length, b_length, tiles, *cuts;
    u32 kept;
    u64 *work, all[2];
    KEY *a, *b;
    RESULT *out;
} arguments;

static void cut(void *p) {
    const arguments *x = p;
    weft_set_cuts(x->a_length, x->b_length, x->tiles, x->cuts, x->a, 1, x->b, 2);
}

static void set(void *p) {
    arguments *x = p;
    weft_set(x->a_length, x->b_length, x->kept, x->cuts, x->work, THIS_ROUND, TAKEN_BEFORE,
             x->a, 1, x->b, 2, x->all, FIRST_ALL, x->out, FIRST);
}

static int compare(const void *p, const void *q) {
    const KEY x = weft_image(*(const KEY *)p), y = weft_image(*(const KEY *)q);
    return (x > y) - (x < y);
}

/* Sorted keys of so many values, after `skipped` others. */
static KEY *new_keys(index_t n, int skipped, u64 values) {
    KEY *keys = malloc(((size_t)n + (size_t)skipped) * sizeof *keys);
    for (index_t i = 0; i < n; i++)
        keys[skipped + i] = (KEY)(random_bits() % values * 0x9e3779b97f4a7c15u);
    qsort(keys + skipped, (size_t)n, sizeof *keys, compare);
    return keys;
}

/* By the definition: one step after the other. */
static u64 expect(const arguments *x, RESULT *out) {
    u64 count = 0;
    for (index_t i = 0, j = 0; i < x->a_length || j < x->b_length;) {
        const int has_a = i < x->a_length, has_b = j < x->b_length;
        const KEY *p = x->a + 1 + i, *q = x->b + 2 + j;
        const int order = !has_b ? -1 : !has_a ? 1 : compare(p, q);
        const u32 met = order == 0 ? PAIRS : order < 0 ? OF_A : OF_B;
        if (x->kept & met)
#if SOURCES
            out[count++] = order <= 0 ? i : (i64)x->a_length + j;
#else
            out[count++] = order <= 0 ? *p : *q;
#endif
        i += order <= 0;
        j += order >= 0;
    }
    return count;
}

static int check(index_t a_length, index_t b_length, u64 values, u32 kept, int unfair) {
    const index_t n = a_length + b_length, tiles = (n + TILE - 1) / TILE;
    arguments x = {
        .a_length = a_length, .b_length = b_length, .tiles = tiles, .kept = kept};
    const size_t bytes = ((size_t)n + FIRST) * sizeof(RESULT);
    x.cuts = malloc(((size_t)tiles + 1) * sizeof *x.cuts);
    x.work = told_before(tiles, 1);
    x.a = new_keys(a_length, 1, values);
    x.b = new_keys(b_length, 2, values);
    x.out = calloc(1, bytes);
    RESULT *expected = calloc(1, bytes);
    const u64 count = expect(&x, expected + FIRST);
    emulate(tiles * LANES / GROUP + 1, GROUP, cut, &x, unfair);
    emulate(tiles, GROUP, set, &x, unfair);
    const int same = memcmp(x.out, expected, bytes) == 0 && x.all[FIRST_ALL] == count;
    if (!same)
        printf("%d and %d keys of %llu values, kept %u: differs\n", a_length, b_length,
               (unsigned long long)values, kept);
    free(expected), free(x.out), free(x.b), free(x.a), free(x.work), free(x.cuts);
    return same;
}

int main(void) {
    const index_t sizes[][2] = {{1, 0},           {0, 1},        {1, 1},
                                {TILE, 0},        {0, TILE + 1}, {TILE - 1, 1},
                                {TILE / 2, TILE}, {TILE, TILE},  {7 * TILE + 3, 5 * TILE},
                                {40 * TILE, 9}};
    const u64 values[] = {1, 2, 3 * TILE, 1000000};
    const u32 kept[] = {1, 2, 6, 7};
    int right = 1;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int v = 0; v < 4; v++)
            for (int k = 0; k < 4; k++)
                right &= check(sizes[s][0], sizes[s][1], values[v], kept[k], (k + v) % 2);
    return !right;
}
