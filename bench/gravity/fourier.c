/* Fourier transforms of random numbers, on a mesh as large as that of the force. */
#include "fourier.h"
#include "bench/memory.h"

#include <math.h>
#include <stdlib.h>

enum { WAVES = 3 }; /* that are looked at */

static const f64 pi = 3.14159265358979323846;

static i64 side_of(const struct task *task) {
    return (i64)(cbrt((f64)task->n) + 0.5);
}

static bool make(const struct bench *bench, struct task *task) {
    (void)bench;
    const i64 side = side_of(task), n[3] = {side, side, side};
    f32 *in = task_input(task, 0, WEFT_F32, task->n);
    u64 bits = 1;
    for (i64 i = 0; in && i < task->n; ++i) {
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        in[i] = (f32)(bits >> 40) * 0x1p-24f - 0.5f;
    }
    return in && task_output(task, 0, WEFT_F32, weft_fourier_length(n));
}

static void run(weft_device *device, const weft_array *in, const weft_array *out,
                struct task *task) {
    const i64 side = side_of(task), n[3] = {side, side, side};
    weft_fourier_transform(device, n, WEFT_FOURIER_FORWARD, in[0], out[0]);
}

/* One number of the spectrum, by definition. */
static void define(const struct task *task, i64 side, const i64 wave[3], f64 sum[2]) {
    const f32 *x = task->in[0].data;
    sum[0] = sum[1] = 0;
    for (i64 line = 0; line < side * side; ++line)
        for (i64 k = 0; k < side; ++k) {
            const i64 turns = wave[0] * (line / side) + wave[1] * (line % side);
            const f64 angle = 2 * pi * (f64)((turns + wave[2] * k) % side) / (f64)side;
            sum[0] += (f64)x[line * side + k] * cos(angle);
            sum[1] -= (f64)x[line * side + k] * sin(angle);
        }
}

/* Some waves; and the sum of all squares, which is that of the numbers. */
static bool check(const struct task *task) {
    const i64 side = side_of(task), half = side / 2 + 1;
    const f32 *x = task->in[0].data, *got = task->out[0].data;
    f64 squares = 0, power = 0;
    for (i64 i = 0; i < task->n; ++i)
        squares += (f64)x[i] * (f64)x[i];
    for (i64 k = 0; k < side * side * half; ++k) {
        const f64 re = (f64)got[2 * k], im = (f64)got[2 * k + 1];
        const i64 c = k % half;
        power += (c == 0 || 2 * c == side ? 1 : 2) * (re * re + im * im);
    }
    const f64 most = 1e-5 * sqrt(squares);
    bool right = fabs(power / (f64)task->n - squares) <= 1e-5 * squares;
    for (i64 w = 1; w <= WAVES && right; ++w) {
        const i64 wave[3] = {w * side / 5, side - w, w * side / 7};
        const i64 at = 2 * ((wave[0] * side + wave[1]) * half + wave[2]);
        f64 sum[2];
        define(task, side, wave, sum);
        right =
            fabs((f64)got[at] - sum[0]) <= most && fabs((f64)got[at + 1] - sum[1]) <= most;
    }
    return right;
}

static const struct row row = {"fourier", "f32", make, run, check, .item_bytes = 8};

bool bench_wants_fourier(const struct bench *bench) {
    return bench_wants(bench, "gravity", &row);
}

bool bench_fourier(struct bench *bench, i64 side) {
    return bench_row(bench, &row, side * side * side);
}
