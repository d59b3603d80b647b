#include "labels.h"

#include <errno.h>
#include <inttypes.h>

enum { PIECE = 8192 };

/* Byte by byte, so that it is little-endian on every machine. */
static void put(unsigned char *bytes, int64_t label) {
    const uint64_t value = (uint64_t)label;
    for (int k = 0; k < 8; ++k)
        bytes[k] = (unsigned char)(value >> (8 * k));
}

bool labels_put(struct io_output *output, const int64_t *labels, int64_t n,
                struct io_error *error) {
    static _Thread_local unsigned char bytes[8 * PIECE];
    for (int64_t first = 0; first < n; first += PIECE) {
        const int64_t count = n - first < PIECE ? n - first : PIECE;
        for (int64_t i = 0; i < count; ++i)
            put(bytes + 8 * i, labels[first + i]);
        if (fwrite(bytes, 8, (size_t)count, output->stream) != (size_t)count)
            return io_output_fail(output, errno, error);
    }
    return true;
}

bool labels_write(const char *path, const int64_t *labels, int64_t n,
                  struct io_error *error) {
    struct io_output output;
    return io_output_open(&output, path, error) &&
           io_output_close(&output, labels_put(&output, labels, n, error), error);
}

bool labels_write_csv(const char *path, const int64_t *labels, int64_t n,
                      struct io_error *error) {
    struct io_output output;
    if (!io_output_open(&output, path, error))
        return false;
    bool good = fputs("label\n", output.stream) >= 0;
    for (int64_t i = 0; good && i < n; ++i)
        good = fprintf(output.stream, "%" PRId64 "\n", labels[i]) >= 0;
    if (!good)
        io_output_fail(&output, errno, error);
    return io_output_close(&output, good, error);
}
