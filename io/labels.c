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

static bool put_raw(FILE *stream, const int64_t *labels, int64_t n) {
    static _Thread_local unsigned char bytes[8 * PIECE];
    bool good = true;
    for (int64_t first = 0; good && first < n; first += PIECE) {
        const int64_t count = n - first < PIECE ? n - first : PIECE;
        for (int64_t i = 0; i < count; ++i)
            put(bytes + 8 * i, labels[first + i]);
        good = fwrite(bytes, 8, (size_t)count, stream) == (size_t)count;
    }
    return good;
}

static bool put_head(FILE *stream) {
    return fputs("label\n", stream) >= 0;
}

static bool put_text(FILE *stream, const int64_t *labels, int64_t n) {
    bool good = true;
    for (int64_t i = 0; good && i < n; ++i)
        good = fprintf(stream, "%" PRId64 "\n", labels[i]) >= 0;
    return good;
}

bool labels_open(struct labels_file *file, enum labels_form form, const char *path,
                 struct io_error *error) {
    file->form = form;
    if (!io_output_open(&file->output, path, error))
        return false;
    if (form == LABELS_RAW || put_head(file->output.stream))
        return true;
    io_output_fail(&file->output, errno, error);
    return labels_close(file, false, error);
}

bool labels_put(struct labels_file *file, const int64_t *labels, int64_t n,
                struct io_error *error) {
    FILE *stream = file->output.stream;
    return (file->form == LABELS_RAW ? put_raw : put_text)(stream, labels, n) ||
           io_output_fail(&file->output, errno, error);
}

bool labels_close(struct labels_file *file, bool good, struct io_error *error) {
    return io_output_close(&file->output, good, error);
}

void labels_print_head(void) {
    put_head(stdout);
}

void labels_print(const int64_t *labels, int64_t n) {
    put_text(stdout, labels, n);
}
