/* Patches of cells: those without finer ones are computed, some at a time, each by the
 * ranks whose slabs of the lattice are near; the others are their sums. */
#include "cli/command.h"
#include "cli/progress.h"
#include "sheet.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = DENSITY_PATCH, CELLS = DENSITY_PATCH_CELLS, DEEPEST = 21 };
static const int64_t BYTES = CELLS * sizeof(int64_t);

struct refining {
    struct sheet_run *run;
    struct density_output *output; /* of rank 0 */
    struct sheet_leaves leaves;
    int64_t *near;          /* what the rank has in patches of a turn */
    int64_t *sum;           /* a patch, on its way into the file */
    int64_t *sums[DEEPEST]; /* of the patch at each level that is not whole yet */
};

static void deposit(struct sheet_run *run, const struct density_patch *patch,
                    int64_t *mass) {
    weft_device *device = run->device;
    weft_sheet_options options = {.tessellation = run->options.tessellation,
                                  .end = run->cubes,
                                  .units = run->density.units_per_tetrahedron};
    for (int k = 0; k < 3; ++k) {
        options.grid[k] = run->options.grid[k] << patch->level;
        options.first[k] = patch->first[k];
        options.count[k] = SIDE;
    }
    memset(mass, 0, (size_t)BYTES);
    const weft_array units = weft_borrow(device, WEFT_I64, mass, CELLS);
    weft_sheet_deposit(device, &run->lattice, &options, units);
    weft_return(device, units);
}

static double mean_of(const struct density *density, int level) {
    double mean = (double)density->tetrahedra * (double)density->units_per_tetrahedron;
    for (int k = 0; k < 3; ++k)
        mean /= (double)(density->grid[k] << level);
    return mean;
}

/* Which of eight it is in its parent. */
static int octant_of(const struct density_patch *patch) {
    int octant = 0;
    for (int k = 0; k < 3; ++k)
        octant = 2 * octant + (int)(patch->first[k] / SIDE & 1);
    return octant;
}

static int fail_to_write(struct refining *refining) {
    struct io_error error;
    density_close(refining->output, true, &error);
    refining->output = NULL;
    return progress_fail(CLI_FAULT, "%s", error.text);
}

/* Adds what ranks have in patch number `at`, of which this rank's is at `mine`, and writes
 * it. */
static int put(struct refining *refining, int64_t at, const int64_t *mine) {
    static const int each[SHEET_SUMS] = {[SHEET_MASS] = 1};
    struct sheet_run *run = refining->run;
    struct comm *comm = run->comm;
    int64_t *sum = refining->sum;
    int status = CLI_DONE;
    if (comm->rank == 0 && sheet_is_near(run, 0, at))
        memcpy(sum, mine, (size_t)BYTES);
    else if (comm->rank == 0)
        memset(sum, 0, (size_t)BYTES);
    for (int from = 1; from < comm->size && status == CLI_DONE; ++from) {
        int64_t *const sums[SHEET_SUMS] = {(int64_t *)mine};
        int64_t *other[SHEET_SUMS] = {NULL};
        if (!sheet_is_near(run, from, at))
            continue;
        if (!sheet_bring(comm, from, CELLS, each, sums, other))
            status = parallel_stop(comm);
        for (int k = 0; other[SHEET_MASS] && k < CELLS; ++k)
            sum[k] += other[SHEET_MASS][k];
        free(other[SHEET_MASS]);
    }
    if (status == CLI_DONE && comm->rank == 0) {
        sheet_summarize(run, sum, CELLS, mean_of(&run->density, run->patches[at].level));
        if (!density_put_patch(refining->output, at, sum))
            status = fail_to_write(refining);
    }
    return status;
}

/* One turn: patches from leaf `first` on, each by the ranks that are near. */
static int take_turn(struct refining *refining, int64_t first) {
    struct sheet_run *run = refining->run;
    const struct sheet_leaves *leaves = &refining->leaves;
    const int64_t left = leaves->n - first;
    const int64_t end = first + (left < leaves->turn ? left : leaves->turn);
    const int rank = run->comm->rank;
    int64_t *mass = refining->near;
    for (int64_t k = first; k < end; ++k)
        if (sheet_is_near(run, rank, leaves->patch[k])) {
            deposit(run, &run->patches[leaves->patch[k]], mass);
            mass += CELLS;
        }
    int status = weft_check(run->device) == WEFT_OK ? CLI_DONE : sheet_fail(run);
    timings_end(&run->timings, TIMINGS_SHEET, 8 * (mass - refining->near));
    status = parallel_meet(run->comm, status);
    mass = refining->near;
    for (int64_t k = first; k < end && status == CLI_DONE; ++k) {
        status = put(refining, leaves->patch[k], mass);
        if (sheet_is_near(run, rank, leaves->patch[k]))
            mass += CELLS;
    }
    status = parallel_meet(run->comm, status);
    timings_end(&run->timings, TIMINGS_WRITE, 2 * BYTES * (end - first));
    return status;
}

/* Adds a patch to its parent, eight cells to one; writes the parent where that is the last
 * of its patches. */
static int add_up(struct refining *refining, int64_t at, const int64_t *mass) {
    const struct density_patch *patch = &refining->run->patches[at];
    if (patch->parent < 0)
        return CLI_DONE;
    const int octant = octant_of(patch);
    int64_t *up = refining->sums[patch->level - 1];
    if (octant == 0)
        memset(up, 0, (size_t)BYTES);
    for (int i = 0; i < CELLS; ++i) {
        const int x = (octant >> 2) * SIDE / 2 + i / (SIDE * SIDE) / 2;
        const int y = (octant >> 1 & 1) * SIDE / 2 + i / SIDE % SIDE / 2;
        const int z = (octant & 1) * SIDE / 2 + i % SIDE / 2;
        up[(x * SIDE + y) * SIDE + z] += mass[i];
    }
    if (octant < 7)
        return CLI_DONE;
    if (!density_put_patch(refining->output, patch->parent, up))
        return fail_to_write(refining);
    return add_up(refining, patch->parent, up);
}

/* Patches that have finer ones: sums of these, which are in the file. */
static int put_parents(struct refining *refining) {
    struct sheet_run *run = refining->run;
    struct io_error error;
    int status = CLI_DONE;
    for (int level = 0; level < run->options.levels && status == CLI_DONE; ++level) {
        refining->sums[level] = io_allocate(CELLS, sizeof(int64_t), "patches", &error);
        if (refining->sums[level] == NULL)
            status = progress_fail(CLI_FAULT, "%s", error.text);
    }
    for (int64_t p = 0; p < run->density.n_patches && status == CLI_DONE; ++p) {
        if (!run->patches[p].whole || run->patches[p].parent < 0)
            continue;
        if (!density_get_patch(refining->output, p, refining->sum))
            status = fail_to_write(refining);
        else
            status = add_up(refining, p, refining->sum);
    }
    for (int level = 0; level < DEEPEST; ++level)
        free(refining->sums[level]);
    return status;
}

/* As many patches a turn as fit --memory-limit: those that are near a rank, and on the
 * first the sum, another rank's, and two that are written; or after the last turn those of
 * all levels. */
static int plan(struct refining *refining) {
    enum { ON_THE_WAY = 4 };
    struct sheet_run *run = refining->run;
    const int64_t limit = run->options.memory_limit;
    int64_t rest = sheet_rest(run);
    if (!sheet_find_leaves(run, &refining->leaves)) {
        io_fail(&run->comm->error, "out of memory: patches");
        comm_fail(run->comm, CLI_FAULT);
    }
    if (!comm_reduce_i64(run->comm, &rest, 1, COMM_MAX))
        return parallel_stop(run->comm);
    const int64_t fit = limit == 0 ? INT64_MAX : (limit - rest) / BYTES - ON_THE_WAY;
    sheet_set_turn(run, fit, &refining->leaves);
    const int64_t most = refining->leaves.most, levels = run->options.levels;
    const int64_t need = rest + ((most > levels ? most : levels) + ON_THE_WAY) * BYTES;
    if (limit == 0 || limit >= need)
        return CLI_DONE;
    return progress_fail(CLI_FAULT,
                         "--memory-limit: the particles and some patches of cells do not "
                         "fit %" PRId64 " bytes: the least that does is %" PRId64,
                         limit, need);
}

static int run_turns(struct refining *refining) {
    struct sheet_run *run = refining->run;
    const struct sheet_leaves *leaves = &refining->leaves;
    struct io_error error;
    int status = CLI_DONE;
    refining->near =
        io_allocate(leaves->most * CELLS, sizeof(int64_t), "patches of cells", &error);
    refining->sum = io_allocate(CELLS, sizeof(int64_t), "a patch of cells", &error);
    bool done = refining->near != NULL && refining->sum != NULL;
    if (done && run->comm->rank == 0) {
        refining->output = density_open(run->output, &run->density, &error);
        done = refining->output != NULL;
    }
    if (!done)
        status = progress_fail(CLI_FAULT, "%s", error.text);
    status = parallel_meet(run->comm, status);
    progress_show("%s: %s · %" PRId64 " tetrahedra", weft_backend_name(run->device),
                  weft_device_name(run->device), run->density.tetrahedra);
    for (int64_t at = 0; at < leaves->n && status == CLI_DONE; at += leaves->turn) {
        progress_part(at, leaves->n);
        status = take_turn(refining, at);
    }
    free(refining->near);
    if (status == CLI_DONE && run->comm->rank == 0)
        status = put_parents(refining);
    free(refining->sum);
    return parallel_meet(run->comm, status);
}

int sheet_refine(struct sheet_run *run) {
    struct refining refining = {.run = run};
    struct io_error error;
    int status = sheet_grow(run);
    if (status == CLI_DONE)
        status = parallel_meet(run->comm, plan(&refining));
    if (status == CLI_DONE)
        status = run_turns(&refining);
    if (refining.output && !density_close(refining.output, status == CLI_DONE, &error) &&
        status == CLI_DONE)
        status = progress_fail(CLI_FAULT, "%s", error.text);
    free(refining.leaves.patch);
    status = parallel_meet(run->comm, status);
    timings_end(&run->timings, TIMINGS_WRITE, 0);
    return status;
}
