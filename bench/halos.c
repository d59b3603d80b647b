/* The suite of the halo finders: positions in memory to labels in memory. */
#include "halos.h"
#include "memory.h"
#include "snapshot.h"

#include <string.h>

/* A row, and whether its box is periodic: bench_halos gives it particles. */
struct halos_row {
    struct row row;
    bool periodic;
};

/* What the rows' functions find in bench->halos. */
struct halos_input {
    const struct particles *particles;
    struct halos_settings settings;
};

static bool make_points(const struct bench *bench, struct task *task) {
    const struct particles *particles = bench->halos->particles;
    const i64 length = 3 * particles->n;
    task->settings = &bench->halos->settings;
    if (strncmp(task->types, "f64", 3) == 0) {
        f64 *in = task_input(task, 0, WEFT_F64, length);
        for (i64 i = 0; in && i < length; ++i)
            in[i] = particles->position[i];
        return in != NULL;
    }
    f32 *in = task_input(task, 0, WEFT_F32, length);
    for (i64 i = 0; in && i < length; ++i)
        in[i] = (f32)particles->position[i];
    return in != NULL;
}

static bool make_fof(const struct bench *bench, struct task *task) {
    return make_points(bench, task) && task_output(task, 0, WEFT_U32, task->n);
}

static void run_fof(weft_device *device, const weft_array *in, const weft_array *out,
                    struct task *task) {
    const struct halos_settings *settings = task->settings;
    const weft_points points = weft_points_interleaved(device, in[0]);
    const weft_fof_options options = {
        .linking_length = settings->linking_length,
        .box = {settings->box[0], settings->box[1], settings->box[2]},
    };
    weft_fof(device, &points, &options, out[0]);
}

static const struct halos_row rows[] = {
    {{"fof", "f32", make_fof, run_fof, check_fof, .item_bytes = 16, .halos = true}, false},
    {{"fof", "f64", make_fof, run_fof, check_fof, .item_bytes = 28, .halos = true}, false},
    {{"fof:periodic", "f32", make_fof, run_fof, check_fof, .item_bytes = 16, .halos = true},
     true},
    {{"fof:periodic", "f64", make_fof, run_fof, check_fof, .item_bytes = 28, .halos = true},
     true},
};
enum { ROWS = sizeof rows / sizeof *rows };

static bool run_rows(struct bench *bench, const struct particles *particles) {
    struct halos_input input = {.particles = particles};
    bool good = true;
    bench->halos = &input;
    for (int k = 0; good && k < ROWS; ++k) {
        if (!bench_wants(bench, "halos", &rows[k].row))
            continue;
        input.settings =
            (struct halos_settings){.linking_length = particles->linking_length};
        for (int axis = 0; axis < 3 && rows[k].periodic; ++axis)
            input.settings.box[axis] = particles->box[axis];
        good = bench_row(bench, &rows[k].row, particles->n);
    }
    bench->halos = NULL;
    return good;
}

bool bench_halos(struct bench *bench) {
    bool wanted = false;
    for (int k = 0; k < ROWS; ++k)
        wanted |= bench_wants(bench, "halos", &rows[k].row);
    if (!wanted)
        return true;
    struct particles particles;
    const bool good =
        particles_read(&particles, bench->options.data, bench->options.tile) &&
        run_rows(bench, &particles);
    particles_free(&particles);
    return good;
}
