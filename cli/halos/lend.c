/* What is lent to the library: numbers of the particles, the device once it is there, and
 * how they are linked. */
#include "cli/command.h"
#include "cli/progress.h"
#include "distributed/link.h"
#include "halos.h"

#include <stdlib.h>
#include <string.h>
#include <weft/transform.h>

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

/* Whether what spheres ask for lies behind the same rows as now, on a device that has their
 * positions as well. */
static bool wants_room(const struct halos_run *run) {
    return run->there.type && run->so.n > 0 && run->options.min_friends == 0;
}

/* `each` numbers of a row: those of the rows that are there already stay. */
static weft_array lend_roomy(struct halos_run *run, enum snapshot_field field,
                             weft_type type, int64_t each) {
    weft_device *device = run->device;
    const struct snapshot_particles *particles = &run->particles;
    const int64_t n = particles->n, bytes = each * particles->bytes[field];
    weft_array *all = &run->roomy[field];
    const int64_t own = run->own < n ? run->own : n, there = all->type ? own : 0;
    if (all->length < each * n) {
        const weft_array longer = weft_array_new(device, type, each * (n + n / 8));
        if (there > 0)
            weft_copy(device, weft_slice(device, *all, 0, each * there),
                      weft_slice(device, longer, 0, each * there));
        if (all->type)
            weft_array_free(device, *all);
        *all = longer;
    }
    weft_write(device, weft_slice(device, *all, each * there, each * (n - there)),
               (const char *)particles->field[field] + bytes * there);
    return weft_slice(device, *all, 0, each * n);
}

void halos_forget_roomy(struct halos_run *run) {
    for (int f = 0; f < SNAPSHOT_FIELDS; ++f) {
        if (run->roomy[f].type)
            weft_array_free(run->device, run->roomy[f]);
        run->roomy[f] = (weft_array){0};
    }
}

weft_array halos_lend(struct halos_run *run, enum snapshot_field field) {
    const int bytes = run->particles.bytes[field];
    void *values = run->particles.field[field];
    if (values == NULL)
        return (weft_array){0};
    if (run->lent[field].type)
        return run->lent[field];
    if (field == SNAPSHOT_COORDINATES && run->there.type)
        return run->there;
    const int64_t each =
        field == SNAPSHOT_COORDINATES || field == SNAPSHOT_VELOCITIES ? 3 : 1;
    const int64_t n = run->particles.n * each;
    const weft_type type = field == SNAPSHOT_IDS ? (weft_type)WEFT_I64
                           : bytes == 4          ? (weft_type)WEFT_F32
                                                 : (weft_type)WEFT_F64;
    const weft_array array = field != SNAPSHOT_COORDINATES && wants_room(run)
                                 ? lend_roomy(run, field, type, each)
                                 : weft_borrow_const(run->device, type, values, n);
    timings_end(&run->timings, TIMINGS_UPLOAD, n * bytes);
    if (run->keeps_lent)
        run->lent[field] = array;
    return array;
}

void halos_take_back(struct halos_run *run, weft_array array) {
    bool kept = run->there.type && run->there.buffer == array.buffer;
    for (int f = 0; f < SNAPSHOT_FIELDS; ++f)
        kept |= (run->lent[f].type && run->lent[f].buffer == array.buffer) ||
                (run->roomy[f].type && run->roomy[f].buffer == array.buffer);
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
        progress_show("%s (%s: %s)", what, halos_backend_name(run), halos_device_name(run));
    if (run->device && progress_stopped())
        weft_fail(run->device, WEFT_E_STOPPED, "interrupted");
}

void halos_keep_left(struct halos_run *run, weft_array words, int64_t n) {
    const bool wide = run->particles.bytes[SNAPSHOT_COORDINATES] == sizeof(double);
    run->there = words;
    if (words.type)
        run->there =
            weft_as(run->device, weft_slice(run->device, words, 0, wide ? 6 * n : 3 * n),
                    wide ? (weft_type)WEFT_F64 : (weft_type)WEFT_F32);
}

int halos_take_device(struct halos_run *run) {
    int opened = CLI_DONE;
    if (!run->opens)
        return CLI_DONE;
    run->opens = false;
    run->device = opening_end(&run->opening, &opened);
    run->no_device = run->device == NULL;
    return opened;
}

void halos_release_device(struct halos_run *run) {
    if (run->device) {
        weft_cells_free(run->device, run->cells);
        weft_halos_free(run->device, &run->halos);
        halos_take_back(run, run->position);
    }
    run->cells = NULL;
    run->halos = (weft_halos){0};
    run->position = (weft_array){0};
}

void halos_part_with_device(struct halos_run *run) {
    const struct halos_options *options = &run->options;
    if (!run->is_last || options->plot || options->plot_halo ||
        options->types.n_attached > 0 || run->device == NULL)
        return;
    timings_note_device(&run->timings, run->device);
    halos_release_device(run);
    closing_begin(&run->closing, run->device);
    run->device = NULL;
}

const char *halos_backend_name(const struct halos_run *run) {
    return run->device ? weft_backend_name(run->device) : run->timings.device.backend;
}

const char *halos_device_name(const struct halos_run *run) {
    return run->device ? weft_device_name(run->device) : run->timings.device.name;
}

weft_device *halos_any_device(struct halos_run *run) {
    if (run->device == NULL && run->meanwhile == NULL)
        run->meanwhile = weft_open("serial");
    return run->device ? run->device : run->meanwhile;
}

static weft_device *wait_for_device(void *context) {
    return opening_wait(&((struct halos_run *)context)->opening);
}

static weft_device *take_device(void *context) {
    struct halos_run *run = context;
    const int status = halos_take_device(run);
    if (status != CLI_DONE)
        comm_fail(&run->comm, status);
    else
        halos_show(run, "linking friends");
    return run->device;
}

int halos_link(struct halos_run *run, struct table *particles, struct link_device *device,
               uint32_t **label) {
    struct comm *comm = &run->comm;
    *device = (struct link_device){.device = run->device,
                                   .wait = wait_for_device,
                                   .take = take_device,
                                   .user = run,
                                   .stay = true};
    run->rule = halos_rule(run);
    if (run->device)
        halos_show(run, "linking friends");
    comm->told = progress_part;
    comm_end(comm, COMM_REST);
    const double before = comm->seconds[COMM_REST];
    const bool linked =
        link_groups(comm, device, particles, &run->rule, run->options.memory_limit, label);
    timings_end(&run->timings, TIMINGS_FOF,
                particles->n * ((int64_t)particles->bytes[LINK_POSITION] + 4));
    timings_move(&run->timings, TIMINGS_FOF, TIMINGS_UPLOAD,
                 comm->seconds[COMM_REST] - before);
    if (linked)
        return CLI_DONE;
    return run->no_device ? comm->trouble : parallel_stop(comm);
}
