/* The cells, as many planes at a time as fit. */
#include "cli/command.h"
#include "cli/progress.h"
#include "sheet.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PARTS = 64,            /* of the sheet, between which progress is told */
    LISTS = 18 << 20,      /* bytes of scratch, */
    GPU_LISTS = 240 << 20, /* and of devices that work in lock step */
};

/* i64 a cell. */
static void count_sums(unsigned fields, int each[SHEET_SUMS]) {
    const unsigned motions = 1u << DENSITY_VELOCITY | 1u << DENSITY_DISPERSION;
    each[SHEET_MASS] = (fields & (1u << DENSITY_MASS | motions)) != 0;
    each[SHEET_STREAMS] = (fields & 1u << DENSITY_STREAMS) != 0;
    each[SHEET_MOMENTUM] = (fields & motions) != 0 ? 3 : 0;
    each[SHEET_ENERGY] = (fields & motions) != 0;
}

/* The axis along which planes are counted. */
static int slow_of(const struct sheet_run *run) {
    return run->options.project == 0;
}

static int64_t plane_of(const struct density *density, int slow) {
    return density->shape[0] * density->shape[1] * density->shape[2] / density->shape[slow];
}

int64_t sheet_rest(const struct sheet_run *run) {
    int each[SHEET_SUMS];
    count_sums(run->options.fields, each);
    return run->info.n * (each[SHEET_MOMENTUM] ? 25 + 24 : 25) +
           (weft_device_style(run->device) == WEFT_SIMT ? GPU_LISTS : LISTS);
}

int sheet_plan(struct sheet_run *run) {
    const int64_t limit = run->options.memory_limit;
    const int slow = slow_of(run);
    int each[SHEET_SUMS];
    count_sums(run->options.fields, each);
    const int64_t bytes = 8 *
                          (each[SHEET_MASS] + each[SHEET_STREAMS] + each[SHEET_MOMENTUM] +
                           each[SHEET_ENERGY] + (run->options.samples > 0 ? 4 : 0)) *
                          plane_of(&run->density, slow);
    const int64_t rest = sheet_rest(run);
    run->planes = (run->density.shape[slow] + run->comm->size - 1) / run->comm->size;
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
                    const weft_array sums[SHEET_SUMS]) {
    weft_device *device = run->device;
    if (run->options.project >= 0)
        weft_sheet_project(device, &run->lattice, options, run->options.project,
                           sums[SHEET_MASS]);
    else if (run->options.samples > 0)
        weft_sheet_sample(device, &run->lattice, options, run->options.samples,
                          sums[SHEET_MASS]);
    else if (sums[SHEET_MASS].type)
        weft_sheet_deposit(device, &run->lattice, options, sums[SHEET_MASS]);
    if (sums[SHEET_STREAMS].type)
        weft_sheet_streams(device, &run->lattice, options, sums[SHEET_STREAMS]);
    if (sums[SHEET_MOMENTUM].type)
        weft_sheet_momentum(device, &run->lattice, run->velocity, run->density.speed,
                            options, sums[SHEET_MOMENTUM], sums[SHEET_ENERGY]);
}

/* Planes first .. first + count, into sums. */
static void fill(struct sheet_run *run, int64_t first, int64_t count,
                 const int each[SHEET_SUMS], int64_t *const sums[SHEET_SUMS]) {
    weft_device *device = run->device;
    const int64_t *grid = run->options.grid, sites = run->info.n;
    const int slow = slow_of(run);
    const int64_t planes = run->density.shape[slow], cells = plane_of(&run->density, slow);
    const int64_t parts = PARTS * count / planes + 1;
    weft_array array[SHEET_SUMS] = {{0}};
    weft_sheet_options options = {.grid = {grid[0], grid[1], grid[2]},
                                  .count = {grid[0], grid[1], grid[2]},
                                  .tessellation = run->options.tessellation};
    options.first[slow] = first;
    options.count[slow] = count;
    for (int k = 0; k < SHEET_SUMS; ++k) {
        const int64_t n = count * cells * each[k];
        if (n == 0)
            continue;
        memset(sums[k], 0, (size_t)n * sizeof *sums[k]);
        array[k] = weft_borrow(device, WEFT_I64, sums[k], n);
    }
    progress_part(first * parts, planes * parts);
    for (int64_t part = 0; part < parts && weft_check(device) == WEFT_OK; ++part) {
        options.begin = sites * part / parts;
        options.end = sites * (part + 1) / parts;
        if (options.begin < options.end)
            deposit(run, &options, array);
        weft_synchronize(device);
        progress_part(first * parts + count * (part + 1), planes * parts);
    }
    for (int k = 0; k < SHEET_SUMS; ++k)
        if (each[k])
            weft_return(device, array[k]);
    if (run->options.samples > 0)
        sheet_compare(run, &options, count * cells);
}

void sheet_summarize(struct sheet_run *run, const int64_t *mass, int64_t cells,
                     double mean) {
    int64_t most = 0;
    for (int64_t k = 0; mass && k < cells; ++k) {
        most = mass[k] > most ? mass[k] : most;
        run->empty += mass[k] <= 0;
    }
    run->most = fmax(run->most, (double)most / mean);
}

/* The planes that a rank has of those from `first` on; how many. */
static int64_t share(const struct sheet_run *run, int rank, int64_t *first) {
    const int64_t planes = run->density.shape[slow_of(run)];
    *first += rank * run->planes;
    const int64_t left = planes - *first;
    return left < 0 ? 0 : left < run->planes ? left : run->planes;
}

/* Planes into the file; where that fails it is closed, which tells why. */
static int write(struct sheet_run *run, struct density_output **output, int64_t first,
                 int64_t count, int64_t *const sums[SHEET_SUMS]) {
    struct io_error error;
    const struct density *density = &run->density;
    const double mean =
        (double)density->tetrahedra * (double)density->units_per_tetrahedron /
        ((double)density->shape[0] * (double)density->shape[1] * (double)density->shape[2]);
    sheet_summarize(run, sums[SHEET_MASS], count * plane_of(density, slow_of(run)), mean);
    if (density_put(*output, first, count,
                    &(struct density_planes){sums[SHEET_MASS], sums[SHEET_STREAMS],
                                             sums[SHEET_MOMENTUM], sums[SHEET_ENERGY]}))
        return CLI_DONE;
    density_close(*output, true, &error);
    *output = NULL;
    return progress_fail(CLI_FAULT, "%s", error.text);
}

/* Those of rank `from`. */
static int put(struct sheet_run *run, struct density_output **output, int from,
               int64_t first, int64_t count, const int each[SHEET_SUMS],
               int64_t *const sums[SHEET_SUMS]) {
    const int64_t cells = count * plane_of(&run->density, slow_of(run));
    int64_t *other[SHEET_SUMS] = {NULL};
    int status = CLI_DONE;
    if (from > 0 && !sheet_bring(run->comm, from, cells, each, sums, other))
        status = parallel_stop(run->comm);
    if (status == CLI_DONE && run->comm->rank == 0)
        status = write(run, output, first, count, from > 0 ? other : sums);
    for (int k = 0; k < SHEET_SUMS; ++k)
        free(other[k]);
    return parallel_meet(run->comm, status);
}

/* Planes from `first` on of as many ranks as have some. */
static int fill_and_write(struct sheet_run *run, struct density_output **output,
                          int64_t first, const int each[SHEET_SUMS],
                          int64_t *const sums[SHEET_SUMS]) {
    struct comm *comm = run->comm;
    const int64_t cells = plane_of(&run->density, slow_of(run));
    int64_t at = first, count = share(run, comm->rank, &at);
    int status = CLI_DONE;
    if (count > 0)
        fill(run, at, count, each, sums);
    if (weft_check(run->device) != WEFT_OK)
        status = sheet_fail(run);
    timings_end(&run->timings, TIMINGS_SHEET, run->info.n * 24 + count * cells * 8);
    status = parallel_meet(comm, status);
    for (int from = 0; from < comm->size && status == CLI_DONE; ++from) {
        at = first;
        count = share(run, from, &at);
        if (count > 0)
            status = put(run, output, from, at, count, each, sums);
        timings_end(&run->timings, TIMINGS_WRITE, 16 * count * cells);
    }
    return status;
}

int sheet_cells(struct sheet_run *run) {
    struct io_error error;
    int each[SHEET_SUMS], status = CLI_DONE;
    int64_t *sums[SHEET_SUMS] = {NULL};
    count_sums(run->options.fields, each);
    progress_show("%s: %s · %" PRId64 " tetrahedra", weft_backend_name(run->device),
                  weft_device_name(run->device), run->density.tetrahedra);
    for (int k = 0; k < SHEET_SUMS && status == CLI_DONE; ++k) {
        const int64_t n = each[k] * run->planes * plane_of(&run->density, slow_of(run));
        if (n > 0 && !(sums[k] = io_allocate(n, sizeof *sums[k], "the cells", &error)))
            status = progress_fail(CLI_FAULT, "%s", error.text);
    }
    const bool writes = run->comm->rank == 0 && status == CLI_DONE;
    struct density_output *output =
        writes ? density_open(run->output, &run->density, &error) : NULL;
    if (writes && output == NULL)
        status = progress_fail(CLI_FAULT, "%s", error.text);
    status = parallel_meet(run->comm, status);
    const int64_t planes = run->density.shape[slow_of(run)];
    const int64_t step = run->comm->size * run->planes;
    for (int64_t first = 0; first < planes && status == CLI_DONE; first += step)
        status = fill_and_write(run, &output, first, each, sums);
    if (output && !density_close(output, status == CLI_DONE, &error) && status == CLI_DONE)
        status = progress_fail(CLI_FAULT, "%s", error.text);
    status = parallel_meet(run->comm, status);
    if (status == CLI_DONE && !comm_reduce_f64(run->comm, &run->squares, 1, COMM_SUM))
        status = parallel_stop(run->comm);
    timings_end(&run->timings, TIMINGS_WRITE, 0);
    for (int k = 0; k < SHEET_SUMS; ++k)
        free(sums[k]);
    return status;
}
