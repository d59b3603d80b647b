#include "sheet_frame.h"
#include "algorithms/points/arguments.h"

/* Numbers at corners, and all differences of them, are exact in f64 where they are below
 * 2^53. */
enum { MOST_CELLS = 1 << 20, MOST_POWER = 52 };

i64 sheet_sites(const weft_lattice *lattice) {
    return lattice->n[0] * lattice->n[1] * lattice->n[2];
}

static i32 each_of(weft_tessellation tessellation) {
    return tessellation == WEFT_TESSELLATION_MEAN ? 24 : 6;
}

int64_t weft_sheet_tetrahedra(const weft_lattice *lattice, weft_tessellation tessellation) {
    return sheet_sites(lattice) * each_of(tessellation);
}

int64_t weft_sheet_units(const weft_lattice *lattice, weft_tessellation tessellation) {
    const i64 all = weft_sheet_tetrahedra(lattice, tessellation);
    int power = MOST_POWER;
    while (power > 0 && all > (i64)1 << (62 - power))
        power--;
    return (i64)1 << power;
}

/* Those asked for: a power of two, so that units of slabs are those of the whole. */
static f64 units_of(weft_device *device, const char *call, const weft_lattice *lattice,
                    const weft_sheet_options *options) {
    const i64 most = weft_sheet_units(lattice, options->tessellation);
    const i64 units = options->units ? options->units : most;
    if (units < 0 || units > most || (units & (units - 1)) != 0)
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: units are %lld a tetrahedron, no power of two up to %lld", call,
                  (long long)units, (long long)most);
    return (f64)units;
}

void sheet_check_lattice(weft_device *device, const char *call,
                         const weft_lattice *lattice) {
    for (int k = 0; k < 3; k++)
        if (!(lattice->n[k] >= 3 && lattice->box[k] > 0))
            weft_fail(device, WEFT_E_ARGUMENT, "%s: the lattice is not weft_lattice_find's",
                      call);
    arguments_array(device, call, "lattice.position", lattice->position, WEFT_F64,
                    3 * sheet_sites(lattice));
}

/* The box of cells. */
static void set_cells(weft_device *device, const char *call, const weft_sheet_options *o,
                      sheet_frame *f) {
    const int whole = o->count[0] == 0 && o->count[1] == 0 && o->count[2] == 0;
    for (int k = 0; k < 3 && weft_check(device) == WEFT_OK; k++) {
        const i64 cells = o->grid[k];
        f->cells[k] = cells;
        f->scale[k] = (f64)cells / f->box[k];
        f->first[k] = whole ? 0 : o->first[k];
        f->count[k] = whole ? cells : o->count[k];
        if (cells < 1 || cells > MOST_CELLS)
            weft_fail(device, WEFT_E_ARGUMENT, "%s: grid[%d] is %lld, not 1 to %d", call, k,
                      (long long)cells, MOST_CELLS);
        else if (f->first[k] < 0 || f->count[k] < 1 || f->count[k] > cells - f->first[k])
            weft_fail(device, WEFT_E_ARGUMENT,
                      "%s: cells %lld to %lld of axis %d are not among %lld", call,
                      (long long)f->first[k], (long long)(f->first[k] + f->count[k] - 1), k,
                      (long long)cells);
    }
}

sheet_frame sheet_frame_of(weft_device *device, const char *call,
                           const weft_lattice *lattice, const weft_sheet_options *options) {
    sheet_frame f = {.each = 6};
    if (!arguments_given(device, call, "lattice", lattice) ||
        !arguments_given(device, call, "options", options) ||
        !arguments_known(device, call, "options", options->reserved,
                         sizeof options->reserved))
        return f;
    sheet_check_lattice(device, call, lattice);
    if ((int)options->tessellation < 0 || options->tessellation > WEFT_TESSELLATION_MEAN)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: there is no tessellation %d", call,
                  (int)options->tessellation);
    if (weft_check(device) != WEFT_OK)
        return f;
    f.each = each_of(options->tessellation);
    f.kind = options->tessellation == WEFT_TESSELLATION_ABEL ? 0 : 6;
    f.units = units_of(device, call, lattice, options);
    for (int k = 0; k < 3; k++) {
        f.n[k] = lattice->n[k];
        f.box[k] = lattice->box[k];
    }
    set_cells(device, call, options, &f);
    const i64 cubes = sheet_sites(lattice);
    const i64 last = options->begin == 0 && options->end == 0 ? cubes : options->end;
    if (options->begin < 0 || options->begin > last || last > cubes)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: cubes %lld to %lld are not among %lld",
                  call, (long long)options->begin, (long long)last, (long long)cubes);
    f.begin = options->begin * f.each;
    f.end = last * f.each;
    return f;
}

void sheet_frame_flatten(sheet_frame *frame, int axis) {
    frame->scale[axis] = 0;
    frame->cells[axis] = frame->count[axis] = 1;
    frame->first[axis] = 0;
}

void sheet_check_cells(weft_device *device, const char *call, const char *name,
                       weft_array array, const sheet_frame *frame, i64 each) {
    if (array.type != WEFT_I64)
        weft_fail(device, WEFT_E_TYPE, "%s: array '%s' is not of type i64", call, name);
    arguments_array(device, call, name, array, array.type,
                    each * frame->count[0] * frame->count[1] * frame->count[2]);
}
