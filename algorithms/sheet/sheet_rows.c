/* Deposits by rows of corners: numbers at corners first, then the cells between them. */
#include "sheet_rows.kernel.h"
#include "algorithms/tuning.h"
#include "sheet_frame.h"

WEFT_KERNEL(sheet_rows_find, (value, sheet_frame, f), (optional, u32, blocks, 0),
            (in, f64, position, 0), (out, sheet_rows_body, bodies), (out, u32, rows),
            (shared, u32, units, 0))
WEFT_KERNEL(sheet_rows_cut, (value, sheet_frame, f), (value, i64, skip), (in, u32, of),
            (in, u32, part), (in, sheet_rows_body, bodies, 0), (out, i64, corners, 4 * n))
WEFT_KERNEL(sheet_rows_add, (value, sheet_frame, f), (value, i64, skip), (in, u32, of),
            (in, u32, part), (in, sheet_rows_body, bodies, 0), (in, i64, corners, 4 * n),
            (shared, u32, units, 0))
_Static_assert(SHEET_ROWS_LANES == 4, "as registered");

struct rows_task {
    weft_array position, bodies, units;
};

static void run(weft_device *device, const void *task, sheet_frame f, i64 skip,
                weft_array blocks, weft_array of, weft_array part, weft_array windows) {
    const struct rows_task *rows = task;
    if (!of.type) {
        weft_for_each(device, windows.length, sheet_rows_find, .f = f, .blocks = blocks,
                      .position = rows->position,
                      .bodies = weft_slice(device, rows->bodies, 0, windows.length),
                      .rows = windows, .units = rows->units);
        return;
    }
    const weft_array corners = weft_scratch(device, WEFT_I64, SHEET_ROWS_LANES * of.length);
    weft_for_each(device, of.length, sheet_rows_cut, .f = f, .skip = skip, .of = of,
                  .part = part, .bodies = rows->bodies, .corners = corners);
    weft_for_each(device, of.length, sheet_rows_add, .f = f, .skip = skip, .of = of,
                  .part = part, .bodies = rows->bodies, .corners = corners,
                  .units = rows->units);
}

void sheet_rows(weft_device *device, sheet_frame f, const weft_lattice *lattice,
                weft_array units) {
    const i64 all = sheet_blocks(lattice->n) * SHEET_BLOCK_CUBES * f.each; /* the most */
    const i64 most = tuning_of(device)->sheet_batch;
    const struct rows_task task = {
        lattice->position,
        weft_scratch(device, WEFT_STRUCT(sheet_rows_body), all < most ? all : most), units};
    sheet_run(device, f, lattice, run, &task);
}
