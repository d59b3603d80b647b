#include "points.h"

#include "io/files/fingerprint.h"
#include "io/files/numbers.h"
#include "io/files/path.h"
#include "io/files/standard.h"
#include "io/table/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void choose(struct points *points, int64_t total, int share, int shares) {
    points->total = total;
    points->first = io_share(total, share, shares);
    points->n = io_share(total, share + 1, shares) - points->first;
}

static bool read_snapshot(const char *path, int share, int shares, int threads,
                          struct points *points, struct io_error *error) {
    struct snapshot_particles particles;
    struct snapshot *snapshot = snapshot_open(path, error);
    if (snapshot == NULL)
        return false;
    const struct snapshot_info *info = snapshot_info(snapshot);
    for (int axis = 0; axis < 3; ++axis)
        points->box[axis] = info->periodic[axis] ? info->box[axis] : 0;
    memcpy(points->count, info->count, sizeof points->count);
    points->fingerprint = snapshot_fingerprint(snapshot);
    choose(points, info->n, share, shares);
    snapshot_set_threads(snapshot, threads);
    const bool good = snapshot_read_slice(snapshot, points->first, points->n,
                                          1u << SNAPSHOT_COORDINATES, &particles, error);
    snapshot_close(snapshot);
    if (!good)
        return false;
    points->axes = 3;
    memcpy(points->low, particles.low, sizeof points->low);
    memcpy(points->high, particles.high, sizeof points->high);
    points->bytes = particles.bytes[SNAPSHOT_COORDINATES];
    points->values = particles.field[SNAPSHOT_COORDINATES];
    particles.field[SNAPSHOT_COORDINATES] = NULL;
    snapshot_free(&particles);
    return true;
}

static bool read_table(const char *path, int share, int shares, struct points *points,
                       struct io_error *error) {
    struct table table;
    if (!table_open(&table, path, error))
        return false;
    choose(points, table.n, share, shares);
    points->fingerprint =
        fingerprint_file(0xcbf29ce484222325u + (uint64_t)table.n, path, FINGERPRINT_BLOCKS);
    points->axes = table.axes;
    points->bytes = table.bytes[SNAPSHOT_COORDINATES];
    points->values =
        io_allocate(points->n * table.axes, (size_t)points->bytes, path, error);
    void *const values[SNAPSHOT_FIELDS] = {[SNAPSHOT_COORDINATES] = points->values};
    if (points->values == NULL ||
        !table_read(&table, path, points->first, points->n, values, error)) {
        points_free(points);
        return false;
    }
    return true;
}

/* Whether it is a table; a file that cannot be read is one by its name. */
static bool is_table(const char *path) {
    unsigned char head[6] = {0};
    FILE *stream = standard_stream(path);
    if (stream != NULL) {
        const size_t got = fread(head, 1, sizeof head, stream);
        memset(head + got, 0, sizeof head - got);
        fclose(stream);
    }
    return table_kind(path, head) != TABLE_NONE;
}

static bool enclose(const char *path, int threads, struct points *points,
                    struct io_error *error) {
    if (io_extent(threads, points->values, points->bytes, points->axes, points->n,
                  points->low, points->high))
        return true;
    const int64_t bad = io_first_not_finite(threads, points->values, points->bytes,
                                            points->n * points->axes);
    const int64_t row = points->first + bad / points->axes;
    const char axis = "xyz"[bad % points->axes];
    points_free(points);
    return io_fail(error, "%s: %c of point %" PRId64 " is not a finite number", path, axis,
                   row);
}

bool points_read(const char *path, int share, int shares, int threads,
                 struct points *points, struct io_error *error) {
    *points = (struct points){0};
    if (is_table(path))
        return read_table(path, share, shares, points, error) &&
               enclose(path, threads, points, error);
    return read_snapshot(path, share, shares, threads, points, error);
}

bool points_has_part(const char *path, const char *other) {
    struct io_error ignored;
    if (io_same_file(path, other))
        return true;
    struct snapshot *snapshot = is_table(path) ? NULL : snapshot_open(path, &ignored);
    const bool has = snapshot != NULL && snapshot_has_part(snapshot, other);
    snapshot_close(snapshot);
    return has;
}

void points_free(struct points *points) {
    free(points->values);
    points->values = NULL;
}
