/* Writes labels: one int64 a particle, in input order. */
#ifndef WEFT_IO_LABELS_H
#define WEFT_IO_LABELS_H

#include "output.h"

/* The n labels as raw little-endian int64, without a header, under the name `path`. The
 * file appears whole or not at all. Errors: by the file's name and the system's reason. */
bool labels_write(const char *path, const int64_t *labels, int64_t n,
                  struct io_error *error);

/* The next n labels of a file that was opened with io_output_open. */
bool labels_put(struct io_output *output, const int64_t *labels, int64_t n,
                struct io_error *error);

/* The same as text: a line `label`, then one label a line. */
bool labels_write_csv(const char *path, const int64_t *labels, int64_t n,
                      struct io_error *error);

#endif
