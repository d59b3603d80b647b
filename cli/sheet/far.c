/* Planes of cells on a device that is far from the host's memory. What of a rank's slab has
 * mass in planes of others is computed first, and the rest while that is on its way. The
 * host's memory, of which nobody touched a page yet, is cleared in the meantime. */
#include "cli/command.h"
#include "cli/progress.h"
#include "io/crew/crew.h"
#include "stretches.h"

#include <stdlib.h>
#include <string.h>

static void *work(void *context) {
    struct sheet_far *far = context;
    for (int64_t s = 0; s < far->count; ++s)
        if (far->ahead || far->stretch[s].own)
            stretch_fill(far, &far->stretch[s], far->ahead);
    return NULL;
}

/* Leaves the device at work; a thread that there is no room for is waited for here. */
static void begin(struct sheet_far *far, bool ahead) {
    far->ahead = ahead;
    far->apart = pthread_create(&far->thread, NULL, work, far) == 0;
    if (!far->apart)
        work(far);
}

static void wait(struct sheet_far *far) {
    if (far->apart)
        pthread_join(far->thread, NULL);
    far->apart = false;
}

static void clear(void *context, int64_t first, int64_t end, int part) {
    (void)part;
    memset((int64_t *)context + first, 0, (size_t)(end - first) * sizeof(int64_t));
}

static void clear_all(const struct sheet_run *run, int64_t n, int64_t *sums) {
    if (n > 0)
        crew_run(run->comm->threads, n, clear, sums);
}

/* The rank's own planes; and of each stretch of a slab those of others, and those that
 * others have mass in. */
static void clear_memory(struct sheet_far *far) {
    const struct sheet_run *run = far->run;
    for (int k = 0; k < SHEET_SUMS; ++k) {
        const int64_t row = sheet_plane(run) * far->cells->each[k];
        if (row == 0 || k == SHEET_OFF)
            continue;
        clear_all(run, far->mine.count * row, far->cells->sums[k]);
        for (int64_t s = 0; s < far->count && run->slabs; ++s) {
            const struct stretch *stretch = &far->stretch[s];
            const struct sheet_share own = stretch_own(far, stretch);
            for (int64_t p = 0; p < stretch->share.count; ++p) {
                const int64_t plane = stretch->share.first + p;
                if (plane < own.first || plane >= own.first + own.count ||
                    sheet_touched_by_others(run, plane))
                    clear_all(run, row, stretch->to[k] + p * row);
            }
        }
    }
}

/* What a preview is off by is the host's. */
static void compare(const struct sheet_far *far, const struct stretch *stretch) {
    const int64_t n = stretch->share.count * sheet_plane(far->run);
    const weft_sheet_options options = sheet_fill_options(far->run, stretch->share);
    if (far->cells->each[SHEET_OFF] == 0)
        return;
    clear_all(far->run, n, stretch->to[SHEET_OFF]);
    sheet_compare(far->run, &options, n, stretch->to[SHEET_OFF]);
}

/* What others have in the rank's own planes. */
struct more {
    const int64_t *came;
    int64_t *sums;
};

static void add_some(void *context, int64_t first, int64_t end, int part) {
    const struct more *more = context;
    (void)part;
    for (int64_t k = first; k < end; ++k)
        more->sums[k] += more->came[k];
}

static void add_others(const struct sheet_far *far, const struct stretch *stretch) {
    const struct sheet_share own = stretch_own(far, stretch);
    for (int k = 0; k < SHEET_SUMS; ++k) {
        const int64_t row = sheet_plane(far->run) * far->cells->each[k];
        for (int64_t p = own.first; p < own.first + own.count && k != SHEET_OFF; ++p)
            if (row > 0 && sheet_touched_by_others(far->run, p))
                crew_run(far->run->comm->threads, row, add_some,
                         &(struct more){stretch->to[k] + (p - stretch->share.first) * row,
                                        far->cells->sums[k] + (p - far->mine.first) * row});
    }
}

int sheet_far_begin(struct sheet_run *run, struct sheet_cells *cells, int64_t turn) {
    const int64_t *n = run->lattice.n;
    struct sheet_far *far =
        calloc(1, sizeof *far + (size_t)sheet_planes(run) * sizeof far->stretch[0]);
    if (far == NULL)
        return progress_fail(CLI_FAULT, "out of memory: planes of cells");
    cells->far = far;
    far->run = run;
    far->cells = cells;
    far->mine = sheet_share(run, turn, run->comm->rank);
    if (run->cubes > 0)
        far->layers = (run->cubes / (n[1] * n[2]) + SHEET_BLOCK - 1) / SHEET_BLOCK;
    stretches_list(far, turn);
    for (int64_t s = 0; s < far->count; ++s) {
        stretch_open(far, &far->stretch[s]);
        compare(far, &far->stretch[s]);
    }
    begin(far, run->slabs);
    clear_memory(far);
    if (!run->slabs)
        return CLI_DONE;
    wait(far);
    for (int64_t s = 0; s < far->count; ++s) {
        stretch_read_others(far, &far->stretch[s]);
        if (!far->stretch[s].own)
            stretch_close(far, &far->stretch[s]);
    }
    if (weft_check(run->device) != WEFT_OK)
        return sheet_fail(run);
    begin(far, false);
    return CLI_DONE;
}

void sheet_far_end(struct sheet_cells *cells) {
    struct sheet_far *far = cells->far;
    if (far == NULL)
        return;
    wait(far);
    for (int64_t s = 0; s < far->count; ++s) {
        struct stretch *stretch = &far->stretch[s];
        cells->done += stretch->share.count;
        if (!stretch->own)
            continue;
        stretch_read_own(far, stretch);
        if (far->run->slabs)
            add_others(far, stretch);
        stretch_close(far, stretch);
    }
    cells->far = NULL;
    free(far);
}
