/* The cells, as many planes at a time as fit. */
#include "cli/command.h"
#include "cli/progress.h"
#include "io/crew/crew.h"
#include "sheet.h"

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <weft/transform.h>

enum { PARTS = 64 }; /* of the sheet, between which progress is told */

/* What is computed at a time. */
struct cells {
    int64_t done, all; /* planes that this rank fills */
    int each[SHEET_SUMS];
    int64_t *sums[SHEET_SUMS]; /* of this rank's planes */
    int64_t *slab[SHEET_SUMS]; /* of planes that its slab touches, */
    int64_t *came;             /* and of some that another rank's does */
};

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

static void zero(void *context, int64_t begin, int64_t end, int part) {
    (void)part;
    memset((int64_t *)context + begin, 0, (size_t)(end - begin) * sizeof(int64_t));
}

/* An array of zeros, to which the device adds: where that is far from the host its own, so
 * that nothing is sent there. Pages that nobody touched yet are slow to write, and shared
 * out among threads. */
static weft_array open_sums(const struct sheet_run *run, int64_t n, int64_t *sums) {
    static const int64_t none = 0;
    weft_device *device = run->device;
    if (weft_device_style(device) == WEFT_SIMT) {
        const weft_array own = weft_array_new(device, WEFT_I64, n);
        weft_fill(device, own, &none);
        return own;
    }
    crew_run(run->comm->threads, n, zero, sums);
    return weft_borrow(device, WEFT_I64, sums, n);
}

static void close_sums(const struct sheet_run *run, weft_array array, int64_t *sums) {
    if (weft_device_style(run->device) == WEFT_SIMT) {
        weft_read(run->device, array, sums);
        weft_array_free(run->device, array);
    } else {
        weft_return(run->device, array);
    }
}

/* Cubes before part `part` of `parts` of those that the rank has: whole blocks, since what
 * is near some cells is looked for block by block. */
static int64_t cubes_before(const struct sheet_run *run, int64_t part, int64_t parts) {
    const int64_t *n = run->lattice.n, layer = SHEET_BLOCK * n[1] * n[2];
    const int64_t layers = layer > 0 ? (run->cubes + layer - 1) / layer : 0;
    const int64_t before = layers * part / parts * layer;
    return before < run->cubes ? before : run->cubes;
}

/* The planes, into sums: what this rank's cubes have there. */
static void fill(struct sheet_run *run, struct cells *cells, struct sheet_share share,
                 int64_t *const sums[SHEET_SUMS]) {
    weft_device *device = run->device;
    const int64_t *grid = run->options.grid, n = share.count * sheet_plane(run);
    const int64_t parts = PARTS * share.count / cells->all + 1;
    const int slow = sheet_slow(run), *each = cells->each;
    weft_array array[SHEET_SUMS] = {{0}};
    weft_sheet_options options = {.grid = {grid[0], grid[1], grid[2]},
                                  .count = {grid[0], grid[1], grid[2]},
                                  .tessellation = run->options.tessellation,
                                  .units = run->density.units_per_tetrahedron};
    options.first[slow] = share.first;
    options.count[slow] = share.count;
    for (int k = 0; k < SHEET_SUMS; ++k) {
        if (each[k] == 0)
            continue;
        if (k != SHEET_OFF)
            array[k] = open_sums(run, n * each[k], sums[k]);
        else
            crew_run(run->comm->threads, n * each[k], zero, sums[k]);
    }
    progress_part(cells->done * parts, cells->all * parts);
    for (int64_t part = 0; part < parts && weft_check(device) == WEFT_OK; ++part) {
        options.begin = cubes_before(run, part, parts);
        options.end = cubes_before(run, part + 1, parts);
        if (options.begin < options.end) {
            deposit(run, &options, array);
            weft_synchronize(device);
        }
        progress_part(cells->done * parts + share.count * (part + 1), cells->all * parts);
    }
    for (int k = 0; k < SHEET_SUMS; ++k)
        if (array[k].type)
            close_sums(run, array[k], sums[k]);
    if (each[SHEET_OFF])
        sheet_compare(run, &options, n, sums[SHEET_OFF]);
    cells->done += share.count;
}

/* The planes of a turn in which the rank's slab has mass, owner by owner; those that follow
 * one another at once. */
static void fill_touched(struct sheet_run *run, struct cells *cells, int64_t turn) {
    const int rank = run->comm->rank, size = run->comm->size;
    struct sheet_share now = {0, 0};
    int64_t *at[SHEET_SUMS];
    memcpy(at, cells->slab, sizeof at);
    for (int owner = 0; owner <= size; ++owner) {
        struct sheet_share share = {-1, 1}; /* after the last */
        if (owner < size)
            share = sheet_share(run, turn, owner);
        for (int64_t p = share.first; p < share.first + share.count; ++p) {
            if (p >= 0 && sheet_touched(run, rank, (struct sheet_share){p, 1}) == 0)
                continue;
            if (p != now.first + now.count && now.count > 0) {
                fill(run, cells, now, at);
                for (int k = 0; k < SHEET_SUMS; ++k)
                    if (at[k])
                        at[k] += now.count * sheet_plane(run) * cells->each[k];
                now.count = 0;
            }
            now.first = now.count == 0 ? p : now.first;
            ++now.count;
        }
    }
}

struct summary {
    const int64_t *mass;
    _Atomic int64_t empty, most;
};

static void summarize(void *context, int64_t begin, int64_t end, int part) {
    struct summary *summary = context;
    int64_t empty = 0, most = 0, before = summary->most;
    (void)part;
    for (int64_t k = begin; k < end; ++k) {
        most = summary->mass[k] > most ? summary->mass[k] : most;
        empty += summary->mass[k] <= 0;
    }
    summary->empty += empty;
    while (before < most && !atomic_compare_exchange_weak(&summary->most, &before, most))
        continue;
}

void sheet_summarize(struct sheet_run *run, const int64_t *mass, int64_t cells,
                     double mean) {
    struct summary summary = {.mass = mass};
    if (mass)
        crew_run(run->comm->threads, cells, summarize, &summary);
    run->empty += summary.empty;
    run->most = fmax(run->most, (double)summary.most / mean);
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

/* Those of another rank, a piece. */
static int bring_and_write(struct sheet_run *run, struct density_output **output, int from,
                           struct sheet_share share, const int each[SHEET_SUMS],
                           int64_t *const sums[SHEET_SUMS]) {
    int64_t *other[SHEET_SUMS] = {NULL};
    int status = CLI_DONE;
    if (!sheet_bring(run->comm, from, share.count * sheet_plane(run), each, sums, other))
        status = parallel_stop(run->comm);
    if (status == CLI_DONE && run->comm->rank == 0)
        status = write(run, output, share.first, share.count, other);
    for (int k = 0; k < SHEET_SUMS; ++k)
        free(other[k]);
    return parallel_meet(run->comm, status);
}

/* Those of a turn that rank `from` has. */
static int put(struct sheet_run *run, struct density_output **output, int64_t turn,
               int from, const struct cells *cells) {
    const struct sheet_share share = sheet_share(run, turn, from);
    int status = CLI_DONE;
    if (from == 0 && run->comm->rank == 0)
        status = write(run, output, share.first, share.count, cells->sums);
    if (from == 0)
        return parallel_meet(run->comm, status);
    for (int64_t part = 0; part < run->pieces && status == CLI_DONE; ++part) {
        const struct sheet_share some = sheet_part(run, share, part);
        int64_t *sums[SHEET_SUMS] = {NULL};
        for (int k = 0; k < SHEET_SUMS && run->comm->rank == from; ++k)
            if (cells->each[k])
                sums[k] = cells->sums[k] +
                          (some.first - share.first) * sheet_plane(run) * cells->each[k];
        if (some.count > 0)
            status = bring_and_write(run, output, from, some, cells->each, sums);
    }
    return status;
}

/* The planes of all ranks in a turn. */
static int take_turn(struct sheet_run *run, struct density_output **output, int64_t turn,
                     struct cells *cells) {
    struct comm *comm = run->comm;
    const struct sheet_share mine = sheet_share(run, turn, comm->rank);
    int status = CLI_DONE;
    if (run->slabs)
        fill_touched(run, cells, turn);
    else
        fill(run, cells, mine, cells->sums);
    if (weft_check(run->device) != WEFT_OK)
        status = sheet_fail(run);
    status = parallel_meet(comm, status);
    if (status == CLI_DONE && run->slabs &&
        !sheet_sum(run, turn, cells->each, cells->slab, cells->sums, cells->came))
        status = parallel_stop(comm);
    if (status == CLI_DONE && cells->each[SHEET_OFF])
        run->squares += sheet_squares(run, mean_of(&run->density), cells->sums[SHEET_OFF],
                                      mine.count * sheet_plane(run));
    timings_end(&run->timings, TIMINGS_SHEET,
                run->cubes * 24 + run->planes * sheet_plane(run) * 8);
    for (int from = 0; from < comm->size && status == CLI_DONE; ++from) {
        status = put(run, output, turn, from, cells);
        timings_end(&run->timings, TIMINGS_WRITE, 16 * run->planes * sheet_plane(run));
    }
    return status;
}

static void free_cells(struct cells *cells) {
    for (int k = 0; k < SHEET_SUMS; ++k)
        free(cells->sums[k]), free(cells->slab[k]);
    free(cells->came);
}

static bool allocate(const struct sheet_run *run, struct cells *cells,
                     struct io_error *error) {
    const int64_t plane = sheet_plane(run),
                  touched = sheet_most_touched(run, run->comm->rank);
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
        cells->came = io_allocate(run->piece * plane * most, 8, "the cells", error);
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
    cells.all = sheet_planes(run);
    if (run->slabs)
        cells.all =
            sheet_touched(run, run->comm->rank, (struct sheet_share){0, sheet_planes(run)});
    for (int64_t turn = 0; turn < run->turns && status == CLI_DONE; ++turn)
        status = take_turn(run, &output, turn, &cells);
    if (output && !density_close(output, status == CLI_DONE, &error) && status == CLI_DONE)
        status = progress_fail(CLI_FAULT, "%s", error.text);
    status = parallel_meet(run->comm, status);
    if (status == CLI_DONE && !comm_reduce_f64(run->comm, &run->squares, 1, COMM_SUM))
        status = parallel_stop(run->comm);
    timings_end(&run->timings, TIMINGS_WRITE, 0);
    free_cells(&cells);
    return status;
}
