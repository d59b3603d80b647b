/* The split of HACC: what its force is off by is HACC's own. */
#include "gravity_scene.h"

#include <math.h>

enum { SIDE = 48 };

static weft_gravity *plan_of(i64 mesh) {
    const weft_gravity_options o = {.mesh = mesh, .most = 64, .split = WEFT_GRAVITY_HACC};
    weft_gravity *plan = weft_gravity_new(device, &o);
    test_ok();
    return plan;
}

/* |both parts - Ewald's| of a pair, over 1 / r^2. */
static f64 off(weft_gravity *plan, f64 r, u64 *seed) {
    scene s = scene_new(2), near = scene_new(2);
    f64 size;
    scene_pair(&s, r, seed);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 2; i++)
            near.at[k][i] = s.at[k][i];
    scene_run(&s, plan, weft_gravity_long);
    scene_run(&near, plan, weft_gravity_short);
    for (int k = 0; k < 3; k++)
        s.got[k][0] += near.got[k][0];
    const f64 error = scene_error(&s, 0, &size) * r * r;
    scene_free(&s), scene_free(&near);
    return error;
}

/* Roots of mean squares at so many points, as they were measured of HACC's formulas; those
 * of few pairs are within a third of them. */
START_TEST(pairs) {
    static const f64 points[] = {1, 1.5, 2, 2.5, 3, 4};
    static const f64 known[] = {2.4e-2, 4.3e-2, 4.7e-2, 4.9e-2, 4.2e-2, 2.2e-2};
    const int tries = kind_step > 1 ? 2 : 40;
    weft_gravity *plan = plan_of(SIDE);
    u64 seed = 3;
    for (int bin = 0; bin<6; bin += kind_step> 1 ? 3 : 1) {
        f64 sum = 0;
        for (int k = 0; k < tries; k++) {
            const f64 error = off(plan, points[bin] / SIDE, &seed);
            ck_assert_double_lt(error, 4 * known[bin]);
            sum += error * error;
        }
        const f64 rms = sqrt(sum / tries);
        if (kind_step == 1 && fabs(rms / known[bin] - 1) > 1. / 3)
            ck_abort_msg("%g points: %.2e", points[bin], rms);
    }
    weft_gravity_free(device, plan);
}
END_TEST

/* Points of a lattice do not pull each other; nothing moves as a whole. */
START_TEST(laws) {
    scene s = scene_new(64);
    weft_gravity *plan = plan_of(12);
    for (int moved = 0; moved < 2; moved++) {
        u64 seed = 1;
        for (int i = 0; i < 64; i++)
            for (int k = 0; k < 3; k++)
                s.at[k][i] = (u32)(i >> (2 * k) & 3) * 0x40000000u +
                             (moved ? (u32)(test_random(&seed) >> 33) : 12345u);
        for (int part = 0; part < 2; part++) {
            scene_run(&s, plan, part ? weft_gravity_short : weft_gravity_long);
            for (int k = 0; k < 3; k++) {
                f64 sum = 0, size = 0;
                for (int i = 0; i < 64; i++)
                    sum += s.got[k][i], size += fabs(s.got[k][i]);
                ck_assert_double_lt(fabs(sum), 1e-5 * size + 1e-2);
                ck_assert(moved ? size > 64 : size < 1);
            }
        }
    }
    weft_gravity_free(device, plan);
    scene_free(&s);
}
END_TEST

START_TEST(wrong_arguments) {
    weft_gravity_options o = {.mesh = 16, .most = 1, .split = 2};
    ck_assert_ptr_null(weft_gravity_new(device, &o));
    test_expect_error(WEFT_E_ARGUMENT, "there is no split 2");
    o.split = WEFT_GRAVITY_HACC, o.reach = 4;
    ck_assert_ptr_null(weft_gravity_new(device, &o));
    test_expect_error(WEFT_E_ARGUMENT,
                      "a reach of its own, 3.116326 points of a mesh of at "
                      "least 10: not 4 of 16");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {pairs, laws, wrong_arguments};
    return test_main(argc, argv, "gravity_hacc", tests, sizeof tests / sizeof *tests);
}
