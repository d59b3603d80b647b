/* How far points in place of tetrahedra are off, by some of the sheet. */
#include "sheet.h"

#include <math.h>
#include <stdlib.h>
#include <weft/transform.h>

enum {
    PLACES = 32, /* of the sheet, spread over it, */
    SHARE = 64   /* which together are 1 / SHARE of it */
};

void sheet_compare(struct sheet_run *run, const weft_sheet_options *planes, int64_t cells) {
    weft_device *device = run->device;
    const int64_t sites = run->info.n, zero = 0;
    const double mean =
        (double)run->density.tetrahedra * (double)run->density.units_per_tetrahedron /
        ((double)planes->grid[0] * (double)planes->grid[1] * (double)planes->grid[2]);
    const weft_array exact = weft_array_new(device, WEFT_I64, cells);
    const weft_array points = weft_array_new(device, WEFT_I64, cells);
    int64_t *sums = malloc((size_t)(2 * cells) * sizeof *sums), taken = 0;
    weft_sheet_options some = *planes;
    weft_fill(device, exact, &zero);
    weft_fill(device, points, &zero);
    for (int place = 0; place < PLACES; ++place) {
        some.begin = sites * place / PLACES;
        some.end = some.begin + (sites / PLACES + SHARE - 1) / SHARE;
        some.end = some.end < sites ? some.end : sites;
        weft_sheet_deposit(device, &run->lattice, &some, exact);
        weft_sheet_sample(device, &run->lattice, &some, run->options.samples, points);
        taken += some.end - some.begin;
    }
    if (sums && weft_read(device, exact, sums) == WEFT_OK &&
        weft_read(device, points, sums + cells) == WEFT_OK) {
        for (int64_t k = 0; k < cells; ++k) {
            const double off = (double)(sums[k] - sums[cells + k]) / mean;
            run->squares += off * off * (double)sites / (double)taken;
        }
    }
    run->compared = run->compared && sums != NULL;
    free(sums);
    weft_array_free(device, exact);
    weft_array_free(device, points);
}
