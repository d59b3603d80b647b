/* The row of spherical overdensities. */
#include "halos.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLES = 200 };

/* vir, 200m, 200c, 500c, 2500c at Omega_m = 0.31, in units of the mean density. */
static const f64 thresholds[SO_DENSITIES] = {102.505 / 0.31, 200, 200 / 0.31, 500 / 0.31,
                                             2500 / 0.31};

weft_so_options so_options(const struct halos_settings *settings, weft_array guess) {
    weft_so_options options = {
        .densities = SO_DENSITIES,
        .guess = guess,
        .cells = settings->cells,
    };
    for (int t = 0; t < SO_DENSITIES; ++t)
        options.density[t] = thresholds[t] * settings->density;
    return options;
}

void run_so(weft_device *device, const weft_array *in, const weft_array *out,
            struct task *task) {
    const struct halos_settings *settings = task->settings;
    const weft_bodies bodies = {
        .points = weft_points_interleaved(device, in[0]),
        .particle_mass = 1,
        .box = {settings->box[0], settings->box[1], settings->box[2]},
    };
    const weft_points centers = weft_points_interleaved(device, in[1]);
    const weft_so_options options = so_options(settings, in[2]);
    weft_so_spheres spheres;
    weft_so(device, &bodies, &centers, &options, &spheres);
    weft_copy(device, spheres.count, out[0]);
    weft_copy(device, spheres.radius, out[1]);
    weft_so_free(device, &spheres);
}

static int ascending(const void *a, const void *b) {
    const f64 x = *(const f64 *)a, y = *(const f64 *)b;
    return (x > y) - (x < y);
}

i64 so_rank(const struct task *task, const f32 *center, f64 far, f64 *r2) {
    const struct halos_settings *settings = task->settings;
    const f32 *x = task->in[0].data;
    i64 count = 0;
    for (i64 i = 0; i < task->n; ++i) {
        f64 d[3];
        for (int axis = 0; axis < 3; ++axis) {
            const f64 box = settings->box[axis];
            d[axis] = (f64)x[3 * i + axis] - (f64)center[axis];
            d[axis] = fabs(d[axis]) < box / 2 ? d[axis] : remainder(d[axis], box);
        }
        r2[count] = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        count += r2[count] <= far * far;
    }
    qsort(r2, (size_t)count, sizeof *r2, ascending);
    return count;
}

static bool check_center(const struct task *task, i64 h, i64 halos, f64 *r2) {
    const struct halos_settings *settings = task->settings;
    const i64 *counts = task->out[0].data;
    const f64 *radii = task->out[1].data;
    const f64 largest = radii[halos + h]; /* that of 200m, which is the lowest threshold */
    const i64 n = so_rank(task, (const f32 *)task->in[1].data + 3 * h, 1.5 * largest, r2);
    bool good = true;
    for (int t = 0; t < SO_DENSITIES; ++t) {
        const f64 v =
            3 / (4 * 3.14159265358979323846 * (thresholds[t] * settings->density));
        const f64 q = v * v;
        i64 k = 1; /* past the last of them, 1.5 radii away, nothing is dense */
        while (k < n && (f64)(k + 1) * (f64)(k + 1) * q > r2[k] * r2[k] * r2[k])
            ++k;
        good = good && counts[t * halos + h] == k &&
               fabs(radii[t * halos + h] - cbrt((f64)k * v)) <= 1e-15 * largest;
    }
    return good;
}

bool check_so(const struct task *task) {
    const i64 halos = task->in[2].length, step = halos / SAMPLES + 1;
    f64 *r2 = malloc((size_t)(task->n + 1) * sizeof *r2);
    bool good = r2 != NULL && halos > 0;
    for (i64 h = 0; h < halos && good; h += step)
        good = check_center(task, h, halos, r2);
    free(r2);
    return good;
}
