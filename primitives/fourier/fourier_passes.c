/* Fourier transforms, an axis at a time, a factor at a time. */
#include "fourier_passes.h"
#include "fourier.kernels.h"
#include "primitives/primitives.h"
#include "weft/transform.h"

WEFT_KERNELS(fourier_four, (f32, f64), (value, fourier_pass, a), (in, T, root, 0),
             (in, T, in, 0), (out, T, out, 0))
WEFT_KERNELS(fourier_any, (f32, f64), (value, fourier_pass, a), (in, T, root, 0),
             (in, T, in, 0), (out, T, out, 0))
WEFT_KERNELS(fourier_weave, (f32, f64), (value, i64, m), (value, i64, lines),
             (value, i32, back), (in, T, in, 0), (out, T, out, 0))
WEFT_KERNELS(fourier_split, (f32, f64), (value, i64, m), (value, i64, lines),
             (in, T, root, 0), (in, T, in, 0), (out, T, out, 0))
WEFT_KERNELS(fourier_join, (f32, f64), (value, i64, m), (value, i64, lines),
             (in, T, root, 0), (in, T, in, 0), (out, T, out, 0))

/* Each step reads what the one before it wrote. They take turns between the spectrum and as
 * much scratch, such that the last one writes the result. */
typedef struct transform {
    weft_device *device;
    int wide, inverse;
    i64 step, steps;
    weft_array now, turns[2], result;
} transform;

static weft_array next_of(const transform *t) {
    const i64 left = t->steps - 1 - t->step;
    return left == 0 ? t->result : t->turns[left % 2];
}

static void launch(transform *t, i64 items, const weft_kernel *const *kernels,
                   const void *arguments) {
    weft_launch(t->device, items, kernels[t->wide], arguments);
    t->now = next_of(t);
    t->step++;
}

/* Transforms n rows of each block. */
static void axis(transform *t, i64 n, i64 inner, i64 last, i64 blocks) {
    fourier_pass a = {.n = n,
                      .inner = inner,
                      .last = last,
                      .blocks = blocks,
                      .done = 1,
                      .parts = (inner + FOURIER_ROW - 1) / FOURIER_ROW,
                      .inverse = t->inverse};
    if (n == 1)
        return;
    const weft_array root = fourier_roots(t->device, t->result.type, n);
    for (; a.done < n; a.done *= a.radix) {
        a.radix = fourier_factors_next(n / a.done);
        const struct fourier_any_f32_arguments arguments = {
            .a = a, .root = root, .in = t->now, .out = next_of(t)};
        launch(t, blocks * (n / a.radix) * a.parts,
               a.radix == 4 ? fourier_four_kernels : fourier_any_kernels, &arguments);
    }
}

/* Lines along the last axis, FOURIER_ROW of them side by side. */
static void lines_along(transform *t, i64 m, i64 lines) {
    const i64 blocks = (lines + FOURIER_ROW - 1) / FOURIER_ROW;
    const i64 width = lines < FOURIER_ROW ? lines : FOURIER_ROW;
    axis(t, m, blocks > 1 ? FOURIER_ROW : width, lines - (blocks - 1) * FOURIER_ROW,
         blocks);
}

static void weave(transform *t, i64 m, i64 lines) {
    const struct fourier_weave_f32_arguments arguments = {
        .m = m, .lines = lines, .back = t->inverse, .in = t->now, .out = next_of(t)};
    launch(t, m * lines, fourier_weave_kernels, &arguments);
}

static void planes_forward(transform *t, const i64 n[3]) {
    const i64 m = n[2] / 2, lines = n[0] * n[1];
    weave(t, m, lines);
    lines_along(t, m, lines);
    const struct fourier_split_f32_arguments split = {
        .m = m,
        .lines = lines,
        .root = fourier_roots(t->device, t->result.type, n[2]),
        .in = t->now,
        .out = next_of(t)};
    launch(t, (m + 1) * lines, fourier_split_kernels, &split);
    axis(t, n[1], m + 1, m + 1, n[0]);
}

static void planes_inverse(transform *t, const i64 n[3]) {
    const i64 m = n[2] / 2, lines = n[0] * n[1];
    axis(t, n[1], m + 1, m + 1, n[0]);
    const struct fourier_join_f32_arguments join = {
        .m = m,
        .lines = lines,
        .root = fourier_roots(t->device, t->result.type, n[2]),
        .in = t->now,
        .out = next_of(t)};
    launch(t, m * lines, fourier_join_kernels, &join);
    lines_along(t, m, lines);
    weave(t, m, lines);
}

void fourier_grid(weft_device *device, const i64 n[3], int whole, int back, weft_array real,
                  weft_array spectrum) {
    const i64 inner = n[1] * (n[2] / 2 + 1);
    const weft_array other = weft_scratch(device, real.type, 2 * n[0] * inner);
    transform t = {
        .device = device,
        .wide = real.type == WEFT_F64,
        .inverse = back,
        .steps = (whole ? fourier_passes_of(n[0]) : 0) + fourier_passes_of(n[1]) +
                 fourier_passes_of(n[2] / 2) + 2,
        .now = back ? spectrum : real,
        .result = back ? real : spectrum,
    };
    /* Forward the last but one step writes to the scratch; back, the first one does. */
    const int scratch_first = back ? (int)((t.steps - 1) % 2) : 1;
    t.turns[scratch_first] = other;
    t.turns[1 - scratch_first] = spectrum;
    if (back && whole)
        axis(&t, n[0], inner, inner, 1);
    if (back)
        planes_inverse(&t, n);
    else
        planes_forward(&t, n);
    if (!back && whole)
        axis(&t, n[0], inner, inner, 1);
}

/* An odd number of steps begins with a copy, since none can read what it writes. */
void fourier_in_place(weft_device *device, i64 n, i64 lines, int back, weft_array numbers) {
    const weft_array other = weft_scratch(device, numbers.type, 2 * n * lines);
    transform t = {.device = device,
                   .wide = numbers.type == WEFT_F64,
                   .inverse = back,
                   .steps = fourier_passes_of(n),
                   .now = numbers,
                   .turns = {numbers, other},
                   .result = numbers};
    if (t.steps % 2 == 1) {
        weft_copy(device, numbers, other);
        t.now = other;
    }
    axis(&t, n, lines, lines, 1);
}
