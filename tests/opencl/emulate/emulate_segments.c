/* The sums over segments for warps, emulated. ELEMENT, WIDE_ELEMENT and ITEMS come from the
 * build. */
#include "emulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 64 };
#define BITS(x) ((u64)(x))
#define FROM_BITS(x) ((weft_element)(x))
#define BATCH 8
#define COUNTED 0
#define FIXED 0
#define SEGMENTED 1
#define EXCLUSIVE 0

typedef ELEMENT weft_element;
#define weft_combine compose

static inline long min(long a, long b) {
    return a < b ? a : b;
}
static inline long max(long a, long b) {
    return a > b ? a : b;
}
static inline u32 atomic_or(u32 *p, u32 x) {
    return __atomic_fetch_or(p, x, __ATOMIC_RELAXED);
}

#undef weft_heads_PARAMETERS
#undef weft_heads_ARGUMENTS
#define weft_heads heads_of_bits
#include "backends/opencl/scan/look_back.cl"
#include "backends/opencl/scan/segments_heads.cl"
#include "backends/opencl/scan/tile_warps.cl"
#include "backends/opencl/scan/segments_warps.cl"

enum { FIRST = 3, FIRST_OFFSET = 2 };

typedef struct arguments {
    index_t n, tiles;
    long segments, *offsets, *open;
    weft_element identity, *in, *out, *carries;
} arguments;

static void kernel(void *p) {
    arguments *a = p;
    weft_segments(a->n, a->segments, a->identity, a->offsets, FIRST_OFFSET, a->open,
                  a->carries, a->out, FIRST, a->in);
}

static void carry(void *p) {
    arguments *a = p;
    weft_segments_carry(a->n, a->identity, a->tiles, a->offsets, FIRST_OFFSET, a->open,
                        a->carries, a->out, FIRST);
}

/* Segments of up to `longest` elements, after `first` elements that are in none, until n,
 * or until they are `most`. */
static int check(index_t n, index_t first, u32 longest, long most, int unfair) {
    arguments a = {.n = n, .tiles = (n + TILE - 1) / TILE, .identity = COMPOSE_IDENTITY};
    a.in = malloc((size_t)n * sizeof *a.in);
    a.carries = calloc((size_t)a.tiles, sizeof *a.carries);
    a.open = calloc((size_t)a.tiles, sizeof *a.open);
    a.offsets = calloc((size_t)(FIRST_OFFSET + 1 + most), sizeof *a.offsets);
    for (index_t i = 0; i < n; i++)
        a.in[i] = (weft_element)random_bits() | a.identity; /* odd: nothing is forgotten */
    long at = first;
    for (a.offsets[FIRST_OFFSET] = at; a.segments < most; a.segments++) {
        at = min(n, at + (long)(random_bits() % 3 ? random_bits() % (longest + 1) : 0));
        a.offsets[FIRST_OFFSET + a.segments + 1] = at;
    }
    const size_t bytes = (size_t)(FIRST + a.segments) * sizeof *a.out;
    a.out = calloc(1, bytes);
    weft_element *expected = calloc(1, bytes);
    for (long k = 0; k < a.segments; k++) {
        weft_element sum = a.identity;
        for (long i = a.offsets[FIRST_OFFSET + k]; i < a.offsets[FIRST_OFFSET + k + 1]; i++)
            sum = weft_combine(sum, a.in[i]);
        expected[FIRST + k] = sum;
    }
    emulate(a.tiles, GROUP, kernel, &a, unfair);
    emulate((a.tiles + WARPS - 1) / WARPS, GROUP, carry, &a, unfair);
    const int same = memcmp(a.out, expected, bytes) == 0;
    if (!same)
        printf("n = %d, %ld segments of up to %u after %d: differs\n", n, most, longest,
               first);
    free(a.in), free(a.out), free(a.carries), free(a.open), free(a.offsets);
    free(expected);
    return same;
}

int main(void) {
    const index_t sizes[] = {1, 33, TILE - 1, TILE, TILE + 1, 5 * TILE, 40 * TILE - 7};
    int right = 1;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int unfair = 0; unfair < 2; unfair++) {
            const index_t n = sizes[k];
            right &= check(n, 0, 16, n / 4 + 1, unfair);
            right &= check(n, n / 3, 16, n / 4 + 1, unfair);
            right &= check(n, 0, 1, 3 * (long)n, unfair); /* most have none */
            right &= check(n, 1, 3 * TILE, 40, unfair);
            right &= check(n, n, 1, 100, unfair);
            right &= check(n, 0, (u32)n, 1, unfair);
        }
    right &=
        check(100 * TILE, 0, 90 * TILE, 3, 0); /* over more tiles than a warp has lanes */
    return !right;
}
