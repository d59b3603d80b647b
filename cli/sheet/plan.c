/* Which planes of cells are computed at a time, and whose they are. */
#include "cli/command.h"
#include "cli/progress.h"
#include "sheet.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LISTS = 18 << 20,      /* bytes of scratch, */
    GPU_LISTS = 240 << 20, /* and of devices that work in lock step */
    BLOCK = 4,             /* planes of the lattice around which a box is */
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

int64_t sheet_rest(const struct sheet_run *run) {
    int each[SHEET_SUMS];
    sheet_count_sums(run, each);
    const int64_t *n = run->lattice.n;
    return n[0] * n[1] * n[2] * (each[SHEET_MOMENTUM] ? 25 + 24 : 25) +
           (weft_device_style(run->device) == WEFT_SIMT ? GPU_LISTS : LISTS);
}

int64_t sheet_touched(const struct sheet_run *run, int rank, int64_t first, int64_t count) {
    const uint8_t *touched = run->touched + rank * sheet_planes(run);
    int64_t sum = 0;
    for (int64_t p = first; p < first + count; ++p)
        sum += touched[p];
    return sum;
}

struct sheet_share sheet_share(const struct sheet_run *run, int64_t first, int rank) {
    const int64_t all = sheet_planes(run);
    const int64_t end = first + run->turn < all ? first + run->turn : all;
    const int64_t at = first + rank * run->planes, left = end - at;
    return (struct sheet_share){at < end ? at : end, left < 0             ? 0
                                                     : left < run->planes ? left
                                                                          : run->planes};
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
        const int64_t x = b / (blocks / ((n[0] + BLOCK - 1) / BLOCK)) * BLOCK;
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

/* How many planes of cells the fullest rank has memory for: those that its slab meets, its
 * share of their sums, and what another rank has of these. */
static int64_t need(struct sheet_run *run, int64_t turn) {
    const int64_t planes = sheet_planes(run);
    int64_t most = 0;
    run->turn = turn;
    run->planes = (turn + run->comm->size - 1) / run->comm->size;
    for (int r = 0; r < run->comm->size; ++r)
        for (int64_t first = 0; first < planes; first += turn) {
            const int64_t left = planes - first;
            const int64_t some = sheet_touched(run, r, first, left < turn ? left : turn);
            most = some > most ? some : most;
        }
    return most + 2 * run->planes;
}

static int fail(const struct sheet_run *run, int64_t least) {
    return progress_fail(CLI_FAULT,
                         "--memory-limit: the particles and one plane of cells do not "
                         "fit %" PRId64 " bytes: the least that does is %" PRId64,
                         run->options.memory_limit, least);
}

/* The longest turn, or one that is little shorter. */
static int plan_slabs(struct sheet_run *run, int64_t bytes) {
    const int64_t limit = run->options.memory_limit;
    int64_t rest = sheet_rest(run), turn = sheet_planes(run);
    int status = find_touched(run);
    if (status != CLI_DONE)
        return status;
    if (!comm_reduce_i64(run->comm, &rest, 1, COMM_MAX))
        return parallel_stop(run->comm);
    const int64_t least = rest + 3 * bytes;
    if (limit > 0 && limit < least)
        return fail(run, least);
    while (rest + need(run, turn) * bytes > limit && limit > 0)
        turn -= (turn + 7) / 8;
    need(run, turn);
    return CLI_DONE;
}

int sheet_plan(struct sheet_run *run) {
    const int64_t limit = run->options.memory_limit, planes = sheet_planes(run);
    const int size = run->comm->size;
    int each[SHEET_SUMS];
    const int64_t bytes = 8 * sheet_count_sums(run, each) * sheet_plane(run);
    const int64_t rest = sheet_rest(run);
    if (run->slabs)
        return plan_slabs(run, bytes);
    run->planes = (planes + size - 1) / size;
    if (limit > 0 && limit < rest + bytes)
        return fail(run, rest + bytes);
    if (limit > 0 && (limit - rest) / bytes < run->planes)
        run->planes = (limit - rest) / bytes;
    run->turn = run->planes * size;
    return CLI_DONE;
}
