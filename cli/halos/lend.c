/* What is lent to the library: numbers of the particles, and how they are linked. */
#include "cli/progress.h"
#include "halos.h"

#include <stdlib.h>
#include <string.h>

weft_fof_options halos_rule(const struct halos_run *run) {
    weft_fof_options rule = {.linking_length = run->linking_length,
                             .min_friends = run->options.min_friends};
    memcpy(rule.box, run->period, sizeof rule.box);
    return rule;
}

weft_bodies halos_bodies(const struct halos_run *run, weft_array mass) {
    weft_bodies bodies = {
        .points = run->points, .mass = mass, .particle_mass = run->particles.mass};
    memcpy(bodies.box, run->period, sizeof bodies.box);
    return bodies;
}

weft_array halos_lend(struct halos_run *run, enum snapshot_field field) {
    const int bytes = run->particles.bytes[field];
    void *values = run->particles.field[field];
    if (values == NULL)
        return (weft_array){0};
    if (run->lent[field].type)
        return run->lent[field];
    const int64_t n =
        run->particles.n *
        (field == SNAPSHOT_COORDINATES || field == SNAPSHOT_VELOCITIES ? 3 : 1);
    const weft_type type = field == SNAPSHOT_IDS ? (weft_type)WEFT_I64
                           : bytes == 4          ? (weft_type)WEFT_F32
                                                 : (weft_type)WEFT_F64;
    const weft_array array = weft_borrow_const(run->device, type, values, n);
    timings_end(&run->timings, TIMINGS_UPLOAD, n * bytes);
    if (run->keeps_lent)
        run->lent[field] = array;
    return array;
}

void halos_take_back(struct halos_run *run, weft_array array) {
    bool kept = false;
    for (int f = 0; f < SNAPSHOT_FIELDS; ++f)
        kept |= run->lent[f].type && run->lent[f].buffer == array.buffer;
    if (array.type && !kept)
        weft_return(run->device, array);
}

/* Takes back what stayed of a field. */
static void end_keeping(struct halos_run *run, enum snapshot_field field) {
    const weft_array array = run->lent[field];
    run->lent[field] = (weft_array){0};
    halos_take_back(run, array);
}

void halos_keep_lent(struct halos_run *run, bool keep) {
    run->keeps_lent = keep && run->options.memory_limit == 0;
    for (int f = 0; f < SNAPSHOT_FIELDS && !run->keeps_lent; ++f)
        end_keeping(run, (enum snapshot_field)f);
}

void halos_release_velocities(struct halos_run *run) {
    if (run->given || halos_has_parts(run) || run->options.subhalos)
        return;
    end_keeping(run, SNAPSHOT_VELOCITIES);
    free(run->particles.field[SNAPSHOT_VELOCITIES]);
    run->particles.field[SNAPSHOT_VELOCITIES] = NULL;
}

void halos_show(const struct halos_run *run, const char *what) {
    if (!run->in_parts)
        progress_show("%s (%s: %s)", what, weft_backend_name(run->device),
                      weft_device_name(run->device));
    if (progress_stopped())
        weft_fail(run->device, WEFT_E_STOPPED, "interrupted");
}
