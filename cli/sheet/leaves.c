/* Patches without finer ones: in which order, and how many at a time. */
#include "sheet.h"

#include <stdlib.h>

enum { EACH = 4 }; /* of a turn, a rank: work is even enough */

bool sheet_is_near(const struct sheet_run *run, int rank, int64_t patch) {
    return run->near[rank * run->density.n_patches + patch] != 0;
}

/* Of as many layers across x as there are ranks, the one that it is in. */
static int layer_of(const struct sheet_run *run, int64_t patch) {
    const struct density_patch *at = &run->patches[patch];
    const double cells = (double)(run->density.grid[0] << at->level);
    return (int)(((double)at->first[0] + DENSITY_PATCH / 2) / cells * run->comm->size);
}

/* Leaves of each layer in their order; each layer is as far as the others. */
static void merge(const struct sheet_run *run, const int64_t *first, const int64_t *sorted,
                  struct sheet_leaves *leaves, int64_t *taken) {
    const int layers = run->comm->size;
    for (int64_t k = 0; k < leaves->n; ++k) {
        int next = -1;
        double least = 2;
        for (int layer = 0; layer < layers; ++layer) {
            const double all = (double)(first[layer + 1] - first[layer]);
            const double at = ((double)taken[layer] + 0.5) / all;
            if (all > 0 && at < 1 && at < least) {
                least = at;
                next = layer;
            }
        }
        leaves->patch[k] = sorted[first[next] + taken[next]++];
    }
}

bool sheet_find_leaves(const struct sheet_run *run, struct sheet_leaves *leaves) {
    const int64_t patches = run->density.n_patches;
    const int layers = run->comm->size;
    int64_t *first = calloc((size_t)layers + 1, sizeof *first);
    int64_t *taken = calloc((size_t)layers, sizeof *taken);
    int64_t *sorted = malloc((size_t)patches * sizeof *sorted);
    *leaves = (struct sheet_leaves){.patch = malloc((size_t)patches * sizeof *sorted)};
    const bool done = first && taken && sorted && leaves->patch;
    for (int64_t p = 0; done && p < patches; ++p)
        first[layer_of(run, p) + 1] += run->patches[p].whole;
    for (int layer = 0; done && layer < layers; ++layer)
        first[layer + 1] += first[layer];
    for (int64_t p = 0; done && p < patches; ++p) {
        const int layer = layer_of(run, p);
        if (run->patches[p].whole)
            sorted[first[layer] + taken[layer]++] = p;
    }
    if (done) {
        leaves->n = first[layers];
        for (int layer = 0; layer < layers; ++layer)
            taken[layer] = 0;
        merge(run, first, sorted, leaves, taken);
    }
    free(first);
    free(taken);
    free(sorted);
    return done;
}

static int64_t most_near(const struct sheet_run *run, const struct sheet_leaves *leaves) {
    int64_t most = 0;
    for (int rank = 0; rank < run->comm->size; ++rank)
        for (int64_t at = 0; at < leaves->n; at += leaves->turn) {
            int64_t some = 0;
            for (int64_t k = at; k < leaves->n && k < at + leaves->turn; ++k)
                some += sheet_is_near(run, rank, leaves->patch[k]);
            most = some > most ? some : most;
        }
    return most;
}

void sheet_set_turn(const struct sheet_run *run, int64_t fit, struct sheet_leaves *leaves) {
    const int size = run->comm->size;
    leaves->turn = size > 1 ? EACH * size : 1;
    while ((leaves->most = most_near(run, leaves)) > fit && leaves->turn > 1)
        leaves->turn -= (leaves->turn + 7) / 8;
}
