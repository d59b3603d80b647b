/* What a rank's cubes have in planes of cells. */
#include "fill.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "io/crew/crew.h"

#include <string.h>

void sheet_fill_deposit(struct sheet_run *run, const weft_sheet_options *options,
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

weft_sheet_options sheet_fill_options(const struct sheet_run *run,
                                      struct sheet_share share) {
    const int64_t *grid = run->options.grid;
    const int slow = sheet_slow(run);
    weft_sheet_options options = {.grid = {grid[0], grid[1], grid[2]},
                                  .count = {grid[0], grid[1], grid[2]},
                                  .tessellation = run->options.tessellation,
                                  .units = run->density.units_per_tetrahedron};
    options.first[slow] = share.first;
    options.count[slow] = share.count;
    return options;
}

static void zero(void *context, int64_t begin, int64_t end, int part) {
    (void)part;
    memset((int64_t *)context + begin, 0, (size_t)(end - begin) * sizeof(int64_t));
}

/* An array of zeros, to which the device adds. Pages that nobody touched yet are slow to
 * write, and shared out among threads. */
static weft_array open_sums(const struct sheet_run *run, int64_t n, int64_t *sums) {
    crew_run(run->comm->threads, n, zero, sums);
    return weft_borrow(run->device, WEFT_I64, sums, n);
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

/* The planes, into sums: what this rank's cubes have there. */
static void fill(struct sheet_run *run, struct sheet_cells *cells, struct sheet_share share,
                 int64_t *const sums[SHEET_SUMS]) {
    weft_device *device = run->device;
    const int64_t n = share.count * sheet_plane(run);
    const int64_t parts = SHEET_FILL_PARTS * share.count / cells->all + 1;
    const int *each = cells->each;
    weft_array array[SHEET_SUMS] = {{0}};
    weft_sheet_options options = sheet_fill_options(run, share);
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
            sheet_fill_deposit(run, &options, array);
            weft_synchronize(device);
        }
        progress_part(cells->done * parts + share.count * (part + 1), cells->all * parts);
    }
    for (int k = 0; k < SHEET_SUMS; ++k)
        if (array[k].type)
            weft_return(device, array[k]);
    if (each[SHEET_OFF])
        sheet_compare(run, &options, n, sums[SHEET_OFF]);
    cells->done += share.count;
}

/* The planes of a turn in which the rank's slab has mass, owner by owner; those that follow
 * one another at once. */
static void fill_touched(struct sheet_run *run, struct sheet_cells *cells, int64_t turn) {
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

int sheet_fill(struct sheet_run *run, struct sheet_cells *cells, int64_t turn) {
    if (run->slabs)
        fill_touched(run, cells, turn);
    else
        fill(run, cells, sheet_share(run, turn, run->comm->rank), cells->sums);
    return weft_check(run->device) == WEFT_OK ? CLI_DONE : sheet_fail(run);
}
