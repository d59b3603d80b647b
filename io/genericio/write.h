/* Writing GenericIO: a header, then for each rank each column's rows and their checksum. */
#ifndef WEFT_IO_GENERICIO_WRITE_H
#define WEFT_IO_GENERICIO_WRITE_H

#include "io/particles.h"
#include "snapshot.h"

struct genericio_column {
    const char *name;
    uint64_t flags;
    int width, components; /* bytes of a number, numbers of a row */
};

struct genericio_table {
    int64_t n, piece; /* rows; rows of each rank but the last */
    int64_t n_ranks;
    int64_t before, beyond; /* ranks in other files of a split one: with lower and higher
                             * numbers */
    int n_columns;
    const struct genericio_column *columns;
    double box[3];
};

bool genericio_put_header(struct io_output *output, const struct genericio_table *table,
                          struct io_error *error);

/* The next block: those of a rank in the order of its columns. Swaps the values in place.
 */
bool genericio_put_block(struct io_output *output, void *values, int width, int64_t n,
                         struct io_error *error);

#endif
