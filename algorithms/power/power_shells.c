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

/* Sums over shells, side by side, so that they travel as one. */
typedef struct sums {
    f64 *k, *power;
    i64 *modes;
} sums;

static sums sums_at(void *memory, i64 shells) {
    f64 *k = memory;
    return (sums){k, k + shells, (i64 *)memory + 2 * shells};
}

static void add_plane(const weft_power_options *o, i64 x, i64 shells, const f64 *plane,
                      const sums *to) {
    const i64 half = o->n[2] / 2 + 1;
    for (i64 y = 0; y < o->n[1]; y++)
        for (i64 z = 0; z < half; z++) {
            const f64 wave =
                sqrt(square_of(o, 0, x) + square_of(o, 1, y) + square_of(o, 2, z));
            const i64 s = wave < (f64)shells + 0.5 ? (i64)floor(wave + 0.5) - 1 : shells;
            const i64 times = z == 0 || 2 * z == o->n[2] ? 1 : 2;
            if (s < 0 || s >= shells)
                continue;
            to->k[s] += (f64)times * wave;
            to->power[s] += (f64)times * plane[y * half + z];
            to->modes[s] += times;
        }
}

/* Of this process's planes. */
typedef struct of_planes {
    weft_device *device;
    const weft_power_options *options;
    weft_array squares;
    f64 *plane; /* on the host */
} of_planes;

static void add_planes(void *context, void *sum) {
    const of_planes *p = context;
    const i64 shells = weft_power_shells(p->options);
    const i64 size = p->options->n[1] * (p->options->n[2] / 2 + 1);
    const weft_power_slab slab = power_slab(p->options);
    const sums to = sums_at(sum, shells);
    for (i64 x = 0; x < slab.planes && weft_check(p->device) == WEFT_OK; x++) {
        weft_read(p->device, weft_slice(p->device, p->squares, x * size, size), p->plane);
        add_plane(p->options, slab.first_plane + x, shells, p->plane, &to);
    }
}

void power_shells(weft_device *device, const weft_power_options *options,
                  weft_array squares, f64 factor, f64 *k, f64 *power, i64 *modes) {
    const f64 base = 2 * 3.14159265358979323846 / longest(options);
    const i64 shells = weft_power_shells(options);
    const i64 size = options->n[1] * (options->n[2] / 2 + 1);
    const size_t bytes = 3 * (size_t)shells * sizeof(f64);
    of_planes planes = {device, options, squares, calloc((size_t)size, sizeof(f64))};
    void *memory = calloc(3 * (size_t)shells + 1, sizeof(f64));
    if (!planes.plane || !memory)
        weft_fail(device, WEFT_E_MEMORY, "out of memory: %lld modes of a plane",
                  (long long)size);
    power_in_turn(device, options, add_planes, &planes, memory, (i64)bytes);
    const sums sum = sums_at(memory, shells);
    for (i64 s = 0; s < shells; s++) {
        modes[s] = memory ? sum.modes[s] : 0;
        k[s] = modes[s] ? base * (sum.k[s] / (f64)modes[s]) : 0;
        power[s] = modes[s] ? factor * (sum.power[s] / (f64)modes[s]) : 0;
    }
    free(planes.plane);
    free(memory);
}
