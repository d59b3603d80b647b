/* What a rank's cubes have in planes of cells. */
#include "fill.h"
#include "cli/progress.h"
#include "io/crew/crew.h"

#include <string.h>
#include <weft/transform.h>

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
    if (sheet_is_far(run)) {
        const weft_array own = weft_array_new(device, WEFT_I64, n);
        weft_fill(device, own, &none);
        return own;
    }
    crew_run(run->comm->threads, n, zero, sums);
    return weft_borrow(device, WEFT_I64, sums, n);
}

/* Planes of `share` back from a device that has sums of its own: to `sums`, but those of
 * `mine` to where they stay, in `own`. */
static void read_sums(const struct sheet_run *run, weft_array array,
                      struct sheet_share share, struct sheet_share mine, int64_t *sums,
                      int64_t *own) {
    weft_device *device = run->device;
    const int64_t row = array.length / share.count, last = share.first + share.count;
    const int64_t ends[3] = {mine.first, mine.first + mine.count, last};
    for (int k = 0; k < 3; ++k) {
        const int64_t from = k == 0 ? share.first : ends[k - 1];
        const int64_t begin = from > share.first ? from : share.first;
        const int64_t end = ends[k] < last ? ends[k] : last;
        if (begin < end)
            weft_read(
                device,
                weft_slice(device, array, (begin - share.first) * row, (end - begin) * row),
                k == 1 ? own + (begin - mine.first) * row
                       : sums + (begin - share.first) * row);
    }
}

static void close_sums(const struct sheet_run *run, weft_array array,
                       struct sheet_share share, struct sheet_share mine, int64_t *sums,
                       int64_t *own) {
    if (sheet_is_far(run)) {
        read_sums(run, array, share, mine, sums, own);
        weft_array_free(run->device, array);
    } else {
        weft_return(run->device, array);
    }
}

/* Cubes before part `part` of `parts` of those that the rank has: whole blocks where only
 * some planes are asked for, since what is near them is looked for block by block. */
static int64_t cubes_before(const struct sheet_run *run, struct sheet_share share,
                            int64_t part, int64_t parts) {
    const int64_t *n = run->lattice.n, layer = SHEET_BLOCK * n[1] * n[2];
    if (share.count == sheet_planes(run) || run->cubes == 0)
        return run->cubes * part / parts;
    const int64_t layers = (run->cubes + layer - 1) / layer;
    const int64_t before = layers * part / parts * layer;
    return before < run->cubes ? before : run->cubes;
}

/* The planes, into sums: what this rank's cubes have there. Those of `mine` may go to where
 * they stay at once. */
static void fill(struct sheet_run *run, struct sheet_cells *cells, struct sheet_share share,
                 struct sheet_share mine, int64_t *const sums[SHEET_SUMS]) {
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
        options.begin = cubes_before(run, share, part, parts);
        options.end = cubes_before(run, share, part + 1, parts);
        if (options.begin < options.end) {
            deposit(run, &options, array);
            weft_synchronize(device);
        }
        progress_part(cells->done * parts + share.count * (part + 1), cells->all * parts);
    }
    for (int k = 0; k < SHEET_SUMS; ++k)
        if (array[k].type)
            close_sums(run, array[k], share, mine, sums[k], cells->sums[k]);
    if (each[SHEET_OFF])
        sheet_compare(run, &options, n, sums[SHEET_OFF]);
    cells->done += share.count;
}

/* The planes of a turn in which the rank's slab has mass, owner by owner; those that follow
 * one another at once. */
static void fill_touched(struct sheet_run *run, struct sheet_cells *cells, int64_t turn) {
    const int rank = run->comm->rank, size = run->comm->size;
    const struct sheet_share mine = sheet_share(run, turn, rank);
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
                fill(run, cells, now, mine, at);
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

void sheet_fill(struct sheet_run *run, struct sheet_cells *cells, int64_t turn) {
    const struct sheet_share mine = sheet_share(run, turn, run->comm->rank);
    if (run->slabs)
        fill_touched(run, cells, turn);
    else
        fill(run, cells, mine, mine, cells->sums);
}
