/* What a mode of the density pulls. */
#include "gravity.h"

#include <math.h>
#include <stdlib.h>

/* The transform of the ball (1 - r^2)^4 of mass 1: 11!! j_5(k) / k^5, with spherical Bessel
 * functions, by their series or by recurrence, each where it loses few digits. */
static f64 ball(f64 k) {
    if (k < 7) {
        f64 sum = 1, term = 1;
        for (int i = 1; i < 60; i++) {
            term *= -k * k / (2 * i * (11.0 + 2 * i));
            sum += term;
        }
        return sum;
    }
    f64 before = sin(k) / k, now = (sin(k) / k - cos(k)) / k;
    for (int l = 1; l < 5; l++) {
        const f64 next = (2 * l + 1) / k * now - before;
        before = now;
        now = next;
    }
    return 10395 * now / (k * k * k * k * k);
}

static weft_array table(weft_device *device, i64 length, const f64 *host) {
    const weft_array array = weft_array_new(device, WEFT_F64, length);
    weft_write(device, array, host);
    return array;
}

/* By the square of the wave number w: 4 pi / k^2 times the i k of a gradient, k being
 * 2 pi w, without its i w. */
static void fill_green(f64 reach, f64 unit, i64 squares, f64 *green) {
    const f64 pi = 3.14159265358979323846;
    green[0] = 0;
    for (i64 s = 1; s < squares; s++)
        green[s] = 2 / (f64)s * ball(2 * pi * reach * sqrt((f64)s)) * unit;
}

/* The cubic B-spline's transform is sinc^4; it is divided out of what is deposited and of
 * what is gathered. The wave n / 2 has no sign, and so no gradient. */
static void fill_axis(i64 n, f64 *sharpen, f64 *slope) {
    const f64 pi = 3.14159265358979323846;
    for (i64 i = 0; i < n; i++) {
        const f64 wave = (f64)(2 * i > n ? i - n : i), angle = pi * wave / (f64)n;
        const f64 fall = i == 0 ? 1 : angle / sin(angle);
        sharpen[i] = fall * fall * fall * fall * (fall * fall * fall * fall);
        slope[i] = 2 * i == n ? 0 : wave;
    }
}

/* HACC's: a filter of sigma = 0.8 points, differences of fourth and of sixth order. */
static void fill_hacc(i64 n, f64 *sharpen, f64 *slope, f64 *square) {
    const f64 pi = 3.14159265358979323846, sigma = 0.8, unit = (f64)n / (2 * pi);
    for (i64 i = 0; i < n; i++) {
        const f64 k = (f64)(2 * i > n ? i - n : i) / unit;
        const f64 fall = i == 0 ? 1 : sin(k / 2) / (k / 2);
        sharpen[i] = exp(-k * k * sigma * sigma / 4) * fall * fall * fall;
        slope[i] = 2 * i == n ? 0 : unit * (4 * sin(k) / 3 - sin(2 * k) / 6);
        square[i] = unit * unit *
                    (21. / 8 - 128 * cos(k) / 45 + 2 * cos(2 * k) / 9 - cos(4 * k) / 360);
    }
    square[0] = 1e-300; /* of all three: the mean, which has no slope */
}

void gravity_tables(weft_device *device, weft_gravity *plan) {
    const i64 n = plan->options.mesh, squares = 3 * (n / 2) * (n / 2) + 1;
    f64 *host = calloc((size_t)(3 * n + squares), sizeof *host);
    if (!host) {
        weft_fail(device, WEFT_E_MEMORY, "out of memory: %lld squares of wave numbers",
                  (long long)squares);
        return;
    }
    const int hacc = plan->options.split == WEFT_GRAVITY_HACC;
    const weft_gravity_slab *slab = &plan->slab;
    const i64 columns = slab->columns > 0 ? slab->columns : n / 2 + 1 - slab->first_column;
    if (hacc)
        fill_hacc(n, host, host + n, host + 2 * n);
    else
        fill_axis(n, host, host + n);
    fill_green(plan->options.reach / (f64)n, 1, squares, host + 3 * n);
    plan->waves = (gravity_waves_arrays){.sharpen = table(device, n, host),
                                         .slope = table(device, n, host + n),
                                         .green = table(device, squares, host + 3 * n),
                                         .square = table(device, n, host + 2 * n),
                                         .hacc = hacc,
                                         .n = n,
                                         .first = slab->first_row,
                                         .rows = slab->transform ? slab->rows : n,
                                         .first_column = slab->first_column,
                                         .columns = columns,
                                         .parts = (columns + GRAVITY_MESH_ROW - 1) /
                                                  GRAVITY_MESH_ROW};
    free(host);
}
