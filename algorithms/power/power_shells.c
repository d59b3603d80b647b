#include "power.h"
#include "weft/register.h"

#include <math.h>
#include <stdlib.h>

static f64 longest(const weft_power_options *o) {
    return fmax(o->box[0], fmax(o->box[1], o->box[2]));
}

int64_t weft_power_shells(const weft_power_options *options) {
    f64 least = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        const f64 nyquist =
            0.5 * (f64)options->n[axis] * (longest(options) / options->box[axis]);
        least = fmin(least, nyquist);
    }
    return least < 1.5 || least > 1e15 ? 0 : (i64)floor(least - 0.5);
}

/* The wave number of index i, in units of that of the longest side, squared. */
static f64 square_of(const weft_power_options *o, int axis, i64 i) {
    const i64 n = o->n[axis], wave = 2 * i > n ? i - n : i;
    const f64 k = (f64)wave * (longest(o) / o->box[axis]);
    return k * k;
}

static void add_plane(const weft_power_options *o, i64 x, i64 shells, const f64 *plane,
                      f64 *k, f64 *power, i64 *modes) {
    const i64 half = o->n[2] / 2 + 1;
    for (i64 y = 0; y < o->n[1]; y++)
        for (i64 z = 0; z < half; z++) {
            const f64 wave =
                sqrt(square_of(o, 0, x) + square_of(o, 1, y) + square_of(o, 2, z));
            const i64 s = wave < (f64)shells + 0.5 ? (i64)floor(wave + 0.5) - 1 : shells;
            const i64 times = z == 0 || 2 * z == o->n[2] ? 1 : 2;
            if (s < 0 || s >= shells)
                continue;
            k[s] += (f64)times * wave;
            power[s] += (f64)times * plane[y * half + z];
            modes[s] += times;
        }
}

void power_shells(weft_device *device, const weft_power_options *options,
                  weft_array squares, f64 factor, f64 *k, f64 *power, i64 *modes) {
    const f64 base = 2 * 3.14159265358979323846 / longest(options);
    const i64 shells = weft_power_shells(options), size = squares.length / options->n[0];
    f64 *plane = calloc((size_t)size, sizeof *plane);
    if (!plane)
        weft_fail(device, WEFT_E_MEMORY, "out of memory: %lld modes of a plane",
                  (long long)size);
    for (i64 s = 0; s < shells; s++)
        k[s] = power[s] = 0, modes[s] = 0;
    for (i64 x = 0; x < options->n[0] && weft_check(device) == WEFT_OK; x++) {
        weft_read(device, weft_slice(device, squares, x * size, size), plane);
        add_plane(options, x, shells, plane, k, power, modes);
    }
    for (i64 s = 0; s < shells; s++) {
        k[s] = modes[s] ? base * (k[s] / (f64)modes[s]) : 0;
        power[s] = modes[s] ? factor * (power[s] / (f64)modes[s]) : 0;
    }
    free(plane);
}
