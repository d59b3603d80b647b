/* Which patches are refined: by the boxes around blocks of the lattice, so that no
 * tetrahedron is looked at. Each rank looks at the blocks that it has; how many tetrahedra
 * a patch has is told in integers, so their sum is the same on any number of ranks. */
#include "cli/command.h"
#include "cli/progress.h"
#include "sheet.h"

#include <math.h>
#include <stdlib.h>

static const double ONE = 1 << 20; /* of a tetrahedron's parts */

struct tree {
    struct sheet_run *run;
    double *boxes; /* low x y z, high x y z of each */
    uint8_t *near; /* of each patch: whether this rank has blocks near it */
    int64_t room;
};

/* The part of low .. high that lies in from .. to, in a periodic box. */
static double overlap(double low, double high, double from, double to, double box) {
    double sum = 0;
    for (int period = -1; period <= 1; ++period) {
        const double a = fmax(low, from + period * box), b = fmin(high, to + period * box);
        sum += high > low ? fmax(b - a, 0) / (high - low)
                          : (low >= from + period * box && low < to + period * box);
    }
    return fmin(sum, 1);
}

/* Whether cells first .. first + DENSITY_PATCH of so many meet low .. high, with a cell
 * more at either end, as deposits look at it. */
static bool meets(double low, double high, int64_t first, int64_t cells, double box) {
    const double scale = (double)cells / box;
    const int64_t base = (int64_t)floor(low * scale) - 1;
    const int64_t extent = (int64_t)floor(high * scale) + 2 - base;
    const int64_t from = ((base - first) % cells + cells) % cells;
    return from < DENSITY_PATCH || from + extent > cells;
}

/* Those of the rank's own cubes. */
static double tetrahedra_of(const struct sheet_run *run, int64_t block) {
    const int64_t *n = run->lattice.n;
    const int64_t own[3] = {run->cubes / (n[1] * n[2]), n[1], n[2]};
    int64_t cubes = run->density.tetrahedra / run->info.n;
    for (int k = 2; k >= 0; --k) {
        const int64_t blocks = (n[k] + SHEET_BLOCK - 1) / SHEET_BLOCK;
        const int64_t left = own[k] - block % blocks * SHEET_BLOCK;
        cubes *= left < 0 ? 0 : left < SHEET_BLOCK ? left : SHEET_BLOCK;
        block /= blocks;
    }
    return (double)cubes;
}

/* Parts of tetrahedra that a patch has of those in the blocks listed; lists blocks that are
 * near it. */
static int64_t count(const struct tree *tree, const struct density_patch *patch,
                     const int64_t *list, int64_t n, int64_t *near, int64_t *n_near) {
    const struct density *density = &tree->run->density;
    int64_t sum = 0;
    *n_near = 0;
    for (int64_t i = 0; i < n; ++i) {
        const double *low = tree->boxes + 6 * list[i], *high = low + 3;
        double part = tetrahedra_of(tree->run, list[i]) * ONE;
        bool is_near = part > 0;
        for (int k = 0; k < 3 && is_near; ++k) {
            const double box = density->header.box[k];
            const int64_t cells = density->grid[k] << patch->level;
            const double cell = box / (double)cells;
            part *= overlap(low[k], high[k], (double)patch->first[k] * cell,
                            (double)(patch->first[k] + DENSITY_PATCH) * cell, box);
            is_near = meets(low[k], high[k], patch->first[k], cells, box);
        }
        if (!is_near)
            continue;
        near[(*n_near)++] = list[i];
        sum += (int64_t)part;
    }
    return sum;
}

/* More room for patches. Errors: comm's. */
static bool make_room(struct tree *tree) {
    struct sheet_run *run = tree->run;
    if (run->density.n_patches < tree->room)
        return true;
    tree->room = 2 * tree->room + 64;
    struct density_patch *more =
        realloc(run->patches, (size_t)tree->room * sizeof *run->patches);
    run->patches = more ? more : run->patches;
    uint8_t *flags = realloc(tree->near, (size_t)tree->room);
    tree->near = flags ? flags : tree->near;
    if (more && flags)
        return true;
    io_fail(&run->comm->error, "out of memory: the tree of patches");
    return comm_fail(run->comm, CLI_FAULT);
}

/* The patch, and those in it; children with the slowest axis first. All ranks take the same
 * way. */
static bool grow(struct tree *tree, struct density_patch patch, const int64_t *list,
                 int64_t n) {
    struct sheet_run *run = tree->run;
    const struct sheet_options *options = &run->options;
    int64_t held = 0, n_near = 0, self = run->density.n_patches;
    int64_t *near = comm_allocate(run->comm, n, sizeof *near, "the tree of patches");
    if (near)
        held = count(tree, &patch, list, n, near, &n_near);
    make_room(tree);
    bool done = comm_reduce_i64(run->comm, &held, 1, COMM_SUM);
    if (done) {
        patch.whole = patch.level == options->levels ||
                      (double)held <= (double)options->crowded * ONE;
        tree->near[self] = n_near > 0;
        run->patches[run->density.n_patches++] = patch;
    }
    for (int octant = 0; octant < 8 && done && !patch.whole; ++octant) {
        struct density_patch part = {.parent = self, .level = patch.level + 1};
        for (int k = 0; k < 3; ++k)
            part.first[k] = 2 * patch.first[k] + (octant >> (2 - k) & 1) * DENSITY_PATCH;
        done = grow(tree, part, near, n_near);
    }
    free(near);
    return done;
}

static bool grow_all(struct tree *tree, int64_t blocks) {
    struct sheet_run *run = tree->run;
    struct comm *comm = run->comm;
    const int64_t *grid = run->density.grid;
    int64_t *all = comm_allocate(comm, blocks, sizeof *all, "the tree of patches");
    for (int64_t b = 0; all && b < blocks; ++b)
        all[b] = b;
    bool done = comm_agree(comm);
    for (int64_t x = 0; x < grid[0]; x += DENSITY_PATCH)
        for (int64_t y = 0; y < grid[1]; y += DENSITY_PATCH)
            for (int64_t z = 0; z < grid[2]; z += DENSITY_PATCH)
                done = done &&
                       grow(tree, (struct density_patch){.first = {x, y, z}, .parent = -1},
                            all, blocks);
    free(all);
    const int64_t patches = run->density.n_patches;
    run->near = comm_allocate(comm, comm->size * patches, 1, "the tree of patches");
    return done && comm_share(comm, tree->near, (size_t)patches, run->near);
}

int sheet_grow(struct sheet_run *run) {
    const int64_t blocks = run->lattice.boxes.length / 6;
    struct tree tree = {.run = run};
    tree.boxes =
        comm_allocate(run->comm, 6 * blocks, sizeof *tree.boxes, "the tree of patches");
    if (tree.boxes && blocks > 0)
        weft_read(run->device, run->lattice.boxes, tree.boxes);
    int status = weft_check(run->device) == WEFT_OK ? CLI_DONE : sheet_fail(run);
    status = parallel_meet(run->comm, status);
    if (status == CLI_DONE && !grow_all(&tree, blocks))
        status = parallel_stop(run->comm);
    free(tree.boxes);
    free(tree.near);
    run->density.patches = run->patches;
    return status;
}
