/* The OpenCL backend: the table of functions. */
#include "entries.h"
#include "backends/opencl/program/program.h"

static weft_status open_device(weft_device *device, const char *which) {
    cl_platform_id platform = NULL;
    cl_device_id id = NULL;
    if (opencl_choose(device, which, &platform, &id) != WEFT_OK)
        return weft_check(device);
    return opencl_open_on(device, platform, id, NULL, NULL, NULL);
}

const weft_backend weft_backend_opencl = {
    .name = "opencl",
    .devices = opencl_devices,
    .open = open_device,
    .close = opencl_close,
    .open_beside = opencl_open_beside,
    .mark = opencl_mark,
    .wait_behind = opencl_wait_behind,
    .wait_here = opencl_wait_here,
    .is_past = opencl_is_past,
    .forget = opencl_forget,
    .allocate = opencl_allocate,
    .release = opencl_release,
    .borrow = opencl_borrow,
    .give_back = opencl_give_back,
    .write = opencl_write,
    .read = opencl_read,
    .write_later = opencl_write_later,
    .read_later = opencl_read_later,
    .synchronize = opencl_synchronize,
    .pin = opencl_pin,
    .unpin = opencl_unpin,
    .for_each = opencl_for_each,
    .copy = opencl_copy,
    .reduce = opencl_reduce,
    .scan = opencl_scan,
    .scan_from = opencl_scan_from,
    .sort = opencl_sort,
    .pairs = opencl_pairs,
    .select = opencl_select,
    .replace = opencl_replace,
    .reduce_runs = opencl_reduce_runs,
    .reduce_segments = opencl_reduce_segments,
    .histogram = opencl_histogram,
    .merge = opencl_merge,
    .set = opencl_set,
    .sine_transform = opencl_sine_transform,
    .compile = opencl_compile,
    .load_ahead = opencl_load_ahead,
};
