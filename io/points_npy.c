/* NumPy's .npy, versions 1 to 3: a magic, the header's length, the header (a Python
 * dictionary in text), the numbers. (NEP 1, "A Simple File Format for NumPy Arrays".) */
#include "points.h"

#include <errno.h>
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

static bool parse_header(const char *path, const char *header, struct points *points,
                         bool *swap, struct io_error *error) {
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
    const union {
        uint16_t number;
        unsigned char byte[2];
    } order = {1};
    *swap = (type[1] == '<') != (order.byte[0] == 1);
    points->bytes = type[3] - '0';
    long long n = 0;
    int axes = 0, end = 0;
    if (sscanf(shape, "(%lld, %d%n", &n, &axes, &end) != 2 || n < 0 ||
        shape[end + (shape[end] == ',')] != ')' || (axes != 2 && axes != 3))
        return io_fail(error, "%s: its shape %.*s is neither (n, 2) nor (n, 3)", path,
                       (int)strcspn(shape, ")") + 1, shape);
    points->n = n;
    points->axes = axes;
    return true;
}

static bool read_numbers(const char *path, FILE *stream, struct points *points, bool swap,
                         struct io_error *error) {
    const off_t from = ftello(stream);
    if (from < 0 || fseeko(stream, 0, SEEK_END) != 0)
        return io_fail(error, "%s: %s", path, strerror(errno));
    const int64_t there = (int64_t)(ftello(stream) - from),
                  row = points->axes * points->bytes;
    if (there % row != 0 || there / row != points->n)
        return io_fail(error,
                       "%s: %" PRId64 " bytes of numbers are not the %" PRId64
                       " points that its header tells: it is cut off",
                       path, there, points->n);
    const int64_t count = points->n * points->axes;
    points->values = io_allocate(count, (size_t)points->bytes, path, error);
    if (points->values == NULL)
        return false;
    if (fseeko(stream, from, SEEK_SET) != 0 ||
        fread(points->values, (size_t)points->bytes, (size_t)count, stream) !=
            (size_t)count) {
        points_free(points);
        return io_fail(error, "%s: %s", path, strerror(errno ? errno : EIO));
    }
    uint32_t *word = points->values;
    uint64_t *wide = points->values;
    for (int64_t k = 0; swap && k < count; ++k) {
        if (points->bytes == 4)
            word[k] = __builtin_bswap32(word[k]);
        else
            wide[k] = __builtin_bswap64(wide[k]);
    }
    return true;
}

static bool read_all(const char *path, FILE *stream, struct points *points,
                     struct io_error *error) {
    unsigned char head[12] = {0};
    bool swap = false;
    if (fread(head, 1, 8, stream) != 8 || head[6] < 1 || head[6] > 3)
        return io_fail(error, "%s: version %d of NumPy's format is not known", path,
                       head[6]);
    const size_t wide = head[6] == 1 ? 2 : 4;
    size_t length = 0;
    const bool told = fread(head + 8, 1, wide, stream) == wide;
    for (size_t k = 0; k < wide; ++k)
        length |= (size_t)head[8 + k] << (8 * k);
    char *header = told && length < LONGEST_HEADER ? calloc(length + 1, 1) : NULL;
    const bool good = header != NULL && fread(header, 1, length, stream) == length;
    const bool parsed = good && parse_header(path, header, points, &swap, error) &&
                        read_numbers(path, stream, points, swap, error);
    free(header);
    return good ? parsed : io_fail(error, "%s: its header is cut off", path);
}

bool points_read_npy(const char *path, struct points *points, struct io_error *error) {
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        return io_fail(error, "%s: %s", path, strerror(errno));
    const bool good = read_all(path, stream, points, error);
    fclose(stream);
    return good;
}
