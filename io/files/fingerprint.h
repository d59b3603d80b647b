/* Whether two processes read the same file, on whatever machine: a number that tells files
 * apart without reading all of them. */
#ifndef WEFT_IO_FILES_FINGERPRINT_H
#define WEFT_IO_FILES_FINGERPRINT_H

#include <stddef.h>
#include <stdint.h>

enum { FINGERPRINT_BLOCKS = 64 };

/* Of what was before, `hash`, and of more bytes. */
uint64_t fingerprint_bytes(uint64_t hash, const void *bytes, size_t n);

/* And of a file: its length, and so many blocks of 4 KiB, evenly spread. Of one that is no
 * regular file, or cannot be read, that it is so. */
uint64_t fingerprint_file(uint64_t hash, const char *path, int blocks);

#endif
