/* GenericIO files for tests, written from the description of the format alone: not by the
 * code that reads or writes them. */
#ifndef WEFT_TESTS_IO_MADE_GENERICIO_H
#define WEFT_TESTS_IO_MADE_GENERICIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct genericio_recipe {
    bool big;       /* big-endian */
    bool old;       /* the oldest, shortest structures: no box, no element sizes */
    bool blocks;    /* with a table of blocks */
    bool blosc;     /* whose every block is compressed, where libblosc is there */
    bool wide;      /* f8, not f4 */
    int64_t first;  /* the first particle */
    int n_ranks;    /* ranks of 3, 4, 5, ... particles */
    int first_rank; /* of a split file */
    int all_ranks;  /* 0: n_ranks */
};

/* x y z vx vy vz mass id mask of made_position and made_id (support.h), velocities 100
 * times the positions, masses 1 + i, in a box of 64; for free(). Gives the bytes, and how
 * many. */
unsigned char *made_genericio(const struct genericio_recipe *recipe, size_t *length);

/* The map of a split file: rank r is in partition partition[r]. */
unsigned char *made_genericio_map(const int32_t *partition, int n_ranks, size_t *length);

/* Particles in that many ranks. */
int64_t made_genericio_count(int n_ranks);

#endif
