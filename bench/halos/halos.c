/* The suite of the halo finders: positions in memory to labels in memory. */
#include "halos.h"
#include "bench/memory.h"
#include "snapshot.h"

#include <stdlib.h>
#include <string.h>

enum { MIN_MEMBERS = 20 };

/* A row, and what it asks of the finder. */
struct halos_row {
    struct row row;
    bool periodic, is_nfw;
    i64 min_points;
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

static weft_fof_options fof_options(const struct task *task) {
    const struct halos_settings *settings = task->settings;
    return (weft_fof_options){
        .linking_length = settings->linking_length,
        .box = {settings->box[0], settings->box[1], settings->box[2]},
    };
}

static void run_fof(weft_device *device, const weft_array *in, const weft_array *out,
                    struct task *task) {
    const weft_points points = weft_points_interleaved(device, in[0]);
    const weft_fof_options options = fof_options(task);
    weft_fof(device, &points, &options, out[0]);
}

/* in[0] to halos, to be freed by the caller, as the cells are where they are asked for. */
static void group(weft_device *device, const struct task *task, weft_array in,
                  weft_cells **cells, weft_array label, weft_halos *halos) {
    const weft_points points = weft_points_interleaved(device, in);
    const weft_fof_options options = fof_options(task);
    weft_fof_cells(device, &points, &options, label, cells);
    weft_halos_group(device, label, (weft_array){0}, MIN_MEMBERS, halos);
}

/* in[1] and in[2]: where members of halos begin, and the members. */
static bool make_mbp(const struct bench *bench, struct task *task) {
    weft_device *device = bench->device;
    if (!make_points(bench, task))
        return false;
    const weft_array in = weft_array_new(device, task->in[0].type, task->in[0].length);
    const weft_array label = weft_array_new(device, WEFT_U32, task->n);
    weft_halos halos = {0};
    weft_write(device, in, task->in[0].data);
    group(device, task, in, NULL, label, &halos);
    const bool good = weft_check(device) == WEFT_OK &&
                      task_input(task, 1, WEFT_I64, halos.count + 1) &&
                      task_input(task, 2, WEFT_U32, halos.members) &&
                      task_output(task, 0, WEFT_U32, halos.count) &&
                      task_output(task, 1, WEFT_F64, halos.count);
    if (good) {
        weft_read(device, halos.offset, task->in[1].data);
        weft_read(device, halos.member, task->in[2].data);
        task->pairs = pairs_of(task);
    }
    weft_halos_free(device, &halos);
    weft_array_free(device, label);
    weft_array_free(device, in);
    return good;
}

static bool make_halos(const struct bench *bench, struct task *task, i64 halos) {
    task->settings = &bench->halos->settings;
    const bool good = nfw_make(task, halos);
    task->pairs = good ? pairs_of(task) : 0;
    return good;
}

static bool make_nfw(const struct bench *bench, struct task *task) {
    return make_halos(bench, task, 1);
}

static bool make_mixed(const struct bench *bench, struct task *task) {
    return make_halos(bench, task, 1000);
}

/* Particles of equal masses. */
static weft_bodies bodies_of(weft_device *device, const struct task *task,
                             weft_array position) {
    const struct halos_settings *settings = task->settings;
    return (weft_bodies){
        .points = weft_points_interleaved(device, position),
        .particle_mass = 1,
        .box = {settings->box[0], settings->box[1], settings->box[2]},
    };
}

static void find_mbp(weft_device *device, const weft_array *in, const weft_array *out,
                     const struct task *task, i32 all_pairs) {
    const weft_bodies bodies = bodies_of(device, task, in[0]);
    const weft_mbp_options options = {.all_pairs = all_pairs};
    const weft_halos halos = {.count = task->in[1].length - 1,
                              .members = task->in[2].length,
                              .offset = in[1],
                              .member = in[2]};
    weft_mbp(device, &bodies, &options, &halos, out[0], out[1]);
}

static void run_mbp_brute(weft_device *device, const weft_array *in, const weft_array *out,
                          struct task *task) {
    find_mbp(device, in, out, task, 1);
}

static void run_mbp_bounded(weft_device *device, const weft_array *in,
                            const weft_array *out, struct task *task) {
    find_mbp(device, in, out, task, 0);
}

static void find_poisson(weft_device *device, const weft_array *in, const weft_array *out,
                         const struct task *task, weft_poisson_boundary boundary) {
    const weft_bodies bodies = bodies_of(device, task, in[0]);
    const weft_poisson_options options = {.boundary = boundary};
    const weft_halos halos = {.count = task->in[1].length - 1,
                              .members = task->in[2].length,
                              .offset = in[1],
                              .member = in[2]};
    weft_poisson(device, &bodies, &options, &halos, out[0], out[1]);
}

static void run_poisson(weft_device *device, const weft_array *in, const weft_array *out,
                        struct task *task) {
    find_poisson(device, in, out, task, WEFT_POISSON_ZERO);
}

static void run_poisson_open(weft_device *device, const weft_array *in,
                             const weft_array *out, struct task *task) {
    find_poisson(device, in, out, task, WEFT_POISSON_OPEN);
}

/* out[1] has room for as many halos as there can be. */
static bool make_mcp(const struct bench *bench, struct task *task) {
    return make_fof(bench, task) &&
           task_output(task, 1, WEFT_U32, task->n / MIN_MEMBERS + 1);
}

/* Labels, halos and their most connected particles. */
static void run_mcp(weft_device *device, const weft_array *in, const weft_array *out,
                    struct task *task) {
    const weft_points points = weft_points_interleaved(device, in[0]);
    weft_cells *cells = NULL;
    const weft_fof_options options = fof_options(task);
    weft_halos halos = {0};
    group(device, task, in[0], &cells, out[0], &halos);
    weft_scope_open(device);
    const weft_array friends = weft_scratch(device, WEFT_U32, halos.count);
    weft_mcp(device, &points, &options, cells, &halos,
             weft_slice(device, out[1], 0, halos.count), friends);
    weft_scope_close(device);
    task->count = halos.count;
    weft_cells_free(device, cells);
    weft_halos_free(device, &halos);
}

static bool make_dbscan(const struct bench *bench, struct task *task) {
    return make_points(bench, task) && task_output(task, 0, WEFT_I32, task->n);
}

static void run_dbscan(weft_device *device, const weft_array *in, const weft_array *out,
                       struct task *task) {
    const struct halos_settings *settings = task->settings;
    const weft_points points = weft_points_interleaved(device, in[0]);
    const weft_dbscan_options options = {
        .eps = settings->linking_length,
        .min_points = settings->min_points,
        .box = {settings->box[0], settings->box[1], settings->box[2]},
    };
    weft_dbscan(device, &points, &options, out[0]);
}

/* Centers are the most bound particles. */
static void find_centers(weft_device *device, struct task *task, weft_array position,
                         const weft_halos *halos) {
    const f32 *x = task->in[0].data;
    f32 *center = task->in[1].data;
    i64 *members = task->in[2].data;
    u32 *particle = malloc((size_t)(halos->count + 1) * sizeof *particle);
    i64 *offset = malloc((size_t)(halos->count + 1) * sizeof *offset);
    const weft_array in[] = {position, halos->offset, halos->member};
    weft_scope_open(device);
    const weft_array out[] = {weft_scratch(device, WEFT_U32, halos->count),
                              weft_scratch(device, WEFT_F64, halos->count)};
    task->in[1].length = halos->count + 1;
    task->in[2].length = halos->members;
    find_mbp(device, in, out, task, 0);
    task->in[1].length = 3 * halos->count;
    task->in[2].length = halos->count;
    if (particle == NULL || offset == NULL ||
        weft_read(device, out[0], particle) != WEFT_OK ||
        weft_read(device, halos->offset, offset) != WEFT_OK)
        weft_fail(device, WEFT_E_MEMORY, "the centers of the row so");
    for (i64 h = 0; h < halos->count && weft_check(device) == WEFT_OK; ++h) {
        members[h] = offset[h + 1] - offset[h];
        for (int axis = 0; axis < 3; ++axis)
            center[3 * h + axis] = x[3 * (i64)particle[h] + axis];
    }
    weft_scope_close(device);
    free(particle);
    free(offset);
}

/* Centers of `so`. */
static bool make_centers(const struct bench *bench, struct task *task) {
    weft_device *device = bench->device;
    const struct particles *particles = bench->halos->particles;
    struct halos_settings *settings = &bench->halos->settings;
    if (!make_points(bench, task))
        return false;
    settings->density =
        1 / (particles->separation * particles->separation * particles->separation);
    const weft_array in = weft_array_new(device, task->in[0].type, task->in[0].length);
    const weft_array label = weft_array_new(device, WEFT_U32, task->n);
    weft_halos halos = {0};
    weft_write(device, in, task->in[0].data);
    group(device, task, in, &settings->cells, label, &halos);
    const bool good = weft_check(device) == WEFT_OK &&
                      task_input(task, 1, WEFT_F32, 3 * halos.count) &&
                      task_input(task, 2, WEFT_I64, halos.count);
    if (good)
        find_centers(device, task, in, &halos);
    weft_halos_free(device, &halos);
    weft_array_free(device, label);
    weft_array_free(device, in);
    return good && weft_check(device) == WEFT_OK;
}

static bool make_so(const struct bench *bench, struct task *task) {
    return make_centers(bench, task) &&
           task_output(task, 0, WEFT_I64, SO_DENSITIES * task->in[2].length) &&
           task_output(task, 1, WEFT_F64, SO_DENSITIES * task->in[2].length);
}

/* The spheres of `so`, and velocities that are noise. */
static bool make_inside(const struct bench *bench, struct task *task) {
    weft_device *device = bench->device;
    if (!make_centers(bench, task) || !task_input(task, 3, WEFT_F32, 3 * task->n))
        return false;
    const i64 halos = task->in[2].length;
    f32 *velocity = task->in[3].data;
    for (i64 k = 0; k < 3 * task->n; ++k)
        velocity[k] = (f32)((u64)k * 0x9e3779b97f4a7c15u >> 40) * 1e-4f;
    weft_array in[4];
    for (int k = 0; k < 4; ++k) {
        in[k] = weft_array_new(device, task->in[k].type, task->in[k].length);
        weft_write(device, in[k], task->in[k].data);
    }
    find_spheres(device, in, task);
    for (int k = 0; k < 4; ++k)
        weft_array_free(device, in[k]);
    return weft_check(device) == WEFT_OK && halos > 0;
}

static bool make_properties(const struct bench *bench, struct task *task) {
    return make_inside(bench, task) && task_output(task, 0, WEFT_F64, task->in[2].length);
}

static bool make_profiles(const struct bench *bench, struct task *task) {
    return make_inside(bench, task) &&
           task_output(task, 0, WEFT_I64, INSIDE_SHELLS * task->in[2].length) &&
           task_output(task, 1, WEFT_F64, task->in[2].length);
}

/* Both at once. */
static bool make_both(const struct bench *bench, struct task *task) {
    return make_inside(bench, task) &&
           task_output(task, 0, WEFT_I64, INSIDE_SHELLS * task->in[2].length) &&
           task_output(task, 1, WEFT_F64, 2 * task->in[2].length);
}

static const struct halos_row rows[] = {
    {.row = {"fof", "f32", make_fof, run_fof, check_fof, .item_bytes = 16}},
    {.row = {"fof", "f64", make_fof, run_fof, check_fof, .item_bytes = 28}},
    {.row = {"fof:periodic", "f32", make_fof, run_fof, check_fof, .item_bytes = 16},
     .periodic = true},
    {.row = {"fof:periodic", "f64", make_fof, run_fof, check_fof, .item_bytes = 28},
     .periodic = true},
    {.row = {"dbscan:2", "f32", make_dbscan, run_dbscan, check_dbscan, .item_bytes = 16},
     .min_points = 2},
    {.row = {"dbscan:5", "f32", make_dbscan, run_dbscan, check_dbscan, .item_bytes = 16},
     .min_points = 5},
    {.row = {"dbscan:100", "f32", make_dbscan, run_dbscan, check_dbscan, .item_bytes = 16},
     .min_points = 100},
    {.row = {"fof+mcp", "f32", make_mcp, run_mcp, check_mcp, .item_bytes = 16}},
    {.row = {"mbp:brute", "f32", make_mbp, run_mbp_brute, check_mbp, .item_bytes = 12,
             .all_pairs = true}},
    {.row = {"mbp:bounded", "f32", make_mbp, run_mbp_bounded, check_mbp, .item_bytes = 12}},
    {.row = {"mbp:nfw", "f32", make_nfw, run_mbp_bounded, nfw_check, .item_bytes = 12},
     .is_nfw = true},
    {.row = {"mbp:nfw-brute", "f32", make_nfw, run_mbp_brute, nfw_check, .item_bytes = 12,
             .all_pairs = true},
     .is_nfw = true},
    {.row = {"mbp:mixed", "f32", make_mixed, run_mbp_bounded, nfw_check, .item_bytes = 12},
     .is_nfw = true},
    {.row = {"mbp:mixed-brute", "f32", make_mixed, run_mbp_brute, nfw_check,
             .item_bytes = 12, .all_pairs = true},
     .is_nfw = true},
    {.row = {"poisson", "f32", make_mbp, run_poisson, check_poisson, .item_bytes = 12}},
    {.row = {"poisson:open", "f32", make_mbp, run_poisson_open, check_poisson,
             .item_bytes = 12}},
    {.row = {"so", "f32", make_so, run_so, check_so, .item_bytes = 12}, .periodic = true},
    {.row = {"properties", "f32", make_properties, run_properties, check_properties,
             .item_bytes = 24},
     .periodic = true},
    {.row = {"profiles", "f32", make_profiles, run_profiles, check_profiles,
             .item_bytes = 24},
     .periodic = true},
    {.row = {"properties+profiles", "f32", make_both, run_inside, check_inside,
             .item_bytes = 24},
     .periodic = true},
};
enum { ROWS = sizeof rows / sizeof *rows };

static bool run_rows(struct bench *bench, const struct particles *particles) {
    struct halos_input input = {.particles = particles};
    bool good = true;
    bench->halos = &input;
    for (int k = 0; good && k < ROWS; ++k) {
        if (!bench_wants(bench, "halos", &rows[k].row))
            continue;
        input.settings = (struct halos_settings){
            .linking_length = bench->options.linking_length * particles->separation,
            .min_points = rows[k].min_points};
        for (int axis = 0; axis < 3 && rows[k].periodic; ++axis)
            input.settings.box[axis] = particles->box[axis];
        good = bench_row(bench, &rows[k].row,
                         rows[k].is_nfw ? nfw_length(bench, rows[k].row.all_pairs)
                                        : particles->n);
        weft_so_free(bench->device, &input.settings.spheres);
        weft_cells_free(bench->device, input.settings.cells);
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
    const bool good = particles_read(&particles, bench->options.data, bench->options.tile,
                                     bench->options.particles) &&
                      run_rows(bench, &particles);
    particles_free(&particles);
    return good;
}
