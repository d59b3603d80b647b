#include "fingerprint.h"

#include "input.h"

#include <string.h>
#include <sys/stat.h>

enum { BLOCK = 4096 };

uint64_t fingerprint_bytes(uint64_t hash, const void *bytes, size_t n) {
    const unsigned char *at = bytes;
    for (size_t k = 0; k < n; ++k)
        hash = (hash ^ at[k]) * 0x100000001b3u;
    return hash ^ (hash >> 29);
}

uint64_t fingerprint_file(uint64_t hash, const char *path, int blocks) {
    unsigned char block[BLOCK];
    struct io_error ignored;
    struct io_input input;
    struct stat status;
    int64_t length = -1;
    /* a pipe is not opened: what is in it is for its reader */
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) ||
        !io_input_open(&input, path, &ignored))
        return fingerprint_bytes(hash, &length, sizeof length);
    length = input.length;
    hash = fingerprint_bytes(hash, &length, sizeof length);
    for (int k = 0; k < blocks; ++k) {
        const int64_t at = blocks == 1 || length <= BLOCK
                               ? 0
                               : (int64_t)((double)(length - BLOCK) * k / (blocks - 1));
        const size_t n = (size_t)(length - at < BLOCK ? length - at : BLOCK);
        if (io_input_read(&input, (uint64_t)at, block, n, "a block", &ignored))
            hash = fingerprint_bytes(hash, block, n);
    }
    io_input_close(&input);
    return hash;
}
