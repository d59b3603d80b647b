/* What pulls particles, and the memory that it takes. */
#include "cli/command.h"
#include "cli/parallel.h"
#include "cli/progress.h"
#include "simulate.h"

#include <inttypes.h>
#include <stdlib.h>

static weft_status pull_far(void *user, weft_device *device, const weft_steps_particles *p,
                            const weft_array a[3]) {
    struct simulate_run *run = user;
    if (run->comm.size > 1)
        return simulate_far(run, 3, a);
    return weft_gravity_long(device, run->gravity, p->position[0], p->position[1],
                             p->position[2], a[0], a[1], a[2]);
}

static weft_status pull_near(void *user, weft_device *device, const weft_steps_particles *p,
                             const weft_array a[3]) {
    struct simulate_run *run = user;
    if (run->comm.size > 1)
        return simulate_near(run, 3, a);
    return weft_gravity_short(device, run->gravity, p->position[0], p->position[1],
                              p->position[2], a[0], a[1], a[2]);
}

/* What the pool keeps depends on the order in which it is asked. Energies and then the
 * other spectrum of a transform come first: all other scratch of the forces fits in about
 * these, and none of it is alive beside them. */
static void take_scratch(struct simulate_run *run) {
    const bool alone = run->comm.size == 1;
    const int64_t rows = alone ? run->mesh : slabs_rows(&run->slabs, run->comm.rank).count;
    const int64_t columns =
        alone ? run->mesh / 2 + 1 : slabs_columns(&run->slabs, run->comm.rank).count;
    weft_scope_open(run->device);
    if (run->options.energy > 0 && !run->options.reverse)
        weft_scratch(run->device, WEFT_F64, run->particles.n);
    weft_scratch(run->device, WEFT_F32, 2 * run->mesh * rows * columns);
    weft_scope_close(run->device);
}

static void plan_forces(struct simulate_run *run) {
    const weft_gravity_slab slab = simulate_slab(run);
    const weft_gravity_options options = {.mesh = run->mesh,
                                          .most = run->info.n,
                                          .softening = run->softening / run->box,
                                          .split = (int32_t)run->split,
                                          .slab = run->comm.size > 1 ? &slab : NULL};
    run->gravity = weft_gravity_new(run->device, &options);
    take_scratch(run);
}

int simulate_prepare(struct simulate_run *run) {
    const struct snapshot_cosmology *c = &run->info.cosmology;
    const int64_t n = run->particles.n;
    run->take = (weft_steps_options){
        .cosmology = {.h = c->h,
                      .omega_matter = c->omega_matter,
                      .omega_lambda = c->omega_lambda},
        .substeps = run->substeps,
        .slow = pull_far,
        .fast = pull_near,
        .user = run,
        .strength =
            3 * c->omega_matter / (8 * 3.14159265358979323846 * (double)run->info.n),
    };
    for (int k = 0; k < 3; ++k)
        run->take.acceleration[k] = weft_array_new(run->device, WEFT_F64, n);
    plan_forces(run);
    if (weft_check(run->device) != WEFT_OK)
        return progress_fail(CLI_FAULT, "%s", progress_error(run->device));
    progress_note("%" PRId64 " particles and a mesh of %" PRId64 "^3: %.1f MiB",
                  run->info.n, run->mesh,
                  (double)weft_memory_use(run->device).held / 1048576.0);
    return CLI_DONE;
}

void simulate_rest(struct simulate_run *run) {
    weft_gravity_free(run->device, run->gravity);
    run->gravity = NULL;
    free(run->room.memory);
    run->room = (struct slabs_room){0};
    weft_memory_trim(run->device);
    parallel_trim_memory();
}

int simulate_go_on(struct simulate_run *run) {
    weft_memory_trim(run->device);
    parallel_trim_memory();
    plan_forces(run);
    return weft_check(run->device) == WEFT_OK
               ? CLI_DONE
               : progress_fail(CLI_FAULT, "%s", progress_error(run->device));
}
