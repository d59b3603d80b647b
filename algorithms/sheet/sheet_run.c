/* The way through tetrahedra. */
#include "algorithms/points/points.h"
#include "sheet_blocks.kernel.h"
#include "sheet_frame.h"
#include "weft/expand.h"

WEFT_GENERATOR(sheet_blocks_is_near, u32, (value, sheet_frame, f), (in, f64, position, 0))

/* Tetrahedra at a time, windows that are listed, and cubes of a block. */
enum { BATCH = 1 << 18, MOST_WINDOWS = 1 << 21, BLOCK = 64 };

/* What is left of a launch: of as many tetrahedra at a time as fit the lists. */
static void run_rest(weft_device *device, sheet_frame f, weft_array blocks,
                     weft_array windows, sheet_step *step, const void *task) {
    for (i64 from = 0, n = windows.length; from < windows.length;) {
        i64 all = 0;
        n = n < windows.length - from ? n : windows.length - from;
        const weft_array counts = weft_slice(device, windows, from, n);
        weft_expand_sources(device, counts, (weft_array){0}, (weft_array){0}, &all);
        if (weft_check(device) != WEFT_OK)
            return;
        if (n > 1 && all > MOST_WINDOWS) {
            n = (n + 1) / 2;
            continue;
        }
        weft_scope_open(device);
        if (all > 0) {
            const weft_array of = weft_scratch(device, WEFT_U32, all);
            const weft_array part = weft_scratch(device, WEFT_U32, all);
            weft_expand_sources(device, counts, of, part, NULL);
            step(device, task, f, all, blocks, of, part, windows);
        }
        weft_scope_close(device);
        f.from += n;
        from += n;
    }
}

/* The blocks near the cells; how many tetrahedra they hold. */
static i64 find_blocks(weft_device *device, sheet_frame f, weft_array position,
                       weft_array *blocks) {
    const i64 all = (f.end - f.begin + f.block - 1) / f.block;
    i64 near = 0;
    *blocks = weft_scratch(device, WEFT_U32, all);
    points_list(device, weft_lazy(all, sheet_blocks_is_near, .f = f, .position = position),
                *blocks, &near);
    return near * f.block;
}

void sheet_run(weft_device *device, sheet_frame f, weft_array position, sheet_step *step,
               const void *task) {
    i64 all = f.end - f.begin;
    weft_array blocks = {0};
    f.block = BLOCK * f.each;
    for (int k = 0; k < 3; k++)
        if (f.count[k] < f.cells[k] && all > 0) {
            all = find_blocks(device, f, position, &blocks);
            break;
        }
    const weft_array windows = weft_scratch(device, WEFT_U32, all < BATCH ? all : BATCH);
    for (f.from = 0; f.from < all && weft_check(device) == WEFT_OK;) {
        const i64 n = all - f.from < BATCH ? all - f.from : BATCH;
        const weft_array some = weft_slice(device, windows, 0, n);
        step(device, task, f, n, blocks, (weft_array){0}, (weft_array){0}, some);
        run_rest(device, f, blocks, some, step, task);
        f.from += n;
    }
}
