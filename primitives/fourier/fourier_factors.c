/* Which lines can be transformed, and the numbers that passes multiply with. */
#include "fourier_factors.kernel.h"
#include "fourier_passes.h"

#include <math.h>
#include <stdlib.h>

int fourier_is_side(i64 n) {
    while (fourier_factors_next(n))
        n /= fourier_factors_next(n);
    return n == 1;
}

/* The cosine and the sine of pi b / (4 n), for b = 0 .. n, an eighth of a turn: most angles
 * are some of these again. */
typedef struct eighth {
    long double x, y;
    int is_known;
} eighth;

static eighth *find_eighth(eighth *known, i64 b, i64 n) {
    const long double pi = 3.14159265358979323846264338327950288L;
    const long double angle = pi * (long double)b / (4 * n);
    if (!known[b].is_known)
        known[b] = (eighth){cosl(angle), sinl(angle), 1};
    return &known[b];
}

static void write_numbers(weft_type type, i64 n, eighth *known, void *host) {
    for (i64 k = 0; k < n; k++) {
        const i64 a = 8 * k > 4 * n ? 8 * n - 8 * k : 8 * k, b = a > 2 * n ? 4 * n - a : a;
        const eighth *e = find_eighth(known, b > n ? 2 * n - b : b, n);
        const long double x = b > n ? e->y : e->x, y = b > n ? e->x : e->y;
        const f64 re = (f64)(a > 2 * n ? -x : x), im = (f64)(8 * k > 4 * n ? y : -y);
        const f64 numbers[3] = {re, im, -im};
        for (int part = 0; part < 3; part++)
            if (type == WEFT_F64)
                ((f64 *)host)[3 * k + part] = numbers[part];
            else
                ((f32 *)host)[3 * k + part] = (f32)numbers[part];
    }
}

weft_array fourier_roots(weft_device *device, weft_type type, i64 n) {
    const weft_array root = weft_scratch(device, type, 3 * n);
    void *host = calloc((size_t)(3 * n), WEFT_SIZE(type));
    eighth *known = calloc((size_t)n + 1, sizeof *known);
    if (host && known) {
        write_numbers(type, n, known, host);
        weft_write(device, root, host);
    } else {
        weft_fail(device, WEFT_E_MEMORY, "out of memory: %lld roots", (long long)n);
    }
    free(known);
    free(host);
    return root;
}
