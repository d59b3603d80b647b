/* What every reader and writer here returns when it fails: false, and one sentence. */
#ifndef WEFT_IO_ERROR_H
#define WEFT_IO_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One sentence without a final stop, naming the file and, where one is at fault, the
 * data set, attribute, column or particle. Long enough for the longest path. Written only
 * when a call fails. */
struct io_error {
    char text[4608];
};

/* Writes the sentence and returns false, so that `return io_fail(...)` reports and leaves.
 */
bool io_fail(struct io_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same of a file that cannot be read, by errno, or that has no name. */
bool io_fail_read(struct io_error *error, const char *path);

/* `count` elements of `bytes_each`, aligned for vector loads (64 bytes), uninitialised; the
 * caller frees them with free(). A count of 0 gives memory too. NULL and a sentence with
 * the number of bytes and `what` they are for, where there is no such memory. */
void *io_allocate(int64_t count, size_t bytes_each, const char *what,
                  struct io_error *error);

/* The two strings joined, for free(); NULL and a sentence where memory is out. */
char *io_join(const char *head, const char *tail, struct io_error *error);

#endif
