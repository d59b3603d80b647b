/* What near pairs lack, against all pairs by definition; both parts against Ewald's sums.
 */
#include "gravity_scene.h"

#include <math.h>
#include <stdlib.h>

static const f64 cell = 1. / 32;

static weft_gravity *plan_of(i64 most, f64 reach, f64 softening) {
    const weft_gravity_options o = {
        .mesh = 32, .most = most, .reach = reach, .softening = softening};
    weft_gravity *plan = weft_gravity_new(device, &o);
    test_ok();
    return plan;
}

/* 1 / (r^2 + e^2)^(3/2) less the mass of the ball (1 - r^2 / a^2)^4 within r over r^3. */
static f64 rest(f64 r2, f64 a, f64 e) {
    const f64 s = r2 / (a * a), soft = r2 + e * e;
    const f64 inside = 1. / 3 + s * (-4. / 5 + s * (6. / 7 + s * (-4. / 9 + s / 11)));
    return s < 1 ? 1 / (soft * sqrt(soft)) - inside * (3465. / 128) / (a * a * a) : 0;
}

/* Each particle's sum is right to 1e-5 of the sum of sizes. */
static void check(const scene *s, f64 a, f64 e) {
    for (i64 i = 0; i < s->n; i++) {
        f64 wanted[3] = {0, 0, 0}, sizes = 0, error = 0;
        for (i64 j = 0; j < s->n; j++) {
            f64 d[3];
            scene_away(s, i, j, d);
            const f64 r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            if (r2 == 0 || r2 > a * a)
                continue;
            for (int k = 0; k < 3; k++)
                wanted[k] += rest(r2, a, e) * d[k];
            sizes += sqrt(r2) / ((r2 + e * e) * sqrt(r2 + e * e));
        }
        for (int k = 0; k < 3; k++)
            error = fmax(error, fabs(s->got[k][i] - wanted[k]));
        if (!(error <= 1e-5 * sizes))
            ck_abort_msg("%lld particles: %lld is off by %g of %g", (long long)s->n,
                         (long long)i, error, sizes);
    }
}

/* Half of them in a clump of this size around the corner, where the box ends. */
static scene crowd(i64 n, f64 clump, u64 seed) {
    scene s = scene_new(n);
    for (i64 i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            const f64 x = (f64)(i64)test_random(&seed) * 0x1p-63;
            s.at[k][i] = (u32)(i64)(x * (i % 2 ? clump : 0.5) * 0x1p32);
        }
    return s;
}

START_TEST(definition) {
    static const i64 counts[] = {0, 1, 2, 15, 16, 17, 33, 257, 1200};
    static const f64 clumps[] = {0.3, 0.01}, reaches[] = {0, 2, 15};
    for (int k = 0, kind = 0; k < 9; k++, kind++) {
        const i64 n = counts[k];
        const f64 reach = reaches[kind % 3], e = kind % 4 == 3 ? 0 : 0.1 * cell;
        scene s = crowd(n, clumps[kind % 2], (u64)kind);
        for (int axis = 0; axis < 3 && n > 2; axis++)
            s.at[axis][n - 1] = s.at[axis][0];
        weft_gravity *plan = plan_of(n + 1, reach, e);
        scene_run(&s, plan, weft_gravity_short);
        check(&s, (reach > 0 ? reach : 5.5) * cell, e);
        weft_gravity_free(device, plan);
        scene_free(&s);
    }
}
END_TEST

/* More in one cell than a list has room for; and all in one place: no pull. */
START_TEST(together) {
    weft_gravity *plan = plan_of(700, 0, 0);
    for (int shift = 12; shift <= 32; shift += 10) {
        u64 seed = 7;
        scene s = scene_new(700);
        for (i64 i = 0; i < s.n; i++)
            for (int k = 0; k < 3; k++)
                s.at[k][i] = 0x70000000u + (u32)((test_random(&seed) >> 32) >> shift);
        scene_run(&s, plan, weft_gravity_short);
        check(&s, 5.5 * cell, 0);
        for (i64 i = 0; shift == 32 && i < s.n; i++)
            ck_assert_double_eq(s.got[0][i], 0);
        scene_free(&s);
    }
    weft_gravity_free(device, plan);
}
END_TEST

/* So many side by side that lists of near tiles, where they are kept, go by pieces. */
START_TEST(pieces) {
    const weft_gravity_options o = {.mesh = 8, .most = 4800, .softening = 0.01};
    scene s = scene_new(o.most);
    u64 seed = 11;
    for (i64 i = 0; i < s.n; i++)
        for (int k = 0; k < 3; k++)
            s.at[k][i] = (u32)((test_random(&seed) >> 32) >> 3);
    weft_gravity *plan = weft_gravity_new(device, &o);
    scene_run(&s, plan, weft_gravity_short);
    check(&s, 3. / 8, o.softening);
    weft_gravity_free(device, plan);
    scene_same(&s, &o, weft_gravity_short);
    scene_free(&s);
}
END_TEST

/* Reaches of a block and of several, up to all that there are. */
START_TEST(same_bytes) {
    static const f64 reaches[] = {0, 2, 9, 15};
    for (int k = 0; k < 4; k++) {
        const weft_gravity_options o = {
            .mesh = 32, .most = 2000, .softening = 0.001, .reach = reaches[k]};
        scene s = crowd(o.most, 0.02, 3);
        scene_same(&s, &o, weft_gravity_short);
        scene_free(&s);
    }
}
END_TEST

/* Nothing moves as a whole, nor for where cells begin. */
START_TEST(laws) {
    const i64 n = 1000;
    scene s = crowd(n, 0.05, 9), moved = crowd(n, 0.05, 9);
    weft_gravity *plan = plan_of(n, 0, 0.001);
    scene_run(&s, plan, weft_gravity_short);
    f64 size = 0;
    for (int k = 0; k < 3; k++)
        for (i64 i = 0; i < n; i++) {
            size += fabs(s.got[k][i]) / (3 * (f64)n);
            moved.at[k][i] = s.at[k][i] + (u32)(2 * k + 3) * (1u << 27);
        }
    scene_run(&moved, plan, weft_gravity_short);
    for (int k = 0; k < 3; k++) {
        f64 sum = 0;
        for (i64 i = 0; i < n; i++) {
            sum += s.got[k][i] / (f64)n;
            ck_assert_double_le(fabs(s.got[k][i] - moved.got[k][i]),
                                5e-5 * (size + fabs(s.got[k][i])));
        }
        ck_assert_double_le(fabs(sum), 1e-6 * size);
    }
    weft_gravity_free(device, plan);
    scene_free(&s), scene_free(&moved);
}
END_TEST

static int ascending(const void *a, const void *b) {
    const f64 x = *(const f64 *)a, y = *(const f64 *)b;
    return (x > y) - (x < y);
}

/* The whole force against Ewald's sums, for every `step`-th particle: of what they feel a
 * median of 1e-3, of 99 in 100 5e-3. */
static void total(scene *s, i64 step) {
    scene pairs = scene_new(s->n);
    f64 *error = calloc((size_t)(s->n / step + 1), sizeof *error), size;
    i64 count = 0;
    weft_gravity *plan = plan_of(s->n, 0, 0);
    for (int k = 0; k < 3; k++)
        for (i64 i = 0; i < s->n; i++)
            pairs.at[k][i] = s->at[k][i];
    scene_run(s, plan, weft_gravity_long);
    scene_run(&pairs, plan, weft_gravity_short);
    weft_gravity_free(device, plan);
    for (int k = 0; k < 3; k++)
        for (i64 i = 0; i < s->n; i++)
            s->got[k][i] += pairs.got[k][i];
    for (i64 i = 0; i < s->n; i += step) {
        error[count] = scene_error(s, i, &size);
        error[count++] /= size;
    }
    qsort(error, (size_t)count, sizeof *error, ascending);
    ck_assert_double_le(error[count / 2], 1e-3);
    ck_assert_double_le(error[count * 99 / 100], 5e-3);
    free(error);
    scene_free(&pairs);
}

/* Clumps; and a lattice of 16^3, at twice the distance of the mesh's points, moved along
 * each axis by a wave of a sixth of that, and at random by up to a fiftieth. */
START_TEST(all) {
    if (kind_step > 1)
        return;
    scene s = crowd(1000, 0.05, 4), lattice = scene_new(4096);
    u64 seed = 1;
    total(&s, 20);
    for (i64 i = 0; i < 4096; i++)
        for (int k = 0; k < 3; k++) {
            const i64 at = i >> (4 * k) & 15;
            const f64 noise = (f64)(i64)test_random(&seed) * 0x1p-63 / 50;
            const f64 wave = sin((k + 1) * 3.14159265358979323846 / 8 * ((f64)at + 0.3));
            lattice.at[k][i] = (u32)(i64)(((f64)at + wave / 6 + noise) * 0x1p28);
        }
    total(&lattice, 150);
    scene_free(&s), scene_free(&lattice);
}
END_TEST

START_TEST(wrong_arguments) {
    const weft_gravity_options o = {.mesh = 8, .most = 1, .softening = -1};
    ck_assert_ptr_null(weft_gravity_new(device, &o));
    test_expect_error(WEFT_E_ARGUMENT, "softening is -1, not 0 to 1");
    const weft_array x = weft_array_new(device, WEFT_U32, 2);
    weft_gravity_short(device, NULL, x, x, x, x, x, x);
    test_expect_error(WEFT_E_ARGUMENT, "weft_gravity_short: 'plan' is NULL");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {definition, together, pieces,         same_bytes,
                                  laws,       all,      wrong_arguments};
    return test_main(argc, argv, "gravity_short", tests, sizeof tests / sizeof *tests);
}
