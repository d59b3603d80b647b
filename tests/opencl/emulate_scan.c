/* The one-pass scan for warps, emulated. ELEMENT, ITEMS, SEGMENTED and EXCLUSIVE come from
 * the build. */
#include "emulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 64 };
#define WIDE_ELEMENT (ITEMS == 8)

typedef ELEMENT weft_element;

/* Composition of x -> s x + t modulo a power of two, packed: it does not commute. */
static weft_element weft_combine(weft_element a, weft_element b) {
    const int bits = (int)sizeof(weft_element) * 4;
    const u64 mask = ((u64)1 << bits) - 1;
    const u64 s = (u64)a >> bits & mask, t = (u64)a & mask;
    const u64 u = (u64)b >> bits & mask, v = (u64)b & mask;
    return (weft_element)((s * u & mask) << bits | ((u * t + v) & mask));
}

#define weft_in_PARAMETERS , const weft_element *in
#define weft_in_ARGUMENTS , in
static weft_element weft_in(index_t i, const weft_element *in) {
    return in[i];
}
#define weft_heads_PARAMETERS , const u32 *flags
#define weft_heads_ARGUMENTS , flags
#if SEGMENTED
static u32 weft_heads(index_t i, const u32 *flags) {
    return flags[i];
}
#endif

#include "backends/opencl/scan_warps.cl"

typedef struct arguments {
    index_t n;
    weft_element identity;
    u64 *work;
    weft_element *out, *in;
    u32 *heads;
} arguments;

static void kernel(void *p) {
    const arguments *a = p;
#if SEGMENTED
    weft_scan(a->n, a->identity, a->work, a->out, 3, a->in, a->heads);
#else
    weft_scan(a->n, a->identity, a->work, a->out, 3, a->in);
#endif
}

static u64 state = 1;

static u64 random_bits(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 20 ^ state << 40;
}

static int check(index_t n, u32 rarity, int unfair) {
    const index_t tiles = (n + TILE - 1) / TILE;
    arguments a = {.n = n, .identity = (weft_element)((u64)1 << sizeof(weft_element) * 4)};
    const size_t bytes = ((size_t)n + 3) * sizeof(weft_element);
    a.work = calloc((size_t)(2 + 2 * tiles), sizeof *a.work);
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
    emulate(tiles, GROUP, kernel, &a, unfair);
    const int same = memcmp(a.out + 3, expected, (size_t)n * sizeof *expected) == 0;
    if (!same)
        printf("n = %d, heads one in %u: differs\n", n, rarity);
    free(expected);
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
                             70 * TILE + 1};
    int right = 1;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int unfair = 0; unfair < 2; unfair++) {
            right &= check(sizes[k], 2, unfair);
            right &= check(sizes[k], TILE, unfair);
            right &= check(sizes[k], 20 * TILE, unfair);
        }
    return !right;
}
