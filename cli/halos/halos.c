/* weft halos: from a snapshot to a catalogue of its halos. */
#include "halos.h"
#include "cli/halos/batch/names.h"
#include "cli/halos/centers/centers.h"
#include "cli/command.h"
#include "cli/halos/centers/together.h"
#include "cli/halos/spheres/picture.h"
#include "cli/outputs/outputs.h"
#include "cli/parallel.h"
#include "cli/plot/plot.h"
#include "cli/progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/fof.h>

/* All at once: positions stay on the device from step to step. */
static int find(struct halos_run *run) {
    weft_device *device = run->device;
    const int64_t n = run->particles.n;
    run->rule = halos_rule(run);
    const bool keep = run->so.n > 0 || centers_use_cells(run->options.centers);
    halos_lend_points(run);
    halos_show(run, "linking friends");
    const weft_array labels = weft_array_new(device, WEFT_U32, n);
    weft_fof_cells(device, &run->points, &run->rule, labels, keep ? &run->cells : NULL);
    weft_synchronize(device);
    timings_end(&run->timings, TIMINGS_FOF,
                n * (3 * run->particles.bytes[SNAPSHOT_COORDINATES] + 4));
    const int status = halos_group(run, labels);
    weft_array_free(device, labels);
    return status == CLI_DONE ? halos_describe(run) : status;
}

static int draw(struct halos_run *run) {
    struct io_error error;
    const struct snapshot_particles *particles = &run->particles;
    const int sphere = halos_so_named(&run->so, "200c");
    const struct plot_scene scene = {
        .path = run->options.plot,
        .title = run->options.snapshot,
        .n = run->info.n,
        .position = particles->field[SNAPSHOT_COORDINATES],
        .position_bytes = particles->bytes[SNAPSHOT_COORDINATES],
        .mass = particles->field[SNAPSHOT_MASSES],
        .mass_bytes = particles->bytes[SNAPSHOT_MASSES],
        .particle_mass = particles->mass,
        .box = run->box,
        .period = run->period,
        .length_unit = run->info.length_unit,
        .mass_unit = run->info.mass_unit,
        .redshift = run->info.redshift,
        .min_members = run->options.min_members,
        .n_halos = run->n_halos,
        .halo_center = halos_column(run, "center_of_mass"),
        .halo_mass = halos_column(run, "mass"),
        .sphere_mass = sphere >= 0 ? halos_column(run, "mass_200c") : NULL,
        .sphere_name = "200c",
    };
    halos_show(run, "drawing");
    if (!plot_write(&scene, &error))
        return progress_fail(CLI_FAULT, "%s", error.text);
    timings_end(&run->timings, TIMINGS_PLOT,
                run->info.n * 3 * particles->bytes[SNAPSHOT_COORDINATES]);
    return CLI_DONE;
}

static int64_t all_of(int64_t n, struct catalogue_rest rest) {
    return rest.before + n + rest.after;
}

static int64_t all_halos(const struct halos_run *run) {
    return all_of(run->n_halos, run->rest);
}

/* In how many halos the Poisson center is proven to be the most bound particle. */
static void print_proven(const struct halos_run *run) {
    if (run->options.poisson_prove)
        printf("the Poisson center of %" PRId64 " of %" PRId64
               " halo%s is proven to be the most bound particle, which took its place in "
               "the others\n",
               run->proven, all_halos(run), progress_plural(all_halos(run)));
}

static void print_subhalos(const struct halos_run *run) {
    const int64_t n = all_of(run->subhalos.n, run->subhalos.rest);
    const int64_t members =
        run->subhalos.offset[run->subhalos.n] + run->subhalos.members.after;
    printf("%" PRId64 " subhalo%s hold%s %" PRId64 " particle%s\n", n, progress_plural(n),
           n == 1 ? "s" : "", members, progress_plural(members));
}

static void print_summary(const struct halos_run *run) {
    const struct halos_options *options = &run->options;
    const struct timings *timings = &run->timings;
    const char *unit = run->info.length_unit;
    const int64_t n = run->info.n, *offset = run->offset;
    const int64_t halos = all_halos(run);
    const int64_t members = all_of(run->n_members, run->members_rest);
    const int64_t largest = run->n_halos > 0 ? offset[1] - offset[0] : 0;
    printf("%s: %" PRId64 " particle%s", outputs_shown(options->snapshot), n,
           progress_plural(n));
    if (run->box[0] > 0)
        printf(" in a box of %.6g x %.6g x %.6g %s", run->box[0], run->box[1], run->box[2],
               unit);
    printf(", periodic:%s%s%s%s\n", run->period[0] > 0 ? " x" : "",
           run->period[1] > 0 ? " y" : "", run->period[2] > 0 ? " z" : "",
           run->period[0] > 0 || run->period[1] > 0 || run->period[2] > 0 ? "" : " no");
    if (options->region.given)
        printf("%" PRId64 " of them in the region\n", run->n_inside);
    printf("linking length %.9g %s", run->linking_length, unit);
    if (run->mean_separation > 0)
        printf(", %.6g of the mean separation %.6g %s",
               run->linking_length / run->mean_separation, run->mean_separation, unit);
    printf("\n%" PRId64 " halo%s of at least %" PRId64 " particle%s hold%s %" PRId64
           " particle%s (%.1f %%); the largest has %" PRId64 "\n",
           halos, progress_plural(halos), options->min_members,
           progress_plural(options->min_members), halos == 1 ? "s" : "", members,
           progress_plural(members),
           run->n_inside > 0 ? 100.0 * (double)members / (double)run->n_inside : 0.0,
           largest);
    if (options->subhalos)
        print_subhalos(run);
    types_print(run);
    print_proven(run);
    if (run->comm.size > 1)
        printf("%d ranks, which sent %.1f MiB to each other; the first: ", run->comm.size,
               (double)timings_sent(timings) / 1048576.0);
    printf("%s, %s: read %.3f s, friends-of-friends %.3f s, halos %.3f s, written %.3f s",
           halos_backend_name(run), halos_device_name(run),
           timings->seconds[TIMINGS_READ] + timings->seconds[TIMINGS_UPLOAD],
           timings->seconds[TIMINGS_FOF],
           timings->seconds[TIMINGS_GROUP] + timings->seconds[TIMINGS_PROPERTIES] +
               timings->seconds[TIMINGS_CENTERS] + timings->seconds[TIMINGS_SO] +
               timings->seconds[TIMINGS_SUBHALOS],
           timings->seconds[TIMINGS_WRITE] + timings->seconds[TIMINGS_PLOT]);
    printf("; peak memory %.1f MiB\n", (double)timings_peak_memory() / 1048576.0);
    printf("wrote %s", outputs_shown(run->output));
    const char *const others[] = {run->xdmf, options->labels, options->plot,
                                  options->plot_halo, options->shared.timings};
    for (size_t k = 0; k < sizeof others / sizeof *others; ++k) {
        if (others[k])
            printf(", %s", outputs_shown(others[k]));
    }
    printf("\n");
}

/* What is told of halos of all ranks. */
static int count_proven(struct halos_run *run) {
    const int64_t *proven = run->options.poisson_prove && run->n_halos > 0
                                ? halos_column(run, "poisson_proven")
                                : NULL;
    for (int64_t h = 0; proven && h < run->n_halos; ++h)
        run->proven += proven[h];
    return comm_reduce_i64(&run->comm, &run->proven, 1, COMM_SUM)
               ? CLI_DONE
               : parallel_stop(&run->comm);
}

int halos_find(struct halos_run *run) {
    if ((run->options.plot || run->options.plot_halo) && run->comm.size > 1)
        return progress_fail(CLI_USAGE,
                             "%s excludes several ranks: none of them has all particles",
                             run->options.plot ? "--plot" : "--plot-halo");
    int status = halos_read(run);
    if (status != CLI_DONE || run->skipped)
        return status;
    status = halos_so_settle(run);
    if (status == CLI_DONE)
        status = halos_subhalos_settle(run);
    if (status == CLI_DONE)
        status = types_find_nearest(run);
    if (status == CLI_DONE)
        status = halos_has_parts(run) ? halos_in_parts(run) : find(run);
    if (status == CLI_DONE)
        status = types_attach(run);
    return status == CLI_DONE ? count_proven(run) : status;
}

int halos_run_steps(struct halos_run *run) {
    struct io_error error;
    int status = halos_find(run);
    if (status == CLI_DONE && !run->skipped && run->options.plot_halo)
        status = picture_check(run);
    if (status != CLI_DONE || run->skipped) {
        progress_end();
        return status;
    }
    halos_show(run, "writing");
    halos_part_with_device(run);
    status = halos_write(run);
    if (status == CLI_DONE && run->options.plot)
        status = draw(run);
    if (status == CLI_DONE && run->options.plot_halo)
        status = picture_draw(run);
    if (status == CLI_DONE && !timings_gather(&run->timings, &run->comm))
        status = parallel_stop(&run->comm);
    const char *timings = run->options.shared.timings;
    if (status == CLI_DONE && timings && run->comm.rank == 0 &&
        !timings_write(timings, &run->timings, run->device, run->command, run->info.n,
                       &error))
        status = progress_fail(CLI_FAULT, "%s", error.text);
    progress_end();
    const char *const outputs[] = {run->output, run->options.labels, run->options.plot,
                                   run->options.plot_halo, run->options.shared.timings};
    if (status == CLI_DONE && run->comm.rank == 0 && !run->options.shared.quiet &&
        !outputs_take_stdout(outputs, 5))
        print_summary(run);
    return status;
}

void halos_release_particles(struct halos_run *run) {
    for (int f = 0; run->given && !halos_has_parts(run) && f < SNAPSHOT_FIELDS; ++f)
        run->particles.field[f] = NULL;
    snapshot_free(&run->particles);
}

void halos_release(struct halos_run *run) {
    halos_take_device(run);
    weft_close(run->meanwhile);
    run->meanwhile = NULL;
    halos_release_device(run);
    halos_columns_free(&run->columns);
    halos_columns_free(&run->profiles);
    halos_subhalos_free(run);
    free(run->together_of);
    free(run->offset);
    free(run->member_id);
    free(run->member_friends);
    halos_members_free(&run->members);
    free(run->labels);
    free(run->place);
    free(run->shares);
    halos_release_particles(run);
    types_free(run);
    halos_names_free(run);
}
