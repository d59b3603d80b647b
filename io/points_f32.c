/* Raw little-endian float32: x, y, z of each point in turn. */
#include "points.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_all(const char *path, FILE *stream, struct points *points,
                     struct io_error *error) {
    if (fseeko(stream, 0, SEEK_END) != 0)
        return io_fail(error, "%s: %s", path, strerror(errno));
    const int64_t bytes = (int64_t)ftello(stream);
    if (bytes % 12 != 0)
        return io_fail(error,
                       "%s: %" PRId64 " bytes are not three float32 a point: it is cut off",
                       path, bytes);
    rewind(stream);
    points->n = bytes / 12;
    points->axes = 3;
    points->bytes = 4;
    points->values = io_allocate(3 * points->n, 4, path, error);
    if (points->values == NULL)
        return false;
    if (fread(points->values, 12, (size_t)points->n, stream) != (size_t)points->n) {
        points_free(points);
        return io_fail(error, "%s: %s", path, strerror(ferror(stream) ? errno : EIO));
    }
    const union {
        uint32_t number;
        unsigned char byte[4];
    } order = {1};
    uint32_t *word = points->values;
    for (int64_t k = 0; order.byte[0] == 0 && k < 3 * points->n; ++k)
        word[k] = __builtin_bswap32(word[k]);
    return true;
}

bool points_read_f32(const char *path, struct points *points, struct io_error *error) {
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        return io_fail(error, "%s: %s", path, strerror(errno));
    const bool good = read_all(path, stream, points, error);
    fclose(stream);
    return good;
}
