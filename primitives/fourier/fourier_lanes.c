/* Fourier transforms for threads: an axis at a time, all of its factors at once. */
#include "fourier_lanes.kernels.h"
#include "fourier_passes.h"
#include "primitives/primitives.h"

WEFT_KERNELS(fourier_lanes_axis, (f32, f64), (value, fourier_lanes, a), (in, T, root, 0),
             (inout, T, rooms, 0), (inout, T, numbers, 0))
WEFT_KERNELS(fourier_lanes_split, (f32, f64), (value, fourier_lanes, a), (in, T, root, 0),
             (in, T, whole, 0), (inout, T, rooms, 0), (in, T, real, 0),
             (out, T, spectrum, 0))
WEFT_KERNELS(fourier_lanes_join, (f32, f64), (value, fourier_lanes, a), (in, T, root, 0),
             (in, T, whole, 0), (inout, T, rooms, 0), (in, T, spectrum, 0),
             (out, T, real, 0))

int fourier_lanes_pay(const weft_device *device, weft_type type, i64 longest) {
    enum { MOST_ROOM = 2 << 20 };
    return weft_device_style(device) == WEFT_SIMD &&
           fourier_lanes_room(longest) * (i64)WEFT_SIZE(type) <= MOST_ROOM;
}

/* Shares of the work: enough that a thread that is late has few more than others, and few
 * enough that their rooms stay in the caches. */
static fourier_lanes share_out(const weft_device *device, i64 n, i64 blocks, i64 inner,
                               int back) {
    enum { EACH = 8 };
    fourier_lanes a = {.n = n,
                       .inner = inner,
                       .parts = (inner + FOURIER_ROW - 1) / FOURIER_ROW,
                       .inverse = back};
    a.items = blocks * a.parts;
    a.turns = min(a.items, EACH * device->concurrency);
    return a;
}

static weft_array rooms_of(weft_device *device, weft_type type, fourier_lanes a) {
    return weft_scratch(device, type, a.turns * fourier_lanes_room(a.n));
}

void fourier_lanes_in_place(weft_device *device, i64 n, i64 blocks, i64 lines, int back,
                            weft_array numbers) {
    if (n == 1 || blocks == 0)
        return;
    const fourier_lanes a = share_out(device, n, blocks, lines, back);
    weft_scope_open(device);
    const struct fourier_lanes_axis_f32_arguments arguments = {
        .a = a,
        .root = fourier_roots(device, numbers.type, n),
        .rooms = rooms_of(device, numbers.type, a),
        .numbers = numbers};
    weft_launch(device, a.turns, fourier_lanes_axis_kernels[numbers.type == WEFT_F64],
                &arguments);
    weft_scope_close(device);
}

/* The last axis, of real numbers. */
static void split(weft_device *device, i64 n, i64 lines, weft_array real,
                  weft_array spectrum) {
    const fourier_lanes a = share_out(device, n / 2, 1, lines, 0);
    weft_scope_open(device);
    const struct fourier_lanes_split_f32_arguments arguments = {
        .a = a,
        .root = fourier_roots(device, real.type, n / 2),
        .whole = fourier_roots(device, real.type, n),
        .rooms = rooms_of(device, real.type, a),
        .real = real,
        .spectrum = spectrum};
    weft_launch(device, a.turns, fourier_lanes_split_kernels[real.type == WEFT_F64],
                &arguments);
    weft_scope_close(device);
}

static void join(weft_device *device, i64 n, i64 lines, weft_array spectrum,
                 weft_array real) {
    const fourier_lanes a = share_out(device, n / 2, 1, lines, 1);
    weft_scope_open(device);
    const struct fourier_lanes_join_f32_arguments arguments = {
        .a = a,
        .root = fourier_roots(device, real.type, n / 2),
        .whole = fourier_roots(device, real.type, n),
        .rooms = rooms_of(device, real.type, a),
        .spectrum = spectrum,
        .real = real};
    weft_launch(device, a.turns, fourier_lanes_join_kernels[real.type == WEFT_F64],
                &arguments);
    weft_scope_close(device);
}

void fourier_lanes_grid(weft_device *device, const i64 n[3], int whole, int back,
                        weft_array real, weft_array spectrum) {
    const i64 length = n[2] / 2 + 1;
    if (!back) {
        split(device, n[2], n[0] * n[1], real, spectrum);
        fourier_lanes_in_place(device, n[1], n[0], length, back, spectrum);
    }
    if (whole)
        fourier_lanes_in_place(device, n[0], 1, n[1] * length, back, spectrum);
    if (back) {
        fourier_lanes_in_place(device, n[1], n[0], length, back, spectrum);
        join(device, n[2], n[0] * n[1], spectrum, real);
    }
}
