/* Halos of the profile of Navarro, Frenk and White, of concentration 10. */
#include "halos.h"
#include "bench/memory.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLES = 256, LEAST_SAMPLES = 8 };

static const f64 concentration = 10;

i64 nfw_length(const struct bench *bench, bool all_pairs) {
    const bool many = weft_device_style(bench->device) == WEFT_SIMT;
    const i64 most = (i64)1 << (all_pairs ? (many ? 20 : 16) : (many ? 23 : 20));
    const i64 wanted = (i64)1 << bench->options.log2_n;
    return bench->options.nfw > 0 ? bench->options.nfw : wanted < most ? wanted : most;
}

double pairs_of(const struct task *task) {
    const i64 *offset = task->in[1].data;
    double pairs = 0;
    for (i64 h = 0; h + 1 < task->in[1].length; ++h)
        pairs += (double)(offset[h + 1] - offset[h]) * (double)(offset[h + 1] - offset[h]);
    return pairs;
}

static f64 uniform(u64 *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (f64)(*state >> 11) * 0x1p-53;
}

/* Mass within a radius, in units of the scale radius. */
static f64 mass_within(f64 x) {
    return log(1 + x) - x / (1 + x);
}

static f64 radius_of(f64 mass) {
    f64 low = 0, high = concentration;
    for (int k = 0; k < 50; ++k) {
        const f64 middle = 0.5 * (low + high);
        if (mass_within(middle) < mass)
            low = middle;
        else
            high = middle;
    }
    return low;
}

bool nfw_make(struct task *task, i64 halos) {
    const i64 n = task->n;
    u64 state = 1;
    f32 *at = task_input(task, 0, WEFT_F32, 3 * n);
    i64 *offset = task_input(task, 1, WEFT_I64, halos + 1);
    u32 *member = task_input(task, 2, WEFT_U32, n);
    if (!at || !offset || !member || !task_output(task, 0, WEFT_U32, halos) ||
        !task_output(task, 1, WEFT_F64, halos))
        return false;
    for (i64 h = 0; h < halos; ++h)
        offset[h] = (i64)((f64)n * (pow(1000, (f64)h / (f64)halos) - 1) / 999);
    offset[halos] = n;
    for (i64 i = 0; i < n; ++i) {
        const f64 r = radius_of(uniform(&state) * mass_within(concentration));
        const f64 z = 2 * uniform(&state) - 1, angle = 6.283185307179586 * uniform(&state);
        at[3 * i] = (f32)(r * sqrt(1 - z * z) * cos(angle));
        at[3 * i + 1] = (f32)(r * sqrt(1 - z * z) * sin(angle));
        at[3 * i + 2] = (f32)(r * z);
        member[i] = (u32)i;
    }
    return true;
}

static f64 potential(const f32 *at, i64 n, i64 i) {
    f64 sum = 0;
    for (i64 j = 0; j < n; ++j) {
        const f64 dx = (f64)at[3 * j] - (f64)at[3 * i];
        const f64 dy = (f64)at[3 * j + 1] - (f64)at[3 * i + 1];
        const f64 dz = (f64)at[3 * j + 2] - (f64)at[3 * i + 2];
        const f64 r2 = dx * dx + dy * dy + dz * dz;
        sum += r2 > 0 ? 1 / sqrt(r2) : 0;
    }
    return -sum;
}

/* All pairs would take hours: some members from everywhere, and as many near the center. */
static bool check_halo(const f32 *at, i64 n, i64 found, f64 told, i64 samples) {
    const f64 part = samples < n ? (f64)samples / (f64)n : 1;
    const f64 near = radius_of(mass_within(concentration) * part);
    bool good = found >= 0 && found < n &&
                fabs(potential(at, n, found) - told) <= 1e-12 * fabs(told);
    for (i64 i = 0; good && i < n; ++i) {
        const f64 r2 = (f64)(at[3 * i] * at[3 * i]) + (f64)(at[3 * i + 1] * at[3 * i + 1]) +
                       (f64)(at[3 * i + 2] * at[3 * i + 2]);
        if (i % (n / samples + 1) == 0 || r2 < near * near)
            good = potential(at, n, i) >= told * (1 + 1e-12);
    }
    return good;
}

bool nfw_check(const struct task *task) {
    const f32 *at = task->in[0].data;
    const i64 *offset = task->in[1].data, halos = task->in[1].length - 1;
    const u32 *found = task->out[0].data;
    const f64 *told = task->out[1].data;
    const i64 samples = halos > 1 ? LEAST_SAMPLES : SAMPLES;
    bool good = true;
    for (i64 h = 0; good && h < halos; ++h) {
        const i64 first = offset[h], n = offset[h + 1] - first;
        if (n > 0)
            good = check_halo(at + 3 * first, n, (i64)found[h] - first, told[h], samples);
    }
    return good;
}
