/* Writes labels: one int64 a particle, in input order. */
#ifndef WEFT_IO_LABELS_H
#define WEFT_IO_LABELS_H

#include "io/files/output.h"

enum labels_form {
    LABELS_RAW,  /* little-endian int64, without a header */
    LABELS_TEXT, /* a line `label`, then one label a line */
    LABELS_NPY,  /* NumPy's .npy, of shape (n,) */
};

/* What a name asks for: .npy, .csv, and raw where it says nothing. */
enum labels_form labels_form_of(const char *path);

/* A file that is written piece by piece, and is there whole or not at all. Errors: by the
 * file's name and the system's reason.
 *   total   how many labels there will be */
struct labels_file {
    enum labels_form form;
    struct io_output output;
};
bool labels_open(struct labels_file *file, enum labels_form form, const char *path,
                 int64_t total, struct io_error *error);
bool labels_put(struct labels_file *file, const int64_t *labels, int64_t n,
                struct io_error *error);

/* As io_output_close. */
bool labels_close(struct labels_file *file, bool good, struct io_error *error);

#endif
