/* The way through tetrahedra. */
#include "algorithms/tuning.h"
#include "sheet_frame.h"
#include "weft/expand.h"
#include "weft/listener.h"

#include <stdbool.h>

/* What is left of a launch: of as many tetrahedra at a time as fit the lists. */
static void run_rest(weft_device *device, sheet_frame f, weft_array blocks,
                     weft_array windows, const weft_array list[2], sheet_step *step,
                     const void *task) {
    const i64 begin = f.from;
    for (i64 from = 0, n = windows.length, all = 0; from < windows.length;) {
        n = n < windows.length - from ? n : windows.length - from;
        const weft_array counts = weft_slice(device, windows, from, n);
        weft_expand_sources(device, counts, list[0], list[1], &all);
        if (weft_check(device) != WEFT_OK)
            return;
        if (n > 1 && all > list[0].length) {
            n = (n + 1) / 2;
            continue;
        }
        weft_scope_open(device);
        const bool fits = all <= list[0].length;
        const weft_array of = fits ? weft_slice(device, list[0], 0, all)
                                   : weft_scratch(device, WEFT_U32, all);
        const weft_array part = fits ? weft_slice(device, list[1], 0, all)
                                     : weft_scratch(device, WEFT_U32, all);
        if (!fits)
            weft_expand_sources(device, counts, of, part, NULL);
        f.from = begin + from;
        if (all > 0)
            step(device, task, f, from, blocks, of, part, windows);
        weft_scope_close(device);
        from += n;
    }
}

void sheet_run(weft_device *device, sheet_frame f, const weft_lattice *lattice,
               sheet_step *step, const void *task) {
    i64 all = f.end - f.begin;
    weft_array blocks = {0};
    for (int k = 0; k < 3; k++)
        if (f.count[k] < f.cells[k] && all > 0) {
            all = sheet_near(device, f, lattice, &blocks);
            break;
        }
    const tuning *tuned = tuning_of(device);
    const i64 whole = tuned->sheet_batch / f.each * f.each; /* cubes */
    const i64 batch = all < whole ? all : whole;
    const weft_array windows = weft_scratch(device, WEFT_U32, batch);
    const weft_array list[2] = {weft_scratch(device, WEFT_U32, tuned->sheet_list),
                                weft_scratch(device, WEFT_U32, tuned->sheet_list)};
    for (f.from = 0; f.from < all && weft_check(device) == WEFT_OK;) {
        const i64 n = all - f.from < batch ? all - f.from : batch;
        const weft_array some = weft_slice(device, windows, 0, n);
        weft_task_until(device, (f64)(f.from + n) / (f64)all);
        step(device, task, f, 0, blocks, (weft_array){0}, (weft_array){0}, some);
        run_rest(device, f, blocks, some, list, step, task);
        f.from += n;
    }
}
