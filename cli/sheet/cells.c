/* The cells, as many planes at a time as fit. */
#include "cli/command.h"
#include "cli/progress.h"
#include "sheet.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 64 }; /* of the sheet, between which progress is told */

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

/* Planes first .. first + count, into sums: what this rank's cubes have there. */
static void fill(struct sheet_run *run, int64_t first, int64_t count,
                 const int each[SHEET_SUMS], int64_t *const sums[SHEET_SUMS]) {
    weft_device *device = run->device;
    const int64_t *grid = run->options.grid, cells = sheet_plane(run);
    const int64_t planes = sheet_planes(run), parts = PARTS * count / planes + 1;
    const int slow = sheet_slow(run);
    weft_array array[SHEET_SUMS] = {{0}};
    weft_sheet_options options = {.grid = {grid[0], grid[1], grid[2]},
                                  .count = {grid[0], grid[1], grid[2]},
                                  .tessellation = run->options.tessellation,
                                  .units = run->density.units_per_tetrahedron};
    options.first[slow] = first;
    options.count[slow] = count;
    for (int k = 0; k < SHEET_SUMS; ++k) {
        const int64_t n = count * cells * each[k];
        if (n == 0)
            continue;
        memset(sums[k], 0, (size_t)n * sizeof *sums[k]);
        if (k != SHEET_OFF)
            array[k] = weft_borrow(device, WEFT_I64, sums[k], n);
    }
    progress_part(first * parts, planes * parts);
    for (int64_t part = 0; part < parts && weft_check(device) == WEFT_OK; ++part) {
        options.begin = run->cubes * part / parts;
        options.end = run->cubes * (part + 1) / parts;
        if (options.begin < options.end)
            deposit(run, &options, array);
        weft_synchronize(device);
        progress_part(first * parts + count * (part + 1), planes * parts);
    }
    for (int k = 0; k < SHEET_SUMS; ++k)
        if (array[k].type)
            weft_return(device, array[k]);
    if (each[SHEET_OFF])
        sheet_compare(run, &options, count * cells, sums[SHEET_OFF]);
}

/* The planes of a turn in which the rank's slab has mass, one after the other. */
static void fill_touched(struct sheet_run *run, int64_t first, const int each[SHEET_SUMS],
                         int64_t *const slab[SHEET_SUMS]) {
    const int64_t cells = sheet_plane(run), planes = sheet_planes(run);
    const int64_t end = first + run->turn < planes ? first + run->turn : planes;
    int64_t *at[SHEET_SUMS] = {NULL};
    for (int k = 0; k < SHEET_SUMS; ++k)
        at[k] = slab[k];
    for (int64_t p = first; p < end;) {
        int64_t count = 0;
        while (p + count < end && sheet_touched(run, run->comm->rank, p + count, 1) > 0)
            ++count;
        if (count > 0)
            fill(run, p, count, each, at);
        for (int k = 0; k < SHEET_SUMS; ++k)
            at[k] = each[k] ? at[k] + count * cells * each[k] : NULL;
        p += count + 1;
    }
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

static double mean_of(const struct density *density) {
    return (double)density->tetrahedra * (double)density->units_per_tetrahedron /
           ((double)density->shape[0] * (double)density->shape[1] *
            (double)density->shape[2]);
}

/* Planes into the file; where that fails it is closed, which tells why. */
static int write(struct sheet_run *run, struct density_output **output, int64_t first,
                 int64_t count, int64_t *const sums[SHEET_SUMS]) {
    struct io_error error;
    const struct density *density = &run->density;
    sheet_summarize(run, sums[SHEET_MASS], count * sheet_plane(run), mean_of(density));
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
               struct sheet_share share, const int each[SHEET_SUMS],
               int64_t *const sums[SHEET_SUMS]) {
    const int64_t cells = share.count * sheet_plane(run);
    int64_t *other[SHEET_SUMS] = {NULL};
    int status = CLI_DONE;
    if (from > 0 && !sheet_bring(run->comm, from, cells, each, sums, other))
        status = parallel_stop(run->comm);
    if (status == CLI_DONE && run->comm->rank == 0)
        status = write(run, output, share.first, share.count, from > 0 ? other : sums);
    for (int k = 0; k < SHEET_SUMS; ++k)
        free(other[k]);
    return parallel_meet(run->comm, status);
}

/* What is computed at a time. */
struct cells {
    int each[SHEET_SUMS];
    int64_t *sums[SHEET_SUMS]; /* of this rank's planes */
    int64_t *slab[SHEET_SUMS]; /* of planes that its slab touches, */
    int64_t *came;             /* and of one that another rank's does */
};

/* Planes from `first` on of as many ranks as have some. */
static int fill_and_write(struct sheet_run *run, struct density_output **output,
                          int64_t first, const struct cells *cells) {
    struct comm *comm = run->comm;
    const struct sheet_share mine = sheet_share(run, first, comm->rank);
    int status = CLI_DONE;
    if (run->slabs)
        fill_touched(run, first, cells->each, cells->slab);
    else if (mine.count > 0)
        fill(run, mine.first, mine.count, cells->each, cells->sums);
    if (weft_check(run->device) != WEFT_OK)
        status = sheet_fail(run);
    status = parallel_meet(comm, status);
    if (status == CLI_DONE && run->slabs &&
        !sheet_sum(run, first, cells->each, cells->slab, cells->sums, cells->came))
        status = parallel_stop(comm);
    if (status == CLI_DONE && cells->each[SHEET_OFF])
        run->squares += sheet_squares(run, mean_of(&run->density), cells->sums[SHEET_OFF],
                                      mine.count * sheet_plane(run));
    timings_end(&run->timings, TIMINGS_SHEET,
                run->cubes * 24 + mine.count * sheet_plane(run) * 8);
    for (int from = 0; from < comm->size && status == CLI_DONE; ++from) {
        const struct sheet_share share = sheet_share(run, first, from);
        if (share.count > 0)
            status = put(run, output, from, share, cells->each, cells->sums);
        timings_end(&run->timings, TIMINGS_WRITE, 16 * share.count * sheet_plane(run));
    }
    return status;
}

static void free_cells(struct cells *cells) {
    for (int k = 0; k < SHEET_SUMS; ++k)
        free(cells->sums[k]), free(cells->slab[k]);
    free(cells->came);
}

/* The most planes that the rank's slab touches in a turn. */
static int64_t most_touched(const struct sheet_run *run) {
    const int64_t planes = sheet_planes(run);
    int64_t most = 0;
    for (int64_t first = 0; first < planes; first += run->turn) {
        const int64_t left = planes - first, some = left < run->turn ? left : run->turn;
        const int64_t touched = sheet_touched(run, run->comm->rank, first, some);
        most = touched > most ? touched : most;
    }
    return most;
}

static bool allocate(const struct sheet_run *run, struct cells *cells,
                     struct io_error *error) {
    const int64_t plane = sheet_plane(run), touched = run->slabs ? most_touched(run) : 0;
    int most = 0;
    bool done = true;
    sheet_count_sums(run, cells->each);
    for (int k = 0; k < SHEET_SUMS && done; ++k) {
        const int64_t row = cells->each[k] * plane;
        most = cells->each[k] > most ? cells->each[k] : most;
        if (row > 0)
            cells->sums[k] = io_allocate(run->planes * row, 8, "the cells", error);
        if (row > 0 && run->slabs)
            cells->slab[k] = io_allocate(touched * row, 8, "the cells", error);
        done = row == 0 || (cells->sums[k] && (cells->slab[k] || !run->slabs));
    }
    if (done && run->slabs)
        cells->came = io_allocate(run->planes * plane * most, 8, "the cells", error);
    return done && (cells->came || !run->slabs);
}

int sheet_cells(struct sheet_run *run) {
    struct io_error error;
    struct cells cells = {.came = NULL};
    progress_show("%s: %s · %" PRId64 " tetrahedra", weft_backend_name(run->device),
                  weft_device_name(run->device), run->density.tetrahedra);
    int status = CLI_DONE;
    if (!allocate(run, &cells, &error))
        status = progress_fail(CLI_FAULT, "%s", error.text);
    const bool writes = run->comm->rank == 0 && status == CLI_DONE;
    struct density_output *output =
        writes ? density_open(run->output, &run->density, &error) : NULL;
    if (writes && output == NULL)
        status = progress_fail(CLI_FAULT, "%s", error.text);
    status = parallel_meet(run->comm, status);
    for (int64_t first = 0; first < sheet_planes(run) && status == CLI_DONE;
         first += run->turn)
        status = fill_and_write(run, &output, first, &cells);
    if (output && !density_close(output, status == CLI_DONE, &error) && status == CLI_DONE)
        status = progress_fail(CLI_FAULT, "%s", error.text);
    status = parallel_meet(run->comm, status);
    if (status == CLI_DONE && !comm_reduce_f64(run->comm, &run->squares, 1, COMM_SUM))
        status = parallel_stop(run->comm);
    timings_end(&run->timings, TIMINGS_WRITE, 0);
    free_cells(&cells);
    return status;
}
