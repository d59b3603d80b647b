/* Where the sites of a lattice are, and its tetrahedra. */
#include "bench/memory.h"
#include "io/snapshot.h"
#include "sheet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The lattice of one box; its positions are the caller's. */
static f64 *find(weft_device *device, const struct snapshot_particles *read,
                 const struct snapshot_info *info, weft_lattice *lattice) {
    const weft_array position = weft_borrow_const(
        device, read->bytes[SNAPSHOT_COORDINATES] == 8 ? WEFT_F64 : WEFT_F32,
        read->field[SNAPSHOT_COORDINATES], 3 * read->n);
    const weft_array id = weft_borrow_const(
        device, WEFT_I64, (const int64_t *)read->field[SNAPSHOT_IDS], read->n);
    const weft_points points = weft_points_interleaved(device, position);
    f64 *at = malloc((size_t)read->n * 3 * sizeof *at);
    weft_lattice_find(device, &points, id, NULL, info->box, lattice);
    if (at)
        weft_read(device, lattice->position, at);
    const weft_lattice found = *lattice;
    weft_lattice_free(device, lattice);
    weft_return(device, position);
    weft_return(device, id);
    *lattice = found;
    lattice->particle = lattice->position = (weft_array){0};
    return at;
}

/* Site k of the lattice of all boxes: beside where it began in its own, then inside of all.
 */
static f64 place(const struct sheet_sites *sites, const f64 *at, const i64 *n, i64 tile,
                 const i64 *site, int k) {
    const i64 one = (site[0] % n[0] * n[1] + site[1] % n[1]) * n[2] + site[2] % n[2];
    const f64 all = sites->lattice.box[k], box = all / (f64)tile;
    const f64 began = ((f64)(site[k] % n[k]) + 0.5) * box / (f64)n[k];
    const f64 x =
        began + remainder(at[3 * one + k] - began, box) + (f64)(site[k] / n[k]) * box;
    const f64 inside = x - all * floor(x / all);
    return inside < all ? inside : 0;
}

static bool lay(struct sheet_sites *sites, const f64 *at, i64 tile) {
    i64 n[3], *all = sites->lattice.n;
    for (int k = 0; k < 3; ++k) {
        n[k] = all[k];
        all[k] *= tile;
        sites->lattice.box[k] *= (f64)tile;
    }
    sites->sites = all[0] * all[1] * all[2];
    sites->position = memory_new((size_t)sites->sites * 3 * sizeof *sites->position);
    for (i64 i = 0; sites->position && i < sites->sites; ++i) {
        const i64 site[3] = {i / (all[1] * all[2]), i / all[2] % all[1], i % all[2]};
        for (int k = 0; k < 3; ++k)
            sites->position[3 * i + k] = place(sites, at, n, tile, site, k);
    }
    return sites->position != NULL;
}

bool sheet_read_sites(struct sheet_sites *sites, weft_device *device, const char *path,
                      i64 tile) {
    *sites = (struct sheet_sites){0};
    struct io_error error;
    struct snapshot_particles read = {0};
    struct snapshot *snapshot = snapshot_open(path, &error);
    bool good =
        snapshot && snapshot_read(snapshot, 1 << SNAPSHOT_COORDINATES | 1 << SNAPSHOT_IDS,
                                  &read, &error);
    if (!good)
        fprintf(stderr, "weft-bench: %s\n", error.text);
    if (good && read.field[SNAPSHOT_IDS] == NULL) {
        fprintf(stderr, "weft-bench: %s: a sheet needs the ids of particles\n", path);
        good = false;
    }
    f64 *at = good ? find(device, &read, snapshot_info(snapshot), &sites->lattice) : NULL;
    if (good && weft_check(device) != WEFT_OK)
        fprintf(stderr, "weft-bench: %s: %s\n", path, weft_error(device));
    good = at && weft_check(device) == WEFT_OK && lay(sites, at, tile);
    free(at);
    snapshot_free(&read);
    if (snapshot)
        snapshot_close(snapshot);
    return good;
}

void sheet_corners(const struct sheet_settings *settings, const f64 *position, i64 cube,
                   int which, f64 corner[4][3]) {
    static const int abel[6][4] = {{1, 0, 2, 4}, {4, 2, 1, 3}, {3, 5, 1, 4},
                                   {4, 5, 6, 3}, {3, 2, 6, 4}, {3, 7, 5, 6}};
    const i64 *n = settings->lattice.n;
    const i64 at[3] = {cube / (n[1] * n[2]), cube / n[2] % n[1], cube % n[2]};
    for (int v = 0; v < 4; ++v) {
        const int c = abel[which][v];
        const i64 x = (at[0] + (c >> 2)) % n[0], y = (at[1] + (c >> 1 & 1)) % n[1];
        const i64 site = (x * n[1] + y) * n[2] + (at[2] + (c & 1)) % n[2];
        for (int k = 0; k < 3; ++k) {
            const f64 box = settings->lattice.box[k], from = position[3 * cube + k];
            corner[v][k] = (from + remainder(position[3 * site + k] - from, box)) *
                           ((f64)settings->grid[k] / box);
        }
    }
}

void sheet_extent(const f64 corner[4][3], i64 low[3], i64 extent[3]) {
    for (int k = 0; k < 3; ++k) {
        f64 least = INFINITY, most = -INFINITY;
        for (int v = 0; v < 4; ++v) {
            least = fmin(least, corner[v][k]);
            most = fmax(most, corner[v][k]);
        }
        low[k] = (i64)floor(least);
        extent[k] = (i64)floor(most) - low[k] + 1;
    }
}
