#define _POSIX_C_SOURCE 200809L
#include "gravity_scene.h"

#include <math.h>
#include <stdlib.h>

static const f64 pi = 3.14159265358979323846;

scene scene_new(i64 n) {
    scene s = {.n = n};
    for (int k = 0; k < 3; k++) {
        s.at[k] = calloc((size_t)n + 1, sizeof *s.at[k]);
        s.got[k] = calloc((size_t)n + 1, sizeof *s.got[k]);
    }
    return s;
}

void scene_free(scene *s) {
    for (int k = 0; k < 3; k++)
        free(s->at[k]), free(s->got[k]);
}

void scene_away(const scene *s, i64 i, i64 j, f64 d[3]) {
    for (int k = 0; k < 3; k++)
        d[k] = (f64)(i32)(s->at[k][j] - s->at[k][i]) * 0x1p-32;
}

void scene_pair(scene *s, f64 distance, u64 *seed) {
    f64 v[3], square = 0;
    do {
        square = 0;
        for (int k = 0; k < 3; k++) {
            v[k] = (f64)(i64)test_random(seed) * 0x1p-63;
            square += v[k] * v[k];
        }
    } while (square > 1 || square < 0.01);
    for (int k = 0; k < 3; k++) {
        s->at[k][0] = (u32)test_random(seed);
        s->at[k][1] =
            s->at[k][0] + (u32)(i64)floor(v[k] / sqrt(square) * distance * 0x1p32);
    }
}

/* Splits at 1/4: what is left out is below 1e-10. */
void scene_ewald(const f64 d[3], f64 out[3]) {
    enum { REAL = 2, WAVES = 6 };
    const f64 alpha = 3.5;
    for (int a = -REAL; a <= REAL; a++)
        for (int b = -REAL; b <= REAL; b++)
            for (int c = -REAL; c <= REAL; c++) {
                const f64 v[3] = {d[0] + a, d[1] + b, d[2] + c};
                const f64 r2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2], r = sqrt(r2);
                if (r2 == 0 || r2 > 3.3)
                    continue;
                const f64 f = (erfc(alpha * r) +
                               2 * alpha * r / sqrt(pi) * exp(-alpha * alpha * r2)) /
                              (r2 * r);
                for (int k = 0; k < 3; k++)
                    out[k] += f * v[k];
            }
    for (int a = -WAVES; a <= WAVES; a++)
        for (int b = -WAVES; b <= WAVES; b++)
            for (int c = 0; c <= WAVES; c++) {
                const int square = a * a + b * b + c * c;
                if (square == 0 || square > WAVES * WAVES)
                    continue;
                const f64 f = (c ? 2 : 1) * 2 / (f64)square *
                              exp(-pi * pi * square / (alpha * alpha)) *
                              sin(2 * pi * (a * d[0] + b * d[1] + c * d[2]));
                out[0] += f * a, out[1] += f * b, out[2] += f * c;
            }
}

f64 scene_error(const scene *s, i64 i, f64 *size) {
    f64 wanted[3] = {0, 0, 0}, error = 0;
    for (i64 j = 0; j < s->n; j++) {
        f64 d[3];
        scene_away(s, i, j, d);
        if (j != i)
            scene_ewald(d, wanted);
    }
    *size = 0;
    for (int k = 0; k < 3; k++) {
        error += (s->got[k][i] - wanted[k]) * (s->got[k][i] - wanted[k]);
        *size += wanted[k] * wanted[k];
    }
    *size = sqrt(*size);
    return sqrt(error);
}

void scene_run(scene *s, weft_gravity *plan, scene_call *call) {
    weft_array at[3], out[3];
    for (int k = 0; k < 3; k++) {
        at[k] = test_array(WEFT_U32, s->at[k], s->n);
        out[k] = weft_array_new(device, WEFT_F64, s->n);
    }
    call(device, plan, at[0], at[1], at[2], out[0], out[1], out[2]);
    for (int k = 0; k < 3; k++) {
        weft_read(device, out[k], s->got[k]);
        weft_array_free(device, at[k]);
        weft_array_free(device, out[k]);
    }
    test_ok();
}

static void run_new(scene *s, const weft_gravity_options *o, scene_call *call) {
    weft_gravity *plan = weft_gravity_new(device, o);
    scene_run(s, plan, call);
    weft_gravity_free(device, plan);
}

static void turn(const scene *from, scene *to) {
    for (int k = 0; k < 3; k++)
        for (i64 i = 0; i < from->n; i++)
            to->at[k][i] = from->at[k][from->n - 1 - i];
}

void scene_same(scene *s, const weft_gravity_options *o, scene_call *call) {
    static const char *const styles[] = {"simd", "simt"};
    const char *const before = getenv("WEFT_STYLE");
    weft_device *here = device;
    scene turned = scene_new(s->n), there = scene_new(s->n);
    turn(s, &turned), turn(&turned, &there);
    run_new(s, o, call);
    run_new(&turned, o, call);
    for (int k = 0; k < 3; k++)
        for (i64 i = 0; i < s->n; i++)
            ck_assert_double_eq(turned.got[k][i], s->got[k][s->n - 1 - i]);
    for (int style = 0; style < 2; style++) {
        setenv("WEFT_STYLE", styles[style], 1);
        device = weft_open("serial");
        if (weft_check(device) == WEFT_OK) {
            run_new(&there, o, call);
            for (int k = 0; k < 3; k++)
                ck_assert_mem_eq(s->got[k], there.got[k], (size_t)s->n * sizeof(f64));
        }
        weft_close(device);
    }
    device = here;
    if (before)
        setenv("WEFT_STYLE", before, 1);
    else
        unsetenv("WEFT_STYLE");
    scene_free(&turned), scene_free(&there);
}
