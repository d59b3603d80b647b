#include "columns.h"
#include "io/files/path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct columns_format *format_of(const char *path, struct io_error *error) {
    static const char hdf5[] = "\x89HDF\r\n\x1a\n", genericio[] = "HACC01";
    char head[8] = "";
    if (io_is_pipe(path)) {
        io_fail(error, "%s is a pipe, and tables need a file", path);
        return NULL;
    }
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        io_fail_read(error, path);
        return NULL;
    }
    errno = 0;
    const size_t n = fread(head, 1, sizeof head, stream);
    const bool folder = errno == EISDIR;
    fclose(stream);
    if (folder) {
        io_fail(error, "%s is a folder", path);
        return NULL;
    }
    if (n == sizeof head && memcmp(head, hdf5, sizeof head) == 0)
        return &columns_hdf5;
    if (n == sizeof head && memcmp(head, genericio, sizeof genericio - 1) == 0)
        return &columns_genericio;
    io_fail(error, "%s is neither HDF5 nor GenericIO", path);
    return NULL;
}

struct columns_file *columns_open(const char *path, struct io_error *error) {
    const struct columns_format *format = format_of(path, error);
    struct columns_file *file = format ? calloc(1, sizeof *file) : NULL;
    if (format && file)
        file->path = strdup(path);
    if (file == NULL || file->path == NULL) {
        free(file);
        if (format)
            io_fail(error, "out of memory: the tables of %s", path);
        return NULL;
    }
    file->format = format;
    if (format->open(file, error))
        return file;
    columns_close(file);
    return NULL;
}

void columns_close(struct columns_file *file) {
    if (file == NULL)
        return;
    file->format->close(file);
    for (int k = 0; k < file->n_tables; ++k)
        free(file->tables[k].columns);
    free(file->tables);
    free(file->path);
    free(file);
}

bool columns_read(struct columns_file *file, int table, int column, int64_t row,
                  struct columns_piece *piece, struct io_error *error) {
    if (row >= piece->first && row < piece->first + piece->count)
        return true;
    piece->count = 0;
    return file->format->read(file, table, column, row, piece, error);
}

bool columns_notes(struct columns_file *file, columns_note *note, void *context,
                   struct io_error *error) {
    return file->format->notes == NULL || file->format->notes(file, note, context, error);
}

bool columns_arrays(struct columns_file *file, columns_array *array, columns_note *note,
                    void *context, struct io_error *error) {
    return file->format->arrays == NULL ||
           file->format->arrays(file, array, note, context, error);
}

bool columns_verify(struct columns_file *file, struct io_error *error) {
    struct columns_piece piece = {0};
    bool done = true;
    for (int t = 0; t < file->n_tables; ++t)
        for (int c = 0; c < file->tables[t].n_columns; ++c) {
            piece.count = 0; /* of another column */
            for (int64_t row = 0; done && row < file->tables[t].n;
                 row = piece.first + piece.count)
                done = columns_read(file, t, c, row, &piece, error);
        }
    columns_forget(&piece);
    return done;
}
