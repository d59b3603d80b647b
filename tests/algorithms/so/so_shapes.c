/* Iterated ellipsoids against their definition, and against ellipsoids that were made. */
#include "so_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <weft/so_shapes.h>

/* Of one center: shape and axes, then reduced ones. */
typedef struct shape {
    f64 ratio[3], axes[9];
} shape;

static weft_array put(weft_type type, const f64 *values, i64 n) {
    if (type == WEFT_F64)
        return test_array(type, values, n);
    f32 *slim = malloc((size_t)(n + 1) * sizeof *slim);
    for (i64 k = 0; k < n; k++)
        slim[k] = (f32)values[k];
    const weft_array array = test_array(type, slim, n);
    free(slim);
    return array;
}

/* [2 centers], for free(). */
static shape *measure(const scene *s, const f64 *radius) {
    const weft_array x = put(s->type, s->x, 3 * s->n),
                     c = put(s->type, s->c, 3 * s->centers);
    const weft_bodies bodies = {.points = weft_points_interleaved(device, x),
                                .mass = s->has_mass ? put(s->type, s->m, s->n)
                                                    : (weft_array){0},
                                .particle_mass = s->particle_mass,
                                .box = {s->box[0], s->box[1], s->box[2]}};
    const weft_points centers = weft_points_interleaved(device, c);
    weft_so_shapes out;
    weft_so_shapes_measure(device, &bodies, &centers, &s->options,
                           test_array(WEFT_F64, radius, s->centers), &out);
    test_ok();
    shape *to = calloc((size_t)(2 * s->centers + 1), sizeof *to);
    f64 *values = calloc((size_t)(9 * s->centers + 1), sizeof *values);
    const weft_array from[] = {out.shape, out.axes, out.reduced, out.reduced_axes};
    for (int k = 0; k < 4; k++) {
        const i64 each = k % 2 ? 9 : 3;
        ck_assert_int_eq(from[k].length, each * s->centers);
        weft_read(device, from[k], values);
        for (i64 i = 0; i < s->centers; i++)
            memcpy(k % 2 ? to[k / 2 * s->centers + i].axes
                         : to[k / 2 * s->centers + i].ratio,
                   values + each * i, (size_t)each * sizeof *values);
    }
    free(values);
    weft_so_shapes_free(device, &out);
    return to;
}

/* Eigenvectors of a symmetric matrix as rows of e, by their values, descending. */
static void eigen(f64 m[3][3], f64 value[3], f64 e[3][3]) {
    for (int k = 0; k < 9; k++)
        e[k / 3][k % 3] = k % 4 == 0;
    for (int turn = 0; turn < 60; turn++) {
        const int p = turn % 3, q = (turn + 1) % 3;
        const f64 apart = m[q][q] - m[p][p],
                  angle = /* at most pi / 4 */
                  m[p][q] == 0 ? 0 : atan(2 * m[p][q] / apart) / 2;
        const f64 c = cos(angle), s = sin(angle);
        for (int k = 0; k < 3; k++) {
            const f64 a = m[k][p], b = m[k][q];
            m[k][p] = c * a - s * b, m[k][q] = s * a + c * b;
        }
        for (int k = 0; k < 3; k++) {
            const f64 a = m[p][k], b = m[q][k], u = e[p][k], v = e[q][k];
            m[p][k] = c * a - s * b, m[q][k] = s * a + c * b;
            e[p][k] = c * u - s * v, e[q][k] = s * u + c * v;
        }
    }
    int order[3] = {0, 1, 2};
    for (int k = 0; k < 3; k++) { /* of three, three exchanges */
        const int i = k % 2;
        if (m[order[i]][order[i]] < m[order[i + 1]][order[i + 1]]) {
            const int kept = order[i];
            order[i] = order[i + 1], order[i + 1] = kept;
        }
    }
    f64 sorted[3][3];
    for (int k = 0; k < 3; k++) {
        value[k] = m[order[k]][order[k]];
        memcpy(sorted[k], e[order[k]], sizeof sorted[k]);
    }
    memcpy(e, sorted, sizeof sorted);
}

/* The shape around a center, by its definition. */
static shape define(const scene *s, const f64 *center, f64 radius, int reduced) {
    shape now = {{1, 1, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    const shape none = {{0}, {0}};
    for (int round = 0; round < 20 && radius > 0; round++) {
        const f64 q = now.ratio[1], p = now.ratio[0], g = cbrt(p * q);
        f64 sum[3][3] = {{0}}, mass = 0, value[3], e[3][3];
        i64 count = 0;
        for (i64 i = 0; i < s->n; i++) {
            f64 x[3], along[3];
            for (int k = 0; k < 3; k++) {
                x[k] = s->x[3 * i + k] - center[k];
                x[k] = s->box[k] > 0 ? remainder(x[k], s->box[k]) : x[k];
            }
            for (int k = 0; k < 3; k++)
                along[k] = x[0] * now.axes[3 * k] + x[1] * now.axes[3 * k + 1] +
                           x[2] * now.axes[3 * k + 2];
            const f64 r = g * hypot(hypot(along[0], along[1] / q), along[2] / p);
            if (r > radius || hypot(hypot(x[0], x[1]), x[2]) > 2 * radius)
                continue;
            const f64 m = s->has_mass ? s->m[i] : s->particle_mass;
            for (int k = 0; k < 9; k++)
                sum[k / 3][k % 3] += reduced && !(r > 0)
                                         ? 0
                                         : m * x[k / 3] * x[k % 3] / (reduced ? r * r : 1);
            mass += m;
            count++;
        }
        for (int k = 0; k < 9; k++)
            sum[k / 3][k % 3] /= count ? mass : 1;
        eigen(sum, value, e);
        if (count < 20 || !(value[2] > 1e-12 * value[0]))
            return none;
        const f64 before[] = {now.ratio[0], now.ratio[1]};
        now.ratio[0] = sqrt(value[2] / value[0]);
        now.ratio[1] = sqrt(value[1] / value[0]);
        now.ratio[2] = (value[0] - value[1]) / (value[0] - value[2]);
        for (int k = 0; k < 3; k++) {
            f64 most = 0;
            for (int a = 0; a < 3; a++)
                most = fabs(e[k][a]) > fabs(most) ? e[k][a] : most;
            for (int a = 0; a < 3; a++)
                now.axes[3 * k + a] = most < 0 ? -e[k][a] : e[k][a];
        }
        if (fabs(now.ratio[0] - before[0]) < 1e-4 && fabs(now.ratio[1] - before[1]) < 1e-4)
            break;
    }
    return radius > 0 ? now : none;
}

static void check(const scene *s, const f64 *radius) {
    shape *found = measure(s, radius);
    for (i64 k = 0; k < 2 * s->centers; k++) {
        const i64 c = k % s->centers;
        const shape expected = define(s, s->c + 3 * c, radius[c], k >= s->centers);
        for (int a = 0; a < 3; a++)
            ck_assert_msg(fabs(found[k].ratio[a] - expected.ratio[a]) < 1e-9,
                          "shape %lld, ratio %d: %.17g, not %.17g", (long long)k, a,
                          found[k].ratio[a], expected.ratio[a]);
        for (int a = 0; a < 9; a++)
            ck_assert_msg(fabs(found[k].axes[a] - expected.axes[a]) < 1e-6,
                          "shape %lld, axis %d: %.17g, not %.17g", (long long)k, a,
                          found[k].axes[a], expected.axes[a]);
    }
    free(found);
}

/* Particles of an ellipsoid with axes 1, b, c, whose density falls as the inverse square of
 * the distance: its first axis along z, the second along x. */
static scene ellipsoid(i64 n, f64 b, f64 c, u64 seed) {
    scene s = scene_new(n, 3);
    for (i64 i = 0; i < n; i++) {
        f64 d[3], square = 2;
        while (!(square > 0 && square < 1)) {
            square = 0;
            for (int k = 0; k < 3; k++) {
                d[k] = 2 * scene_uniform(&seed) - 1;
                square += d[k] * d[k];
            }
        }
        const f64 r = scene_uniform(&seed) / sqrt(square);
        s.x[3 * i] = r * b * d[1], s.x[3 * i + 1] = r * c * d[2], s.x[3 * i + 2] = r * d[0];
        s.m[i] = 1;
    }
    s.c[3] = 0.05;
    return s;
}

START_TEST(sizes) {
    static const i64 n[] = {0, 1, 19, 20, 21, 40, 255, 256, 257, 700, 2000};
    const f64 radius[] = {0.6, 0.4, 0};
    for (int k = 0; k < 11; k++) {
        scene s = ellipsoid(n[k], 0.8, 0.6, (u64)(n[k] + 1));
        if (n[k] > 0 && n[k] <= 21) /* all within reach */
            for (i64 i = 0; i < 3 * n[k]; i++)
                s.x[i] *= 0.3;
        s.type = k % 2 ? WEFT_F64 : WEFT_F32;
        s.has_mass = k % 3 == 2;
        for (i64 i = 0; i < n[k]; i++)
            s.m[i] = k % 3 == 2 ? (f64)(1 + i % 7) : 1;
        if (k % 4 == 3)
            for (int a = 0; a < 3; a++) {
                s.box[a] = 8;
                for (i64 i = 0; i < n[k]; i++)
                    s.x[3 * i + a] += (f64)(i % 3 - 1) * 8;
            }
        scene_round(&s);
        check(&s, radius);
        scene_free(&s);
    }
}
END_TEST

/* Particles in a plane, on a line, at one place have no shape. */
START_TEST(flat) {
    const f64 radius[] = {0.6, 0.6, 0.6};
    for (int axes = 1; axes <= 3; axes++) {
        scene s = ellipsoid(300, 0.8, 0.6, 5);
        for (i64 i = 0; i < 300; i++)
            for (int a = 0; a < axes; a++)
                s.x[3 * i + a] = 0;
        s.c[3] = 0;
        shape *found = measure(&s, radius);
        for (int k = 0; k < 6; k++)
            ck_assert(found[k].ratio[0] == 0 && found[k].ratio[1] == 0 &&
                      found[k].axes[0] == 0);
        free(found);
        scene_free(&s);
    }
}
END_TEST

/* Cut by the sphere, an ellipsoid is found as it was made, whole and reduced, with its axes
 * along z, x and y. */
START_TEST(found_as_made) {
    const f64 radius[] = {0.4, 0, 0};
    scene s = ellipsoid(30000, 0.7, 0.5, 7);
    shape *found = measure(&s, radius);
    for (int k = 0; k < 6; k += 3) {
        ck_assert_msg(fabs(found[k].ratio[0] - 0.5) < 0.03, "c/a %g", found[k].ratio[0]);
        ck_assert_msg(fabs(found[k].ratio[1] - 0.7) < 0.03, "b/a %g", found[k].ratio[1]);
        ck_assert(found[k].axes[2] > 0.995 && found[k].axes[3] > 0.995 &&
                  found[k].axes[7] > 0.995);
    }
    free(found);
    scene_free(&s);
}
END_TEST

START_TEST(refusals) {
    const f64 x[] = {0, 0, 0, 1, 1, 1};
    const weft_points two = weft_points_interleaved(device, test_array(WEFT_F64, x, 6));
    const weft_bodies bodies = {.points = two, .particle_mass = 1};
    const weft_so_options o = {.densities = 1, .density = {1}};
    weft_so_shapes out;
    weft_so_shapes_measure(device, &bodies, &two, &o, (weft_array){0}, &out);
    test_expect_error(WEFT_E_TYPE, "radius");
    weft_so_shapes_measure(device, &bodies, &two, &o, test_array(WEFT_F64, x, 1), &out);
    test_expect_error(WEFT_E_SHAPE, "radius");
    weft_so_shapes_measure(device, &bodies, &two, &o, test_array(WEFT_F64, x, 2), NULL);
    test_expect_error(WEFT_E_ARGUMENT, "out");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {sizes, flat, found_as_made, refusals};
    return test_main(argc, argv, "so_shapes", tests, sizeof tests / sizeof *tests);
}
