/* NumPy's .npy, versions 1 to 3: a magic, the header's length, the header (a Python
 * dictionary in text), the numbers. (NEP 1, "A Simple File Format for NumPy Arrays".) */
#include "table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_HEADER = 65536 };

/* What stands after 'key': in the dictionary; NULL where the key is missing. */
static const char *find_value(const char *header, const char *key) {
    const char *at = strstr(header, key);
    if (at == NULL)
        return NULL;
    at += strlen(key);
    return at + strspn(at, " :");
}

static bool parse_header(const char *path, const char *header, struct table *table,
                         struct io_error *error) {
    const char *type = find_value(header, "'descr'");
    const char *fortran = find_value(header, "'fortran_order'");
    const char *shape = find_value(header, "'shape'");
    if (type == NULL || fortran == NULL || shape == NULL)
        return io_fail(error, "%s: its header is not NumPy's: %.60s", path, header);
    const bool shaped = strlen(type) >= 5 && strchr("<>|=", type[1]) != NULL &&
                        type[4] == type[0] && strchr("fiu", type[2]) != NULL;
    const int width = shaped ? type[3] - '0' : 0;
    const bool is_float = shaped && type[2] == 'f';
    if (!(width == 4 || width == 8 || (!is_float && (width == 1 || width == 2))))
        return io_fail(error,
                       "%s: its numbers are %.*s, neither f4, f8 nor integers: write "
                       "array.astype('f8')",
                       path, (int)strcspn(type, ","), type);
    table->fortran = strncmp(fortran, "True", 4) == 0;
    table->order = type[1] == '>' ? IO_BIG : IO_LITTLE;
    table->width = width;
    table->integer = is_float ? 0 : type[2];
    table->bytes[SNAPSHOT_COORDINATES] = is_float ? width : 8;
    long long n = 0;
    int axes = 0, end = 0;
    if (sscanf(shape, "(%lld, %d%n", &n, &axes, &end) != 2 || n < 0 ||
        shape[end + (shape[end] == ',')] != ')' || (axes != 2 && axes != 3))
        return io_fail(error, "%s: its shape %.*s is neither (n, 2) nor (n, 3)", path,
                       (int)strcspn(shape, ")") + 1, shape);
    table->n = n;
    table->axes = axes;
    return true;
}

static bool check_length(const struct table *table, const struct io_input *input,
                         struct io_error *error) {
    const int64_t there = input->length - (int64_t)table->start,
                  row = table->axes * table->width;
    return (there % row == 0 && there / row == table->n) ||
           io_fail(error,
                   "%s: %" PRId64 " bytes of numbers are not the %" PRId64
                   " points that its header tells",
                   input->path, there, table->n);
}

bool table_open_npy(struct table *table, const struct io_input *input,
                    struct io_error *error) {
    unsigned char head[12] = {0};
    const uint64_t length = (uint64_t)input->length;
    if (!io_input_read(input, 0, head, length < 12 ? length : 12, "the header", error))
        return false;
    if (length < 8 || head[6] < 1 || head[6] > 3)
        return io_fail(error, "%s: version %d of NumPy's format is not known", input->path,
                       head[6]);
    const uint64_t wide = head[6] == 1 ? 2 : 4;
    const uint64_t size =
        io_get_u32(head + 8, IO_LITTLE) & (wide == 2 ? 0xffff : UINT32_MAX);
    table->start = 8 + wide + size;
    if (size > LONGEST_HEADER || !io_input_holds(input, 8 + wide, size, 1))
        return io_fail(error, "%s: its header is cut off", input->path);
    char *header = calloc(size + 1, 1);
    if (header == NULL)
        return io_fail(error, "no memory for the header of %s", input->path);
    const bool done = io_input_read(input, 8 + wide, header, size, "the header", error) &&
                      parse_header(input->path, header, table, error) &&
                      check_length(table, input, error);
    free(header);
    return done;
}

/* A number of the file's, of `width` bytes in its order. */
static double convert(const struct table *table, const unsigned char *at, bool *exact) {
    static const int64_t most = (int64_t)1 << 53;
    uint64_t bits = 0;
    for (int k = 0; k < table->width; ++k) {
        const int byte = table->order == IO_LITTLE ? table->width - 1 - k : k;
        bits = bits << 8 | at[byte];
    }
    if (table->integer == 0 && table->width == 8) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    if (table->integer == 0) {
        const uint32_t half = (uint32_t)bits;
        float value;
        memcpy(&value, &half, sizeof value);
        return value;
    }
    const int unused = 64 - 8 * table->width;
    const int64_t value =
        table->integer == 'i' ? (int64_t)(bits << unused) >> unused : (int64_t)bits;
    *exact = *exact && value >= (table->integer == 'u' ? 0 : -most) && value <= most;
    return (double)value;
}

/* Rows first .. first + count of one axis, from `at` on in the file. */
static bool read_axis(const struct table *table, const struct io_input *input, int axis,
                      int64_t first, int64_t count, unsigned char *raw, void *values,
                      struct io_error *error) {
    const int64_t width = table->width, step = table->fortran ? width : width * table->axes;
    const int64_t begin = table->fortran ? (axis * table->n + first) * width : first * step;
    bool exact = true;
    if (!io_input_read(input, table->start + (uint64_t)begin, raw, (uint64_t)(count * step),
                       "a point", error))
        return false;
    for (int64_t i = 0; i < count; ++i) {
        const unsigned char *at = raw + i * step + (table->fortran ? 0 : axis * width);
        const double value = convert(table, at, &exact);
        if (table->bytes[SNAPSHOT_COORDINATES] == 4)
            ((float *)values)[i * table->axes + axis] = (float)value;
        else
            ((double *)values)[i * table->axes + axis] = value;
    }
    return exact ||
           io_fail(error, "%s: an integer beyond 2^53 is none that f8 holds", input->path);
}

bool table_read_npy(const struct table *table, const struct io_input *input, int64_t first,
                    int64_t count, void *values, struct io_error *error) {
    unsigned char *raw =
        io_allocate(count, (size_t)(table->width * table->axes), "points", error);
    bool done = raw != NULL;
    for (int axis = 0; done && axis < table->axes; ++axis)
        done = read_axis(table, input, axis, first, count, raw, values, error);
    free(raw);
    return done;
}
