/* The force of the mesh, with the rest of a pair's by its formula, against Ewald's sums. */
#include "gravity_scene.h"

#include <math.h>
#include <string.h>

enum { SIDE = 32 };

static weft_gravity *plan_of(i64 most, int precision) {
    const weft_gravity_options o = {.mesh = SIDE, .most = most, .precision = precision};
    weft_gravity *plan = weft_gravity_new(device, &o);
    test_ok();
    return plan;
}

/* 1 / r^3 less the mass of the ball (1 - r^2 / a^2)^4 within r over r^3. */
static f64 rest(f64 r) {
    const f64 a = 5.5 / SIDE, s = r * r / (a * a);
    const f64 inside = 1. / 3 + s * (-4. / 5 + s * (6. / 7 + s * (-4. / 9 + s / 11)));
    return s < 1 ? 1 / (r * r * r) - inside * (3465. / 128) / (a * a * a) : 0;
}

/* Rms of 1e-3, where there are enough for one, at most 5e-3 of 1 / r^2, at any distance. */
START_TEST(pairs) {
    static const f64 cells[] = {0.1, 0.3, 1, 2, 3, 4, 5, 6, 8, 16};
    const int tries = kind_step > 1 ? 3 : 12;
    u64 seed = 1;
    scene s = scene_new(2);
    for (int precision = 0; precision < 2; precision++) {
        weft_gravity *plan = plan_of(2, precision);
        for (int bin = precision; bin<10; bin += kind_step> 1 ? 3 : 1) {
            f64 sum = 0;
            for (int k = 0; k < tries; k++) {
                const f64 r = cells[bin] / SIDE;
                f64 d[3], size;
                scene_pair(&s, r, &seed);
                scene_run(&s, plan, weft_gravity_long);
                for (i64 i = 0; i < 2; i++) {
                    scene_away(&s, i, 1 - i, d);
                    for (int axis = 0; axis < 3; axis++)
                        s.got[axis][i] += rest(r) * d[axis];
                    const f64 error = scene_error(&s, i, &size) * r * r;
                    sum += error * error;
                    ck_assert_double_lt(error, 5e-3);
                }
            }
            if (kind_step == 1 && sqrt(sum / (2 * tries)) > 1e-3)
                ck_abort_msg("%g cells: %.2e", cells[bin], sqrt(sum / (2 * tries)));
        }
        weft_gravity_free(device, plan);
    }
    scene_free(&s);
}
END_TEST

static scene crowd(i64 n, u64 seed) {
    scene s = scene_new(n);
    for (i64 i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            s.at[k][i] = i % 2 ? (u32)test_random(&seed) : (u32)(test_random(&seed) >> 36);
    return s;
}

static void same(const scene *a, const scene *b, f64 within) {
    for (int k = 0; k < 3; k++)
        for (i64 i = 0; i < a->n; i++)
            ck_assert_double_le(fabs(a->got[k][i] - b->got[k][i]), within);
}

START_TEST(same_bytes) {
    for (int precision = 0; precision < 2; precision++) {
        const weft_gravity_options o = {.mesh = SIDE, .most = 501, .precision = precision};
        scene s = crowd(o.most, 5);
        scene_same(&s, &o, weft_gravity_long);
        scene_free(&s);
    }
}
END_TEST

/* Masses are added by pencils, or by atomic sums, on meshes that pencils divide and not. */
START_TEST(pencils) {
    static const i64 meshes[] = {80, 16, 42};
    for (int m = 0; m < (kind_step > 1 ? 1 : 3); m++) {
        const weft_gravity_options o = {.mesh = meshes[m], .most = 2000};
        scene s = crowd(o.most, 7);
        scene_same(&s, &o, weft_gravity_long);
        scene_free(&s);
    }
}
END_TEST

/* Nothing moves as a whole, nor by itself, nor for where the mesh begins. */
START_TEST(laws) {
    const i64 n = 300;
    scene s = crowd(n, 9), moved = crowd(n, 9), alone = crowd(1, 3), none = scene_new(0);
    for (int precision = 0; precision < 2; precision++) {
        weft_gravity *plan = plan_of(n, precision);
        f64 size = 0, far = 0;
        scene_run(&s, plan, weft_gravity_long);
        for (int k = 0; k < 3; k++) {
            f64 sum = 0;
            for (i64 i = 0; i < n; i++) {
                sum += s.got[k][i];
                size += fabs(s.got[k][i]);
                far = fmax(far, fabs(s.got[k][i]));
                moved.at[k][i] = s.at[k][i] + (u32)(k + 3) * (1u << 27);
            }
            ck_assert_double_le(fabs(sum), (precision ? 1e-11 : 1e-6) * size);
        }
        scene_run(&moved, plan, weft_gravity_long);
        same(&s, &moved, (precision ? 1e-12 : 1e-6) * far);
        scene_run(&alone, plan, weft_gravity_long);
        for (int k = 0; k < 3; k++)
            ck_assert_double_le(fabs(alone.got[k][0]), precision ? 1e-9 : 1e-3);
        scene_run(&none, plan, weft_gravity_long);
        weft_gravity_free(device, plan);
    }
    scene_free(&s), scene_free(&moved), scene_free(&alone), scene_free(&none);
}
END_TEST

/* The second call takes no more memory than the first. */
START_TEST(memory) {
    scene s = crowd(64, 1);
    weft_gravity *plan = plan_of(64, 0);
    scene_run(&s, plan, weft_gravity_long);
    const u64 held = weft_memory_use(device).held;
    scene_run(&s, plan, weft_gravity_long);
    ck_assert_uint_eq(weft_memory_use(device).held, held);
    weft_gravity_free(device, plan);
    ck_assert_uint_eq(weft_memory_use(device).used, 0);
    scene_free(&s);
}
END_TEST

static void refuse(weft_gravity_options o, const char *words) {
    ck_assert_ptr_null(weft_gravity_new(device, &o));
    test_expect_error(WEFT_E_ARGUMENT, words);
}

START_TEST(wrong_arguments) {
    refuse((weft_gravity_options){.mesh = 22, .most = 1},
           "mesh is 22, not an even product");
    refuse((weft_gravity_options){.mesh = 6, .most = 1}, "mesh is 6, not an even product");
    refuse((weft_gravity_options){.mesh = 8}, "most is 0, not 1 to 4000000000");
    refuse((weft_gravity_options){.mesh = 8, .most = 1, .reach = 4},
           "reach is 4, not 0, or 2 to 3");
    refuse((weft_gravity_options){.mesh = 8, .most = 1, .reach = NAN}, "reach is nan");
    refuse((weft_gravity_options){.mesh = 8, .most = 1, .precision = 2},
           "precision is 2, not 0 or 1");
    refuse((weft_gravity_options){.mesh = 8, .most = 1, .reserved = {1}},
           "members that version");
    refuse((weft_gravity_options){.mesh = 8, .most = 1, .reserved = {0, 1}},
           "members that version");
    weft_gravity_new(device, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "'options' is NULL");
    const weft_array x = weft_array_new(device, WEFT_U32, 2);
    const weft_array a = weft_array_new(device, WEFT_F64, 2);
    weft_gravity *plan = plan_of(1, 0);
    weft_gravity_long(device, NULL, x, x, x, a, a, a);
    test_expect_error(WEFT_E_ARGUMENT, "'plan' is NULL");
    weft_gravity_long(device, plan, x, x, x, a, a, a);
    test_expect_error(WEFT_E_ARGUMENT, "2 particles, but the plan is for 1");
    weft_gravity_free(device, plan);
    plan = plan_of(2, 0);
    weft_gravity_long(device, plan, x, x, weft_slice(device, x, 0, 1), a, a, a);
    test_expect_error(WEFT_E_SHAPE, "array 'z' has 1 elements");
    weft_gravity_long(device, plan, x, a, x, a, a, a);
    test_expect_error(WEFT_E_TYPE, "array 'y' is not of type u32");
    weft_gravity_long(device, plan, x, x, x, a, x, a);
    test_expect_error(WEFT_E_TYPE, "array 'ay' is not of type f64");
    weft_device *other = weft_open("serial");
    weft_gravity_long(other, plan, x, x, x, a, a, a);
    ck_assert(weft_check(other) != WEFT_OK);
    weft_close(other);
    weft_gravity_free(device, plan);
    weft_gravity_free(device, NULL);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {pairs, same_bytes, pencils,
                                  laws,  memory,     wrong_arguments};
    return test_main(argc, argv, "gravity_long", tests, sizeof tests / sizeof *tests);
}
