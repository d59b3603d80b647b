/* The well that a particle makes for itself on the mesh of HACC, whose window is not
 * divided out: it depends on where between points the particle is. */
#include "gravity.h"

#include <math.h>
#include <stdlib.h>

/* Of waves x <= y <= z of a cube, all that have these numbers in some order and sign. */
static f64 alike(i64 n, i64 x, i64 y, i64 z) {
    const f64 orders = x == z ? 1 : x == y || y == z ? 3 : 6;
    f64 signs = 1;
    for (int k = 0; k < 3; k++) {
        const i64 wave = k == 0 ? x : k == 1 ? y : z;
        signs *= wave == 0 || 2 * wave == n ? 1 : 2;
    }
    return orders * signs;
}

/* -4 pi / k^2, filtered, of all waves: what a mass of 1 at a point is to the points that
 * are apart from it along none, one, two or three axes. */
static void add_up(i64 n, const f64 *sharpen, const f64 *square, const f64 *next,
                   f64 apart[4]) {
    const f64 pi = 3.14159265358979323846;
    for (i64 z = 1; z <= n / 2; z++)
        for (i64 y = 0; y <= z; y++) {
            const f64 share = sharpen[y] * sharpen[z], sum = square[y] + square[z];
            for (i64 x = 0; x <= y; x++) {
                const f64 part = alike(n, x, y, z) * share * sharpen[x] *
                                 (-2 / (2 * pi * (sum + square[x])));
                const f64 a = next[x], b = next[y], c = next[z];
                apart[0] += part;
                apart[1] += part * (a + b + c) / 3;
                apart[2] += part * (a * b + b * c + c * a) / 3;
                apart[3] += part * a * b * c;
            }
        }
}

gravity_well gravity_own_well(weft_device *device, const weft_gravity *plan) {
    const i64 n = plan->options.mesh;
    gravity_well own = {{0}};
    f64 *host = calloc((size_t)n, 3 * sizeof *host);
    if (!host) {
        weft_fail(device, WEFT_E_MEMORY, "out of memory: %lld waves", (long long)n);
        return own;
    }
    weft_read(device, plan->waves.sharpen, host);
    weft_read(device, plan->waves.square, host + n);
    for (i64 i = 0; i <= n / 2; i++)
        host[2 * n + i] = cos(2 * 3.14159265358979323846 * (f64)i / (f64)n);
    if (weft_check(device) == WEFT_OK)
        add_up(n, host, host + n, host + 2 * n, own.apart);
    free(host);
    return own;
}
