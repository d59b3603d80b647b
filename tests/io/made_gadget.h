/* Gadget-2 files for tests, written from the description of the format alone. */
#ifndef WEFT_TESTS_IO_MADE_GADGET_H
#define WEFT_TESTS_IO_MADE_GADGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gadget_recipe {
    bool big, named;     /* big-endian; format 2 */
    bool wide, wide_ids; /* f8; 64-bit ids */
    double table_mass;   /* 0: a block of masses */
    double redshift, box;
    int64_t first, n;   /* dark matter in this file */
    int64_t gas, stars; /* before and after it */
    int64_t total;
    int n_files;
};

/* Positions, velocities, masses and ids as in support.h's snapshots, those of other types
 * all 1; for free(). */
unsigned char *made_gadget(const struct gadget_recipe *recipe, size_t *length);

#endif
