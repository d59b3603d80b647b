/* How far points in place of tetrahedra are off, by some of the sheet. */
#include "sheet.h"

enum {
    PLACES = 32, /* of the sheet, spread over it, */
    SHARE = 64   /* which together are 1 / SHARE of it */
};

/* Cubes of each place. */
static int64_t length_of(int64_t sites) {
    const int64_t length = (sites / PLACES + SHARE - 1) / SHARE;
    return length > 0 ? length : 1;
}

/* What of the whole a place has, as this rank's cubes. */
static void set_cubes(const struct sheet_run *run, int place, weft_sheet_options *some) {
    const int64_t sites = run->info.n;
    const int64_t begin = sites * place / PLACES - run->first;
    const int64_t end = begin + length_of(sites);
    some->begin = begin > 0 ? begin : 0;
    some->end = end < run->cubes ? end : run->cubes;
}

void sheet_compare(struct sheet_run *run, const weft_sheet_options *planes, int64_t cells,
                   int64_t *off) {
    weft_device *device = run->device;
    weft_sheet_options some = *planes;
    for (int exact = 0; exact < 2; ++exact) {
        const weft_array units = weft_borrow(device, WEFT_I64, off, cells);
        for (int place = 0; place < PLACES; ++place) {
            set_cubes(run, place, &some);
            if (some.begin < some.end && exact)
                weft_sheet_deposit(device, &run->lattice, &some, units);
            else if (some.begin < some.end)
                weft_sheet_sample(device, &run->lattice, &some, run->options.samples,
                                  units);
        }
        weft_return(device, units);
        for (int64_t k = 0; k < cells && !exact; ++k)
            off[k] = -off[k];
    }
}

double sheet_squares(const struct sheet_run *run, double mean, const int64_t *off,
                     int64_t cells) {
    const int64_t sites = run->info.n, taken = PLACES * length_of(sites);
    double squares = 0;
    for (int64_t k = 0; k < cells; ++k)
        squares += (double)off[k] / mean * ((double)off[k] / mean);
    return squares * (double)sites / (double)taken;
}
