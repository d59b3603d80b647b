#include "labels.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

/* NumPy's header of version 1, a multiple of 64 bytes (io/table/npy.c reads it). */
static bool put_npy_head(FILE *stream, int64_t total) {
    char head[128];
    memset(head, ' ', sizeof head);
    memcpy(head, "\x93NUMPY\x01\x00\x76", 10);
    const int n = snprintf(
        head + 10, sizeof head - 10,
        "{'descr': '<i8', 'fortran_order': False, 'shape': (%" PRId64 ",), }", total);
    head[10 + n] = ' ';
    head[sizeof head - 1] = '\n';
    return fwrite(head, sizeof head, 1, stream) == 1;
}

static bool put_head(FILE *stream, enum labels_form form, int64_t total) {
    return form == LABELS_NPY    ? put_npy_head(stream, total)
           : form == LABELS_TEXT ? fputs("label\n", stream) >= 0
                                 : true;
}

static bool put_text(FILE *stream, const int64_t *labels, int64_t n) {
    bool good = true;
    for (int64_t i = 0; good && i < n; ++i)
        good = fprintf(stream, "%" PRId64 "\n", labels[i]) >= 0;
    return good;
}

enum labels_form labels_form_of(const char *path) {
    return io_ends_in(path, ".npy")   ? LABELS_NPY
           : io_ends_in(path, ".csv") ? LABELS_TEXT
                                      : LABELS_RAW;
}

bool labels_open(struct labels_file *file, enum labels_form form, const char *path,
                 int64_t total, struct io_error *error) {
    file->form = form;
    if (!io_output_open(&file->output, path, error))
        return false;
    if (put_head(file->output.stream, form, total))
        return true;
    io_output_fail(&file->output, errno, error);
    return labels_close(file, false, error);
}

bool labels_put(struct labels_file *file, const int64_t *labels, int64_t n,
                struct io_error *error) {
    FILE *stream = file->output.stream;
    return (file->form == LABELS_TEXT ? put_text : put_raw)(stream, labels, n) ||
           io_output_fail(&file->output, errno, error);
}

bool labels_close(struct labels_file *file, bool good, struct io_error *error) {
    return io_output_close(&file->output, good, error);
}
