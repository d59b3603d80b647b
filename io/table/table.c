#include "table.h"

#include "io/files/output.h"
#include "io/files/standard.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum table_kind table_kind(const char *path, const unsigned char head[6]) {
    if (memcmp(head, "\x93NUMPY", 6) == 0)
        return TABLE_NPY;
    static const char *const texts[] = {".csv", ".txt", ".tsv", ".dat", ".asc"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k) {
        if (io_ends_in(path, texts[k]))
            return TABLE_TEXT;
    }
    if (standard_is(path))
        return TABLE_TEXT;
    return io_ends_in(path, ".f32") ? TABLE_F32 : TABLE_NONE;
}

static enum table_kind find_kind(const struct io_input *input) {
    struct io_error ignored;
    unsigned char head[6] = {0};
    const uint64_t length = (uint64_t)input->length;
    io_input_read(input, 0, head, length < 6 ? length : 6, "its beginning", &ignored);
    return table_kind(input->path, head);
}

bool table_open(struct table *table, const char *path, struct io_error *error) {
    struct io_input input;
    *table = (struct table){.kind = TABLE_NONE};
    if (!io_input_open(&input, path, error))
        return false;
    table->kind = find_kind(&input);
    bool done = true;
    if (table->kind == TABLE_NPY)
        done = table_open_npy(table, &input, error);
    else if (table->kind == TABLE_F32)
        done = table_open_f32(table, &input, error);
    io_input_close(&input);
    return table->kind == TABLE_TEXT ? table_open_text(table, path, error) : done;
}

bool table_open_f32(struct table *table, const struct io_input *input,
                    struct io_error *error) {
    if (input->length % 12 != 0)
        return io_fail(error,
                       "%s: %" PRId64 " bytes are not three float32 a point: it is cut off",
                       input->path, input->length);
    table->n = input->length / 12;
    table->axes = 3;
    table->bytes[SNAPSHOT_COORDINATES] = 4;
    table->order = IO_LITTLE;
    table->start = 0;
    return true;
}

static bool read_numbers(const struct table *table, const char *path, int64_t first,
                         int64_t count, void *values, struct io_error *error) {
    const int width = table->bytes[SNAPSHOT_COORDINATES];
    const int64_t row = table->axes * width;
    struct io_input input;
    if (!io_input_open(&input, path, error))
        return false;
    input.threads = table->threads;
    const bool plain = !table->fortran && table->integer == 0;
    const bool done = plain
                          ? io_input_read(&input, table->start + (uint64_t)(first * row),
                                          values, (uint64_t)(count * row), "a point", error)
                          : table_read_npy(table, &input, first, count, values, error);
    io_input_close(&input);
    if (done && plain)
        io_swap(values, width, count * table->axes, table->order);
    return done;
}

bool table_read(const struct table *table, const char *path, int64_t first, int64_t count,
                void *const values[SNAPSHOT_FIELDS], struct io_error *error) {
    if (table->kind == TABLE_TEXT)
        return table_read_text(table, path, first, count, values, error);
    return values[SNAPSHOT_COORDINATES] == NULL ||
           read_numbers(table, path, first, count, values[SNAPSHOT_COORDINATES], error);
}
