/* Bytes to their place in a file that several processes write. */
#ifndef WEFT_IO_PLACE_H
#define WEFT_IO_PLACE_H

#include "error.h"

/* `path` is for the sentence. */
bool io_put_at(const char *path, int descriptor, const void *bytes, size_t n, int64_t at,
               struct io_error *error);

#endif
