/* weft sheet: from a snapshot to the densities of its sheet. */
#include "sheet.h"
#include "cli/command.h"
#include "cli/outputs/outputs.h"
#include "cli/progress.h"
#include "io/files/standard.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What the file says. */
static void describe(struct sheet_run *run) {
    static const char *const axes[3] = {"x", "y", "z"};
    const struct snapshot_info *info = &run->info;
    const struct sheet_options *asked = &run->options;
    const int64_t *grid = asked->grid;
    run->density = (struct density){
        .header =
            {
                .weft_version = weft_version(),
                .n_particles = info->n,
                .box = {info->box[0], info->box[1], info->box[2]},
                .redshift = info->redshift,
                .scale_factor = info->scale_factor,
                .h = info->cosmology.h,
                .omega_matter = info->cosmology.omega_matter,
                .omega_lambda = info->cosmology.omega_lambda,
                .length_unit = info->length_unit,
                .mass_unit = info->mass_unit,
                .particle_mass = run->particle_mass,
                .tessellation = sheet_tessellations[asked->tessellation],
                .project = asked->project < 0 ? NULL : axes[asked->project],
                .source_file = asked->snapshot,
                .command = run->command,
            },
        .grid = {grid[0], grid[1], grid[2]},
        .shape = {grid[0], grid[1], grid[2]},
        .project = asked->project,
        .fields = asked->fields,
        .across = asked->xdmf && asked->levels == 0,
        .meshes = asked->tessellation == WEFT_TESSELLATION_MEAN ? 4 : 1,
    };
    if (asked->project >= 0)
        run->density.shape[asked->project] = 1;
}

/* What only the lattice tells, and the device, which is there by then. */
static void describe_lattice(struct sheet_run *run) {
    struct density *density = &run->density;
    density->header.backend = weft_backend_name(run->device);
    density->header.device = weft_device_name(run->device);
    for (int k = 0; k < 3; ++k)
        density->header.lattice[k] = run->whole.n[k];
    density->units_per_tetrahedron =
        weft_sheet_units(&run->whole, run->options.tessellation);
    density->tetrahedra = weft_sheet_tetrahedra(&run->whole, run->options.tessellation);
}

static void print_patches(const struct density *density) {
    int64_t whole = 0;
    int deepest = 0;
    for (int64_t p = 0; p < density->n_patches; ++p) {
        whole += density->patches[p].whole;
        deepest = density->patches[p].level > deepest ? density->patches[p].level : deepest;
    }
    printf("%" PRId64 " patch%s of 64^3 cells cover%s the box, halved up to %d time%s\n",
           whole, whole == 1 ? "" : "es", whole == 1 ? "s" : "", deepest,
           progress_plural(deepest));
}

static void print_summary(const struct sheet_run *run) {
    const int64_t *grid = run->options.grid, *n = run->whole.n;
    const struct density *density = &run->density;
    const double *seconds = run->timings.seconds;
    const double cells =
        (double)density->shape[0] * (double)density->shape[1] * (double)density->shape[2];
    printf("%s: %" PRId64 " particles of a lattice of %" PRId64 " x %" PRId64 " x %" PRId64
           ", neighbours %.3g spacings from where they began\n",
           outputs_shown(run->options.snapshot), run->info.n, n[0], n[1], n[2],
           run->whole.separation * (double)n[0]);
    printf("%" PRId64 " tetrahedra (%s) on a grid of %" PRId64 " x %" PRId64 " x %" PRId64,
           density->tetrahedra, density->header.tessellation, grid[0], grid[1], grid[2]);
    if (run->most > 0)
        printf(": densities up to %.4g of the mean, %" PRId64 " %s%s empty", run->most,
               run->empty, density->project < 0 ? "cell" : "column",
               run->empty == 1 ? " is" : "s are");
    putchar('\n');
    if (run->patches)
        print_patches(density);
    if (run->options.samples > 0)
        printf("a preview of %d points a tetrahedron: cells are off by %.2g of the mean "
               "density (rms, by 1/64 of the sheet)\n",
               run->options.samples, sqrt(run->squares / cells));
    if (run->comm->size > 1)
        printf("%d ranks, which sent %.1f MiB to each other; the first: ", run->comm->size,
               (double)timings_sent(&run->timings) / 1048576.0);
    printf("%s, %s: read %.3f s, lattice %.3f s, sheet %.3f s, written %.3f s\n",
           weft_backend_name(run->device), weft_device_name(run->device),
           seconds[TIMINGS_READ], seconds[TIMINGS_UPLOAD], seconds[TIMINGS_SHEET],
           seconds[TIMINGS_WRITE]);
    printf("wrote %s\n", outputs_shown(run->output));
    if (run->xdmf)
        printf("wrote %s\n", outputs_shown(run->xdmf));
    if (run->options.plot)
        printf("wrote %s\n", outputs_shown(run->options.plot));
}

/* What rank 0 does at the end. */
static int tell(struct sheet_run *run) {
    struct io_error error;
    const char *timings = run->options.shared.timings;
    if (run->xdmf && !density_write_xdmf(run->xdmf, run->output, &run->density, &error))
        return progress_fail(CLI_FAULT, "%s", error.text);
    if (run->options.plot) {
        const int status = sheet_draw(run);
        if (status != CLI_DONE)
            return status;
    }
    if (timings && !timings_write(timings, &run->timings, run->device, run->command,
                                  run->info.n, &error))
        return progress_fail(CLI_FAULT, "%s", error.text);
    progress_end();
    if (!run->options.shared.quiet && !outputs_take_stdout(&timings, 1))
        print_summary(run);
    return CLI_DONE;
}

static int compute(struct sheet_run *run) {
    if (run->options.levels > 0)
        return sheet_refine(run);
    const int status = parallel_meet(run->comm, sheet_plan(run));
    return status == CLI_DONE ? sheet_cells(run) : status;
}

static int run_on_ranks(void *context, struct comm *comm) {
    struct sheet_run *run = context;
    run->comm = comm;
    run->slabs = comm->size > 1;
    int status = CLI_DONE;
    if (run->command == NULL)
        status = progress_fail(CLI_FAULT, "out of memory: the command line");
    else if (comm->rank == 0)
        status = sheet_read_halos(run);
    status = parallel_meet(comm, status);
    if (status == CLI_DONE)
        status = sheet_read(run);
    if (status == CLI_DONE) {
        describe(run);
        status = sheet_find_lattice(run);
    }
    if (status == CLI_DONE) {
        describe_lattice(run);
        status = compute(run);
    }
    if (status == CLI_DONE && run->options.plot)
        status = sheet_map(run);
    if (status == CLI_DONE && !timings_gather(&run->timings, comm))
        status = parallel_stop(comm);
    if (status == CLI_DONE && comm->rank == 0)
        status = tell(run);
    progress_end();
    return status;
}

int command_sheet(int argc, char **argv) {
    struct sheet_run run = {.command = options_join(argc, argv)};
    struct comm comm;
    sheet_parse(argc, argv, &run.options);
    timings_start(&run.timings);
    const bool read_input = standard_is(run.options.snapshot);
    const int status =
        parallel_run(argv[0], &run.options.shared, read_input, &comm, run_on_ranks, &run);
    sheet_take_device(&run, status);
    weft_array_free(run.device, run.velocity);
    weft_lattice_free(run.device, &run.lattice);
    weft_close(run.device);
    snapshot_free(&run.particles);
    free(run.touched);
    free(run.ahead);
    free(run.columns);
    free(run.halos);
    free(run.patches);
    free(run.near);
    free(run.output);
    free(run.xdmf);
    free(run.command);
    return status;
}
