/* Potentials of masses alone in space: Hockney and Eastwood's convolution with 1 / r on a
 * grid of twice the width, by sine transforms. */
#include "poisson.h"
#include "poisson.kernel.h"
#include "weft/register.h"
#include "weft/sine_transform.h"
#include "weft/transform.h"

#include <math.h>
#include <stdlib.h>

WEFT_GENERATOR(poisson_green, f32, (value, i32, n))
WEFT_KERNEL(poisson_cosines, (value, i32, n), (value, i32, side), (value, i32, lines),
            (value, i32, width), (in, f32, cosine, 0), (in, f32, in, 0), (out, f32, out, 0))
WEFT_GENERATOR(poisson_pad, f32, (value, i32, n), (value, i32, side), (in, f32, cube, 0))
WEFT_GENERATOR(poisson_cut, f32, (value, i32, n), (value, i32, side), (in, f32, cube, 0))
WEFT_KERNEL(poisson_multiply, (value, i64, points), (value, f32, factor),
            (in, f32, symbol, 0), (inout, f32, cube))

/* What an axis' places at distance d, on both sides, give to wave p: [n][width]. */
static weft_array cosines(weft_device *device, i32 n, i32 side, i32 width) {
    const f64 pi = 3.14159265358979323846;
    const weft_array cosine = weft_scratch(device, WEFT_F32, (i64)n * width);
    f32 *host = calloc((size_t)(n * width), sizeof *host);
    if (!host) {
        weft_fail(device, WEFT_E_MEMORY, "out of memory: a matrix of %d cosines", n);
        return cosine;
    }
    for (i32 d = 0; d < n; d++)
        for (i32 p = 0; p < side; p++)
            host[d * width + p] =
                (f32)((d > 0 ? 2 : 1) *
                      cos(pi * ((p + 1) * d % (2 * side + 2)) / (side + 1)));
    weft_write(device, cosine, host);
    free(host);
    return cosine;
}

weft_array poisson_symbol(weft_device *device, i64 n) {
    const i64 side = poisson_open_side(n), rows = (side + POISSON_ROW - 1) / POISSON_ROW;
    const i64 width = rows * POISSON_ROW;
    const weft_array symbol = weft_scratch(device, WEFT_F32, side * side * side);
    weft_scope_open(device);
    const weft_array cosine = cosines(device, (i32)n, (i32)side, (i32)width);
    const weft_array green = weft_scratch(device, WEFT_F32, n * n * n);
    const weft_array once = weft_scratch(device, WEFT_F32, n * n * side);
    const weft_array twice = weft_scratch(device, WEFT_F32, n * side * side);
    const weft_array step[] = {green, once, twice, symbol};
    weft_transform(device, n * n * n, green, poisson_green, .n = (i32)n);
    for (int axis = 0; axis < 3; axis++) {
        const i64 lines = step[axis].length / n;
        weft_for_each(device, lines * rows, poisson_cosines, .n = (i32)n, .side = (i32)side,
                      .lines = (i32)lines, .width = (i32)width, .cosine = cosine,
                      .in = step[axis], .out = step[axis + 1]);
    }
    weft_scope_close(device);
    return symbol;
}

void poisson_solve_open(weft_device *device, i64 n, weft_array symbol, weft_array cubes) {
    const i64 side = poisson_open_side(n), points = side * side * side;
    const i64 all = cubes.length / (n * n * n) * points;
    weft_scope_open(device);
    const weft_array wide = weft_scratch(device, WEFT_F32, all);
    weft_transform(device, all, wide, poisson_pad, .n = (i32)n, .side = (i32)side,
                   .cube = cubes);
    weft_sine_transform(device, side, wide);
    weft_for_each(device, all, poisson_multiply, .points = points,
                  .factor = (f32)(1 / pow((f64)(2 * side + 2), 3)), .symbol = symbol,
                  .cube = wide);
    weft_sine_transform(device, side, wide);
    weft_transform(device, cubes.length, cubes, poisson_cut, .n = (i32)n, .side = (i32)side,
                   .cube = wide);
    weft_scope_close(device);
}
