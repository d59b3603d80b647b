/* Properties of spherical overdensities against their definition, against halos whose
 * properties are known, and against themselves. */
#include "so_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const f64 pi = 3.14159265358979323846;

static f64 *motions(i64 n, u64 seed) {
    f64 *v = calloc((size_t)(3 * n + 1), sizeof *v);
    for (i64 k = 0; k < 3 * n; k++)
        v[k] = 300 + (f64)(i64)(200 * scene_uniform(&seed));
    return v;
}

/* A clump around the middle, a center on a particle, one beside it, one far away, where
 * nothing is dense. Coordinates are multiples of 2^-20. */
static scene clump(i64 n, f64 box, u64 seed) {
    scene s = scene_new(n, 4);
    for (i64 i = 0; i < n; i++) {
        const f64 r = pow(scene_uniform(&seed), 2) / 4;
        for (int k = 0; k < 3; k++) {
            f64 x = 0.9 + r * (scene_uniform(&seed) - 0.5);
            x = box > 0 ? x - floor(x) + (f64)(i % 3 - 1) : x;
            s.x[3 * i + k] = floor(x * 0x1p20) * 0x1p-20;
        }
        s.m[i] = 1;
    }
    for (int k = 0; k < 3; k++) {
        s.c[k] = n > 0 ? s.x[k] : 0;
        s.c[3 + k] = 0.875;
        s.c[6 + k] = n > 0 ? s.x[3 * (n / 2) + k] + 0x1p-12 : 0.5;
        s.c[9 + k] = 0.375;
        s.box[k] = box;
    }
    s.options.densities = 3;
    for (int t = 0; t < 3; t++)
        s.options.density[t] = (f64)(n > 0 ? n : 1) * (const f64[]){300, 2000, 30}[t];
    return s;
}

/* Also around a block's edge, and of a batch's. */
START_TEST(sizes) {
    const i64 n[] = {0, 1, 2, 19, 20, 21, 255, 256, 257, 600, 3000};
    for (int k = 0; k < 11; k++) {
        scene s = clump(n[k], (f64)(k % 2), (u64)(n[k] + 3));
        motion how = {.gravity = 43, .softening = k % 3 == 0 ? 0.01 : 0};
        if (k % 4 != 3)
            how.v = motions(n[k], 7);
        s.type = k % 3 == 1 ? WEFT_F32 : WEFT_F64;
        scene_round(&s);
        for (; how.threshold < 3; how.threshold++)
            inside_check(&s, &how);
        free(how.v);
        scene_free(&s);
    }
}
END_TEST

/* More members than a batch holds, of several spheres, and of one. */
START_TEST(batches) {
    const i64 n = 5000;
    scene s = clump(n, 1, 11);
    motion how = {.gravity = 1, .v = motions(n, 13), .threshold = 2};
    s.centers = 120;
    s.c = realloc(s.c, (size_t)(3 * s.centers) * sizeof *s.c);
    for (i64 c = 4; c < s.centers; c++)
        memcpy(s.c + 3 * c, s.c + 3 * (c % 4), 3 * sizeof *s.c);
    inside *found = inside_measure(&s, &how);
    s.centers = 4;
    inside *expected = inside_define(&s, &how);
    for (i64 c = 0; c < 120; c++)
        ck_assert_mem_eq(found + c, expected + c % 4, INSIDE_EXACT * sizeof(f64));
    free(found), free(expected), free(how.v);
    scene_free(&s);
}
END_TEST

/* At equal distances ids decide; masses over 12 decades. */
START_TEST(masses_differ) {
    u64 seed = 5;
    for (int wide = 0; wide < 2; wide++) {
        scene s = clump(1500, 1, 17);
        motion how = {.gravity = 2, .v = motions(s.n, 19)};
        s.type = wide ? WEFT_F64 : WEFT_F32;
        s.has_mass = 1;
        s.id = malloc((size_t)s.n * sizeof *s.id);
        for (i64 i = 0; i < s.n; i++) {
            s.m[i] = pow(10, 12 * scene_uniform(&seed) - 6);
            s.id[i] = (i * 7919 + 5) % 100003;
        }
        for (i64 i = 0; i < s.n / 3; i++)
            memcpy(s.x + 3 * (s.n - 1 - i), s.x + 3 * i, 3 * sizeof(f64));
        for (int t = 0; t < 3; t++)
            s.options.density[t] *= 1e4;
        scene_round(&s);
        inside_check(&s, &how);
        free(how.v);
        scene_free(&s);
    }
}
END_TEST

/* All at the center: no distance is above 0, and no number is without value. */
START_TEST(coincident) {
    for (i64 n = 1; n < 600; n = 3 * n + 40) {
        scene s = scene_new(n, 1);
        motion how = {.gravity = 1, .v = motions(n, 23)};
        inside_check(&s, &how);
        inside *found = inside_measure(&s, &how);
        ck_assert(found->vmax == 0 && found->rmax == 0 && found->spin_bullock == 0);
        ck_assert(found->concentration_vmax == 0 && found->concentration_r1 == 0);
        free(found);
        how.softening = 0.5;
        found = inside_measure(&s, &how);
        ck_assert(found->vmax == sqrt((f64)n / 0.5) && found->rmax == 0);
        free(found), free(how.v);
        scene_free(&s);
    }
}
END_TEST

static void random_direction(u64 *seed, f64 d[3]) {
    f64 square = 2;
    while (!(square > 0 && square < 1)) {
        square = 0;
        for (int k = 0; k < 3; k++) {
            d[k] = 2 * scene_uniform(seed) - 1;
            square += d[k] * d[k];
        }
    }
    for (int k = 0; k < 3; k++)
        d[k] /= sqrt(square);
}

/* 10^4 particles of an NFW profile inside R = 1, and those up to its end at 2 R: radii
 * evenly by mass, so that they have no noise of their own. */
static scene nfw(f64 c, i64 n, u64 seed) {
    const i64 all = (i64)((f64)n * inside_nfw(2 * c) / inside_nfw(c));
    scene s = scene_new(all, 1);
    for (i64 i = 0; i < all; i++) {
        const f64 mass = ((f64)i + 0.5) / (f64)n * inside_nfw(c);
        f64 low = 0, high = 2 * c + 1, d[3];
        for (int k = 0; k < 60; k++)
            *(inside_nfw((low + high) / 2) < mass ? &low : &high) = (low + high) / 2;
        random_direction(&seed, d);
        for (int k = 0; k < 3; k++)
            s.x[3 * i + k] = low / c * d[k];
    }
    s.options.density[0] = (f64)n / (4 * pi / 3);
    return s;
}

/* What the definition says of known halos is no matter of backends. */
static int is_slow(void) {
    return strcmp(weft_backend_name(device), "checking") == 0;
}

START_TEST(known_concentrations) {
    for (f64 c = 3; c < 40 && !is_slow(); c *= 2) {
        const i64 n = 10000;
        scene s = nfw(c, n, 29);
        const motion how = {.gravity = 1};
        inside *found = inside_measure(&s, &how);
        ck_assert(fabs(found->concentration_vmax / c - 1) < 0.05);
        ck_assert(fabs(found->concentration_r1 / c - 1) < 0.01);
        ck_assert(fabs(found->rmax * c / 2.1626 - 1) < 0.2);
        ck_assert(found->offset_position < 0.02);
        free(found);
        scene_free(&s);
    }
}
END_TEST

/* Drawn from an NFW profile that goes on to 2 R: what lies within R scatters by sqrt(n),
 * and the mass as 1 / (1 - g / 3) of that, g = d ln M / d ln r at R. */
START_TEST(drawn_masses) {
    enum { INSIDE = 4000, SPHERES = 24 };
    u64 seed = 41;
    f64 squares = 0;
    for (int k = 0; k < SPHERES && strcmp(weft_backend_name(device), "serial") == 0; k++) {
        const f64 c = 4 << k % 3, g = c * c / ((1 + c) * (1 + c)) / inside_nfw(c);
        const i64 n = (i64)(INSIDE * inside_nfw(2 * c) / inside_nfw(c));
        scene s = scene_new(n, 1);
        for (i64 i = 0; i < n; i++) {
            const f64 mass = scene_uniform(&seed) * inside_nfw(2 * c);
            f64 low = 0, high = 2 * c, d[3];
            for (int step = 0; step < 50; step++)
                *(inside_nfw((low + high) / 2) < mass ? &low : &high) = (low + high) / 2;
            random_direction(&seed, d);
            for (int axis = 0; axis < 3; axis++)
                s.x[3 * i + axis] = low / c * d[axis];
        }
        s.options.density[0] = INSIDE / (4 * pi / 3);
        spheres found = scene_measure(&s);
        const f64 off = (found.mass[0] - INSIDE) / (sqrt(INSIDE) / (1 - g / 3));
        ck_assert_msg(fabs(off) < 4, "concentration %g: %g standard errors", c, off);
        squares += off * off / SPHERES;
        spheres_free(&found);
        scene_free(&s);
    }
    ck_assert_msg(squares < 2, "the mean square is %g", squares);
}
END_TEST

/* A body that turns as one has J = w sum m (x^2 + y^2) about z; a drift adds nothing. */
START_TEST(known_spin) {
    const i64 n = is_slow() ? 300 : 3000;
    scene s = nfw(8, n, 31);
    const f64 turn = 0.3, gravity = 2;
    f64 *v = calloc((size_t)(3 * s.n), sizeof *v), square = 0;
    for (i64 i = 0; i < s.n; i++) {
        const f64 *x = s.x + 3 * i;
        v[3 * i] = 50 - turn * x[1], v[3 * i + 1] = 20 + turn * x[0], v[3 * i + 2] = -7;
        square += i < n ? x[0] * x[0] + x[1] * x[1] : 0;
    }
    const motion how = {.v = v, .gravity = gravity};
    inside *found = inside_measure(&s, &how);
    const f64 expected = turn * square / (sqrt(2 * gravity * (f64)n) * (f64)n);
    ck_assert(fabs(found->spin_bullock / expected - 1) < 0.02);
    ck_assert(fabs(found->angular_momentum[2] / (turn * square) - 1) < 0.02);
    ck_assert(fabs(found->velocity[2] + 7) < 1e-12 && fabs(found->velocity[0] - 50) < 0.02);
    ck_assert(found->dispersion[2] < 1e-20);
    free(found), free(v);
    scene_free(&s);
}
END_TEST

/* An even ellipsoid of axes 1, 0.7 and 0.5, turned, in a sphere of twice its size. */
START_TEST(known_axes) {
    const i64 n = 4000;
    const f64 axes[3] = {1, 0.7, 0.5};
    const f64 e[3][3] = {{0.6, 0.8, 0}, {-0.48, 0.36, 0.8}, {0.64, -0.48, 0.6}};
    scene s = scene_new(n, 1);
    u64 seed = 37;
    for (i64 i = 0; i < n; i++) {
        const f64 r = cbrt(scene_uniform(&seed));
        f64 d[3];
        random_direction(&seed, d);
        for (int k = 0; k < 3; k++)
            for (int a = 0; a < 3; a++)
                s.x[3 * i + k] += r * d[a] * axes[a] * e[a][k];
    }
    s.options.density[0] = (f64)n / (4 * pi / 3 * 8);
    const motion how = {.gravity = 1};
    inside *found = inside_measure(&s, &how);
    ck_assert(fabs(found->shape[0] - 0.5) < 0.02);
    ck_assert(fabs(found->shape[1] - 0.7) < 0.02);
    ck_assert(fabs(found->shape[2] - 0.51 / 0.75) < 0.05);
    for (int a = 0; a < 3; a++) {
        f64 along = 0;
        for (int k = 0; k < 3; k++)
            along += found->axes[3 * a + k] * e[a][k];
        ck_assert(fabs(along) > 0.995);
    }
    free(found);
    scene_free(&s);
}
END_TEST

/* By a right angle about z. */
static void turn(f64 *x) {
    const f64 kept = x[0];
    x[0] = -x[1], x[1] = kept;
}

/* Another order; whole boxes and halves of them away; turned. */
START_TEST(laws) {
    scene s = clump(2500, 1, 41);
    const motion how = {.v = motions(s.n, 43), .gravity = 43, .threshold = 2};
    inside *found = inside_measure(&s, &how);
    ck_assert(found->spin_bullock > 0 && found->shape[0] > 0);
    u64 seed = 47;
    for (i64 i = s.n - 1; i > 0; i--) {
        const i64 j = (i64)(test_random(&seed) % (u64)(i + 1));
        for (int k = 0; k < 3; k++) {
            const f64 x = s.x[3 * i + k], v = how.v[3 * i + k];
            s.x[3 * i + k] = s.x[3 * j + k], how.v[3 * i + k] = how.v[3 * j + k];
            s.x[3 * j + k] = x, how.v[3 * j + k] = v;
        }
    }
    for (i64 k = 0; k < 3 * s.n; k++)
        s.x[k] += (f64)(k % 5) - 1.5;
    for (i64 k = 0; k < 3 * s.centers; k++)
        s.c[k] += 0.5;
    inside *again = inside_measure(&s, &how);
    for (i64 c = 0; c < s.centers; c++) {
        for (int k = 0; k < 3; k++) {
            const f64 d = again[c].center_of_mass[k] - found[c].center_of_mass[k];
            ck_assert(fabs(fabs(d) - 0.5) < 1e-15 || found[c].vmax == 0);
            again[c].center_of_mass[k] = found[c].center_of_mass[k];
        }
        ck_assert_mem_eq(&again[c].vmax, &found[c].vmax, 2 * sizeof(f64));
        ck_assert_mem_eq(&again[c].shape, &found[c].shape, 24 * sizeof(f64));
        ck_assert(fabs(again[c].spin_bullock / found[c].spin_bullock - 1) < 1e-12 ||
                  found[c].spin_bullock == 0);
    }
    for (i64 i = 0; i < s.n; i++)
        turn(s.x + 3 * i), turn(how.v + 3 * i);
    for (i64 c = 0; c < s.centers; c++)
        turn(s.c + 3 * c);
    inside *turned = inside_measure(&s, &how);
    for (i64 c = 0; c < s.centers; c++) {
        const f64 *axes = again[c].axes, *to = turned[c].axes;
        ck_assert_mem_eq(&turned[c].vmax, &again[c].vmax, 2 * sizeof(f64));
        ck_assert(fabs(turned[c].spin_bullock - again[c].spin_bullock) <=
                  1e-12 * again[c].spin_bullock);
        for (int k = 0; k < 3; k++) {
            ck_assert(fabs(turned[c].shape[k] - again[c].shape[k]) < 1e-12);
            ck_assert(fabs(fabs(to[3 * k]) - fabs(axes[3 * k + 1])) < 1e-9);
            ck_assert(fabs(fabs(to[3 * k + 2]) - fabs(axes[3 * k + 2])) < 1e-9);
        }
    }
    free(found), free(again), free(turned), free(how.v);
    scene_free(&s);
}
END_TEST

START_TEST(refusals) {
    const f64 x[] = {0, 0, 0, 1, 1, 1, 1.25, 1, 1};
    const i64 wrong[] = {1, 5};
    const weft_points all = weft_points_interleaved(device, test_array(WEFT_F64, x, 9));
    const weft_points two = weft_points_interleaved(device, test_array(WEFT_F64, x, 6));
    const weft_bodies bodies = {.points = all, .particle_mass = 1};
    weft_bodies b = bodies;
    weft_so_options o = {.densities = 1, .density = {1}}, p = o;
    weft_so_measures m = {.gravity = 1};
    weft_so_spheres crossed;
    weft_so_properties out;
    weft_so(device, &bodies, &two, &o, &crossed);
    test_ok();
    weft_so_measure(device, &bodies, &two, &o, NULL, &m, &out);
    test_expect_error(WEFT_E_ARGUMENT, "spheres");
    m.gravity = 0;
    weft_so_measure(device, &bodies, &two, &o, &crossed, &m, &out);
    test_expect_error(WEFT_E_ARGUMENT, "gravity is 0");
    m.gravity = 1, m.softening = NAN;
    weft_so_measure(device, &bodies, &two, &o, &crossed, &m, &out);
    test_expect_error(WEFT_E_ARGUMENT, "softening");
    m.softening = 0, m.threshold = 1;
    weft_so_measure(device, &bodies, &two, &o, &crossed, &m, &out);
    test_expect_error(WEFT_E_ARGUMENT, "threshold 1");
    m.threshold = 0, m.reserved[1] = 1;
    weft_so_measure(device, &bodies, &two, &o, &crossed, &m, &out);
    test_expect_error(WEFT_E_ARGUMENT, "measures");
    m.reserved[1] = 0;
    weft_so_measure(device, &bodies, &all, &o, &crossed, &m, &out);
    test_expect_error(WEFT_E_SHAPE, "3 and 1");
    p.densities = 2, p.density[1] = 3;
    weft_so_measure(device, &bodies, &two, &p, &crossed, &m, &out);
    test_expect_error(WEFT_E_SHAPE, "2");
    p = o, p.density[0] = 1e-4; /* all in one sphere */
    weft_so_measure(device, &bodies, &two, &p, &crossed, &m, &out);
    test_expect_error(WEFT_E_ARGUMENT, "center 0 holds 3 particles and not 1");
    weft_write(device, crossed.count, wrong);
    weft_so_measure(device, &bodies, &two, &o, &crossed, &m, &out);
    test_expect_error(WEFT_E_ARGUMENT, "center 1 cannot hold 5 of 3");
    b.velocity = test_array(WEFT_F64, x, 8);
    weft_so_measure(device, &b, &two, &o, &crossed, &m, &out);
    test_expect_error(WEFT_E_SHAPE, "velocity");
    ck_assert_int_eq(out.vmax.length, 0);
    weft_so_free(device, &crossed);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {
        sizes,      batches,    masses_differ, coincident, known_concentrations,
        known_spin, known_axes, laws,          refusals,   drawn_masses};
    return test_main(argc, argv, "so_properties", tests, sizeof tests / sizeof *tests);
}
