#include "snapshot.h"
#include "io/snapshot.h"
#include "bench/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* So many copies along each axis that there are at least `most` particles. */
static i64 widen(i64 tile, i64 n, i64 most) {
    while (n > 0 && n * tile * tile * tile < most)
        ++tile;
    return tile;
}

static bool settle(struct particles *particles, const struct snapshot_info *info,
                   const char *path, i64 tile) {
    const f64 volume = info->box[0] * info->box[1] * info->box[2];
    if (!(volume > 0) || info->n == 0) {
        fprintf(stderr, "weft-bench: %s: has no %s\n", path,
                volume > 0 ? "particles" : "box");
        return false;
    }
    particles->n = info->n * tile * tile * tile;
    particles->separation = cbrt(volume / (f64)info->n);
    for (int axis = 0; axis < 3; ++axis)
        particles->box[axis] = info->box[axis] * (f64)tile;
    if (particles->n < UINT32_MAX)
        return true;
    fprintf(stderr, "weft-bench: %s: %lld particles are too many\n", path,
            (long long)particles->n);
    return false;
}

static void lay(struct particles *particles, const struct snapshot_particles *read,
                const f64 *box, i64 tile) {
    const void *from = read->field[SNAPSHOT_COORDINATES];
    const bool wide = read->bytes[SNAPSHOT_COORDINATES] == 8;
    f64 *to = particles->position;
    for (i64 copy = 0; copy < tile * tile * tile; ++copy) {
        const i64 at[3] = {copy / (tile * tile), copy / tile % tile, copy % tile};
        for (i64 i = 0; i < 3 * read->n; ++i)
            *to++ = (wide ? ((const f64 *)from)[i] : (f64)((const f32 *)from)[i]) +
                    (f64)at[i % 3] * box[i % 3];
    }
}

/* Every so many particles one stays; the mean separation grows. */
static void thin(struct particles *particles, i64 most) {
    const i64 n = particles->n;
    for (i64 k = 0; k < most; ++k) {
        const i64 from = (i64)((f64)k * (f64)n / (f64)most);
        for (int axis = 0; axis < 3; ++axis)
            particles->position[3 * k + axis] = particles->position[3 * from + axis];
    }
    particles->separation *= cbrt((f64)n / (f64)most);
    particles->n = most;
}

bool particles_read(struct particles *particles, const char *path, i64 tile, i64 most) {
    *particles = (struct particles){0};
    struct io_error error;
    struct snapshot_particles read = {0};
    struct snapshot *snapshot = snapshot_open(path, &error);
    bool good =
        snapshot && snapshot_read(snapshot, 1 << SNAPSHOT_COORDINATES, &read, &error);
    if (!good)
        fprintf(stderr, "weft-bench: %s\n", error.text);
    if (good)
        tile = widen(tile, snapshot_info(snapshot)->n, most);
    good = good && settle(particles, snapshot_info(snapshot), path, tile);
    if (good) {
        particles->position = memory_new((size_t)particles->n * 3 * sizeof(f64));
        good = particles->position != NULL;
    }
    if (good)
        lay(particles, &read, snapshot_info(snapshot)->box, tile);
    if (good && most > 0 && most < particles->n)
        thin(particles, most);
    snapshot_free(&read);
    if (snapshot)
        snapshot_close(snapshot);
    return good;
}

void particles_free(struct particles *particles) {
    free(particles->position);
    particles->position = NULL;
}
