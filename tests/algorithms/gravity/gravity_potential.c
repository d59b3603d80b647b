/* Potentials: of lattices, by Madelung's number; of pairs, alone and of all; and that
 * forces are their slopes. */
#include "gravity_scene.h"

#include <math.h>
#include <stdlib.h>

static weft_gravity *plan_of(i64 most, f64 softening) {
    const weft_gravity_options o = {.mesh = 32, .most = most, .softening = softening};
    weft_gravity *plan = weft_gravity_new(device, &o);
    test_ok();
    return plan;
}

/* The calls as those that give three numbers a particle: both, and each in ay and az. */
static weft_status deepen(weft_device *on, weft_gravity *plan, weft_array x, weft_array y,
                          weft_array z, weft_array ax, weft_array ay, weft_array az) {
    f64 *far = calloc((size_t)x.length + 1, sizeof *far);
    f64 *near = calloc((size_t)x.length + 1, sizeof *near);
    weft_gravity_long_potential(on, plan, x, y, z, ay);
    weft_gravity_short_potential(on, plan, x, y, z, az);
    weft_read(on, ay, far);
    weft_read(on, az, near);
    for (i64 i = 0; i < x.length; i++)
        far[i] += near[i];
    weft_write(on, ax, far);
    free(far), free(near);
    return weft_check(on);
}

static f64 energy(scene *s, weft_gravity *plan) {
    f64 sum = 0;
    scene_run(s, plan, deepen);
    for (i64 i = 0; i < s->n; i++)
        sum += s->got[0][i] / 2;
    return sum;
}

/* A point and its images are a cubic lattice: 2.8372975 over its side. */
START_TEST(lattices) {
    for (i64 side = 1; side <= 8; side *= 8) {
        const i64 n = side * side * side;
        scene s = scene_new(n);
        weft_gravity *plan = plan_of(n, 0);
        for (i64 i = 0; i < n; i++) {
            const i64 at[3] = {i / side / side, i / side % side, i % side};
            for (int k = 0; k < 3; k++)
                s.at[k][i] = (u32)(at[k] * (0x100000000 / side)) + 0x12345678u;
        }
        scene_run(&s, plan, deepen);
        for (i64 i = 0; i < n; i++)
            ck_assert_double_eq_tol(s.got[0][i], 2.8372975 * (f64)side,
                                    side == 1 ? 2e-2 : 6e-2);
        weft_gravity_free(device, plan);
        scene_free(&s);
    }
}
END_TEST

/* Of two, far from their images: -1 / r, and to fourth order what all of space does. */
START_TEST(pairs) {
    u64 seed = 1;
    scene s = scene_new(2);
    weft_gravity *plan = plan_of(2, 0);
    for (int k = 1; k <= (kind_step > 1 ? 2 : 12); k++) {
        const f64 r = 0.16 * k / 12;
        scene_pair(&s, r, &seed);
        scene_run(&s, plan, deepen);
        const f64 wanted = 2 * 2.8372975 - 1 / r - 2.0943951 * r * r;
        for (int i = 0; i < 2; i++)
            if (!(fabs(s.got[0][i] - wanted) <= 2e-2))
                ck_abort_msg("at %g: %g, not %g", r, s.got[0][i], wanted);
    }
    weft_gravity_free(device, plan);
    scene_free(&s);
}
END_TEST

static scene crowd(i64 n, u64 seed) {
    scene s = scene_new(n);
    for (i64 i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            const f64 x = (f64)(i64)test_random(&seed) * 0x1p-63;
            s.at[k][i] = (u32)(i64)(x * (i % 2 ? 0.03 : 0.5) * 0x1p32);
        }
    return s;
}

/* What a particle loses by a small way is what the force does on it. */
START_TEST(slopes) {
    const i64 n = 300;
    if (kind_step > 1)
        return;
    scene s = crowd(n, 5), mesh = crowd(n, 5);
    weft_gravity *plan = plan_of(n, 0.002);
    scene_run(&mesh, plan, weft_gravity_long);
    scene_run(&s, plan, weft_gravity_short);
    for (int i = 0; i < 12; i++) {
        const int axis = i % 3;
        const u32 step = 1u << 20, here = s.at[axis][i];
        const f64 pull = s.got[axis][i] + mesh.got[axis][i];
        scene moved = crowd(n, 5);
        moved.at[axis][i] = here + step;
        const f64 after = energy(&moved, plan);
        moved.at[axis][i] = here - step;
        const f64 work = (energy(&moved, plan) - after) / (2 * (f64)step * 0x1p-32);
        f64 size = 0;
        for (int k = 0; k < 3; k++)
            size += fabs(s.got[k][i] + mesh.got[k][i]);
        if (!(fabs(work - pull) <= 2e-2 * size))
            ck_abort_msg("particle %d: %g and %g of %g", i, work, pull, size);
        scene_free(&moved);
    }
    weft_gravity_free(device, plan);
    scene_free(&s), scene_free(&mesh);
}
END_TEST

/* Near ones by definition: the difference of two softenings, which the mesh does not see.
 */
START_TEST(definition) {
    static const i64 counts[] = {1, 2, 15, 16, 17, 33, 700};
    const f64 soft[2] = {0.001, 0.02}, a = 5.5 / 32;
    for (int c = 0; c < 7; c++) {
        const i64 n = counts[c];
        scene s[2] = {crowd(n, 3), crowd(n, 3)};
        f64 lift[2];
        for (int k = 0; k < 2; k++) {
            weft_gravity *plan = plan_of(n, soft[k]);
            scene_run(&s[k], plan, deepen);
            weft_gravity_free(device, plan);
            /* Of the mean: 4 pi r^2 dr by steps from 0 to a. */
            lift[k] = 0;
            for (int m = 0; m < 4000; m++) {
                const f64 r = a * (m + 0.5) / 4000, e = soft[k];
                lift[k] += 12.566370614 * r * r * a / 4000 *
                           (1 / sqrt(r * r + e * e) - 1 / sqrt(a * a + e * e));
            }
        }
        for (i64 i = 0; i < n; i++) {
            f64 wanted = (f64)n * (lift[1] - lift[0]), size = 1;
            for (i64 j = 0; j < n; j++) {
                f64 d[3], root[2];
                scene_away(&s[0], i, j, d);
                const f64 r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
                for (int k = 0; k < 2; k++)
                    root[k] = 1 / sqrt(r2 + soft[k] * soft[k]) -
                              1 / sqrt(a * a + soft[k] * soft[k]);
                if (r2 > 0 && r2 < a * a)
                    wanted -= root[1] - root[0], size += root[0];
            }
            const f64 got = s[1].got[0][i] - s[0].got[0][i];
            if (!(fabs(got - wanted) <= 2e-5 * size))
                ck_abort_msg("%lld particles: %lld has %g, not %g, of %g", (long long)n,
                             (long long)i, got, wanted, size);
        }
        scene_free(&s[0]), scene_free(&s[1]);
    }
}
END_TEST

START_TEST(same_bytes) {
    const weft_gravity_options o = {.mesh = 32, .most = 700, .softening = 0.001};
    scene s = crowd(o.most, 3);
    scene_same(&s, &o, deepen);
    scene_free(&s);
}
END_TEST

START_TEST(wrong_arguments) {
    weft_gravity *plan = plan_of(2, 0);
    const weft_array x = weft_array_new(device, WEFT_U32, 2);
    const weft_array out = weft_array_new(device, WEFT_F64, 1);
    weft_gravity_short_potential(device, NULL, x, x, x, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_gravity_short_potential: 'plan' is NULL");
    weft_gravity_long_potential(device, plan, x, x, x, out);
    test_expect_error(WEFT_E_SHAPE, "weft_gravity_long_potential");
    weft_array_free(device, x), weft_array_free(device, out);
    weft_gravity_free(device, plan);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {lattices,   pairs,      slopes,
                                  definition, same_bytes, wrong_arguments};
    return test_main(argc, argv, "gravity_potential", tests, sizeof tests / sizeof *tests);
}
