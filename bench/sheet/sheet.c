/* The suite of the dark-matter sheet: sites in memory to cells in memory. */
#include "sheet.h"
#include "bench/memory.h"

#include <stdlib.h>
#include <weft/kernel.h>
#include <weft/philox.h>

struct sheet_row {
    struct row row;
    enum sheet_kind kind;
    i64 grid; /* cells along each axis of the box before it is repeated */
};

/* What the rows' functions find in bench->sheet. */
struct sheet_input {
    const struct sheet_sites *sites;
    struct sheet_settings settings;
};

/* Cells that have some of a tetrahedron, in the mean of some cubes, evenly chosen. */
static double count_cells(const struct task *task) {
    enum { SOME = 1 << 8 };
    const struct sheet_settings *settings = task->settings;
    const i64 sites = task->in[0].length / 3, some = sites < SOME ? sites : SOME;
    double cells = 0;
    for (i64 t = 0; t < 6 * some; ++t) {
        f64 corner[4][3];
        i64 low[3], extent[3];
        sheet_corners(settings, task->in[0].data, sites / some * (t / 6), (int)(t % 6),
                      corner);
        sheet_extent((const f64(*)[3])corner, low, extent);
        if (settings->kind == SHEET_COLUMNS)
            extent[2] = 1;
        for (i64 c = 0; c < extent[0] * extent[1] * extent[2]; ++c) {
            const i64 cell[3] = {low[0] + c / (extent[1] * extent[2]),
                                 low[1] + c / extent[2] % extent[1],
                                 low[2] + c % extent[2]};
            cells += sheet_fraction(settings, (const f64(*)[3])corner, cell) > 0;
        }
    }
    return cells / (6 * (double)some);
}

static bool make_sites(const struct bench *bench, struct task *task) {
    const struct sheet_sites *sites = bench->sheet->sites;
    f64 *in = task_input(task, 0, WEFT_F64, 3 * sites->sites);
    task->settings = &bench->sheet->settings;
    for (i64 i = 0; in && i < 3 * sites->sites; ++i)
        in[i] = sites->position[i];
    return in != NULL;
}

static bool make_cells(const struct bench *bench, struct task *task) {
    const i64 *grid = bench->sheet->settings.grid;
    if (!make_sites(bench, task))
        return false;
    task->cells = count_cells(task);
    return task_output(task, 0, WEFT_I64, grid[0] * grid[1] * grid[2]) != NULL;
}

static bool make_at(const struct bench *bench, struct task *task) {
    if (!make_sites(bench, task))
        return false;
    f64 *point = task_input(task, 1, WEFT_F64, 3 * task->n);
    for (i64 i = 0; point && i < 3 * task->n; ++i)
        point[i] = philox_f64(1, 0, (u64)i) * bench->sheet->settings.lattice.box[i % 3];
    return point && task_output(task, 0, WEFT_F64, task->n) &&
           task_output(task, 1, WEFT_F64, task->n);
}

static void run_cells(weft_device *device, const weft_array *in, const weft_array *out,
                      struct task *task) {
    const struct sheet_settings *settings = task->settings;
    weft_lattice lattice = settings->lattice;
    const i64 *grid = settings->grid, zero = 0;
    const weft_sheet_options options = {.grid = {grid[0], grid[1], grid[2]}};
    lattice.position = in[0];
    weft_fill(device, out[0], &zero);
    if (settings->kind == SHEET_COLUMNS)
        weft_sheet_project(device, &lattice, &options, 2, out[0]);
    else
        weft_sheet_deposit(device, &lattice, &options, out[0]);
    task->value = 0;
}

static void run_at(weft_device *device, const weft_array *in, const weft_array *out,
                   struct task *task) {
    const struct sheet_settings *settings = task->settings;
    const weft_points points = weft_points_interleaved(device, in[1]);
    weft_lattice lattice = settings->lattice;
    lattice.position = in[0];
    weft_sheet_at(device, &lattice, (weft_array){0}, WEFT_TESSELLATION_ABEL, &points,
                  out[0], out[1], (weft_array){0});
}

static const struct sheet_row rows[] = {
    {.row = {"sheet:64", "f64", make_cells, run_cells, sheet_check_cells, .item_bytes = 4},
     .kind = SHEET_CELLS,
     .grid = 64},
    {.row = {"sheet:128", "f64", make_cells, run_cells, sheet_check_cells, .item_bytes = 4},
     .kind = SHEET_CELLS,
     .grid = 128},
    {.row = {"sheet:256", "f64", make_cells, run_cells, sheet_check_cells, .item_bytes = 4},
     .kind = SHEET_CELLS,
     .grid = 256},
    {.row = {"sheet:columns:64", "f64", make_cells, run_cells, sheet_check_cells,
             .item_bytes = 4},
     .kind = SHEET_COLUMNS,
     .grid = 64},
    {.row = {"sheet:columns:128", "f64", make_cells, run_cells, sheet_check_cells,
             .item_bytes = 4},
     .kind = SHEET_COLUMNS,
     .grid = 128},
    {.row = {"sheet:columns:256", "f64", make_cells, run_cells, sheet_check_cells,
             .item_bytes = 4},
     .kind = SHEET_COLUMNS,
     .grid = 256},
    {.row = {"sheet:at", "f64", make_at, run_at, sheet_check_at, .item_bytes = 40},
     .kind = SHEET_AT},
};
enum { ROWS = sizeof rows / sizeof *rows };

static bool run_rows(struct bench *bench, const struct sheet_sites *sites) {
    struct sheet_input input = {.sites = sites};
    bool good = true;
    bench->sheet = &input;
    for (int k = 0; good && k < ROWS; ++k) {
        if (!bench_wants(bench, "sheet", &rows[k].row))
            continue;
        const enum sheet_kind kind = rows[k].kind;
        const i64 grid = kind == SHEET_AT ? 1 : rows[k].grid * bench->options.tile;
        input.settings =
            (struct sheet_settings){.kind = kind,
                                    .lattice = sites->lattice,
                                    .grid = {grid, grid, kind == SHEET_CELLS ? grid : 1}};
        good = bench_row(bench, &rows[k].row,
                         kind == SHEET_AT ? sites->sites : 6 * sites->sites);
    }
    bench->sheet = NULL;
    return good;
}

bool bench_sheet(struct bench *bench) {
    bool wanted = false;
    for (int k = 0; k < ROWS; ++k)
        wanted |= bench_wants(bench, "sheet", &rows[k].row);
    if (!wanted)
        return true;
    struct sheet_sites sites;
    const bool good =
        sheet_read_sites(&sites, bench->device, bench->options.data, bench->options.tile) &&
        run_rows(bench, &sites);
    free(sites.position);
    return good;
}
