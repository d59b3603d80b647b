/* The scans for warps, emulated. ELEMENT, WIDE_ELEMENT, ITEMS, SEGMENTED, EXCLUSIVE,
 * FIXED and ASSOCIATES come from the build. FIXED, an operator that does not associate, as
 * sums of floats do not, gives the same in whatever order groups run. */
#include "emulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 64 };
#define BITS(x) ((u64)(x))
#define FROM_BITS(x) ((weft_element)(x))
#define BATCH 8
#define COUNTED (FIXED && SEGMENTED)

typedef ELEMENT weft_element;
#if ASSOCIATES
#define weft_combine compose
#else
static inline weft_element weft_combine(weft_element a, weft_element b) {
    return (weft_element)(3 * a + 5 * b);
}
#endif

#include "backends/opencl/scan/look_back.cl"
#include "backends/opencl/scan/tile_warps.cl"
#include "backends/opencl/scan/scan_warps.cl"

typedef struct arguments {
    index_t n;
    weft_element identity, start;
    u64 *work;
    weft_element *out, *in;
    u32 *heads;
} arguments;

#if SEGMENTED
#define INPUTS a->in, a->heads
#else
#define INPUTS a->in
#endif

static void kernel(void *p) {
    const arguments *a = p;
    weft_scan(a->n, a->identity, a->start, a->work, THIS_ROUND, TAKEN_BEFORE, a->out, 3,
              INPUTS);
}

static void run(arguments *a, index_t tiles, int unfair) {
    a->work = told_before(tiles, 1 + WIDE_ELEMENT + COUNTED);
    emulate(tiles, GROUP, kernel, a, unfair);
    free(a->work);
}

static int check(index_t n, u32 rarity, int unfair) {
    const index_t tiles = (n + TILE - 1) / TILE;
    arguments a = {.n = n, .identity = COMPOSE_IDENTITY};
    a.start = SEGMENTED ? a.identity : (weft_element)(random_bits() | a.identity);
    const size_t bytes = ((size_t)n + 3) * sizeof(weft_element);
    a.in = malloc(bytes);
    a.out = malloc(bytes);
    a.heads = malloc(((size_t)n + 1) * sizeof *a.heads);
    weft_element *expected = malloc(bytes);
    for (index_t i = 0; i < n; i++) {
        a.in[i] = (weft_element)random_bits() | a.identity; /* odd: nothing is forgotten */
        a.heads[i] = random_bits() % rarity == 0 ? (u32)random_bits() | 1 : 0;
    }
    weft_element sum = a.start;
    for (index_t i = 0; i < n; i++) {
        if (SEGMENTED && a.heads[i])
            sum = a.identity;
        const weft_element next = weft_combine(sum, a.in[i]);
        expected[i] = EXCLUSIVE ? sum : next;
        sum = next;
    }
    if (!ASSOCIATES) {
        run(&a, tiles, !unfair);
        memcpy(expected, a.out + 3, (size_t)n * sizeof *expected);
    }
    run(&a, tiles, unfair);
    const int same = memcmp(a.out + 3, expected, (size_t)n * sizeof *expected) == 0;
    if (!same)
        printf("n = %d, heads one in %u: differs\n", n, rarity);
    free(expected);
    free(a.heads);
    free(a.out);
    free(a.in);
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
    for (int unfair = 0; unfair < 1 + ASSOCIATES; unfair++) { /* else each check is both */
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            right &= check(sizes[k], 2, unfair);
            right &= check(sizes[k], TILE, unfair);
            right &= check(sizes[k], 20 * TILE, unfair);
        }
        if (FIXED) /* so many blocks that blocks of blocks have some before them */
            right &= check(2100 * TILE - 1, unfair ? TILE : 20 * TILE, unfair);
    }
    return !right;
}
