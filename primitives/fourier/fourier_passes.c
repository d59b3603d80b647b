/* Fourier transforms, an axis at a time, one or two factors at a time. */
#include "fourier_passes.h"
#include "fourier.kernels.h"
#include "primitives/primitives.h"

WEFT_KERNELS(fourier_four, (f32, f64), (value, fourier_pass, a), (in, T, root, 0),
             (in, T, in, 0), (out, T, out, 0))
WEFT_KERNELS(fourier_sixteen, (f32, f64), (value, fourier_pass, a), (in, T, root, 0),
             (in, T, in, 0), (out, T, out, 0))
WEFT_KERNELS(fourier_any, (f32, f64), (value, fourier_pass, a), (in, T, root, 0),
             (in, T, in, 0), (out, T, out, 0))
WEFT_KERNELS(fourier_split, (f32, f64), (value, i64, pairs), (value, i64, each),
             (in, T, root, 0), (in, T, in, 0), (out, T, out, 0))
WEFT_KERNELS(fourier_join, (f32, f64), (value, i64, pairs), (value, i64, each),
             (in, T, root, 0), (in, T, in, 0), (out, T, out, 0))

enum { WOVEN = 8 };

/* `other` is scratch of the spectrum's size; the roots are those of the last side that was
 * asked for, or of a power of two times it. */
typedef struct transform {
    weft_device *device;
    weft_type type;
    int inverse;
    weft_array other, root;
    i64 roots;
} transform;

static transform begin(weft_device *device, i64 length, int inverse, weft_type type) {
    return (transform){.device = device,
                       .type = type,
                       .inverse = inverse,
                       .other = weft_scratch(device, type, length)};
}

/* Which root of the table at hand is the first one of n; n times it is a power of two,
 * times n, so that the same angles are the same bytes. */
static i64 roots_of(transform *t, i64 n) {
    const i64 each = t->roots / n;
    if (t->roots == 0 || each * n != t->roots || (each & (each - 1)) != 0) {
        t->root = fourier_roots(t->device, t->type, n);
        t->roots = n;
    }
    return t->roots / n;
}

static i32 radix_of(i64 left) {
    return left % 16 == 0 ? 16 : fourier_factors_next(left);
}

/* The next pass. The last one of an axis may be in place: its work-items read what they
 * write. */
static void pass(const transform *t, fourier_pass *a, i64 blocks, weft_array from,
                 weft_array to) {
    a->radix = radix_of(a->n / a->done);
    const weft_kernel *const *kernels = a->radix == 16  ? fourier_sixteen_kernels
                                        : a->radix == 4 ? fourier_four_kernels
                                                        : fourier_any_kernels;
    const struct fourier_any_f32_arguments arguments = {
        .a = *a, .root = t->root, .in = from, .out = to};
    weft_launch(t->device, blocks * a->inner * (a->n / a->radix),
                kernels[t->type == WEFT_F64], &arguments);
    a->done *= a->radix;
}

static int is_last(const fourier_pass *a) {
    return a->done * radix_of(a->n / a->done) == a->n;
}

static fourier_order rows_of(i64 inner) {
    return (fourier_order){.line = 1, .row = inner};
}

/* Transforms n rows of each block, in place. */
static void axis(transform *t, i64 n, i64 inner, i64 blocks, weft_array numbers) {
    if (n == 1)
        return;
    fourier_pass a = {.n = n,
                      .inner = inner,
                      .each = roots_of(t, n),
                      .done = 1,
                      .from = rows_of(inner),
                      .to = rows_of(inner),
                      .inverse = t->inverse};
    const weft_array turns[2] = {numbers, t->other};
    for (int now = 0; a.done < n;) {
        const int next = is_last(&a) ? 0 : 1 - now;
        pass(t, &a, blocks, turns[now], turns[next]);
        now = next;
    }
}

/* Lines of m complex numbers, one after the other. Between their passes up to WOVEN of them
 * lie side by side, a power of two that is a factor of how many there are, so that what
 * neighbours read and write are neighbours, too. Results take turns from turns[now] on, up
 * to `to`. */
static void lines_along(transform *t, i64 m, i64 lines, weft_array from,
                        const weft_array turns[2], int now, weft_array to) {
    const i64 twos = lines & -lines, inner = twos < WOVEN ? twos : WOVEN;
    const fourier_order alone = {.line = m, .row = 1}, woven = rows_of(inner);
    fourier_pass a = {.n = m,
                      .inner = inner,
                      .each = roots_of(t, m),
                      .done = 1,
                      .from = alone,
                      .inverse = t->inverse};
    for (; a.done < m; now = 1 - now, a.from = woven) {
        const int last = is_last(&a);
        const weft_array next = last ? to : turns[now];
        a.to = last ? alone : woven;
        pass(t, &a, lines / inner, from, next);
        from = next;
    }
}

static void split(transform *t, i64 n, i64 lines, weft_array real, weft_array spectrum) {
    const i64 m = n / 2, each = roots_of(t, n);
    const weft_array turns[2] = {t->other, spectrum};
    int now = 1;
    for (i64 done = 1; done < m; done *= radix_of(m / done))
        now = 1 - now;
    lines_along(t, m, lines, real, turns, now, t->other);
    const struct fourier_split_f32_arguments arguments = {.pairs = m,
                                                          .each = each,
                                                          .root = t->root,
                                                          .in = m == 1 ? real : t->other,
                                                          .out = spectrum};
    weft_launch(t->device, (m + 1) * lines, fourier_split_kernels[t->type == WEFT_F64],
                &arguments);
}

static void join(transform *t, i64 n, i64 lines, weft_array spectrum, weft_array real) {
    const i64 m = n / 2, each = roots_of(t, n);
    const weft_array turns[2] = {t->other, spectrum}, joined = m == 1 ? real : t->other;
    const struct fourier_join_f32_arguments arguments = {
        .pairs = m, .each = each, .root = t->root, .in = spectrum, .out = joined};
    weft_launch(t->device, m * lines, fourier_join_kernels[t->type == WEFT_F64],
                &arguments);
    lines_along(t, m, lines, joined, turns, 1, real);
}

void fourier_grid(weft_device *device, const i64 n[3], int whole, int back, weft_array real,
                  weft_array spectrum) {
    const i64 length = n[2] / 2 + 1, lines = n[0] * n[1];
    transform t = begin(device, 2 * lines * length, back, real.type);
    if (!back) {
        split(&t, n[2], lines, real, spectrum);
        axis(&t, n[1], length, n[0], spectrum);
    }
    if (whole)
        axis(&t, n[0], n[1] * length, 1, spectrum);
    if (back) {
        axis(&t, n[1], length, n[0], spectrum);
        join(&t, n[2], lines, spectrum, real);
    }
}

void fourier_in_place(weft_device *device, i64 n, i64 lines, int back, weft_array numbers) {
    transform t = begin(device, 2 * n * lines, back, numbers.type);
    axis(&t, n, lines, 1, numbers);
}
