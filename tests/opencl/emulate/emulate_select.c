/* The selection for warps, emulated. ELEMENT, ITEMS and PARTITION come from the build. */
#include "emulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 64 };
typedef u32 weft_element;
#define weft_combine(a, b) ((a) + (b))
#define BITS(x) (x)
#define FROM_BITS(x) (x)
#define BATCH 8
#define WIDE_ELEMENT 0
#define COUNTED 0
#define FIXED 0
#define COUNT 1
#define MOVE_ELEMENTS 1

#include "backends/opencl/scan/look_back.cl"
#include "backends/opencl/scan/select_warps.cl"

enum { FIRST = 3, FIRST_ALL = 1, ROOM_LEFT = 5 };

typedef struct arguments {
    index_t n;
    u32 keep, *places, *flags;
    long room;
    u64 *work, all[2];
    weft_in_element *in, *out;
} arguments;

static void kernel(void *p) {
    arguments *a = p;
#if PARTITION
    weft_select(a->n, a->keep, a->room, a->places, a->all, FIRST_ALL, a->out, FIRST, a->in,
                a->flags);
#else
    weft_select(a->n, a->keep, a->room, a->work, THIS_ROUND, TAKEN_BEFORE, a->all,
                FIRST_ALL, a->out, FIRST, a->in, a->flags);
#endif
}

#if PARTITION
static void count_tiles(void *p) {
    arguments *a = p;
    weft_count_tiles(a->n, a->keep, a->places, a->flags);
}

static void place_tiles(void *p) {
    arguments *a = p;
    weft_place_tiles(a->n, a->keep, a->work, THIS_ROUND, TAKEN_BEFORE, a->places, a->flags);
}
#endif

static void count(void *p) {
    arguments *a = p;
    weft_count(a->n, a->keep, a->work, THIS_ROUND, TAKEN_BEFORE, a->all, FIRST_ALL,
               a->flags);
}

/* Twice, since each count leaves what the next one needs. */
static int counts(arguments *a, index_t tiles, u64 selected, int unfair) {
    int same = 1;
    a->work[1] = 0;
    for (int k = 0; k < 2; k++) {
        a->all[FIRST_ALL] = 0;
        emulate(tiles, GROUP, count, a, unfair);
        same &= a->all[FIRST_ALL] == selected;
    }
    return same;
}

static void run(arguments *a, index_t tiles, int unfair) {
#if PARTITION
    emulate(tiles, GROUP, count_tiles, a, unfair);
    u32 *counted = a->places, sum = 0;
    a->places = calloc((size_t)tiles + 1, sizeof *a->places);
    emulate(tiles, GROUP, place_tiles, a, unfair);
    int same = 1;
    for (index_t t = 0; t <= tiles; t++) {
        same &= a->places[t] == sum;
        sum += counted[t];
    }
    free(counted);
    if (!same)
        a->places[tiles]++;
#endif
    emulate(tiles, GROUP, kernel, a, unfair);
}

/* One in `rarity` has a flag; 0: none. The last ROOM_LEFT have no room, but in partitions.
 */
static int check(index_t n, u32 rarity, u32 keep, int unfair) {
    const index_t tiles = (n + TILE - 1) / TILE;
    const size_t bytes = ((size_t)n + FIRST) * sizeof(weft_in_element);
    arguments a = {.n = n, .keep = keep};
    a.work = told_before(tiles, 1);
    a.places = calloc((size_t)tiles + 1, sizeof *a.places);
    a.flags = malloc((size_t)n * sizeof *a.flags);
    a.in = malloc(bytes);
    a.out = calloc(1, bytes);
    weft_in_element *expected = calloc(1, bytes);
    u64 selected = 0;
    for (index_t i = 0; i < n; i++) {
        a.in[i] = (weft_in_element)random_bits();
        a.flags[i] = rarity && random_bits() % rarity == 0 ? (u32)random_bits() | 1 : 0;
        if ((a.flags[i] != 0) == keep)
            expected[FIRST + selected++] = a.in[i];
    }
#if PARTITION
    a.room = n;
    u64 next = selected;
    for (index_t i = 0; i < n; i++)
        if ((a.flags[i] != 0) != keep)
            expected[FIRST + next++] = a.in[i];
#else
    a.room = selected < ROOM_LEFT ? 0 : (long)selected - ROOM_LEFT;
    for (u64 k = (u64)a.room; k < selected; k++)
        expected[FIRST + k] = 0;
#endif
    run(&a, tiles, unfair);
    const int same = memcmp(a.out, expected, bytes) == 0 && a.all[FIRST_ALL] == selected &&
                     counts(&a, tiles, selected, unfair);
    if (!same)
        printf("n = %d, flags one in %u, keep %u: differs\n", n, rarity, keep);
    free(expected);
    free(a.out);
    free(a.in);
    free(a.flags);
    free(a.places);
    free(a.work);
    return same;
}

int main(void) {
    const index_t sizes[] = {1,    31,       32,       33,        TILE - 1,
                             TILE, TILE + 1, 5 * TILE, 33 * TILE, 150 * TILE - 7};
    int right = 1;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int unfair = 0; unfair < 2; unfair++)
            for (u32 rarity = 0; rarity < 4; rarity++)
                right &= check(sizes[k], rarity == 3 ? TILE : rarity, rarity != 1, unfair);
    return !right;
}
