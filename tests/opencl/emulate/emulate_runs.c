/* The sums over runs for warps, emulated. ELEMENT, WIDE_ELEMENT, ITEMS and FIXED come
 * from the build. */
#include "emulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 64 };
#define BITS(x) ((u64)(x))
#define FROM_BITS(x) ((weft_element)(x))
#define BATCH 8
#define COUNTED 1
#define SEGMENTED 1
#define EXCLUSIVE 0

typedef ELEMENT weft_element;
#define weft_combine compose
typedef u16 weft_keys_element;

#define weft_keys_PARAMETERS , const weft_keys_element *keys
#define weft_keys_ARGUMENTS , keys
static weft_keys_element weft_keys(index_t i, const weft_keys_element *keys) {
    return keys[i];
}

#include "backends/opencl/scan/look_back.cl"
#include "backends/opencl/scan/tile_warps.cl"
#include "backends/opencl/scan/runs_warps.cl"

enum { FIRST = 3, FIRST_KEY = 2, FIRST_ALL = 1 };

typedef struct arguments {
    index_t n;
    weft_element identity, *in, *out;
    weft_keys_element *keys, *keys_out;
    u64 *work, all[2];
    u32 *heads;
} arguments;

static void kernel(void *p) {
    arguments *a = p;
    weft_runs(a->n, a->identity, a->work, THIS_ROUND, TAKEN_BEFORE, a->all, FIRST_ALL,
              a->keys_out, FIRST_KEY, a->out, FIRST, a->keys, a->in, a->heads);
}

static int check(index_t n, u32 rarity, int unfair) {
    const index_t tiles = (n + TILE - 1) / TILE;
    const size_t bytes = ((size_t)n + FIRST) * sizeof(weft_element);
    const size_t key_bytes = ((size_t)n + FIRST_KEY) * sizeof(weft_keys_element);
    arguments a = {.n = n, .identity = COMPOSE_IDENTITY};
    a.work = told_before(tiles, 2 + WIDE_ELEMENT);
    a.heads = malloc((size_t)n * sizeof *a.heads);
    a.in = malloc(bytes);
    a.out = calloc(1, bytes);
    a.keys = malloc(key_bytes);
    a.keys_out = calloc(1, key_bytes);
    weft_element *expected = calloc(1, bytes), sum = a.identity;
    weft_keys_element *expected_keys = calloc(1, key_bytes);
    u64 runs = 0;
    for (index_t i = 0; i < n; i++) {
        a.in[i] = (weft_element)random_bits() | a.identity; /* odd: nothing is forgotten */
        a.keys[i] = (weft_keys_element)random_bits();
        a.heads[i] = random_bits() % rarity == 0 ? (u32)random_bits() | 1 : 0;
        if (i == 0 || a.heads[i]) {
            runs++;
            sum = a.identity;
        }
        sum = weft_combine(sum, a.in[i]);
        expected[FIRST + runs - 1] = sum;
        expected_keys[FIRST_KEY + runs - 1] = a.keys[i];
    }
    emulate(tiles, GROUP, kernel, &a, unfair);
    const int same = memcmp(a.out, expected, bytes) == 0 &&
                     memcmp(a.keys_out, expected_keys, key_bytes) == 0 &&
                     a.all[FIRST_ALL] == runs;
    if (!same)
        printf("n = %d, heads one in %u: differs\n", n, rarity);
    free(expected_keys);
    free(expected);
    free(a.keys_out);
    free(a.keys);
    free(a.out);
    free(a.in);
    free(a.heads);
    free(a.work);
    return same;
}

int main(void) {
    const index_t sizes[] = {
        1, 2, 31, 32, 33, TILE - 1, TILE, TILE + 1, 5 * TILE, 33 * TILE, 150 * TILE - 7};
    int right = 1;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int unfair = 0; unfair < 2; unfair++) {
            right &= check(sizes[k], 1, unfair);
            right &= check(sizes[k], 2, unfair);
            right &= check(sizes[k], TILE, unfair);
            right &= check(sizes[k], 20 * TILE, unfair);
        }
    return !right;
}
