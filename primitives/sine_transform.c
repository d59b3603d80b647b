/* Sine transforms: the backend's own, or by matrices. */
#include "primitives.h"
#include "sine_transform.kernel.h"
#include "weft/sine_transform.h"
#include "weft/transform.h"

#include <math.h>
#include <stdlib.h>

WEFT_KERNEL(sine_transform_axis, (value, i32, n), (value, i32, width), (in, f32, sine, 0),
            (in, f32, in, 0), (out, f32, out, 0))

/* 2 sin(pi (p + 1) (i + 1) / (n + 1)), in rows of `width`. */
static weft_array matrix(weft_device *device, i32 n, i32 width) {
    const f64 pi = 3.14159265358979323846;
    const weft_array sine = weft_scratch(device, WEFT_F32, (i64)n * width);
    f32 *host = calloc((size_t)(n * width), sizeof *host);
    if (!host) {
        weft_fail(device, WEFT_E_MEMORY, "out of memory: a matrix of %d sines", n);
        return sine;
    }
    for (i32 p = 0; p < n; p++)
        for (i32 i = 0; i < n; i++)
            host[p * width + i] =
                (f32)(2 * sin(pi * ((p + 1) * (i + 1) % (2 * n + 2)) / (n + 1)));
    weft_write(device, sine, host);
    free(host);
    return sine;
}

static void by_matrices(weft_device *device, i32 n, weft_array cubes) {
    const i32 width =
        (n + SINE_TRANSFORM_ROW - 1) / SINE_TRANSFORM_ROW * SINE_TRANSFORM_ROW;
    const i64 rows = cubes.length / n * (width / SINE_TRANSFORM_ROW);
    const weft_array sine = matrix(device, n, width);
    const weft_array other = weft_scratch(device, WEFT_F32, cubes.length);
    weft_for_each(device, rows, sine_transform_axis, .n = n, .width = width, .sine = sine,
                  .in = cubes, .out = other);
    weft_for_each(device, rows, sine_transform_axis, .n = n, .width = width, .sine = sine,
                  .in = other, .out = cubes);
    weft_for_each(device, rows, sine_transform_axis, .n = n, .width = width, .sine = sine,
                  .in = cubes, .out = other);
    weft_copy(device, other, cubes);
}

weft_status weft_sine_transform(weft_device *device, i64 n, weft_array cubes) {
    weft_span span = {0};
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    if (n < 1 || n > WEFT_SINE_TRANSFORM_MOST)
        return weft_fail(device, WEFT_E_ARGUMENT,
                         "weft_sine_transform: n is %lld, not 1 to %d", (long long)n,
                         WEFT_SINE_TRANSFORM_MOST);
    if (weft_need_output(device, "weft_sine_transform.cubes", cubes, WEFT_F32, 0, &span) !=
        WEFT_OK)
        return weft_check(device);
    if (cubes.length % (n * n * n) != 0)
        return weft_fail(device, WEFT_E_SHAPE,
                         "weft_sine_transform: %lld numbers are no cubes of %lld^3",
                         (long long)cubes.length, (long long)n);
    if (cubes.length == 0)
        return WEFT_OK;
    weft_scope_open(device);
    if (!device->backend->sine_transform ||
        !device->backend->sine_transform(device, n, span))
        by_matrices(device, (i32)n, cubes);
    weft_scope_close(device);
    return weft_check(device);
}
