/* Reading binary files at offsets that a file itself tells: each is held against the file's
 * length before a byte is read or allocated. */
#ifndef WEFT_IO_INPUT_H
#define WEFT_IO_INPUT_H

#include "error.h"

struct io_input {
    int descriptor;
    int64_t length;
    const char *path; /* borrowed */
    int threads;      /* that long reads may use; 0: one */
};

/* Errors: it cannot be opened, or is not a regular file. */
bool io_input_open(struct io_input *input, const char *path, struct io_error *error);
void io_input_close(struct io_input *input);

/* Whether `count` things of `each` bytes lie in the file from `offset` on; no number
 * overflows it. */
bool io_input_holds(const struct io_input *input, uint64_t offset, uint64_t count,
                    uint64_t each);

/* Reads n bytes at `offset`; where the file ends before, the sentence is "PATH is cut off:
 * WHAT is missing". */
bool io_input_read(const struct io_input *input, uint64_t offset, void *bytes, uint64_t n,
                   const char *what, struct io_error *error);

#endif
