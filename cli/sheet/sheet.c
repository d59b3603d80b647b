/* weft sheet: from a snapshot to the densities of its sheet. */
#include "sheet.h"
#include "cli/command.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "io/density/density.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft/transform.h>

enum { PARTS = 64 /* of the sheet, between which progress is told */ };

static int64_t cells_of(const struct sheet_run *run) {
    const int64_t *grid = run->options.grid;
    return grid[0] * grid[1] * grid[2];
}

static int fail(const struct sheet_run *run) {
    return progress_fail(CLI_FAULT, "%s: %s", run->options.snapshot,
                         weft_error(run->device));
}

static int find_lattice(struct sheet_run *run) {
    weft_device *device = run->device;
    const struct snapshot_particles *particles = &run->particles;
    const int64_t *sides = run->options.lattice;
    const int bytes = particles->bytes[SNAPSHOT_COORDINATES];
    progress_show("%s: %s · the lattice", weft_backend_name(device),
                  weft_device_name(device));
    const weft_array position =
        weft_borrow_const(device, bytes == 4 ? WEFT_F32 : WEFT_F64,
                          particles->field[SNAPSHOT_COORDINATES], 3 * particles->n);
    const weft_array id = weft_borrow_const(
        device, WEFT_I64, (const int64_t *)particles->field[SNAPSHOT_IDS], particles->n);
    const weft_points points = weft_points_interleaved(device, position);
    weft_lattice_find(device, &points, id, sides[0] ? sides : NULL, run->info.box,
                      &run->lattice);
    weft_return(device, position);
    weft_return(device, id);
    snapshot_free(&run->particles);
    timings_end(&run->timings, TIMINGS_UPLOAD, run->info.n * (3 * bytes + 8 + 28));
    return weft_check(device) == WEFT_OK ? CLI_DONE : fail(run);
}

static int deposit(struct sheet_run *run) {
    weft_device *device = run->device;
    struct io_error error;
    const struct sheet_options *asked = &run->options;
    const int64_t cells = cells_of(run), sites = run->info.n;
    const int64_t zero = 0;
    weft_sheet_options options = {.grid = {asked->grid[0], asked->grid[1], asked->grid[2]},
                                  .tessellation = asked->tessellation};
    progress_show("%s: %s · %" PRId64 " tetrahedra", weft_backend_name(device),
                  weft_device_name(device),
                  weft_sheet_tetrahedra(&run->lattice, asked->tessellation));
    run->units = io_allocate(cells, sizeof *run->units, "the cells", &error);
    if (run->units == NULL)
        return progress_fail(CLI_FAULT, "%s", error.text);
    const weft_array units = weft_array_new(device, WEFT_I64, cells);
    weft_fill(device, units, &zero);
    for (int64_t part = 0; part < PARTS && weft_check(device) == WEFT_OK; ++part) {
        options.begin = sites * part / PARTS;
        options.end = sites * (part + 1) / PARTS;
        if (options.begin < options.end)
            weft_sheet_deposit(device, &run->lattice, &options, units);
        weft_synchronize(device);
        progress_part(options.end, sites);
    }
    weft_read(device, units, run->units);
    weft_array_free(device, units);
    timings_end(&run->timings, TIMINGS_SHEET, sites * 24 + cells * 8);
    return weft_check(device) == WEFT_OK ? CLI_DONE : fail(run);
}

static int write_density(struct sheet_run *run) {
    struct io_error error;
    const struct snapshot_info *info = &run->info;
    const struct sheet_options *asked = &run->options;
    const struct density density = {
        .header =
            {
                .weft_version = weft_version(),
                .backend = weft_backend_name(run->device),
                .device = weft_device_name(run->device),
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
                .lattice = {run->lattice.n[0], run->lattice.n[1], run->lattice.n[2]},
                .tessellation = sheet_tessellations[asked->tessellation],
                .source_file = asked->snapshot,
                .command = run->command,
            },
        .grid = {asked->grid[0], asked->grid[1], asked->grid[2]},
        .units = run->units,
        .units_per_tetrahedron = weft_sheet_units(&run->lattice, asked->tessellation),
        .tetrahedra = weft_sheet_tetrahedra(&run->lattice, asked->tessellation),
    };
    progress_show("writing %s", run->output);
    if (!density_write(run->output, &density, &error))
        return progress_fail(CLI_FAULT, "%s", error.text);
    timings_end(&run->timings, TIMINGS_WRITE, 16 * cells_of(run));
    return CLI_DONE;
}

static void print_summary(const struct sheet_run *run) {
    const int64_t *grid = run->options.grid, *n = run->lattice.n;
    const double *seconds = run->timings.seconds;
    const int64_t tetrahedra =
        weft_sheet_tetrahedra(&run->lattice, run->options.tessellation);
    const double mean = (double)tetrahedra / (double)cells_of(run) *
                        (double)weft_sheet_units(&run->lattice, run->options.tessellation);
    int64_t most = 0, empty = 0;
    for (int64_t k = 0; k < cells_of(run); ++k) {
        most = run->units[k] > most ? run->units[k] : most;
        empty += run->units[k] <= 0;
    }
    printf("%s: %" PRId64 " particles of a lattice of %" PRId64 " x %" PRId64 " x %" PRId64
           ", neighbours %.3g spacings from where they began\n",
           run->options.snapshot, run->info.n, n[0], n[1], n[2],
           run->lattice.separation * (double)n[0]);
    printf("%" PRId64 " tetrahedra (%s) on a grid of %" PRId64 " x %" PRId64 " x %" PRId64
           ": densities up to %.4g of the mean, %" PRId64 " cells are empty\n",
           tetrahedra, sheet_tessellations[run->options.tessellation], grid[0], grid[1],
           grid[2], (double)most / mean, empty);
    printf("%s, %s: read %.3f s, lattice %.3f s, sheet %.3f s, written %.3f s\n",
           weft_backend_name(run->device), weft_device_name(run->device),
           seconds[TIMINGS_READ], seconds[TIMINGS_UPLOAD], seconds[TIMINGS_SHEET],
           seconds[TIMINGS_WRITE]);
    printf("wrote %s\n", run->output);
}

static int run_steps(struct sheet_run *run) {
    struct io_error error;
    if (run->command == NULL)
        return progress_fail(CLI_FAULT, "out of memory: the command line");
    int status = sheet_read(run);
    if (status == CLI_DONE)
        status = find_lattice(run);
    if (status == CLI_DONE)
        status = deposit(run);
    if (status == CLI_DONE)
        status = write_density(run);
    const char *timings = run->options.shared.timings;
    if (status == CLI_DONE && timings &&
        !timings_write(timings, &run->timings, run->device, run->command, run->info.n,
                       &error))
        status = progress_fail(CLI_FAULT, "%s", error.text);
    progress_end();
    if (status == CLI_DONE && !run->options.shared.quiet &&
        !outputs_take_stdout(&timings, 1))
        print_summary(run);
    return status;
}

int command_sheet(int argc, char **argv) {
    struct sheet_run run = {.command = options_join(argc, argv)};
    sheet_parse(argc, argv, &run.options);
    timings_start(&run.timings);
    progress_start(argv[0], run.options.shared.quiet);
    const int status = run_steps(&run);
    weft_lattice_free(run.device, &run.lattice);
    weft_close(run.device);
    snapshot_free(&run.particles);
    free(run.units);
    free(run.output);
    free(run.command);
    return status;
}
