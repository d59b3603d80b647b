/* Sine transforms as products with the matrix of sines. */
#ifndef WEFT_SINE_TRANSFORM_KERNEL_H
#define WEFT_SINE_TRANSFORM_KERNEL_H

#include <weft/kernel.h>

enum { SINE_TRANSFORM_ROW = 16 };

/* The first axis of cubes, whose place becomes the last: out[q][r][i] is the sum over p of
 * sine[p][i] in[p][q][r], for the row of 16 i that is number t. The matrix has `width`
 * columns, a multiple of 16, of which those from n on are 0. */
static inline void sine_transform_axis(index_t t, i32 n, i32 width, GLOBAL const f32 *sine,
                                       GLOBAL const f32 *in, GLOBAL f32 *out) {
    const index_t square = (index_t)n * n, rows = width / SINE_TRANSFORM_ROW;
    const index_t line = t / rows, cube = line / square, first = t % rows * 16;
    GLOBAL const f32 *from = in + cube * square * n + line % square;
    GLOBAL f32 *to = out + line * n + first;
    f32 sum[SINE_TRANSFORM_ROW];
    for (i32 l = 0; l < SINE_TRANSFORM_ROW; l++)
        sum[l] = 0.0f;
    for (i32 p = 0; p < n; p++) {
        const f32 x = from[p * square];
        for (i32 l = 0; l < SINE_TRANSFORM_ROW; l++)
            sum[l] += sine[p * (index_t)width + first + l] * x;
    }
    for (i32 l = 0; l < SINE_TRANSFORM_ROW; l++)
        if (first + l < n)
            to[l] = sum[l];
}

#endif
