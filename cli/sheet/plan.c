/* Which planes of cells are computed at a time. */
#include "cli/command.h"
#include "cli/progress.h"
#include "sheet.h"

#include <inttypes.h>

enum {
    LISTS = 18 << 20,      /* bytes of scratch, */
    GPU_LISTS = 240 << 20, /* and of devices that work in lock step */
    PIECE = 2 << 20,       /* bytes of a number a cell on their way at once, or a plane */
};

int64_t sheet_count_sums(const struct sheet_run *run, int each[SHEET_SUMS]) {
    const unsigned fields = run->options.fields;
    const unsigned motions = 1u << DENSITY_VELOCITY | 1u << DENSITY_DISPERSION;
    each[SHEET_MASS] = (fields & (1u << DENSITY_MASS | motions)) != 0;
    each[SHEET_STREAMS] = (fields & 1u << DENSITY_STREAMS) != 0;
    each[SHEET_MOMENTUM] = (fields & motions) != 0 ? 3 : 0;
    each[SHEET_ENERGY] = (fields & motions) != 0;
    each[SHEET_OFF] = run->options.samples > 0;
    int64_t all = 0;
    for (int k = 0; k < SHEET_SUMS; ++k)
        all += each[k];
    return all;
}

bool sheet_is_far(const struct sheet_run *run) {
    return weft_device_style(run->device) == WEFT_SIMT;
}

int64_t sheet_rest(const struct sheet_run *run) {
    int each[SHEET_SUMS];
    sheet_count_sums(run, each);
    const int64_t *n = run->lattice.n;
    return n[0] * n[1] * n[2] * (each[SHEET_MOMENTUM] ? 25 + 24 : 25) +
           (sheet_is_far(run) ? GPU_LISTS : LISTS);
}

static void set_planes(struct sheet_run *run, int64_t planes) {
    const int size = run->comm->size;
    const int64_t most = (sheet_planes(run) + size - 1) / size;
    run->planes = planes < most ? planes : most;
    run->turns = (most + run->planes - 1) / run->planes;
    const int64_t fit = PIECE / (8 * sheet_plane(run));
    run->piece = fit < 1 ? 1 : fit < run->planes ? fit : run->planes;
    run->pieces = (run->planes + run->piece - 1) / run->piece;
}

/* How many planes of cells the fullest rank has memory for: those that its slab meets, its
 * share of their sums, and what another rank has of some of these. */
static int64_t need(const struct sheet_run *run) {
    int64_t most = 0;
    for (int r = 0; r < run->comm->size; ++r) {
        const int64_t some = sheet_most_touched(run, r);
        most = some > most ? some : most;
    }
    return most + run->planes + run->piece;
}

static int fail(const struct sheet_run *run, int64_t least) {
    return progress_fail(CLI_FAULT,
                         "--memory-limit: the particles and one plane of cells do not "
                         "fit %" PRId64 " bytes: the least that does is %" PRId64,
                         run->options.memory_limit, least);
}

/* As few turns as fit, or a few more. */
static int plan_slabs(struct sheet_run *run, int64_t bytes) {
    const int64_t limit = run->options.memory_limit;
    int64_t rest = sheet_rest(run);
    int status = sheet_find_touched(run);
    if (status != CLI_DONE)
        return status;
    if (!comm_reduce_i64(run->comm, &rest, 1, COMM_MAX))
        return parallel_stop(run->comm);
    set_planes(run, sheet_planes(run));
    while (limit > 0 && rest + need(run) * bytes > limit && run->planes > 1)
        set_planes(run, run->planes - (run->planes + 7) / 8);
    const int64_t least = rest + need(run) * bytes;
    return limit > 0 && least > limit ? fail(run, least) : CLI_DONE;
}

int sheet_plan(struct sheet_run *run) {
    const int64_t limit = run->options.memory_limit;
    int each[SHEET_SUMS];
    const int64_t bytes = 8 * sheet_count_sums(run, each) * sheet_plane(run);
    const int64_t rest = sheet_rest(run);
    if (run->slabs)
        return plan_slabs(run, bytes);
    if (limit > 0 && limit < rest + bytes)
        return fail(run, rest + bytes);
    set_planes(run, limit > 0 ? (limit - rest) / bytes : sheet_planes(run));
    return CLI_DONE;
}
