/* Lengths whose squares f64 holds: of others no answer would be right, and none is given.
 */
#ifndef WEFT_CLI_RANGE_H
#define WEFT_CLI_RANGE_H

#include "io/files/error.h"

#include <argp.h>

/* A length of an option, 0 or in range; anything else is a usage error, which names it. */
double range_option(struct argp_state *state, const char *option, const char *text);

/* The same of one to three lengths for --box: one stands for all. */
void range_box(struct argp_state *state, const char *text, double box[3]);

/* Whether a length of the file's is 0 or in range; the sentence says "`what` of PATH". */
bool range_length(const char *path, const char *what, double length,
                  struct io_error *error);

/* Whether positions [n][axes] of `bytes` 4 or 8 are, and what lies between them; `first` is
 * the number of the first of them in the file, `low` and `high` have the extent of each
 * axis, as io_extent finds it. */
bool range_positions(const char *path, const void *positions, int bytes, int axes,
                     int64_t first, int64_t n, const double low[3], const double high[3],
                     struct io_error *error);

#endif
