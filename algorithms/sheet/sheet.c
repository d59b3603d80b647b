#include "weft/sheet.h"
#include "algorithms/points/arguments.h"
#include "sheet.kernel.h"
#include "weft/expand.h"
#include "weft/register.h"

WEFT_KERNEL(sheet_count, (value, sheet_frame, f), (in, f64, position, 0),
            (out, u32, windows))
WEFT_KERNEL(sheet_fill, (value, sheet_frame, f), (in, u32, of), (in, u32, part),
            (in, f64, position, 0), (shared, u32, units, 0))

static const char NAME[] = "weft_sheet_deposit";

/* Tetrahedra whose windows are counted at a time, and windows that are listed. */
enum { BATCH = 1 << 18, MOST_WINDOWS = 1 << 21, MOST_CELLS = 1 << 20 };

static i64 sites_of(const weft_lattice *lattice) {
    return lattice->n[0] * lattice->n[1] * lattice->n[2];
}

static i32 each_of(weft_tessellation tessellation) {
    return tessellation == WEFT_TESSELLATION_MEAN ? 24 : 6;
}

int64_t weft_sheet_tetrahedra(const weft_lattice *lattice, weft_tessellation tessellation) {
    return sites_of(lattice) * each_of(tessellation);
}

int64_t weft_sheet_units(const weft_lattice *lattice, weft_tessellation tessellation) {
    const i64 all = weft_sheet_tetrahedra(lattice, tessellation);
    int power = 50;
    while (power > 0 && all > (i64)1 << (62 - power))
        power--;
    return (i64)1 << power;
}

static void check_lattice(weft_device *device, const weft_lattice *lattice) {
    for (int k = 0; k < 3 && weft_check(device) == WEFT_OK; k++)
        if (!(lattice->n[k] >= 3 && lattice->box[k] > 0))
            weft_fail(device, WEFT_E_ARGUMENT, "%s: the lattice is not weft_lattice_find's",
                      NAME);
    if (weft_check(device) == WEFT_OK)
        arguments_array(device, NAME, "lattice.position", lattice->position, WEFT_F64,
                        3 * sites_of(lattice));
}

/* Grid, box of cells and tessellation. */
static sheet_frame frame_of(weft_device *device, const weft_lattice *lattice,
                            const weft_sheet_options *o) {
    sheet_frame f = {.units = (f64)weft_sheet_units(lattice, o->tessellation),
                     .each = each_of(o->tessellation),
                     .kind = o->tessellation == WEFT_TESSELLATION_ABEL ? 0 : 6};
    const int whole = o->count[0] == 0 && o->count[1] == 0 && o->count[2] == 0;
    if ((int)o->tessellation < 0 || o->tessellation > WEFT_TESSELLATION_MEAN)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: there is no tessellation %d", NAME,
                  (int)o->tessellation);
    for (int k = 0; k < 3 && weft_check(device) == WEFT_OK; k++) {
        const i64 cells = o->grid[k];
        f.n[k] = lattice->n[k];
        f.box[k] = lattice->box[k];
        f.cells[k] = cells;
        f.scale[k] = (f64)cells / f.box[k];
        f.first[k] = whole ? 0 : o->first[k];
        f.count[k] = whole ? cells : o->count[k];
        if (cells < 1 || cells > MOST_CELLS)
            weft_fail(device, WEFT_E_ARGUMENT, "%s: grid[%d] is %lld, not 1 to %d", NAME, k,
                      (long long)cells, MOST_CELLS);
        else if (f.first[k] < 0 || f.count[k] < 1 || f.count[k] > cells - f.first[k])
            weft_fail(device, WEFT_E_ARGUMENT,
                      "%s: cells %lld to %lld of axis %d are not among %lld", NAME,
                      (long long)f.first[k], (long long)(f.first[k] + f.count[k] - 1), k,
                      (long long)cells);
    }
    return f;
}

/* Windows of the next tetrahedra, as many as fit the lists: how many tetrahedra they are.
 */
static i64 count_windows(weft_device *device, const sheet_frame *f, weft_array position,
                         i64 left, weft_array windows, i64 *all) {
    i64 n = left < BATCH ? left : BATCH;
    for (;; n = (n + 1) / 2) {
        const weft_array counts = weft_slice(device, windows, 0, n);
        weft_for_each(device, n, sheet_count, .f = *f, .position = position,
                      .windows = counts);
        weft_expand_sources(device, counts, (weft_array){0}, (weft_array){0}, all);
        if (n == 1 || *all <= MOST_WINDOWS || weft_check(device) != WEFT_OK)
            return n;
    }
}

static void deposit(weft_device *device, sheet_frame f, weft_array position, i64 end,
                    weft_array units) {
    const i64 most = end - f.begin < BATCH ? end - f.begin : BATCH;
    const weft_array windows = weft_scratch(device, WEFT_U32, most);
    while (f.begin < end && weft_check(device) == WEFT_OK) {
        i64 all = 0;
        const i64 n = count_windows(device, &f, position, end - f.begin, windows, &all);
        weft_scope_open(device);
        const weft_array of = weft_scratch(device, WEFT_U32, all);
        const weft_array part = weft_scratch(device, WEFT_U32, all);
        weft_expand_sources(device, weft_slice(device, windows, 0, n), of, part, NULL);
        weft_for_each(device, all, sheet_fill, .f = f, .of = of, .part = part,
                      .position = position, .units = units);
        weft_scope_close(device);
        f.begin += n;
    }
}

weft_status weft_sheet_deposit(weft_device *device, const weft_lattice *lattice,
                               const weft_sheet_options *options, weft_array units) {
    if (!arguments_given(device, NAME, "lattice", lattice) ||
        !arguments_given(device, NAME, "options", options) ||
        !arguments_known(device, NAME, "options", options->reserved,
                         sizeof options->reserved))
        return weft_check(device);
    check_lattice(device, lattice);
    sheet_frame f = frame_of(device, lattice, options);
    const i64 cubes = sites_of(lattice);
    const i64 end = options->begin == 0 && options->end == 0 ? cubes : options->end;
    if (weft_check(device) == WEFT_OK && units.type != WEFT_I64)
        weft_fail(device, WEFT_E_TYPE, "%s: array 'units' is not of type i64", NAME);
    arguments_array(device, NAME, "units", units, units.type,
                    f.count[0] * f.count[1] * f.count[2]);
    if (weft_check(device) == WEFT_OK &&
        (options->begin < 0 || options->begin > end || end > cubes))
        weft_fail(device, WEFT_E_ARGUMENT, "%s: cubes %lld to %lld are not among %lld",
                  NAME, (long long)options->begin, (long long)end, (long long)cubes);
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    f.begin = options->begin * f.each;
    weft_scope_open(device);
    deposit(device, f, lattice->position, end * f.each, weft_as(device, units, WEFT_U32));
    weft_scope_close(device);
    return weft_check(device);
}
