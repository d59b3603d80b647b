#include "weft/listener.h"
#include "weft/sheet.h"
#include "algorithms/tuning.h"
#include "sheet_frame.h"
#include "sheet.kernel.h"
#include "sheet_sample.kernel.h"

WEFT_KERNEL(sheet_deposit, (value, sheet_frame, f), (optional, u32, blocks, 0),
            (in, f64, position, 0), (shared, u32, windows, 0), (shared, u32, units, 0))
WEFT_KERNEL(sheet_deposit_window, (value, sheet_frame, f), (optional, u32, blocks, 0),
            (in, u32, of), (in, u32, part), (in, f64, position, 0), (shared, u32, units, 0))

WEFT_KERNEL(sheet_sample, (value, sheet_frame, f), (value, i32, samples),
            (in, f64, position, 0), (shared, u32, units, 0))

struct masses {
    weft_array position, units;
};

static void run(weft_device *device, const void *task, sheet_frame f, i64 skip,
                weft_array blocks, weft_array of, weft_array part, weft_array windows) {
    const struct masses *masses = task;
    (void)skip;
    if (of.type)
        weft_for_each(device, of.length, sheet_deposit_window, .f = f, .blocks = blocks,
                      .of = of, .part = part, .position = masses->position,
                      .units = masses->units);
    else
        weft_for_each(device, windows.length / f.each, sheet_deposit, .f = f,
                      .blocks = blocks, .position = masses->position, .windows = windows,
                      .units = masses->units);
}

static weft_status deposit(weft_device *device, const char *call,
                           const weft_lattice *lattice, sheet_frame f, weft_array units) {
    sheet_check_cells(device, call, "units", units, &f, 1);
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    const struct masses task = {lattice->position, weft_as(device, units, WEFT_U32)};
    weft_task_begin(device, call);
    weft_scope_open(device);
    if (tuning_of(device)->sheet_rows)
        sheet_rows(device, f, lattice, task.units);
    else
        sheet_run(device, f, lattice, run, &task);
    weft_scope_close(device);
    weft_task_end(device);
    return weft_check(device);
}

weft_status weft_sheet_deposit(weft_device *device, const weft_lattice *lattice,
                               const weft_sheet_options *options, weft_array units) {
    static const char name[] = "weft_sheet_deposit";
    const sheet_frame f = sheet_frame_of(device, name, lattice, options);
    return deposit(device, name, lattice, f, units);
}

weft_status weft_sheet_streams(weft_device *device, const weft_lattice *lattice,
                               const weft_sheet_options *options, weft_array units) {
    static const char name[] = "weft_sheet_streams";
    sheet_frame f = sheet_frame_of(device, name, lattice, options);
    f.streams = 1;
    return deposit(device, name, lattice, f, units);
}

weft_status weft_sheet_project(weft_device *device, const weft_lattice *lattice,
                               const weft_sheet_options *options, int axis,
                               weft_array units) {
    static const char name[] = "weft_sheet_project";
    if (axis < 0 || axis > 2)
        return weft_fail(device, WEFT_E_ARGUMENT, "%s: axis is %d, not 0 to 2", name, axis);
    sheet_frame f = sheet_frame_of(device, name, lattice, options);
    if (f.count[axis] != f.cells[axis])
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: cells %lld to %lld of axis %d are not all of it", name,
                  (long long)f.first[axis], (long long)(f.first[axis] + f.count[axis] - 1),
                  axis);
    sheet_frame_flatten(&f, axis);
    return deposit(device, name, lattice, f, units);
}

weft_status weft_sheet_sample(weft_device *device, const weft_lattice *lattice,
                              const weft_sheet_options *options, int samples,
                              weft_array units) {
    static const char name[] = "weft_sheet_sample";
    enum { MOST_SAMPLES = 1 << 20 };
    const sheet_frame f = sheet_frame_of(device, name, lattice, options);
    if (samples < 1 || samples > MOST_SAMPLES)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: samples is %d, not 1 to %d", name, samples,
                  MOST_SAMPLES);
    sheet_check_cells(device, name, "units", units, &f, 1);
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    weft_task_begin(device, name);
    weft_task_until(device, 1);
    weft_for_each(device, f.end - f.begin, sheet_sample, .f = f, .samples = samples,
                  .position = lattice->position, .units = weft_as(device, units, WEFT_U32));
    weft_task_end(device);
    return weft_check(device);
}
