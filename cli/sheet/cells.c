/* The cells, as many planes at a time as fit. */
#include "cli/command.h"
#include "cli/progress.h"
#include "fill.h"
#include "io/crew/crew.h"

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

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
               int from, const struct sheet_cells *cells) {
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
                     struct sheet_cells *cells) {
    struct comm *comm = run->comm;
    const struct sheet_share mine = sheet_share(run, turn, comm->rank);
    int status = sheet_is_far(run) ? sheet_far_begin(run, cells, turn)
                                   : sheet_fill(run, cells, turn);
    status = parallel_meet(comm, status);
    if (status == CLI_DONE && run->slabs &&
        !sheet_sum(run, turn, cells->each, cells->slab, cells->sums, cells->came))
        status = parallel_stop(comm);
    sheet_far_end(cells);
    if (status == CLI_DONE && weft_check(run->device) != WEFT_OK)
        status = sheet_fail(run);
    status = parallel_meet(comm, status);
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

static void free_cells(struct sheet_cells *cells) {
    for (int k = 0; k < SHEET_SUMS; ++k)
        free(cells->sums[k]), free(cells->slab[k]);
    free(cells->came);
}

static bool allocate(const struct sheet_run *run, struct sheet_cells *cells,
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
    struct sheet_cells cells = {.came = NULL};
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
