/* Positions and momenta of a file as integers, by all threads. */
#include "cli/command.h"
#include "cli/progress.h"
#include "io/crew/crew.h"
#include "simulate.h"

#include <math.h>
#include <stdlib.h>

/* One axis of some rows; a position in `unit` is one in boxes, a velocity times it one in
 * boxes per time. */
struct conversion {
    const void *values;
    int bytes, axis;
    double unit;
    void *out; /* a number of each particle */
};

static double value(const struct conversion *c, int64_t i) {
    const int64_t k = 3 * i + c->axis;
    return c->bytes == 4 ? (double)((const float *)c->values)[k]
                         : ((const double *)c->values)[k];
}

static void to_position(void *context, int64_t begin, int64_t end, int part) {
    const struct conversion *c = context;
    uint32_t *x = c->out;
    (void)part;
    for (int64_t i = begin; i < end; ++i) {
        const double at = value(c, i) / c->unit;
        x[i] = (uint32_t)(int64_t)round((at - floor(at)) * 4294967296.0);
    }
}

static void to_momentum(void *context, int64_t begin, int64_t end, int part) {
    const struct conversion *c = context;
    int64_t *momentum = c->out;
    (void)part;
    for (int64_t i = begin; i < end; ++i)
        momentum[i] = (int64_t)round(value(c, i) * c->unit * WEFT_STEPS_MOMENTUM);
}

/* `scratch` has room for a number of each particle. */
static void convert(struct simulate_run *run, const struct snapshot_particles *p, int axis,
                    void *scratch) {
    const double a = simulate_scale(&run->schedule, run->step);
    struct conversion position = {.values = p->field[SNAPSHOT_COORDINATES],
                                  .bytes = p->bytes[SNAPSHOT_COORDINATES],
                                  .axis = axis,
                                  .unit = run->info.box[0],
                                  .out = scratch};
    struct conversion momentum = {.values = p->field[SNAPSHOT_VELOCITIES],
                                  .bytes = p->bytes[SNAPSHOT_VELOCITIES],
                                  .axis = axis,
                                  .unit = a / (100 * run->info.cosmology.h * run->box),
                                  .out = scratch};
    crew_run(run->comm.threads, p->n, to_position, &position);
    weft_write(run->device, run->particles.position[axis], (const uint32_t *)scratch);
    crew_run(run->comm.threads, p->n, to_momentum, &momentum);
    weft_write(run->device, run->particles.momentum[axis], (const int64_t *)scratch);
}

int simulate_lend(struct simulate_run *run, const struct snapshot_particles *p) {
    struct io_error error;
    void *scratch = io_allocate(p->n, 8, "numbers of an axis", &error);
    if (scratch == NULL)
        return progress_fail(CLI_FAULT, "%s", error.text);
    run->particles.n = p->n;
    for (int axis = 0; axis < 3; ++axis) {
        run->particles.position[axis] = weft_array_new(run->device, WEFT_U32, p->n);
        run->particles.momentum[axis] = weft_array_new(run->device, WEFT_I64, p->n);
        convert(run, p, axis, scratch);
    }
    free(scratch);
    return CLI_DONE;
}
