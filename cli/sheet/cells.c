/* The cells, as many planes at a time as fit. */
#include "cli/command.h"
#include "cli/progress.h"
#include "sheet.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    PARTS = 64,            /* of the sheet, between which progress is told */
    LISTS = 18 << 20,      /* bytes of scratch, */
    GPU_LISTS = 240 << 20, /* and of devices that work in lock step */
};

enum { MASS, STREAMS, MOMENTUM, ENERGY, SUMS };

/* i64 a cell. */
static void count_sums(unsigned fields, int each[SUMS]) {
    const unsigned motions = 1u << DENSITY_VELOCITY | 1u << DENSITY_DISPERSION;
    each[MASS] = (fields & (1u << DENSITY_MASS | motions)) != 0;
    each[STREAMS] = (fields & 1u << DENSITY_STREAMS) != 0;
    each[MOMENTUM] = (fields & motions) != 0 ? 3 : 0;
    each[ENERGY] = (fields & motions) != 0;
}

/* The axis along which planes are counted. */
static int slow_of(const struct sheet_run *run) {
    return run->options.project == 0;
}

static int64_t plane_of(const struct density *density, int slow) {
    return density->shape[0] * density->shape[1] * density->shape[2] / density->shape[slow];
}

int sheet_plan(struct sheet_run *run) {
    const int64_t limit = run->options.memory_limit;
    const int slow = slow_of(run);
    int each[SUMS];
    count_sums(run->options.fields, each);
    const int64_t bytes = 8 *
                          (each[MASS] + each[STREAMS] + each[MOMENTUM] + each[ENERGY] +
                           (run->options.samples > 0 ? 4 : 0)) *
                          plane_of(&run->density, slow);
    const int64_t lists = weft_device_style(run->device) == WEFT_SIMT ? GPU_LISTS : LISTS;
    const int64_t rest = run->info.n * (each[MOMENTUM] ? 32 + 24 : 32) + lists;
    run->planes = run->density.shape[slow];
    run->compared = true;
    if (limit == 0)
        return CLI_DONE;
    if (limit < rest + bytes)
        return progress_fail(CLI_FAULT,
                             "--memory-limit: the particles and one plane of cells do not "
                             "fit %" PRId64 " bytes: the least that does is %" PRId64,
                             limit, rest + bytes);
    const int64_t fit = (limit - rest) / bytes;
    run->planes = fit < run->planes ? fit : run->planes;
    return CLI_DONE;
}

static void deposit(struct sheet_run *run, const weft_sheet_options *options,
                    const weft_array sums[SUMS]) {
    weft_device *device = run->device;
    if (run->options.project >= 0)
        weft_sheet_project(device, &run->lattice, options, run->options.project,
                           sums[MASS]);
    else if (run->options.samples > 0)
        weft_sheet_sample(device, &run->lattice, options, run->options.samples, sums[MASS]);
    else if (sums[MASS].type)
        weft_sheet_deposit(device, &run->lattice, options, sums[MASS]);
    if (sums[STREAMS].type)
        weft_sheet_streams(device, &run->lattice, options, sums[STREAMS]);
    if (sums[MOMENTUM].type)
        weft_sheet_momentum(device, &run->lattice, run->velocity, run->density.speed,
                            options, sums[MOMENTUM], sums[ENERGY]);
}

/* Planes first .. first + count, into sums. */
static void fill(struct sheet_run *run, int64_t first, int64_t count, const int each[SUMS],
                 int64_t *const sums[SUMS]) {
    weft_device *device = run->device;
    const int64_t *grid = run->options.grid, sites = run->info.n;
    const int slow = slow_of(run);
    const int64_t planes = run->density.shape[slow], cells = plane_of(&run->density, slow);
    const int64_t parts = PARTS * count / planes + 1;
    weft_array array[SUMS] = {{0}};
    weft_sheet_options options = {.grid = {grid[0], grid[1], grid[2]},
                                  .count = {grid[0], grid[1], grid[2]},
                                  .tessellation = run->options.tessellation};
    options.first[slow] = first;
    options.count[slow] = count;
    for (int k = 0; k < SUMS; ++k) {
        const int64_t n = count * cells * each[k];
        if (n == 0)
            continue;
        memset(sums[k], 0, (size_t)n * sizeof *sums[k]);
        array[k] = weft_borrow(device, WEFT_I64, sums[k], n);
    }
    for (int64_t part = 0; part < parts && weft_check(device) == WEFT_OK; ++part) {
        options.begin = sites * part / parts;
        options.end = sites * (part + 1) / parts;
        if (options.begin < options.end)
            deposit(run, &options, array);
        weft_synchronize(device);
        progress_part(first * parts + count * (part + 1), planes * parts);
    }
    for (int k = 0; k < SUMS; ++k)
        if (each[k])
            weft_return(device, array[k]);
    if (run->options.samples > 0)
        sheet_compare(run, &options, count * cells);
}

static void summarize(struct sheet_run *run, const int64_t *mass, int64_t cells) {
    for (int64_t k = 0; mass && k < cells; ++k) {
        run->most = mass[k] > run->most ? mass[k] : run->most;
        run->empty += mass[k] <= 0;
    }
}

static int fill_and_write(struct sheet_run *run, struct density_output *output,
                          const int each[SUMS], int64_t *const sums[SUMS]) {
    const int slow = slow_of(run);
    const int64_t planes = run->density.shape[slow], cells = plane_of(&run->density, slow);
    bool good = true;
    for (int64_t first = 0; first < planes && good; first += run->planes) {
        const int64_t count = planes - first < run->planes ? planes - first : run->planes;
        fill(run, first, count, each, sums);
        timings_end(&run->timings, TIMINGS_SHEET, run->info.n * 24 + count * cells * 8);
        if (weft_check(run->device) != WEFT_OK)
            return sheet_fail(run);
        summarize(run, sums[MASS], count * cells);
        good = density_put(output, first, count,
                           &(struct density_planes){sums[MASS], sums[STREAMS],
                                                    sums[MOMENTUM], sums[ENERGY]});
        timings_end(&run->timings, TIMINGS_WRITE, 16 * count * cells);
    }
    return CLI_DONE; /* density_close tells what went wrong with the file */
}

int sheet_cells(struct sheet_run *run) {
    struct io_error error;
    int each[SUMS], status = CLI_DONE;
    int64_t *sums[SUMS] = {NULL};
    count_sums(run->options.fields, each);
    progress_show("%s: %s · %" PRId64 " tetrahedra", weft_backend_name(run->device),
                  weft_device_name(run->device), run->density.tetrahedra);
    for (int k = 0; k < SUMS && status == CLI_DONE; ++k) {
        const int64_t n = each[k] * run->planes * plane_of(&run->density, slow_of(run));
        if (n > 0 && !(sums[k] = io_allocate(n, sizeof *sums[k], "the cells", &error)))
            status = progress_fail(CLI_FAULT, "%s", error.text);
    }
    struct density_output *output =
        status == CLI_DONE ? density_open(run->output, &run->density, &error) : NULL;
    if (status == CLI_DONE && output == NULL)
        status = progress_fail(CLI_FAULT, "%s", error.text);
    if (output) {
        status = fill_and_write(run, output, each, sums);
        if (!density_close(output, status == CLI_DONE, &error) && status == CLI_DONE)
            status = progress_fail(CLI_FAULT, "%s", error.text);
        timings_end(&run->timings, TIMINGS_WRITE, 0);
    }
    for (int k = 0; k < SUMS; ++k)
        free(sums[k]);
    return status;
}
