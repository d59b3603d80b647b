/* Subhalos against the definition, where it is decided by a tie, too. */
#include "subhalos_define.h"

#include <math.h>
#include <stdlib.h>

static const f64 nowhere[3];

/* A halo of 400 with a clump of 120 that has a clump of 40, and two that pass by. */
static scene clumps(u64 seed) {
    scene s = scene_new(700);
    s.o.gravity = 0.01;
    scene_clump(&s, 0, 400, nowhere, nowhere, 1, &seed);
    scene_clump(&s, 400, 520, (const f64[]){0.6, 0.1, 0}, (const f64[]){0, 1, 0}, 0.15,
                &seed);
    scene_clump(&s, 520, 560, (const f64[]){0.68, 0.12, 0}, (const f64[]){0, 2, 0}, 0.02,
                &seed);
    scene_clump(&s, 560, 620, (const f64[]){-0.5, 0.3, 0.2}, (const f64[]){1, -3, 0}, 0.06,
                &seed);
    scene_clump(&s, 620, 700, (const f64[]){0, -0.6, 0.2}, nowhere, 0.3, &seed);
    for (i64 i = 0; i < s.n; i++)
        s.id[i] = (i * 311 + 17) % 7000;
    return s;
}

static void expect_nested(const scene *s, i64 least) {
    belonging *b = malloc((size_t)s->n * sizeof *b);
    scene_define(s, b);
    ck_assert_int_ge(scene_nested(s, b), least);
    free(b);
}

START_TEST(nested) {
    for (int k = first_kind % 4; k < 4; k += kind_step) {
        scene s = clumps((u64)k);
        s.type = k % 2 ? WEFT_F32 : WEFT_F64;
        s.has_mass = k / 2;
        for (i64 i = 0; i < s.n && s.has_mass; i++)
            s.m[i] = 0.5 + (f64)(i % 7) / 6;
        s.o.softening = k == 1 ? 0.01 : 0;
        s.o.hubble = k == 2 ? 0.3 : 0;
        scene_round(&s);
        expect_nested(&s, 60);
        scene_compare(&s);
        scene_expect_inside(&s);
        s.o.keep_unbound = 1;
        scene_compare(&s);
        scene_free(&s);
    }
}
END_TEST

/* Several halos, some too small; other numbers of neighbours. */
START_TEST(options) {
    static const weft_subhalos_options o[] = {
        {.least_halo = 3, .least = 1, .density_neighbours = 1, .link_neighbours = 1},
        {.least_halo = 30, .least = 5, .density_neighbours = 4, .link_neighbours = 7},
        {.least_halo = 100, .least = 10, .density_neighbours = 64, .link_neighbours = 3},
        {.least_halo = 1, .least = 2000},
    };
    for (int k = first_kind % 3; k < (int)(sizeof o / sizeof *o); k += kind_step) {
        scene s = clumps(5 + (u64)k);
        const f64 gravity = s.o.gravity;
        s.o = o[k];
        s.o.gravity = gravity;
        for (i64 i = 0; i < s.n; i++)
            s.label[i] = i < 560 ? 9 : i < 563 ? 1 : i < 593 ? 2 : i < 692 ? 3 : 4;
        scene_compare(&s);
        scene_free(&s);
    }
}
END_TEST

/* Across the faces of a box, particles some boxes away. */
START_TEST(period) {
    scene s = clumps(3);
    for (i64 i = 0; i < 3 * s.n; i++)
        s.x[i] += 8 * (f64)((i * 7) % 5 - 2);
    for (int k = 0; k < 3; k++)
        s.box[k] = 8;
    s.o.hubble = 0.5;
    expect_nested(&s, 60);
    scene_compare(&s);
    scene_expect_inside(&s);
    s.box[1] = 0;
    for (i64 i = 0; i < s.n; i++)
        s.x[3 * i + 1] += 8 * (f64)(2 - ((3 * i + 1) * 7) % 5);
    scene_compare(&s);
    scene_free(&s);
}
END_TEST

/* Whose first member leaves while others stay, so that places are from another one then:
 * the member of the smallest id is the fastest of a few that are; far out, across a period
 * or not. */
START_TEST(first_leaves) {
    for (int k = 0; k < 3; k++) {
        scene s = scene_new(300);
        u64 seed = 21 + (u64)k;
        const f64 at[] = {k == 1 ? 0.1 : 3, 3, 3};
        s.o.gravity = 0.01;
        s.o.hubble = 0.3; /* energies ask for the mean place then */
        scene_clump(&s, 0, s.n, at, nowhere, 1, &seed);
        for (i64 i = 0; i < s.n; i += 50) {
            for (int axis = 0; axis < 3; axis++)
                s.v[3 * i + axis] = (f64)(9 - i / 50 - axis);
            s.x[3 * i + 2] += k == 2 ? 0.5 : 0;
        }
        for (int axis = 0; axis < 3 && k == 1; axis++)
            s.box[axis] = 8;
        scene_compare(&s);
        scene_free(&s);
    }
}
END_TEST

/* Halos of about as many members as a work-item measures, and of several times as many. */
START_TEST(blocks) {
    static const i64 size[] = {255, 256, 257, 512, 513, 1000};
    scene s = scene_new(255 + 256 + 257 + 512 + 513 + 1000);
    u64 seed = 11;
    i64 first = 0;
    s.has_mass = 1;
    s.o.gravity = 1;
    for (int k = 0; k < 6; first += size[k++]) {
        scene_clump(&s, first, first + size[k], (const f64[]){10.0 * k, 0, 0}, nowhere, 1,
                    &seed);
        for (i64 i = first; i < first + size[k]; i++) {
            s.label[i] = (u32)first;
            s.m[i] = 1 + 0.5 * sin((f64)i);
        }
    }
    scene_expect_inside(&s);
    s.o.softening = 0.8; /* M_k / r_k is largest far out */
    scene_expect_inside(&s);
    s.has_mass = 0;
    s.o.gravity = 1 / (s.particle_mass = 0.1); /* whose sums are rounded */
    scene_expect_inside(&s);
    scene_free(&s);
}
END_TEST

/* Equal keys, equal levels, equal sizes and energies; parts that nothing joins; many at one
 * place; nobody bound. */
START_TEST(ties) {
    scene s = scene_new(512);
    s.o.least = 4, s.o.density_neighbours = 6, s.o.link_neighbours = 3;
    for (i64 i = 0; i < s.n; i++) {
        s.x[3 * i] = (f64)(i & 7), s.x[3 * i + 1] = (f64)(i >> 3 & 7);
        s.x[3 * i + 2] = (f64)(i >> 6);
        s.id[i] = (i * 37) % 512;
    }
    scene_compare(&s);
    for (i64 i = 0; i < s.n; i++) /* clumps of 8, mirrored, fast and slow */
        for (int k = 0; k < 3; k++) {
            s.x[3 * i + k] += 8 * floor(s.x[3 * i + k] / 2);
            s.v[3 * i + k] = (i >> k & 1 ? 1 : -1) * (f64)(1 + (i >> 6 & 3));
        }
    scene_compare(&s);
    s.o.keep_unbound = 1;
    scene_compare(&s);
    s.o.keep_unbound = 0;
    for (i64 i = 0; i < s.n; i++)
        for (int k = 0; k < 3; k++)
            s.x[3 * i + k] = i < 300 ? 0.25 : i < 400 ? 5 : (f64)(i % (7 + k));
    scene_compare(&s);
    for (i64 i = 0; i < 3 * s.n; i++)
        s.v[i] = (f64)(i % 11) * 1e6;
    scene_compare(&s);
    s.o.gravity = 0;
    scene_compare(&s);
    scene_free(&s);
}
END_TEST

/* Pairs whose energies are exactly 0, and so not bound; nearly known ones may be below. */
START_TEST(edges) {
    scene s = scene_new(128);
    s.o.least_halo = s.o.least = 2;
    s.o.gravity = 0.5;
    s.has_mass = 1;
    for (i64 i = 0; i < s.n; i++) {
        const f64 apart = (f64)(3 + 2 * (i / 2));
        s.label[i] = (u32)(i / 2);
        s.m[i] = apart;
        s.x[3 * i] = i % 2 ? apart : 0;
        s.v[3 * i + 1] = i % 2 ? 1 : -1;
    }
    scene_compare(&s);
    scene_free(&s);
}
END_TEST

START_TEST(all_sizes) {
    const i64 sizes[] = {0, 1, 2, 19, 20, 21, 49, 50, 257, 1025};
    for (int k = first_kind % 3; k < (int)(sizeof sizes / sizeof *sizes); k += kind_step) {
        scene s = scene_new(sizes[k]);
        u64 seed = (u64)k;
        s.o.gravity = 1e-3;
        scene_clump(&s, 0, s.n / 2, nowhere, nowhere, 1, &seed);
        scene_clump(&s, s.n / 2, s.n, (const f64[]){1, 1, 0}, nowhere, 0.5, &seed);
        scene_compare(&s);
        s.o.least_halo = 1, s.o.least = 1 + sizes[k] / 40;
        scene_compare(&s);
        scene_free(&s);
    }
}
END_TEST

/* The same in another order, elsewhere, and seen from another side: to the last particle,
 * since places are whole numbers. */
START_TEST(views) {
    scene s = clumps(8), t = scene_new(700);
    for (i64 i = 0; i < 3 * s.n; i++) {
        s.x[i] = floor(s.x[i] * 4096);
        s.v[i] = floor(s.v[i] * 64) / 64;
    }
    s.o.gravity = t.o.gravity = 40;
    belonging *expected = malloc(700 * sizeof *expected),
              *found = malloc(700 * sizeof *found);
    scene_find(&s, expected);
    ck_assert_int_gt(scene_nested(&s, expected), 60);
    for (i64 i = 0; i < s.n; i++) {
        const i64 to = (i * 257 + 11) % 700;
        t.id[to] = s.id[i];
        for (int k = 0; k < 3; k++) {
            t.x[3 * to + k] = (k == 1 ? -1 : 1) * s.x[3 * i + (k + 1) % 3] + 4096 * k;
            t.v[3 * to + k] = (k == 1 ? -1 : 1) * s.v[3 * i + (k + 1) % 3] + 32;
        }
    }
    scene_find(&t, found);
    for (i64 i = 0; i < s.n; i++) {
        const belonging *a = &expected[i], *b = &found[(i * 257 + 11) % 700];
        ck_assert_int_eq(a->depth, b->depth);
        ck_assert_int_eq(a->peak < 0 ? -1 : s.id[a->peak],
                         b->peak < 0 ? -1 : t.id[b->peak]);
        ck_assert(fabs(a->energy - b->energy) <= 1e-12 * fabs(a->energy));
    }
    free(expected), free(found);
    scene_free(&s), scene_free(&t);
}
END_TEST

START_TEST(wrong_arguments) {
    const f64 x[] = {0, 0, 0, 1, 1, NAN};
    weft_bodies bodies = {.points =
                              weft_points_interleaved(device, test_array(WEFT_F64, x, 3)),
                          .particle_mass = 1};
    weft_subhalos_options o = {.gravity = 1};
    weft_halos halos;
    weft_subhalos out = {.count = 7};
    weft_halos_group(device, test_array(WEFT_U32, &(u32){0}, 1), (weft_array){0}, 1,
                     &halos);
    weft_subhalos_find(device, &bodies, NULL, &halos, &out);
    test_expect_error(WEFT_E_ARGUMENT, "'options' is NULL");
    ck_assert_int_eq(out.count, 0);
    weft_subhalos_find(device, &bodies, &o, &halos, &out);
    test_expect_error(WEFT_E_TYPE, "array 'velocity' is not of type f32 or f64");
    bodies.velocity = test_array(WEFT_F64, x, 2);
    weft_subhalos_find(device, &bodies, &o, &halos, &out);
    test_expect_error(WEFT_E_SHAPE, "array 'velocity' has 2 elements");
    bodies.velocity = test_array(WEFT_F64, x, 6);
    o.link_neighbours = 65;
    weft_subhalos_find(device, &bodies, &o, &halos, &out);
    test_expect_error(WEFT_E_ARGUMENT, "link_neighbours is 65, not 1 to 64");
    o.link_neighbours = 0, o.least = -1;
    weft_subhalos_find(device, &bodies, &o, &halos, &out);
    test_expect_error(WEFT_E_ARGUMENT, "least is -1");
    o.least = 0, o.gravity = INFINITY;
    weft_subhalos_find(device, &bodies, &o, &halos, &out);
    test_expect_error(WEFT_E_ARGUMENT, "gravity is inf, not 0 or above");
    o.gravity = 1;
    bodies.points = weft_points_interleaved(device, test_array(WEFT_F64, x, 6));
    weft_subhalos_find(device, &bodies, &o, &halos, &out);
    test_expect_error(WEFT_E_ARGUMENT, "particle 1 has a coordinate that is not finite");
    weft_halos_free(device, &halos);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {nested, options,   period, first_leaves,   blocks, ties,
                                  edges,  all_sizes, views,  wrong_arguments};
    return test_main(argc, argv, "subhalos", tests, sizeof tests / sizeof *tests);
}
