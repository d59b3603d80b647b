/* Spherical overdensities against their definition, and against themselves. */
#include "so_part.h"
#include "so_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

START_TEST(sizes) {
    for (int k = 0; k < test_size_count; k++) {
        const i64 n = test_sizes[k];
        for (int periodic = 0; periodic < 2; periodic++) {
            scene s =
                scene_clumpy(n, n < 2000 ? 60 : 12, (f64)periodic, (u64)(n + periodic));
            s.type = (k + periodic) % 2 ? WEFT_F32 : WEFT_F64;
            scene_round(&s);
            scene_check(&s);
            s.has_mass = 1; /* equal ones */
            scene_check(&s);
            scene_free(&s);
        }
    }
}
END_TEST

START_TEST(few_axes_are_periodic) {
    for (int axes = 0; axes < 8; axes++) {
        scene s = scene_clumpy(5000, 40, 1, 5);
        for (int k = 0; k < 3; k++)
            s.box[k] = axes >> k & 1;
        scene_check(&s);
        scene_free(&s);
    }
}
END_TEST

/* Cells of one or two, of many, without a map, with long numbers, and cut up. */
START_TEST(any_cells) {
    static const f64 lengths[] = {0.9, 0.4, 0.2, 0.02, 1e-3, 1e-5, 1e-7, 1e-11};
    for (int k = 0; k < 8; k++)
        for (int periodic = 0; periodic < 2; periodic++) {
            scene s = scene_clumpy(3000, 30, (f64)periodic, 7);
            s.length = lengths[k];
            scene_check(&s);
            scene_free(&s);
        }
}
END_TEST

START_TEST(guesses) {
    scene s = scene_clumpy(20000, 50, 1, 9);
    const f64 guess[] = {0, -1, NAN, INFINITY, 1e-30, 1e30, 3, 500, 1e4};
    f64 all[50];
    for (int k = 0; k < 50; k++)
        all[k] = guess[k % 9];
    s.options.guess = test_array(WEFT_F64, all, 50);
    scene_check(&s);
    i64 counts[50];
    for (int k = 0; k < 50; k++)
        counts[k] = k * k - 4;
    s.options.guess = test_array(WEFT_I64, counts, 50);
    scene_check(&s);
    scene_free(&s);
}
END_TEST

START_TEST(sparse) {
    for (int periodic = 0; periodic < 2; periodic++) {
        scene s = scene_clumpy(2000, 40, (f64)periodic, 11);
        for (i64 k = 0; k < 3 * s.n; k++)
            s.x[k] = s.x[k] * 0x1p-12 + (f64)(k / 3 % 5) * 0.125;
        for (i64 k = 0; k < 3 * s.centers; k++)
            s.c[k] = s.c[k] * 0x1p-12 + (f64)(k / 3 * 37 % s.n % 5) * 0.125;
        scene_check(&s);
        scene_free(&s);
    }
}
END_TEST

/* Also those of 12 decades, at equal distances, in any order. */
START_TEST(masses_differ) {
    u64 seed = 3;
    for (int k = 0; k < 4; k++) {
        scene s = scene_clumpy(k == 3 ? 40000 : 3000, 30, (f64)(k % 2), 13);
        s.type = k == 2 ? WEFT_F32 : WEFT_F64;
        s.has_mass = 1;
        s.id = malloc((size_t)s.n * sizeof *s.id);
        for (i64 i = 0; i < s.n; i++) {
            s.m[i] = pow(10, 12 * scene_uniform(&seed) - 6);
            s.id[i] = (i * 7919 + 5) % 100003;
        }
        for (i64 i = 0; i < s.n / 3; i++) /* pairs at one place */
            memcpy(s.x + 3 * (s.n - 1 - i), s.x + 3 * i, 3 * sizeof(f64));
        for (int t = 0; t < 5; t++)
            s.options.density[t] *= 1e4;
        scene_round(&s);
        scene_check(&s);
        scene_free(&s);
    }
}
END_TEST

START_TEST(coincident) {
    for (i64 n = 1; n < 600; n = 2 * n + 1) {
        scene s = scene_new(n + 1, 2);
        for (int k = 0; k < 3; k++)
            s.x[3 * n + k] = s.c[3 + k] = 5;
        scene_check(&s);
        spheres found = scene_measure(&s);
        ck_assert_int_eq(found.count[0], n);
        ck_assert_int_eq(found.count[1], 1);
        spheres_free(&found);
        s.options.density[0] = 1e-6; /* one sphere holds both */
        scene_check(&s);
        s.box[0] = s.box[1] = s.box[2] = 8;
        scene_check(&s);
        scene_free(&s);
    }
}
END_TEST

/* Spheres far wider than what is in them: cells as small as a crowd in a periodic box would
 * have them are too many to look into. Of two crowds, with and without masses. */
START_TEST(crowds) {
    for (int k = 0; k < 4; k++) {
        scene s = scene_new(1000, 3);
        u64 seed = 23;
        for (i64 i = 0; i < 3 * s.n; i++)
            s.x[i] = 500 + 1e-7 * scene_uniform(&seed) * (f64)(k % 2) +
                     (i < 3 * s.n / 2 || k < 2 ? 0 : 3);
        for (i64 i = 0; i < s.n; i++)
            s.m[i] = (f64)(1 + i % (1 + k));
        memcpy(s.c + 3, s.x + 3 * s.n - 3, 3 * sizeof *s.c);
        memcpy(s.c + 6, s.x, 3 * sizeof *s.c);
        s.has_mass = k > 0;
        s.box[0] = s.box[1] = s.box[2] = 1000;
        s.options.density[0] = 1e-4;
        scene_check(&s);
        scene_free(&s);
    }
}
END_TEST

/* A density whose v is 1: so M^2 > r^6 decides. */
static f64 unit_density(void) {
    f64 d = 3 / (4 * 3.14159265358979323846);
    for (int k = 0; k < 8 && 3 / (4 * 3.14159265358979323846 * d) != 1; k++)
        d = nextafter(d, 3 / (4 * 3.14159265358979323846 * d) > 1 ? 1 : 0);
    ck_assert(3 / (4 * 3.14159265358979323846 * d) == 1);
    return d;
}

/* Eight particles at distance 2 have exactly the density; seven or nine have not. */
START_TEST(ties) {
    for (i64 n = 7; n < 10; n++)
        for (int middle = 0; middle < 2; middle++) {
            scene s = scene_new(n, 1);
            s.options.density[0] = unit_density();
            for (i64 i = middle; i < n; i++)
                s.x[3 * i + i % 3] = i % 2 ? 2 : -2;
            scene_check(&s);
            spheres found = scene_measure(&s);
            /* In order of distance: of those at 2 the ninth makes a dense sphere again. */
            ck_assert_int_eq(found.count[0], n > 8 && !middle ? 9 : n > 8 ? 1 : middle);
            spheres_free(&found);
            scene_free(&s);
        }
}
END_TEST

static void random_direction(u64 *seed, f64 d[3]) {
    f64 square = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = scene_uniform(seed) - 0.5;
        square += d[k] * d[k];
    }
    for (int k = 0; k < 3; k++)
        d[k] /= sqrt(square);
}

/* Nothing is dense inside a shell, but the shell may be. */
START_TEST(shell) {
    const i64 n = 3000;
    scene s = scene_new(n, 3);
    u64 seed = 17;
    for (i64 i = 0; i < n; i++)
        random_direction(&seed, s.x + 3 * i);
    s.c[3] = 1e-3;
    s.c[6] = 40; /* far outside */
    const f64 mean = (f64)n / (4.0 / 3 * 3.14159265358979323846);
    s.options.densities = 3;
    s.options.density[0] = mean * 0.9, s.options.density[1] = mean * 1.1;
    s.options.density[2] = mean * 1e-3;
    scene_check(&s);
    spheres found = scene_measure(&s);
    ck_assert_int_eq(found.count[0], n);
    ck_assert_int_eq(found.count[3], 0);
    ck_assert_int_eq(found.count[2], 0);
    spheres_free(&found);
    scene_free(&s);
}
END_TEST

START_TEST(two_that_touch) {
    const i64 each = 2000;
    scene s = scene_new(2 * each, 2);
    u64 seed = 19;
    for (i64 i = 0; i < 2 * each; i++) {
        const f64 r = pow(scene_uniform(&seed), 2);
        f64 d[3];
        random_direction(&seed, d);
        for (int k = 0; k < 3; k++)
            s.x[3 * i + k] = r * d[k] + (i < each || k > 0 ? 0 : 1.7);
    }
    s.c[3] = 1.7;
    s.options.densities = 4;
    for (int t = 0; t < 4; t++)
        s.options.density[t] = 20 * pow(5, t);
    scene_check(&s);
    scene_free(&s);
}
END_TEST

/* Below the mean density all particles are in the sphere, each once. */
START_TEST(wider_than_half_the_box) {
    scene s = scene_clumpy(4000, 20, 1, 23);
    s.options.densities = 3;
    s.options.density[0] = 4000 * 0.9;
    s.options.density[1] = 4000 * 1.05;
    s.options.density[2] = 4000 * 1.6;
    scene_check(&s);
    spheres found = scene_measure(&s);
    i64 wide = 0;
    for (i64 k = 0; k < 2 * s.centers; k++)
        wide += found.radius[k] > 0.5;
    ck_assert_int_gt(wide, 3);
    spheres_free(&found);
    scene_free(&s);
}
END_TEST

/* Places, turned by a right angle about an axis. */
static void turn(f64 *x, i64 n, int axis) {
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    for (i64 i = 0; i < n; i++) {
        const f64 kept = x[3 * i + a];
        x[3 * i + a] = -x[3 * i + b], x[3 * i + b] = kept;
    }
}

START_TEST(laws) {
    scene s = scene_clumpy(9000, 40, 1, 29);
    const spheres found = scene_measure(&s);
    u64 seed = 31;
    for (i64 i = s.n - 1; i > 0; i--) { /* another order */
        const i64 j = (i64)(test_random(&seed) % (u64)(i + 1));
        for (int k = 0; k < 3; k++) {
            const f64 kept = s.x[3 * i + k];
            s.x[3 * i + k] = s.x[3 * j + k], s.x[3 * j + k] = kept;
        }
    }
    spheres again = scene_measure(&s);
    spheres_expect(&s, &again, &found);
    spheres_free(&again);
    for (i64 i = 0; i < s.n; i++) /* whole boxes away */
        s.x[3 * i + i % 3] += (f64)(i % 9 - 4);
    for (i64 c = 0; c < s.centers; c++)
        s.c[3 * c + c % 3] += (f64)(c % 7 - 3);
    again = scene_measure(&s);
    spheres_expect(&s, &again, &found);
    spheres_free(&again);
    for (i64 k = 0; k < 3 * s.n; k++) /* a quarter of a box, across the wrap */
        s.x[k] += 0.25;
    for (i64 k = 0; k < 3 * s.centers; k++)
        s.c[k] += 0.25;
    again = scene_measure(&s);
    spheres_expect(&s, &again, &found);
    spheres_free(&again);
    for (int axis = 0; axis < 3; axis++) {
        turn(s.x, s.n, axis), turn(s.c, s.centers, axis);
        again = scene_measure(&s);
        spheres_expect(&s, &again, &found);
        spheres_free(&again);
    }
    scene tiles = scene_new(8 * s.n, s.centers);
    for (i64 i = 0; i < 8 * s.n; i++)
        for (int k = 0; k < 3; k++) {
            const f64 x = s.x[3 * (i / 8) + k];
            tiles.x[3 * i + k] = x - floor(x) + (f64)(i >> k & 1);
        }
    memcpy(tiles.c, s.c, (size_t)(3 * s.centers) * sizeof(f64));
    tiles.options = s.options;
    for (int k = 0; k < 3; k++)
        tiles.box[k] = 2;
    again = scene_measure(&tiles);
    for (i64 k = s.centers * 2; k < 3 * s.centers; k++) /* the densest: small spheres */
        ck_assert_int_eq(again.count[k], found.count[k]);
    spheres_free(&again);
    scene_free(&tiles);
    const int rising[] = {1, 3, 0, 4, 2};
    for (i64 c = 0; c < s.centers; c += 3) /* around particles */
        for (int t = 1; t < 5; t++) {
            const i64 low = rising[t - 1] * s.centers + c, high = rising[t] * s.centers + c;
            if (c % 7 < 6)
                ck_assert(found.radius[low] >= found.radius[high] &&
                          found.count[low] >= found.count[high] && found.count[high] > 0);
        }
    spheres_free((spheres *)&found);
    scene_free(&s);
}
END_TEST

START_TEST(refusals) {
    const f64 x[] = {0, 0, 0, 1, 1, 1, 2, 2, NAN}, m[] = {1, 0}, far[] = {1, 2};
    const weft_points two = weft_points_interleaved(device, test_array(WEFT_F64, x, 6));
    const weft_points bad = weft_points_interleaved(device, test_array(WEFT_F64, x, 9));
    const weft_bodies bodies = {.points = two, .particle_mass = 1};
    weft_bodies b = bodies;
    weft_so_spheres out;
    weft_so_options o = {.densities = 1, .density = {1}}, p = o;
    weft_so(device, &bodies, &two, NULL, &out);
    test_expect_error(WEFT_E_ARGUMENT, "options");
    p.density[0] = -1;
    weft_so(device, &bodies, &two, &p, &out);
    test_expect_error(WEFT_E_ARGUMENT, "density[0] is -1");
    p = o, p.density[0] = NAN;
    weft_so(device, &bodies, &two, &p, &out);
    test_expect_error(WEFT_E_ARGUMENT, "density[0]");
    p = o, p.densities = 17;
    weft_so(device, &bodies, &two, &p, &out);
    test_expect_error(WEFT_E_ARGUMENT, "17 densities");
    b.particle_mass = 0;
    weft_so(device, &b, &two, &o, &out);
    test_expect_error(WEFT_E_ARGUMENT, "particle_mass");
    b = bodies, b.box[1] = -1;
    weft_so(device, &b, &two, &o, &out);
    test_expect_error(WEFT_E_ARGUMENT, "box");
    p = o, p.density[0] = 1e200;
    weft_so(device, &bodies, &two, &p, &out);
    test_expect_error(WEFT_E_ARGUMENT, "range");
    b = bodies, b.mass = test_array(WEFT_F64, m, 2);
    weft_so(device, &b, &two, &o, &out);
    test_expect_error(WEFT_E_ARGUMENT, "particle 1");
    b.mass = test_array(WEFT_F64, far, 1);
    weft_so(device, &b, &two, &o, &out);
    test_expect_error(WEFT_E_SHAPE, "mass");
    b.mass = weft_array_new(device, WEFT_I64, 2);
    weft_so(device, &b, &two, &o, &out);
    test_expect_error(WEFT_E_TYPE, "mass");
    weft_so(device, &bodies, &bad, &o, &out);
    test_expect_error(WEFT_E_ARGUMENT, "centers: particle 2");
    b = bodies, b.points = bad;
    weft_so(device, &b, &two, &o, &out);
    test_expect_error(WEFT_E_ARGUMENT, "particle 2");
    ck_assert_int_eq(out.centers, 0);
    p = o, p.guess = weft_array_new(device, WEFT_U32, 2);
    weft_so(device, &bodies, &two, &p, &out);
    test_expect_error(WEFT_E_TYPE, "guess");
    p = o, p.densities = 0;
    weft_so(device, &bodies, &two, &p, &out);
    test_ok();
    ck_assert_int_eq(out.centers, 2);
    weft_so_free(device, &out);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {sizes,
                                  few_axes_are_periodic,
                                  any_cells,
                                  guesses,
                                  sparse,
                                  masses_differ,
                                  coincident,
                                  crowds,
                                  ties,
                                  shell,
                                  two_that_touch,
                                  wider_than_half_the_box,
                                  laws,
                                  part_is_known(),
                                  part_is_known_around_one(),
                                  refusals};
    return test_main(argc, argv, "so", tests, sizeof tests / sizeof *tests);
}
