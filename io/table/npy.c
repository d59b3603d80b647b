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
    if (strlen(type) < 5 || (type[1] != '<' && type[1] != '>') || type[2] != 'f' ||
        (type[3] != '4' && type[3] != '8') || type[4] != type[0])
        return io_fail(error, "%s: its numbers are %.*s, neither f4 nor f8", path,
                       (int)strcspn(type, ","), type);
    if (strncmp(fortran, "False", 5) != 0)
        return io_fail(error, "%s: it is in Fortran order, which is not read", path);
    table->order = type[1] == '<' ? IO_LITTLE : IO_BIG;
    table->bytes[SNAPSHOT_COORDINATES] = type[3] - '0';
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
                  row = table->axes * table->bytes[SNAPSHOT_COORDINATES];
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
