/* The rows of what is inside spherical overdensities: properties and profiles. */
#include "halos.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLES = 100, WITHIN = 2 /* 200c */ };

static const double edges[INSIDE_SHELLS + 1] = {0, 0.01, 0.03, 0.1, 0.3, 1, 1.7};

/* What both rows work on. */
struct scene {
    weft_bodies bodies;
    weft_points centers;
    weft_so_options options;
};

static struct scene scene_of(weft_device *device, const weft_array *in,
                             const struct task *task) {
    const struct halos_settings *settings = task->settings;
    struct scene s = {
        .bodies = {.points = weft_points_interleaved(device, in[0]),
                   .velocity = in[3],
                   .particle_mass = 1,
                   .box = {settings->box[0], settings->box[1], settings->box[2]}},
        .centers = weft_points_interleaved(device, in[1])};
    s.options = so_options(settings, in[2]);
    return s;
}

void find_spheres(weft_device *device, const weft_array *in, struct task *task) {
    const struct scene s = scene_of(device, in, task);
    struct halos_settings *settings = task->settings;
    weft_so(device, &s.bodies, &s.centers, &s.options, &settings->spheres);
}

void run_properties(weft_device *device, const weft_array *in, const weft_array *out,
                    struct task *task) {
    const struct scene s = scene_of(device, in, task);
    const struct halos_settings *settings = task->settings;
    const weft_so_measures measures = {.threshold = WITHIN, .gravity = 1};
    weft_so_properties found;
    weft_so_measure(device, &s.bodies, &s.centers, &s.options, &settings->spheres,
                    &measures, &found);
    weft_copy(device, found.vmax, out[0]);
    weft_so_properties_free(device, &found);
}

static weft_profiles_options shells_of(void) {
    weft_profiles_options how = {.bins = INSIDE_SHELLS};
    for (int b = 0; b <= INSIDE_SHELLS; ++b)
        how.edge[b] = edges[b];
    return how;
}

void run_profiles(weft_device *device, const weft_array *in, const weft_array *out,
                  struct task *task) {
    const struct scene s = scene_of(device, in, task);
    const struct halos_settings *settings = task->settings;
    const i64 n = settings->spheres.centers;
    weft_profiles_options how = shells_of();
    how.radius = weft_slice(device, settings->spheres.radius, WITHIN * n, n);
    weft_profiles found;
    weft_profiles_measure(device, &s.bodies, &s.centers, &s.options, &how, &found);
    weft_copy(device, found.count, out[0]);
    weft_copy(device, how.radius, out[1]);
    weft_profiles_free(device, &found);
}

void run_inside(weft_device *device, const weft_array *in, const weft_array *out,
                struct task *task) {
    const struct scene s = scene_of(device, in, task);
    const struct halos_settings *settings = task->settings;
    const i64 n = settings->spheres.centers;
    const weft_so_measures measures = {.threshold = WITHIN, .gravity = 1};
    const weft_profiles_options shells = shells_of();
    weft_so_properties properties;
    weft_profiles profiles;
    weft_so_measure_both(device, &s.bodies, &s.centers, &s.options, &settings->spheres,
                         &measures, &shells, &properties, &profiles);
    weft_copy(device, profiles.count, out[0]);
    weft_copy(device, weft_slice(device, settings->spheres.radius, WITHIN * n, n),
              weft_slice(device, out[1], 0, n));
    weft_copy(device, properties.vmax, weft_slice(device, out[1], n, n));
    weft_so_properties_free(device, &properties);
    weft_profiles_free(device, &profiles);
}

/* The radius of 200c of a count: N = D 4 pi R^3 / 3. */
static f64 density_of(const struct task *task) {
    const struct halos_settings *settings = task->settings;
    return so_options(settings, (weft_array){0}).density[WITHIN];
}

static bool check_vmax(const struct task *task, const f64 *vmax) {
    const i64 halos = task->in[2].length, step = halos / SAMPLES + 1;
    const f64 v = 3 / (4 * 3.14159265358979323846 * density_of(task));
    f64 *r2 = malloc((size_t)(task->n + 1) * sizeof *r2);
    bool good = r2 != NULL && halos > 0;
    for (i64 h = 0; h < halos && good; h += step) {
        const f32 *center = (const f32 *)task->in[1].data + 3 * h;
        const i64 n = so_rank(task, center,
                              20 * cbrt((f64)((const i64 *)task->in[2].data)[h] * v), r2);
        f64 most = 0;
        for (i64 k = 0;
             k < n && (f64)(k + 1) * (f64)(k + 1) * v * v > r2[k] * r2[k] * r2[k]; ++k)
            most = r2[k] > 0 ? fmax(most, (f64)(k + 1) / sqrt(r2[k])) : most;
        good = fabs(vmax[h] - sqrt(most)) <= 1e-14 * sqrt(most);
    }
    free(r2);
    return good;
}

bool check_properties(const struct task *task) {
    return check_vmax(task, task->out[0].data);
}

bool check_profiles(const struct task *task) {
    const i64 halos = task->in[2].length, step = halos / SAMPLES + 1;
    f64 *r2 = malloc((size_t)(task->n + 1) * sizeof *r2);
    bool good = r2 != NULL && halos > 0;
    for (i64 h = 0; h < halos && good; h += step) {
        const f64 radius = ((const f64 *)task->out[1].data)[h];
        const i64 *counts = (const i64 *)task->out[0].data + INSIDE_SHELLS * h;
        const i64 n = so_rank(task, (const f32 *)task->in[1].data + 3 * h, 2 * radius, r2);
        i64 k = 0;
        for (int b = 0; b < INSIDE_SHELLS && good; ++b) {
            const f64 outer = edges[b + 1] * radius;
            i64 count = 0;
            for (; k < n && r2[k] < outer * outer; ++k)
                ++count;
            good = counts[b] == count;
        }
    }
    free(r2);
    return good;
}

bool check_inside(const struct task *task) {
    return check_profiles(task) &&
           check_vmax(task, (const f64 *)task->out[1].data + task->in[2].length);
}
