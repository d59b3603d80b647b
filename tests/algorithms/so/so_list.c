/* The particles of spheres, nearest first, against their definition. */
#include "so_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a call is given, and what weft_so found. */
typedef struct given {
    weft_bodies bodies;
    weft_points centers;
    weft_so_options options;
    weft_so_spheres spheres;
} given;

static given give(const scene *s, i64 keep) {
    given g = {.options = s->options};
    g.options.keep = keep;
    const weft_array x = test_array(WEFT_F64, s->x, 3 * s->n);
    g.bodies = (weft_bodies){.points = weft_points_interleaved(device, x),
                             .mass = s->has_mass ? test_array(WEFT_F64, s->m, s->n)
                                                 : (weft_array){0},
                             .particle_mass = s->particle_mass,
                             .box = {s->box[0], s->box[1], s->box[2]}};
    g.centers = weft_points_interleaved(device, test_array(WEFT_F64, s->c, 3 * s->centers));
    if (s->id)
        g.options.id = test_array(WEFT_I64, s->id, s->n);
    weft_so(device, &g.bodies, &g.centers, &g.options, &g.spheres);
    test_ok();
    return g;
}

typedef struct ranked {
    f64 r2;
    i64 id, index;
} ranked;

static int by_distance(const void *a, const void *b) {
    const ranked *p = a, *q = b;
    if (p->r2 != q->r2)
        return p->r2 < q->r2 ? -1 : 1;
    return p->id < q->id ? -1 : p->id > q->id;
}

static void rank_all(const scene *s, const f64 *center, ranked *to) {
    for (i64 i = 0; i < s->n; i++) {
        f64 d[3];
        for (int k = 0; k < 3; k++) {
            d[k] = s->x[3 * i + k] - center[k];
            d[k] = s->box[k] > 0 ? remainder(d[k], s->box[k]) : d[k];
        }
        to[i] = (ranked){d[0] * d[0] + d[1] * d[1] + d[2] * d[2], s->id ? s->id[i] : i, i};
    }
    qsort(to, (size_t)s->n, sizeof *to, by_distance);
}

/* Each list begins where the last one ended, and has as many of the nearest as are counted.
 */
static void check_keeping(const scene *s, i64 threshold, i64 keep) {
    given g = give(s, keep);
    weft_so_members out;
    weft_so_list(device, &g.bodies, &g.centers, &g.options, &g.spheres, threshold, &out);
    test_ok();
    ck_assert_int_eq(out.centers, s->centers);
    ck_assert_int_eq(out.particle.length, out.members);
    i64 *offset = calloc((size_t)(s->centers + 1), sizeof *offset);
    i64 *count = calloc((size_t)(s->centers * s->options.densities + 1), sizeof *count);
    u32 *who = calloc((size_t)(out.members + 1), sizeof *who);
    f64 *r2 = calloc((size_t)(out.members + 1), sizeof *r2);
    ranked *p = calloc((size_t)(s->n + 1), sizeof *p);
    weft_read(device, out.offset, offset);
    weft_read(device, out.particle, who);
    weft_read(device, out.r2, r2);
    weft_read(device, g.spheres.count, count);
    test_ok();
    ck_assert_int_eq(offset[0], 0);
    ck_assert_int_eq(offset[s->centers], out.members);
    for (i64 c = 0; c < s->centers; c++) {
        rank_all(s, s->c + 3 * c, p);
        ck_assert_int_eq(offset[c + 1] - offset[c], count[threshold * s->centers + c]);
        for (i64 k = offset[c]; k < offset[c + 1]; k++) {
            ck_assert_int_eq(who[k], p[k - offset[c]].index);
            ck_assert(memcmp(&r2[k], &p[k - offset[c]].r2, sizeof *r2) == 0);
        }
    }
    free(offset), free(count), free(who), free(r2), free(p);
    weft_so_members_free(device, &out);
    ck_assert(out.members == 0 && out.r2.type == 0);
    weft_so_free(device, &g.spheres);
}

/* Of what was looked for again, and what was kept, of some spheres or all. */
static void check(const scene *s, i64 threshold) {
    check_keeping(s, threshold, 0);
    check_keeping(s, threshold, (s->n % 2 ? 100 : 5) * s->n);
}

START_TEST(nearest_first) {
    const i64 sizes[] = {0, 1, 2, 255, 256, 257, 3000};
    for (int which = first_kind; which < 7 * 4; which += kind_step) {
        u64 seed = 5;
        scene s = scene_clumpy(sizes[which % 7], which % 7 == 0 ? 3 : 21, which / 7 % 2, 3);
        s.has_mass = which / 14;
        s.id = calloc((size_t)s.n + 1, sizeof *s.id);
        for (i64 i = 0; i < s.n; i++) {
            s.id[i] = s.n - i;
            s.m[i] = pow(10, 3 * scene_uniform(&seed));
            for (int k = 0; k < 3; k++) /* some at one place */
                s.x[3 * i + k] = i % 5 == 4 ? s.x[3 * (i - 1) + k] : s.x[3 * i + k];
        }
        check(&s, 0), check(&s, 1);
        free(s.id), s.id = NULL;
        check(&s, 2);
        scene_free(&s);
    }
}
END_TEST

START_TEST(no_centers) {
    scene s = scene_clumpy(100, 0, 1, 3);
    check(&s, 0);
    scene_free(&s);
}
END_TEST

/* Spheres that hold all particles, on CPUs in two batches. */
START_TEST(many_batches) {
    scene s = scene_clumpy(6000, 60, 0, 3);
    s.options.densities = 1;
    s.options.density[0] = 10;
    check(&s, 0);
    scene_free(&s);
}
END_TEST

/* Half as far from the center, but for a little: in one shell, in no order, which nothing
 * but the list wants sorted, as the sphere ends beyond it. */
START_TEST(one_shell) {
    u64 seed = 7;
    scene s = scene_new(1000, 1);
    for (i64 i = 0; i < s.n; i++) {
        const f64 angle = 6.283185307179586 * scene_uniform(&seed);
        const f64 begin = i < 300 ? 0 : i < 800 ? 1 : 1.4;
        const f64 wide = i < 300 ? 0.3 : i < 800 ? 1e-3 : 0.4;
        const f64 far = begin + wide * scene_uniform(&seed);
        s.x[3 * i] = far * cos(angle);
        s.x[3 * i + 1] = far * sin(angle);
    }
    s.options.density[0] = 60;
    check(&s, 0);
    scene_free(&s);
}
END_TEST

START_TEST(errors) {
    scene s = scene_clumpy(2000, 9, 1, 3), other = scene_clumpy(2000, 9, 1, 4);
    given g = give(&s, 0), h = give(&other, 0), kept = give(&s, 1000);
    weft_so_members out;
    test_expect_error(
        weft_so_list(device, &g.bodies, &g.centers, &g.options, &g.spheres, 5, &out),
        "threshold 5 is not one of 5");
    ck_assert(out.members == 0 && out.particle.type == 0);
    test_expect_error(
        weft_so_list(device, &g.bodies, &g.centers, &g.options, NULL, 0, &out), "spheres");
    test_expect_error(
        weft_so_list(device, &g.bodies, &g.centers, &g.options, &g.spheres, 0, NULL),
        "out");
    test_expect_error(
        weft_so_list(device, &g.bodies, &g.centers, &g.options, &h.spheres, 1, &out),
        "it is of other particles");
    kept.bodies.points.count--;
    if (kept.spheres.particles > 0)
        test_expect_error(weft_so_list(device, &kept.bodies, &kept.centers, &kept.options,
                                       &kept.spheres, 0, &out),
                          "the spheres are of 2000 particles, not of 1999");
    kept.options.keep = -1;
    test_expect_error(weft_so_list(device, &kept.bodies, &kept.centers, &kept.options,
                                   &kept.spheres, 0, &out),
                      "keep is -1");
    g.options.densities = 2;
    test_expect_error(
        weft_so_list(device, &g.bodies, &g.centers, &g.options, &g.spheres, 0, &out),
        "5 densities");
    weft_so_free(device, &g.spheres), weft_so_free(device, &h.spheres);
    weft_so_free(device, &kept.spheres);
    scene_free(&s), scene_free(&other);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {nearest_first, no_centers, many_batches, one_shell,
                                  errors};
    return test_main(argc, argv, "so_list", tests, sizeof tests / sizeof *tests);
}
