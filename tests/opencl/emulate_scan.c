/* The scans for warps, emulated. ELEMENT, WIDE_ELEMENT, ITEMS, SEGMENTED, EXCLUSIVE and
 * LOOK_BACK come from the build. */
#include "emulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 64 };
#define BITS(x) ((u64)(x))
#define FROM_BITS(x) ((weft_element)(x))
#define BATCH 8
#define COUNTED 0

typedef ELEMENT weft_element;
#define weft_combine compose

#include "backends/opencl/look_back.cl"
#include "backends/opencl/tile_warps.cl"
#include "backends/opencl/scan_warps.cl"

typedef struct arguments {
    index_t n;
    weft_element identity;
    u64 *work;
    weft_element *out, *in, *sums;
    u32 *heads, *cuts;
} arguments;

#if SEGMENTED
#define INPUTS a->in, a->heads
#else
#define INPUTS a->in
#endif

static void kernel(void *p) {
    const arguments *a = p;
#if LOOK_BACK
    weft_scan(a->n, a->identity, a->work, THIS_ROUND, TAKEN_BEFORE, a->out, 3, INPUTS);
#else
    weft_scan(a->n, a->identity, a->sums, a->out, 3, INPUTS);
#endif
}

#if !LOOK_BACK
static void fold(void *p) {
    const arguments *a = p;
    weft_scan_fold(a->n, a->identity, a->sums, a->cuts, INPUTS);
}
#endif

static void run(arguments *a, index_t tiles, int unfair) {
#if !LOOK_BACK
    emulate(tiles, GROUP, fold, a, unfair);
    for (index_t t = 1; t < tiles; t++)
        if (!a->cuts[t])
            a->sums[t] = weft_combine(a->sums[t - 1], a->sums[t]);
#endif
    emulate(tiles, GROUP, kernel, a, unfair);
}

static int check(index_t n, u32 rarity, int unfair) {
    const index_t tiles = (n + TILE - 1) / TILE;
    arguments a = {.n = n, .identity = COMPOSE_IDENTITY};
    const size_t bytes = ((size_t)n + 3) * sizeof(weft_element);
    a.work = told_before(2 + 2 * tiles);
    a.sums = calloc((size_t)tiles, sizeof *a.sums);
    a.cuts = calloc((size_t)tiles, sizeof *a.cuts);
    a.in = malloc(bytes);
    a.out = malloc(bytes);
    a.heads = malloc(((size_t)n + 1) * sizeof *a.heads);
    weft_element *expected = malloc(bytes);
    for (index_t i = 0; i < n; i++) {
        a.in[i] = (weft_element)random_bits() | a.identity; /* odd: nothing is forgotten */
        a.heads[i] = random_bits() % rarity == 0 ? (u32)random_bits() | 1 : 0;
    }
    weft_element sum = a.identity;
    for (index_t i = 0; i < n; i++) {
        if (SEGMENTED && a.heads[i])
            sum = a.identity;
        const weft_element next = weft_combine(sum, a.in[i]);
        expected[i] = EXCLUSIVE ? sum : next;
        sum = next;
    }
    run(&a, tiles, unfair);
    const int same = memcmp(a.out + 3, expected, (size_t)n * sizeof *expected) == 0;
    if (!same)
        printf("n = %d, heads one in %u: differs\n", n, rarity);
    free(expected);
    free(a.cuts);
    free(a.sums);
    free(a.heads);
    free(a.out);
    free(a.in);
    free(a.work);
    return same;
}

int main(void) {
    const index_t sizes[] = {1,
                             2,
                             31,
                             32,
                             33,
                             63,
                             TILE - 1,
                             TILE,
                             TILE + 1,
                             5 * TILE,
                             33 * TILE,
                             40 * TILE - 7,
                             150 * TILE + 1};
    int right = 1;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int unfair = 0; unfair < 2; unfair++) {
            right &= check(sizes[k], 2, unfair);
            right &= check(sizes[k], TILE, unfair);
            right &= check(sizes[k], 20 * TILE, unfair);
        }
    return !right;
}
