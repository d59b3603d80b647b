#include "algorithms/points/arguments.h"
#include "algorithms/sheet/sheet_frame.h"
#include "sheet_faces.kernel.h"
#include "weft/expand.h"
#include "weft/listener.h"

WEFT_KERNEL(sheet_faces_list, (value, sheet_frame, f), (optional, u32, of),
            (optional, u32, part), (in, f64, position, 0), (out, u32, out, 0))

static const char NAME[] = "weft_sheet_caustics";

/* Tetrahedra at a time: each has at most four faces. */
enum { BATCH = 1 << 18 };

weft_status weft_sheet_caustics(weft_device *device, const weft_lattice *lattice,
                                weft_tessellation tessellation, weft_array corners,
                                int64_t *count) {
    const weft_sheet_options options = {.grid = {1, 1, 1}, .tessellation = tessellation};
    i64 found = 0;
    if (count)
        *count = 0;
    if (!arguments_given(device, NAME, "count", count))
        return weft_check(device);
    sheet_frame f = sheet_frame_of(device, NAME, lattice, &options);
    const i64 end = f.end;
    if (corners.type)
        arguments_array(device, NAME, "corners", corners, WEFT_U32, 0);
    const i64 room = corners.type ? corners.length / 3 : 0;
    weft_task_begin(device, NAME);
    weft_scope_open(device);
    const weft_array counts = weft_scratch(device, WEFT_U32, end < BATCH ? end : BATCH);
    while (f.begin < end && weft_check(device) == WEFT_OK) {
        const i64 n = end - f.begin < BATCH ? end - f.begin : BATCH;
        const weft_array some = weft_slice(device, counts, 0, n);
        i64 all = 0;
        weft_task_until(device, (f64)(f.begin + n) / (f64)end);
        weft_for_each(device, n, sheet_faces_list, .f = f, .position = lattice->position,
                      .out = some);
        weft_expand_sources(device, some, (weft_array){0}, (weft_array){0}, &all);
        const i64 fit = all < room - found ? all : room - found;
        weft_scope_open(device);
        if (fit > 0) {
            const weft_array of = weft_scratch(device, WEFT_U32, fit);
            const weft_array part = weft_scratch(device, WEFT_U32, fit);
            weft_expand_sources(device, some, of, part, NULL);
            weft_for_each(device, fit, sheet_faces_list, .f = f, .of = of, .part = part,
                          .position = lattice->position,
                          .out = weft_slice(device, corners, 3 * found, 3 * fit));
        }
        weft_scope_close(device);
        found += all;
        f.begin += n;
    }
    weft_scope_close(device);
    weft_task_end(device);
    *count = weft_check(device) == WEFT_OK ? found : 0;
    return weft_check(device);
}
