/* Writes labels: one int64 a particle, in input order. */
#ifndef WEFT_IO_LABELS_H
#define WEFT_IO_LABELS_H

#include "io/files/output.h"

enum labels_form {
    LABELS_RAW,  /* little-endian int64, without a header */
    LABELS_TEXT, /* a line `label`, then one label a line */
};

/* A file that is written piece by piece, and is there whole or not at all. Errors: by the
 * file's name and the system's reason. */
struct labels_file {
    enum labels_form form;
    struct io_output output;
};
bool labels_open(struct labels_file *file, enum labels_form form, const char *path,
                 struct io_error *error);
bool labels_put(struct labels_file *file, const int64_t *labels, int64_t n,
                struct io_error *error);

/* As io_output_close. */
bool labels_close(struct labels_file *file, bool good, struct io_error *error);

/* On standard output, as text; whether all went out is seen at its end. */
void labels_print_head(void);
void labels_print(const int64_t *labels, int64_t n);

#endif
