/* The suite of gravity: the parts of the force on particles, with a mesh of twice as many
 * points along each axis. */
#include "bench/bench.h"
#include "bench/halos/snapshot.h"
#include "bench/memory.h"
#include "fourier.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SAMPLES = 256 };

struct gravity_input {
    const struct particles *particles;
    i64 mesh;
    weft_gravity *plan; /* made by the first run, on `device` */
    weft_device *device;
    double error;
};

static const f64 reach = 5.5, softening = 0.02; /* in points, in mean separations */

static weft_gravity_options options_of(const struct gravity_input *input, i64 finer) {
    return (weft_gravity_options){.mesh = finer * input->mesh,
                                  .most = input->particles->n,
                                  .reach = reach * (f64)finer,
                                  .softening = softening * 2 / (f64)input->mesh};
}

static void away(const struct task *task, i64 i, i64 j, f64 d[3]) {
    const u32 *x = task->in[0].data;
    for (int k = 0; k < 3; ++k)
        d[k] = (f64)(i32)(x[k * task->n + j] - x[k * task->n + i]) * 0x1p-32;
}

static f64 square(const f64 d[3]) {
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

static bool make(const struct bench *bench, struct task *task) {
    const struct particles *particles = bench->gravity->particles;
    u32 *in = task_input(task, 0, WEFT_U32, 3 * task->n);
    task->settings = bench->gravity;
    task->error = &bench->gravity->error;
    for (i64 i = 0; in && i < 3 * task->n; ++i) {
        const f64 x = particles->position[i] / particles->box[i % 3];
        in[i % 3 * task->n + i / 3] = (u32)(u64)((x - floor(x)) * 0x1p32);
    }
    return in && task_output(task, 0, WEFT_F64, 3 * task->n);
}

/* The same, and how many pairs are within reach, by some particles. */
static bool make_short(const struct bench *bench, struct task *task) {
    if (!make(bench, task))
        return false;
    const f64 a = reach / (f64)bench->gravity->mesh;
    double found = 0;
    for (i64 s = 0; s < SAMPLES; ++s)
        for (i64 j = 0; j < task->n; ++j) {
            f64 d[3];
            away(task, s * task->n / SAMPLES, j, d);
            found += square(d) < a * a;
        }
    task->pairs = found / SAMPLES * (double)task->n;
    return true;
}

typedef weft_status gravity_call(weft_device *device, weft_gravity *plan, weft_array x,
                                 weft_array y, weft_array z, weft_array ax, weft_array ay,
                                 weft_array az);

static void run(weft_device *device, weft_gravity *plan, gravity_call *call, weft_array in,
                weft_array out, i64 n) {
    weft_array at[3], to[3];
    for (int k = 0; k < 3; ++k) {
        at[k] = weft_slice(device, in, k * n, n);
        to[k] = weft_slice(device, out, k * n, n);
    }
    call(device, plan, at[0], at[1], at[2], to[0], to[1], to[2]);
}

static weft_gravity *plan_of(weft_device *device, struct gravity_input *input) {
    const weft_gravity_options options = options_of(input, 1);
    if (!input->plan)
        input->plan = weft_gravity_new(device, &options);
    input->device = device;
    return input->plan;
}

static void run_mesh(weft_device *device, const weft_array *in, const weft_array *out,
                     struct task *task) {
    run(device, plan_of(device, task->settings), weft_gravity_long, in[0], out[0], task->n);
}

static void run_short(weft_device *device, const weft_array *in, const weft_array *out,
                      struct task *task) {
    run(device, plan_of(device, task->settings), weft_gravity_short, in[0], out[0],
        task->n);
}

/* The root of the mean square of differences, over that of what is wanted. */
static void add(f64 got, f64 wanted, f64 *error, f64 *size) {
    *error += (got - wanted) * (got - wanted);
    *size += wanted * wanted;
}

static bool judge(const struct task *task, f64 error, f64 size, f64 most) {
    *task->error = size > 0 ? sqrt(error / size) : 0;
    return *task->error <= most;
}

/* Against a mesh twice as fine that knows the same part of the force. */
static bool check_mesh(const struct task *task) {
    struct gravity_input *input = task->settings;
    weft_device *device = input->device;
    const weft_gravity_options options = options_of(input, 2);
    f64 *wanted = memory_new((size_t)(3 * task->n) * sizeof *wanted);
    if (!wanted)
        return false;
    weft_gravity *plan = weft_gravity_new(device, &options);
    const weft_array in = weft_array_new(device, WEFT_U32, 3 * task->n);
    const weft_array out = weft_array_new(device, WEFT_F64, 3 * task->n);
    weft_write(device, in, task->in[0].data);
    run(device, plan, weft_gravity_long, in, out, task->n);
    weft_read(device, out, wanted);
    weft_array_free(device, in);
    weft_array_free(device, out);
    weft_gravity_free(device, plan);
    f64 error = 0, size = 0;
    for (i64 i = 0; i < 3 * task->n; ++i)
        add(((const f64 *)task->out[0].data)[i], wanted[i], &error, &size);
    free(wanted);
    return weft_check(device) == WEFT_OK && judge(task, error, size, 2e-3);
}

/* Against all pairs, of some particles. */
static bool check_short(const struct task *task) {
    const struct gravity_input *input = task->settings;
    const f64 a = reach / (f64)input->mesh, e = softening * 2 / (f64)input->mesh;
    const f64 *got = task->out[0].data;
    f64 error = 0, size = 0;
    for (i64 sample = 0; sample < SAMPLES; ++sample) {
        const i64 i = sample * task->n / SAMPLES;
        f64 wanted[3] = {0, 0, 0}, d[3];
        for (i64 j = 0; j < task->n; ++j) {
            away(task, i, j, d);
            const f64 s = square(d) / (a * a), soft = square(d) + e * e;
            if (s >= 1)
                continue;
            const f64 inside =
                1. / 3 + s * (-4. / 5 + s * (6. / 7 + s * (-4. / 9 + s / 11)));
            for (int k = 0; k < 3; ++k)
                wanted[k] +=
                    d[k] * (1 / (soft * sqrt(soft)) - inside * (3465. / 128) / (a * a * a));
        }
        for (int k = 0; k < 3; ++k)
            add(got[k * task->n + i], wanted[k], &error, &size);
    }
    return judge(task, error, size, 1e-4);
}

static const struct row rows[] = {
    {"mesh", "u32", make, run_mesh, check_mesh, .item_bytes = 36},
    {"short", "u32", make_short, run_short, check_short, .item_bytes = 36,
     .all_pairs = true},
};
enum { ROWS = sizeof rows / sizeof *rows };

bool bench_gravity(struct bench *bench) {
    bool good = true, wanted = bench_wants_fourier(bench);
    for (int k = 0; k < ROWS; ++k)
        wanted |= bench_wants(bench, "gravity", &rows[k]);
    if (!wanted)
        return true;
    struct particles particles;
    good = particles_read(&particles, bench->options.data, bench->options.tile,
                          bench->options.particles);
    const i64 least = 2 * (i64)ceil(cbrt((f64)particles.n) - 1e-6);
    const i64 mesh = weft_fourier_side(least < 16 ? 16 : least);
    for (int k = 0; good && k < ROWS; ++k) {
        struct gravity_input input = {.particles = &particles, .mesh = mesh};
        if (!bench_wants(bench, "gravity", &rows[k]))
            continue;
        bench->gravity = &input;
        good = bench_row(bench, &rows[k], particles.n);
        weft_gravity_free(input.device, input.plan);
    }
    struct gravity_input input = {.particles = &particles, .mesh = mesh};
    bench->gravity = &input;
    if (good && bench_wants_fourier(bench))
        good = bench_fourier(bench, mesh);
    bench->gravity = NULL;
    particles_free(&particles);
    return good;
}
