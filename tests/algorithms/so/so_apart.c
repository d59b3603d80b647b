/* What GPUs do with spheres, in small: for backends that look at each kernel or compile it,
 * on which all other tests of spheres would take minutes in that style. */
#include "so_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Particles at 200 places in the corners of a box, ids backwards, with velocities. */
static scene corners(int weighted, motion *how) {
    u64 seed = 11;
    scene s = scene_clumpy(600, 6, 1, 17);
    s.options.densities = 3;
    s.has_mass = weighted;
    s.id = calloc((size_t)s.n, sizeof *s.id);
    *how = (motion){.gravity = 43, .softening = 1e-3, .hubble = 0.1, .threshold = 1};
    how->v = calloc((size_t)(3 * s.n), sizeof *how->v);
    for (i64 i = 0; i < s.n; i++) {
        s.id[i] = s.n - i;
        s.m[i] = weighted ? pow(10, 4 * scene_uniform(&seed)) : 1;
        for (int k = 0; k < 3; k++) {
            s.x[3 * i + k] =
                i < 200 ? floor(s.x[3 * i + k] * 64) / 640 : s.x[3 * (i % 200) + k];
            how->v[3 * i + k] = 1000 * scene_uniform(&seed);
        }
    }
    for (i64 k = 0; k < 3 * s.centers; k++)
        s.c[k] = k < 9 ? s.x[k] : s.c[k];
    return s;
}

/* Shells that each hold some, in which all particles within the last edge are. */
static void check_shells(const scene *s, const motion *how) {
    enum { BINS = 4 };
    f64 radius[6], mass[6 * BINS], radial[6 * BINS], spread[6 * BINS];
    i64 count[6 * BINS];
    for (int c = 0; c < 6; c++)
        radius[c] = 0.02 * c;
    const weft_bodies bodies = {
        .points = weft_points_interleaved(device, test_array(WEFT_F64, s->x, 3 * s->n)),
        .velocity = test_array(WEFT_F64, how->v, 3 * s->n),
        .mass = test_array(WEFT_F64, s->m, s->n),
        .box = {1, 1, 1}};
    const weft_points centers =
        weft_points_interleaved(device, test_array(WEFT_F64, s->c, 3 * s->centers));
    const weft_profiles_options shells = {
        .bins = BINS, .edge = {0.1, 1, 2, 3, 4}, .radius = test_array(WEFT_F64, radius, 6)};
    weft_profiles out;
    weft_profiles_measure(device, &bodies, &centers, &s->options, &shells, &out);
    weft_read(device, out.count, count);
    weft_read(device, out.mass, mass);
    weft_read(device, out.radial_velocity, radial);
    weft_read(device, out.velocity_dispersion, spread);
    test_ok();
    for (int i = 0; i < 6 * BINS; i++) {
        const f64 *center = s->c + 3 * (i / BINS), r = radius[i / BINS];
        f64 sum = 0, along = 0, mean[3] = {0}, apart = 0;
        i64 n = 0;
        for (int pass = 0; pass < 2; pass++)
            for (i64 k = 0; k < s->n; k++) {
                f64 d[3], r2 = 0, to = 0;
                for (int a = 0; a < 3; a++) {
                    d[a] = remainder(s->x[3 * k + a] - center[a], 1);
                    to += d[a] * how->v[3 * k + a];
                }
                r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
                const f64 inner = shells.edge[i % BINS] * r,
                          outer = shells.edge[i % BINS + 1] * r;
                if (!(r2 >= inner * inner && r2 < outer * outer))
                    continue;
                const f64 m = s->m[k];
                n += pass == 0;
                sum += pass == 0 ? m : 0;
                along += pass == 0 && r2 > 0 ? m * to / sqrt(r2) : 0;
                for (int a = 0; a < 3; a++) {
                    const f64 u = how->v[3 * k + a];
                    mean[a] += pass == 0 ? m * u : 0;
                    apart += pass == 1 ? m * pow(u - mean[a] / sum, 2) : 0;
                }
            }
        ck_assert_int_eq(count[i], n);
        ck_assert(fabs(mass[i] - sum) <= 1e-12 * sum);
        ck_assert(n == 0 || fabs(radial[i] - along / sum) <= 1e-9);
        ck_assert(n == 0 || fabs(spread[i] - sqrt(apart / (3 * sum))) <= 1e-9);
    }
    weft_profiles_free(device, &out);
}

START_TEST(as_on_gpus) {
    for (int weighted = 0; weighted < 2; weighted++) {
        motion how;
        scene s = corners(weighted, &how);
        scene_check(&s);
        inside_check(&s, &how);
        check_shells(&s, &how);
        free(how.v);
        scene_free(&s);
    }
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {as_on_gpus};
    return test_main(argc, argv, "so_apart", tests, sizeof tests / sizeof *tests);
}
