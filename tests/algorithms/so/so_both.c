/* Properties and profiles at once: to the bit what each call finds alone. */
#include "so_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the calls are given, and what weft_so found. */
typedef struct given {
    weft_bodies bodies;
    weft_points centers;
    weft_so_options options;
    weft_so_spheres spheres;
    weft_so_measures measures;
    weft_profiles_options shells;
} given;

static given give(const scene *s, int moves, f64 last, i64 keep) {
    given g = {.options = s->options,
               .measures = {.threshold = s->options.densities / 2,
                            .gravity = 43,
                            .softening = moves ? 1e-3 : 0,
                            .hubble = 0.1},
               .shells = {.bins = 4, .edge = {0.1, 0.2, 0.3, 0.4, last}}};
    const weft_array x = test_array(WEFT_F64, s->x, 3 * s->n);
    g.options.keep = keep;
    g.bodies = (weft_bodies){
        .points = weft_points_interleaved(device, x),
        .velocity = moves ? test_array(WEFT_F64, s->x, 3 * s->n) : (weft_array){0},
        .mass = s->has_mass ? test_array(WEFT_F64, s->m, s->n) : (weft_array){0},
        .particle_mass = s->particle_mass,
        .box = {s->box[0], s->box[1], s->box[2]}};
    g.centers = weft_points_interleaved(device, test_array(WEFT_F64, s->c, 3 * s->centers));
    weft_so(device, &g.bodies, &g.centers, &g.options, &g.spheres);
    test_ok();
    return g;
}

static weft_status both(const given *g, weft_so_properties *properties,
                        weft_profiles *profiles) {
    return weft_so_measure_both(device, &g->bodies, &g->centers, &g->options, &g->spheres,
                                &g->measures, &g->shells, properties, profiles);
}

static void same(weft_array a, weft_array b) {
    ck_assert(a.type == b.type && a.length == b.length);
    char *x = calloc((size_t)a.length + 1, 8), *y = calloc((size_t)a.length + 1, 8);
    if (a.type) {
        weft_read(device, a, x);
        weft_read(device, b, y);
    }
    test_ok();
    ck_assert_mem_eq(x, y, (size_t)a.length * 8);
    free(x), free(y);
}

/* That both at once, of spheres of which so many particles are kept, find what was found.
 */
static void check_both(const scene *s, int moves, f64 last, i64 keep,
                       const weft_so_properties *alone, const weft_profiles *q) {
    given g = give(s, moves, last, keep);
    weft_so_properties p;
    weft_profiles shells;
    both(&g, &p, &shells);
    test_ok();
    const weft_array *one = (const weft_array *)&p, *other = (const weft_array *)alone;
    for (size_t k = 0; k < sizeof p / sizeof *one; k++)
        same(one[k], other[k]);
    ck_assert(shells.centers == q->centers && shells.bins == q->bins);
    const weft_array found[] = {shells.count, shells.mass, shells.density,
                                shells.radial_velocity, shells.velocity_dispersion},
                     expected[] = {q->count, q->mass, q->density, q->radial_velocity,
                                   q->velocity_dispersion};
    for (int k = 0; k < 5; k++)
        same(found[k], expected[k]);
    weft_so_properties_free(device, &p);
    weft_profiles_free(device, &shells);
    weft_so_free(device, &g.spheres);
}

static void check(const scene *s, int moves, f64 last) {
    given g = give(s, moves, last, 0);
    weft_so_properties alone;
    weft_profiles q;
    weft_so_measure(device, &g.bodies, &g.centers, &g.options, &g.spheres, &g.measures,
                    &alone);
    weft_profiles_options how = g.shells;
    how.radius =
        weft_slice(device, g.spheres.radius, g.measures.threshold * s->centers, s->centers);
    how.velocity = alone.velocity;
    weft_profiles_measure(device, &g.bodies, &g.centers, &g.options, &how, &q);
    test_ok();
    check_both(s, moves, last, 0, &alone, &q);
    check_both(s, moves, last, (s->n % 2 ? 100 : 5) * s->n, &alone, &q);
    weft_so_properties_free(device, &alone);
    weft_profiles_free(device, &q);
    weft_so_free(device, &g.spheres);
}

/* Shells that end within the spheres, and beyond. */
START_TEST(as_each_alone) {
    const i64 sizes[] = {3000, 0, 1, 257};
    for (int which = 0; which < 16; which += 1 + kind_step / 3) {
        u64 seed = 5;
        const i64 n = sizes[which % 4];
        scene s = scene_clumpy(n, n > 0 ? 21 : 2, which / 4 % 2, 3);
        s.has_mass = which / 8;
        s.id = calloc((size_t)s.n + 1, sizeof *s.id);
        for (i64 i = 0; i < s.n; i++) {
            s.id[i] = s.n - i;
            s.m[i] = pow(10, 3 * scene_uniform(&seed));
        }
        check(&s, which % 3 > 0, which % 2 ? 0.5 : 3);
        scene_free(&s);
    }
}
END_TEST

/* Of a clump whose density goes as 1 / r^2: shells that end where what is kept is in no
 * order. */
START_TEST(among_kept) {
    u64 seed = 7;
    scene s = scene_new(20001, 8);
    for (i64 i = 0; i < s.n; i++) {
        f64 way[3], length2 = 0;
        for (int a = 0; a < 3; a++) {
            way[a] = scene_uniform(&seed) - 0.5;
            length2 += way[a] * way[a];
        }
        const f64 r = scene_uniform(&seed) / sqrt(length2);
        for (int a = 0; a < 3; a++)
            s.x[3 * i + a] = r * way[a];
    }
    for (i64 k = 0; k < 3 * s.centers; k++)
        s.c[k] = 0.001 * scene_uniform(&seed);
    s.options.density[0] = 8e7; /* some 150 particles up to 0.0075 */
    for (int k = 0; k < 12; k++)
        check(&s, 1, 1.004 + 0.02 * k);
    scene_free(&s);
}
END_TEST

/* All properties of all centers, one after the other. */
static f64 *properties_of(const scene *s) {
    given g = give(s, 1, 1, 0);
    weft_so_properties p;
    weft_so_measure(device, &g.bodies, &g.centers, &g.options, &g.spheres, &g.measures, &p);
    const weft_array *each = (const weft_array *)&p;
    f64 *all = calloc((size_t)(64 * s->centers), sizeof *all);
    for (size_t k = 0, to = 0; k < sizeof p / sizeof *each; k++) {
        const size_t n = (size_t)(each[k].length / s->centers);
        f64 *found = calloc((size_t)each[k].length + 1, sizeof *found);
        if (each[k].type)
            weft_read(device, each[k], found);
        for (size_t c = 0; c < (size_t)s->centers; c++)
            memcpy(all + 64 * c + to, found + n * c, n * sizeof *found);
        to += n;
        ck_assert(to <= 64);
        free(found);
    }
    test_ok();
    weft_so_properties_free(device, &p);
    weft_so_free(device, &g.spheres);
    return all;
}

/* What is found of a sphere does not depend on which others are measured with it. */
START_TEST(in_any_company) {
    scene s = scene_clumpy(3001, 21, 1, 3);
    f64 *all = properties_of(&s);
    for (i64 c = 0; c < s.centers; c += 5) {
        scene one = s;
        one.c = s.c + 3 * c;
        one.centers = c % 2 ? 1 : s.centers - c;
        f64 *some = properties_of(&one);
        ck_assert_mem_eq(some, all + 64 * c, (size_t)(64 * one.centers) * sizeof *all);
        free(some);
    }
    free(all);
    scene_free(&s);
}
END_TEST

/* A cube of particles is as round as a ball, and has nothing to turn, whatever another
 * sphere beside it has. */
START_TEST(round_and_not) {
    scene s = scene_new(27, 2);
    for (i64 i = 0; i < 27; i++) {
        s.x[3 * i] = 0.125 * (f64)(i % 3 - 1);
        s.x[3 * i + 1] = 0.125 * (f64)(i / 3 % 3 - 1);
        s.x[3 * i + 2] = 0.125 * (f64)(i / 9 - 1);
    }
    for (int a = 0; a < 3; a++)
        s.c[3 + a] = 0.01 * (a + 1);
    given g = give(&s, 1, 1, 0);
    weft_so_properties p;
    weft_so_measure(device, &g.bodies, &g.centers, &g.options, &g.spheres, &g.measures, &p);
    f64 shape[6], axes[18];
    weft_read(device, p.shape, shape);
    weft_read(device, p.shape_axes, axes);
    test_ok();
    ck_assert(shape[0] == 1 && shape[1] == 1 && shape[2] == 0);
    for (int k = 0; k < 9; k++)
        ck_assert(axes[k] == (k % 4 == 0 ? 1 : 0));
    ck_assert(shape[3] < 0.999 && axes[9] > 0.1 && axes[9] < 0.9);
    weft_so_properties_free(device, &p);
    weft_so_free(device, &g.spheres);
    scene_free(&s);
}
END_TEST

/* More than a batch holds on CPUs. */
START_TEST(batches) {
    scene s = scene_clumpy(6000, 60, 0, 3);
    s.options.densities = 1;
    s.options.density[0] = 10;
    check(&s, 1, 1.5);
    scene_free(&s);
}
END_TEST

START_TEST(refusals) {
    scene s = scene_clumpy(300, 4, 1, 3);
    given g = give(&s, 1, 2, 0);
    const weft_profiles_options shells = g.shells;
    weft_so_properties p;
    weft_profiles q;
    test_expect_error(both(&g, NULL, &q), "properties");
    test_expect_error(both(&g, &p, NULL), "profiles");
    g.shells.velocity = test_array(WEFT_F64, s.x, 12);
    test_expect_error(both(&g, &p, &q), "no 'velocity' of their own");
    g.shells = shells, g.shells.edge[2] = 0;
    test_expect_error(both(&g, &p, &q), "edge[2] is 0");
    g.shells = shells, g.measures.gravity = 0;
    test_expect_error(both(&g, &p, &q), "gravity is 0");
    g.measures.gravity = 1, g.options.density[2] *= 0.01;
    test_expect_error(both(&g, &p, &q), "it is of other particles");
    ck_assert(p.vmax.type == 0 && q.count.type == 0);
    weft_so_free(device, &g.spheres);
    scene_free(&s);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {as_each_alone, among_kept, in_any_company,
                                  round_and_not, batches,    refusals};
    return test_main(argc, argv, "so_both", tests, sizeof tests / sizeof *tests);
}
