/* The density map. A histogram of the particles is blurred again and again, each time
 * twice as wide; every pixel takes its value from the narrowest blur that holds enough
 * particles there. (Starck and Murtagh 2002 call the blurs the "a trous" transform.) */
#include "io/files/numbers.h"
#include "plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = PLOT_SIDE, PIXELS = SIDE * SIDE, BLURS = 8 };

/* As many particles should a blurred pixel be made of. */
static const double ENOUGH = 24;

/* Both axes as wide as the wider, and a margin around the particles. */
static void make_square(struct plot_window *window) {
    const double width = window->high[0] - window->low[0];
    const double height = window->high[1] - window->low[1];
    const double half = 0.53 * fmax(width, height);
    for (int axis = 0; axis < 2; ++axis) {
        const double middle = 0.5 * (window->low[axis] + window->high[axis]);
        window->low[axis] = middle - half;
        window->high[axis] = middle + half;
    }
}

struct plot_window plot_window_of(const struct plot_scene *scene) {
    struct plot_window window = {.volume = 1, .has_box = true};
    double low[3] = {INFINITY, INFINITY, INFINITY},
           high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int64_t i = 0; scene->position && i < 3 * scene->n; ++i) {
        const double x = io_value(scene->position, scene->position_bytes, i);
        low[i % 3] = fmin(low[i % 3], x);
        high[i % 3] = fmax(high[i % 3], x);
    }
    for (int axis = 0; axis < 3; ++axis) {
        if (scene->box[axis] > 0) {
            low[axis] = 0;
            high[axis] = scene->box[axis];
            continue;
        }
        window.has_box = false;
        if (!(high[axis] > low[axis])) {
            low[axis] = scene->n > 0 ? low[axis] - 0.5 : 0;
            high[axis] = low[axis] + 1;
        }
    }
    for (int axis = 0; axis < 3; ++axis)
        window.volume *= high[axis] - low[axis];
    for (int axis = 0; axis < 2; ++axis) {
        window.low[axis] = low[axis];
        window.high[axis] = high[axis];
    }
    if (!window.has_box)
        make_square(&window);
    window.mean_mass = scene->particle_mass;
    window.equal_masses = true;
    if (scene->mass != NULL && scene->n > 0) {
        double sum = 0;
        const double first = io_value(scene->mass, scene->mass_bytes, 0);
        for (int64_t i = 0; i < scene->n; ++i) {
            const double mass = io_value(scene->mass, scene->mass_bytes, i);
            sum += mass;
            window.equal_masses = window.equal_masses && mass == first;
        }
        window.mean_mass = window.equal_masses ? first : sum / (double)scene->n;
    }
    window.mean_density = window.mean_mass * (double)scene->n / window.volume;
    return window;
}

static double wrap(double x, double period) {
    x -= period * floor(x / period);
    return x < period ? x : 0;
}

/* The pixel at this place of an axis: of the next period, or else the one at the edge. */
static int pixel(int at, bool periodic) {
    if (periodic)
        return (at + SIDE) % SIDE;
    return at < 0 ? 0 : at < SIDE ? at : SIDE - 1;
}

/* Each particle over the four pixels around it. */
static void deposit(const struct plot_scene *scene, const struct plot_window *window,
                    float *map) {
    for (int64_t i = 0; i < scene->n; ++i) {
        double at[2];
        int cell[2];
        for (int axis = 0; axis < 2; ++axis) {
            double x = io_value(scene->position, scene->position_bytes, 3 * i + axis);
            if (scene->period[axis] > 0)
                x = wrap(x, scene->period[axis]);
            x = (x - window->low[axis]) / (window->high[axis] - window->low[axis]);
            at[axis] = x * SIDE - 0.5;
            cell[axis] = x >= 0 && x <= 1 ? (int)floor(at[axis]) : SIDE;
            at[axis] -= cell[axis];
        }
        if (cell[0] == SIDE || cell[1] == SIDE)
            continue;
        const double mass =
            scene->mass ? io_value(scene->mass, scene->mass_bytes, i) / window->mean_mass
                        : 1;
        for (int corner = 0; corner < 4; ++corner) {
            const int right = corner & 1, up = corner >> 1;
            const int x = pixel(cell[0] + right, scene->period[0] > 0);
            const int y = pixel(cell[1] + up, scene->period[1] > 0);
            map[y * SIDE + x] +=
                (float)(mass * (right ? at[0] : 1 - at[0]) * (up ? at[1] : 1 - at[1]));
        }
    }
}

/* One step of the blur along one axis, its taps `step` pixels apart. */
static void blur(const float *in, float *out, int step, bool along_x, bool periodic) {
    static const float taps[5] = {1 / 16.0f, 4 / 16.0f, 6 / 16.0f, 4 / 16.0f, 1 / 16.0f};
    for (int y = 0; y < SIDE; ++y) {
        for (int x = 0; x < SIDE; ++x) {
            float sum = 0;
            for (int k = -2; k <= 2; ++k) {
                const int from_x = along_x ? pixel(x + k * step, periodic) : x;
                const int from_y = along_x ? y : pixel(y + k * step, periodic);
                sum += taps[k + 2] * in[from_y * SIDE + from_x];
            }
            out[y * SIDE + x] = sum;
        }
    }
}

/* Where a pixel of `out` is still open, it takes `value` by the share that has enough. */
static void take(float *out, float *open, const float *value, double pixels, bool last) {
    for (int i = 0; i < PIXELS; ++i) {
        const double held = value[i] * pixels / ENOUGH;
        const double share = last ? 1 : fmin(1, fmax(0, 2 * held - 1));
        out[i] += (float)(open[i] * share) * value[i];
        open[i] *= (float)(1 - share);
    }
}

float *plot_density(const struct plot_scene *scene, const struct plot_window *window,
                    struct io_error *error) {
    const size_t bytes = PIXELS * sizeof(float);
    float *map = calloc(4, bytes);
    if (map == NULL) {
        io_fail(error, "out of memory: %zu bytes of the density map", 4 * bytes);
        return NULL;
    }
    float *open = map + PIXELS, *now = open + PIXELS, *work = now + PIXELS;
    deposit(scene, window, now);
    double mean = 0;
    for (int i = 0; i < PIXELS; ++i) {
        open[i] = 1;
        mean += now[i];
    }
    mean /= PIXELS;
    for (int k = 0; k <= BLURS; ++k) {
        /* The blur's own width: its variance is that of k steps of taps of variance 1. */
        const double variance = (pow(4, k) - 1) / 3;
        take(map, open, now, 4 * 3.14159265 * variance + 2, k == BLURS);
        if (k < BLURS) {
            blur(now, work, 1 << k, true, scene->period[0] > 0);
            blur(work, now, 1 << k, false, scene->period[1] > 0);
        }
    }
    for (int i = 0; i < PIXELS && mean > 0; ++i)
        map[i] = (float)(map[i] / mean);
    return map;
}
