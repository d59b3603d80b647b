/* Which patches are refined: by the boxes around blocks of the lattice, so that no
 * tetrahedron is looked at. */
#include "cli/command.h"
#include "cli/progress.h"
#include "sheet.h"

#include <math.h>
#include <stdlib.h>

enum { BLOCK = 4 }; /* cubes along each axis around which a box of the lattice is */

struct tree {
    struct sheet_run *run;
    const double *boxes; /* low x y z, high x y z of each */
    int64_t each;        /* tetrahedra a cube */
    int64_t room;
    bool full; /* out of memory */
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

/* Those at the ends of the lattice may be cut short. */
static double tetrahedra_of(const struct tree *tree, int64_t block) {
    const int64_t *n = tree->run->lattice.n;
    int64_t cubes = 1;
    for (int k = 2; k >= 0; --k) {
        const int64_t blocks = (n[k] + BLOCK - 1) / BLOCK, at = block % blocks * BLOCK;
        cubes *= n[k] - at < BLOCK ? n[k] - at : BLOCK;
        block /= blocks;
    }
    return (double)(cubes * tree->each);
}

/* How many tetrahedra a patch has of those in the blocks listed; lists blocks that touch
 * it. */
static double count(const struct tree *tree, const struct density_patch *patch,
                    const int64_t *list, int64_t n, int64_t *near, int64_t *n_near) {
    const struct density *density = &tree->run->density;
    double sum = 0;
    *n_near = 0;
    for (int64_t i = 0; i < n; ++i) {
        const double *low = tree->boxes + 6 * list[i], *high = low + 3;
        double part = 1;
        for (int k = 0; k < 3 && part > 0; ++k) {
            const double box = density->header.box[k];
            const double cell = box / (double)(density->grid[k] << patch->level);
            part *= overlap(low[k], high[k], (double)patch->first[k] * cell,
                            (double)(patch->first[k] + DENSITY_PATCH) * cell, box);
        }
        if (part > 0)
            near[(*n_near)++] = list[i];
        sum += part * tetrahedra_of(tree, list[i]);
    }
    return sum;
}

static int64_t add(struct tree *tree, const struct density_patch *patch) {
    struct density *density = &tree->run->density;
    if (density->n_patches == tree->room) {
        const int64_t room = 2 * tree->room + 64;
        struct density_patch *more =
            realloc(tree->run->patches, (size_t)room * sizeof *more);
        if (more == NULL) {
            tree->full = true;
            return -1;
        }
        tree->run->patches = more;
        tree->room = room;
    }
    tree->run->patches[density->n_patches] = *patch;
    return density->n_patches++;
}

/* The patch, and those in it; children with the slowest axis first. */
static void grow(struct tree *tree, struct density_patch patch, const int64_t *list,
                 int64_t n) {
    const struct sheet_options *options = &tree->run->options;
    int64_t n_near = 0, *near = malloc((size_t)(n + 1) * sizeof *near);
    tree->full = tree->full || near == NULL;
    if (tree->full) {
        free(near);
        return;
    }
    const double held = count(tree, &patch, list, n, near, &n_near);
    patch.whole = patch.level == options->levels || held <= (double)options->crowded;
    const int64_t self = add(tree, &patch);
    for (int octant = 0; octant < 8 && !patch.whole && !tree->full; ++octant) {
        struct density_patch part = {.parent = self, .level = patch.level + 1};
        for (int k = 0; k < 3; ++k)
            part.first[k] = 2 * patch.first[k] + (octant >> (2 - k) & 1) * DENSITY_PATCH;
        grow(tree, part, near, n_near);
    }
    free(near);
}

int sheet_grow(struct sheet_run *run) {
    const int64_t blocks = run->lattice.boxes.length / 6, *grid = run->density.grid;
    double *boxes = malloc((size_t)(6 * blocks + 1) * sizeof *boxes);
    int64_t *all = malloc((size_t)(blocks + 1) * sizeof *all);
    struct tree tree = {.run = run, .boxes = boxes, .full = boxes == NULL || all == NULL};
    tree.each = run->density.tetrahedra / run->info.n;
    if (!tree.full)
        weft_read(run->device, run->lattice.boxes, boxes);
    for (int64_t b = 0; b < blocks && !tree.full; ++b)
        all[b] = b;
    for (int64_t x = 0; x < grid[0]; x += DENSITY_PATCH)
        for (int64_t y = 0; y < grid[1]; y += DENSITY_PATCH)
            for (int64_t z = 0; z < grid[2]; z += DENSITY_PATCH)
                if (!tree.full && weft_check(run->device) == WEFT_OK)
                    grow(&tree, (struct density_patch){.first = {x, y, z}, .parent = -1},
                         all, blocks);
    free(boxes);
    free(all);
    run->density.patches = run->patches;
    if (weft_check(run->device) != WEFT_OK)
        return sheet_fail(run);
    return tree.full ? progress_fail(CLI_FAULT, "out of memory: the tree of patches")
                     : CLI_DONE;
}
