#include "points.h"

#include "numbers.h"
#include "output.h"
#include "snapshot.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_snapshot(const char *path, struct points *points, struct io_error *error) {
    struct snapshot_particles particles;
    struct snapshot *snapshot = snapshot_open(path, error);
    if (snapshot == NULL)
        return false;
    const struct snapshot_info *info = snapshot_info(snapshot);
    for (int axis = 0; axis < 3; ++axis)
        points->box[axis] = info->periodic[axis] ? info->box[axis] : 0;
    const bool good =
        snapshot_read(snapshot, 1u << SNAPSHOT_COORDINATES, &particles, error);
    snapshot_close(snapshot);
    if (!good)
        return false;
    points->n = particles.n;
    points->axes = 3;
    points->bytes = particles.bytes[SNAPSHOT_COORDINATES];
    points->values = particles.field[SNAPSHOT_COORDINATES];
    particles.field[SNAPSHOT_COORDINATES] = NULL;
    snapshot_free(&particles);
    return true;
}

/* Whether the file begins as NumPy's do; false also where it cannot be read. */
static bool is_npy(const char *path) {
    char head[6] = {0};
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        return false;
    const size_t got = fread(head, 1, sizeof head, stream);
    fclose(stream);
    return got == sizeof head && memcmp(head, "\x93NUMPY", sizeof head) == 0;
}

static bool check_finite(const char *path, struct points *points, struct io_error *error) {
    const int64_t bad =
        io_first_not_finite(points->values, points->bytes, points->n * points->axes);
    if (bad < 0)
        return true;
    const int64_t row = bad / points->axes;
    const char axis = "xyz"[bad % points->axes];
    points_free(points);
    return io_fail(error, "%s: %c of point %" PRId64 " is not a finite number", path, axis,
                   row);
}

bool points_read(const char *path, struct points *points, struct io_error *error) {
    *points = (struct points){0};
    if (is_npy(path))
        return points_read_npy(path, points, error) && check_finite(path, points, error);
    if (io_ends_in(path, ".csv") || io_ends_in(path, ".txt"))
        return points_read_text(path, points, error) && check_finite(path, points, error);
    if (io_ends_in(path, ".f32"))
        return points_read_f32(path, points, error) && check_finite(path, points, error);
    return read_snapshot(path, points, error);
}

void points_free(struct points *points) {
    free(points->values);
    points->values = NULL;
}
