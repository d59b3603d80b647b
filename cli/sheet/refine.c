/* Patches of cells: those without finer ones are computed, in turns of the ranks; the
 * others are their sums. */
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
    int64_t *sums[DEEPEST];        /* of the patch at each level that is not whole yet */
};

static void deposit(struct sheet_run *run, const struct density_patch *patch,
                    int64_t *mass) {
    weft_device *device = run->device;
    weft_sheet_options options = {.tessellation = run->options.tessellation};
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

/* Writes a patch and what is whole with it: eight cells are one of its parent. */
static int put(struct refining *refining, int64_t at, const int64_t *mass) {
    struct sheet_run *run = refining->run;
    const struct density_patch *patch = &run->patches[at];
    struct io_error error;
    if (!density_put_patch(refining->output, at, mass)) {
        density_close(refining->output, true, &error);
        refining->output = NULL;
        return progress_fail(CLI_FAULT, "%s", error.text);
    }
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
    return octant == 7 ? put(refining, patch->parent, up) : CLI_DONE;
}

/* One turn: a patch of each rank, from leaf `first` on. */
static int take_turn(struct refining *refining, const int64_t *leaf, int64_t leaves,
                     int64_t first, int64_t *mass) {
    static const int each[SHEET_SUMS] = {[SHEET_MASS] = 1};
    struct sheet_run *run = refining->run;
    struct comm *comm = run->comm;
    int status = CLI_DONE;
    if (first + comm->rank < leaves)
        deposit(run, &run->patches[leaf[first + comm->rank]], mass);
    if (weft_check(run->device) != WEFT_OK)
        status = sheet_fail(run);
    timings_end(&run->timings, TIMINGS_SHEET, BYTES);
    status = parallel_meet(comm, status);
    for (int from = 0; from < comm->size && status == CLI_DONE; ++from) {
        if (first + from >= leaves)
            break;
        int64_t *const sums[SHEET_SUMS] = {mass};
        int64_t *other[SHEET_SUMS] = {NULL};
        const int64_t at = leaf[first + from];
        if (from > 0 && !sheet_bring(comm, from, CELLS, each, sums, other))
            status = parallel_stop(comm);
        const int64_t *there = from > 0 ? other[SHEET_MASS] : mass;
        if (status == CLI_DONE && comm->rank == 0) {
            sheet_summarize(run, there, CELLS,
                            mean_of(&run->density, run->patches[at].level));
            status = put(refining, at, there);
        }
        free(other[SHEET_MASS]);
        status = parallel_meet(comm, status);
    }
    timings_end(&run->timings, TIMINGS_WRITE, 2 * BYTES * comm->size);
    return status;
}

static int check_limit(const struct sheet_run *run) {
    const int64_t limit = run->options.memory_limit;
    const int64_t need = sheet_rest(run) + (run->options.levels + 4) * BYTES;
    if (limit == 0 || limit >= need)
        return CLI_DONE;
    return progress_fail(CLI_FAULT,
                         "--memory-limit: the particles and some patches of cells do not "
                         "fit %" PRId64 " bytes: the least that does is %" PRId64,
                         limit, need);
}

static int run_turns(struct refining *refining) {
    struct sheet_run *run = refining->run;
    struct io_error error;
    int status = CLI_DONE;
    int64_t leaves = 0,
            *leaf = io_allocate(run->density.n_patches, sizeof *leaf, "patches", &error);
    int64_t *mass = io_allocate(CELLS, sizeof *mass, "a patch of cells", &error);
    bool done = leaf != NULL && mass != NULL;
    for (int level = 0; level < run->options.levels && done; ++level) {
        refining->sums[level] = io_allocate(CELLS, sizeof *mass, "patches", &error);
        done = refining->sums[level] != NULL;
    }
    for (int64_t p = 0; p < run->density.n_patches && done; ++p)
        if (run->patches[p].whole)
            leaf[leaves++] = p;
    if (done && run->comm->rank == 0) {
        refining->output = density_open(run->output, &run->density, &error);
        done = refining->output != NULL;
    }
    if (!done)
        status = progress_fail(CLI_FAULT, "%s", error.text);
    status = parallel_meet(run->comm, status);
    progress_show("%s: %s · %" PRId64 " tetrahedra", weft_backend_name(run->device),
                  weft_device_name(run->device), run->density.tetrahedra);
    for (int64_t at = 0; at < leaves && status == CLI_DONE; at += run->comm->size) {
        progress_part(at, leaves);
        status = take_turn(refining, leaf, leaves, at, mass);
    }
    for (int level = 0; level < DEEPEST; ++level)
        free(refining->sums[level]);
    free(mass);
    free(leaf);
    return status;
}

int sheet_refine(struct sheet_run *run) {
    struct refining refining = {.run = run};
    struct io_error error;
    int status = check_limit(run);
    if (status == CLI_DONE)
        status = sheet_grow(run);
    status = parallel_meet(run->comm, status);
    if (status == CLI_DONE)
        status = run_turns(&refining);
    if (refining.output && !density_close(refining.output, status == CLI_DONE, &error) &&
        status == CLI_DONE)
        status = progress_fail(CLI_FAULT, "%s", error.text);
    status = parallel_meet(run->comm, status);
    timings_end(&run->timings, TIMINGS_WRITE, 0);
    return status;
}
