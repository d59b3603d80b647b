/* weft link: from catalogues to merger trees. */
#include "link.h"
#include "cli/command.h"
#include "cli/outputs/outputs.h"
#include "cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int link_write(struct link_run *run) {
    struct io_error error;
    const struct link_catalogue *last = &run->catalogue[run->n - 1];
    double side = 0;
    for (int axis = 0; axis < 3; ++axis)
        side = last->box[axis] > side ? last->box[axis] : side;
    double *times = io_allocate(2 * run->n, sizeof *times, "redshifts", &error);
    if (times == NULL)
        return progress_fail(CLI_FAULT, "%s", error.text);
    for (int s = 0; s < run->n; ++s) {
        times[s] = run->catalogue[s].redshift;
        times[run->n + s] = run->catalogue[s].scale_factor;
    }
    const struct trees trees = {
        .weft_version = weft_version(),
        .command = run->command,
        .kind = run->subhalos ? "subhalos" : "halos",
        .length_unit = run->length_unit,
        .mass_unit = run->mass_unit,
        .box = side * run->length_factor,
        .h = last->h,
        .omega_matter = last->omega_matter,
        .omega_lambda = last->omega_lambda,
        .snapshots = run->n,
        .redshift = times,
        .scale_factor = times + run->n,
        .n_trees = run->n_trees,
        .n_halos = run->groups,
        .length = run->length,
        .start = run->start,
        .n_columns = run->n_columns,
        .columns = run->columns,
    };
    progress_show("writing %s", run->options.output);
    const bool done = trees_write(run->options.output, &trees, &error);
    free(times);
    timings_end(&run->timings, TIMINGS_WRITE, 8 * run->n_columns * run->groups);
    return done ? CLI_DONE : progress_fail(CLI_FAULT, "%s", error.text);
}

static void print_summary(const struct link_run *run) {
    const double *seconds = run->timings.seconds;
    int64_t linked = 0, longest = 0;
    for (int64_t g = 0; g < run->groups; ++g)
        linked += run->descendant[g] >= 0;
    for (int64_t t = 0; t < run->n_trees; ++t)
        longest = run->length[t] > longest ? run->length[t] : longest;
    printf("%d catalogues: %" PRId64 " %s%s with %" PRId64 " members\n", run->n,
           run->groups, run->subhalos ? "subhalo" : "halo", progress_plural(run->groups),
           run->members);
    printf("%" PRId64 " %s a descendant, %" PRId64 " of them two snapshots later; %" PRId64
           " tree%s, the largest of %" PRId64 "\n",
           linked, linked == 1 ? "has" : "have", run->skipped, run->n_trees,
           progress_plural(run->n_trees), longest);
    printf("%s, %s: read %.3f s, linked %.3f s, written %.3f s\n",
           weft_backend_name(run->device), weft_device_name(run->device),
           seconds[TIMINGS_READ], seconds[TIMINGS_LINKS], seconds[TIMINGS_WRITE]);
    if (run->options.lists)
        printf("wrote %s/out_0.list to out_%d.list\n", outputs_shown(run->options.output),
               run->n - 1);
    else
        printf("wrote %s\n", outputs_shown(run->options.output));
    if (run->options.plot)
        printf("wrote %s\n", outputs_shown(run->options.plot));
}

static int run_steps(struct link_run *run) {
    struct io_error error;
    if (run->command == NULL)
        return progress_fail(CLI_FAULT, "out of memory: the command line");
    int status = run->options.lists ? link_check_lists(run) : CLI_DONE;
    if (status == CLI_DONE)
        status = link_open(run);
    timings_end(&run->timings, TIMINGS_READ, 8 * run->groups);
    if (status == CLI_DONE)
        run->device = progress_hear(options_open(&run->options.shared, &status));
    if (status == CLI_DONE)
        status = link_join(run);
    if (status == CLI_DONE)
        status = link_grow(run);
    timings_end(&run->timings, TIMINGS_LINKS, 0);
    if (status == CLI_DONE)
        status = link_fill(run);
    if (status == CLI_DONE)
        status = run->options.lists ? link_write_lists(run) : link_write(run);
    if (status == CLI_DONE && run->options.plot)
        status = link_draw(run);
    const char *timings = run->options.shared.timings;
    if (status == CLI_DONE && timings &&
        !timings_write(timings, &run->timings, run->device, run->command, run->members,
                       &error))
        status = progress_fail(CLI_FAULT, "%s", error.text);
    progress_end();
    if (status == CLI_DONE && !run->options.shared.quiet &&
        !outputs_take_stdout(&timings, 1))
        print_summary(run);
    return status;
}

void link_release(struct link_run *run) {
    for (int s = 0; s < run->n; ++s) {
        columns_close(run->catalogue[s].file);
        free(run->catalogue[s].offset), free(run->catalogue[s].id);
    }
    for (int k = 0; k < run->n_columns; ++k)
        free((void *)(uintptr_t)run->columns[k].data);
    free(run->catalogue), free(run->tag), free(run->weight), free(run->shared);
    free(run->descendant), free(run->progenitor), free(run->tree), free(run->row);
    free(run->length), free(run->start), free(run->first_of), free(run->next_of);
}

int command_link(int argc, char **argv) {
    struct link_run run = {.command = options_join(argc, argv)};
    link_parse(argc, argv, &run.options);
    if (run.options.output == NULL)
        run.options.output = run.options.lists ? "." : "trees.hdf5";
    timings_start(&run.timings);
    progress_start(argv[0], run.options.shared.quiet);
    const int status = run_steps(&run);
    weft_close(run.device);
    link_release(&run);
    free(run.options.paths), free(run.command);
    return status;
}
