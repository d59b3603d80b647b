/* Which planes of cells are computed at a time, and whose they are. */
#include "cli/command.h"
#include "cli/progress.h"
#include "io/files/numbers.h"
#include "sheet.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

int sheet_slow(const struct sheet_run *run) {
    return run->options.project == 0;
}

int64_t sheet_planes(const struct sheet_run *run) {
    return run->density.shape[sheet_slow(run)];
}

int64_t sheet_plane(const struct sheet_run *run) {
    const int64_t *shape = run->density.shape;
    return shape[0] * shape[1] * shape[2] / sheet_planes(run);
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

struct sheet_share sheet_share(const struct sheet_run *run, int64_t turn, int rank) {
    const int64_t planes = sheet_planes(run);
    const int64_t first = io_share(planes, rank, run->comm->size) + turn * run->planes;
    const int64_t left = io_share(planes, rank + 1, run->comm->size) - first;
    return (struct sheet_share){first, left < run->planes ? left : run->planes};
}

struct sheet_share sheet_part(const struct sheet_run *run, struct sheet_share share,
                              int64_t part) {
    const int64_t left = share.count - part * run->piece;
    return (struct sheet_share){share.first + part * run->piece,
                                left < run->piece ? left : run->piece};
}

int64_t sheet_touched(const struct sheet_run *run, int rank, struct sheet_share share) {
    const uint8_t *touched = run->touched + rank * sheet_planes(run);
    int64_t sum = 0;
    for (int64_t p = share.first; p < share.first + share.count; ++p)
        sum += touched[p];
    return sum;
}

int64_t sheet_touched_before(const struct sheet_run *run, int rank, int64_t turn,
                             int owner) {
    int64_t sum = 0;
    for (int r = 0; r < owner; ++r)
        sum += sheet_touched(run, rank, sheet_share(run, turn, r));
    return sum;
}

int64_t sheet_most_touched(const struct sheet_run *run, int rank) {
    int64_t most = 0;
    for (int64_t turn = 0; run->touched && turn < run->turns; ++turn) {
        const int64_t some = sheet_touched_before(run, rank, turn, run->comm->size);
        most = some > most ? some : most;
    }
    return most;
}

/* Planes that a box around some cubes of the lattice meets, with one more at either end. */
static void touch(uint8_t *touched, int64_t planes, double low, double high, double box) {
    const double scale = (double)planes / box;
    const int64_t base = (int64_t)floor(low * scale) - 1;
    const int64_t end = (int64_t)floor(high * scale) + 2;
    for (int64_t p = base; p < end && p < base + planes; ++p)
        touched[(p % planes + planes) % planes] = 1;
}

/* Notes where the slab of each rank has mass. */
static int find_touched(struct sheet_run *run) {
    struct comm *comm = run->comm;
    const int64_t planes = sheet_planes(run), *n = run->lattice.n;
    const int slow = sheet_slow(run);
    const int64_t blocks = run->lattice.boxes.length / 6;
    uint8_t *mine = comm_allocate(comm, planes, 1, "planes of cells");
    double *boxes = comm_allocate(comm, 6 * blocks, sizeof *boxes, "planes of cells");
    run->touched = comm_allocate(comm, comm->size * planes, 1, "planes of cells");
    if (mine)
        memset(mine, 0, (size_t)planes);
    if (mine && boxes && blocks > 0)
        weft_read(run->device, run->lattice.boxes, boxes);
    for (int64_t b = 0; mine && boxes && b < blocks; ++b) {
        const int64_t x =
            b / (blocks / ((n[0] + SHEET_BLOCK - 1) / SHEET_BLOCK)) * SHEET_BLOCK;
        if (x < run->cubes / (n[1] * n[2]))
            touch(mine, planes, boxes[6 * b + slow], boxes[6 * b + 3 + slow],
                  run->lattice.box[slow]);
    }
    int status = weft_check(run->device) == WEFT_OK ? CLI_DONE : sheet_fail(run);
    if (comm->trouble)
        status = parallel_stop(comm);
    status = parallel_meet(comm, status);
    if (status == CLI_DONE && !comm_share(comm, mine, (size_t)planes, run->touched))
        status = parallel_stop(comm);
    free(mine);
    free(boxes);
    return status;
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
    int status = find_touched(run);
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
