/* Kicks and drifts against their definitions, steps forward and back, and motions whose
 * form is known: free ones, and a plane wave before it crosses. */
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "steps_force.kernel.h"
WEFT_KERNEL(steps_force_rough, (value, u32, salt), (in, u32, x), (in, u32, y),
            (out, f64, a))
WEFT_KERNEL(steps_force_sheet, (value, i64, n), (in, u32, x), (out, f64, a))

enum { MOST = 300 };
static const f64 pi = 3.14159265358979323846;
static const weft_cosmology flat = {.h = 0.7, .omega_matter = 0.3, .omega_lambda = 0.7};
static const weft_cosmology einstein_de_sitter = {.h = 0.5, .omega_matter = 1};

typedef struct state {
    u32 position[3][MOST];
    i64 momentum[3][MOST];
} state;

static weft_steps_particles send(const state *s, i64 n) {
    weft_steps_particles p = {.n = n};
    for (int k = 0; k < 3; k++) {
        p.position[k] = test_array(WEFT_U32, s->position[k], n);
        p.momentum[k] = test_array(WEFT_I64, s->momentum[k], n);
    }
    return p;
}

static void receive(const weft_steps_particles *p, state *s) {
    memset(s, 0, sizeof *s);
    for (int k = 0; k < 3; k++) {
        weft_read(device, p->position[k], s->position[k]);
        weft_read(device, p->momentum[k], s->momentum[k]);
    }
    test_ok();
}

static void release(const weft_steps_particles *p) {
    for (int k = 0; k < 3; k++) {
        weft_array_free(device, p->position[k]);
        weft_array_free(device, p->momentum[k]);
    }
}

/* Anywhere, with momenta up to a few boxes, and of some 2^58 units. */
static void scatter(state *s, i64 n, u64 seed) {
    memset(s, 0, sizeof *s);
    for (i64 i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            s->position[k][i] = (u32)test_random(&seed);
            s->momentum[k][i] = (i64)test_random(&seed) >> (i % 7 == 0 ? 5 : 21);
        }
}

START_TEST(integrals) {
    f64 drift, kick, back[2], sum[2] = {0, 0};
    weft_steps_integrals(device, &einstein_de_sitter, 0.02, 0.9, &drift, &kick);
    ck_assert_double_eq_tol(drift / (2 / sqrt(0.02) - 2 / sqrt(0.9)), 1, 1e-13);
    ck_assert_double_eq_tol(kick / (2 * sqrt(0.9) - 2 * sqrt(0.02)), 1, 1e-13);
    weft_steps_integrals(device, &flat, 0.3, 1, &drift, &kick);
    weft_steps_integrals(device, &flat, 1, 0.3, &back[0], &back[1]);
    ck_assert(back[0] == -drift && back[1] == -kick);
    for (int i = 0; i < 20000; i++) {
        const f64 a = 0.3 + 0.7 * (i + 0.5) / 20000, h = sqrt(0.3 / (a * a * a) + 0.7);
        sum[0] += 0.7 / 20000 / (a * a * a * h);
        sum[1] += 0.7 / 20000 / (a * a * h);
    }
    ck_assert_double_eq_tol(drift / sum[0], 1, 1e-8);
    ck_assert_double_eq_tol(kick / sum[1], 1, 1e-8);
    weft_steps_integrals(device, &flat, 0.5, 0.5, &drift, NULL);
    ck_assert(drift == 0);
    weft_steps_integrals(device, &flat, 0.5, 0, &drift, &kick);
    test_expect_error(WEFT_E_ARGUMENT, "scale factors 0.5 and 0 are not both above 0");
    ck_assert(drift == 0 && kick == 0);
}
END_TEST

/* As the header says it, in long double where that is exact. */
static u32 moved(u32 position, i64 momentum, f64 drift) {
    const f64 by = (f64)momentum * (drift / 256);
    const long double whole = roundl((long double)by);
    return position + (u32)(i64)fmodl(whole, 4294967296.0L);
}

/* Some are of 2^52 units and more, of which each number is whole. */
START_TEST(drifts_and_kicks) {
    static state before, after;
    static f64 pull[3][MOST];
    const f64 kick = -0.0371;
    u64 seed = 5;
    for (i64 n = 0; n <= MOST; n = n < 2 ? n + 1 : n == 2 ? 65 : n + 235) {
        const int far = n % 2 == 1;
        const f64 drift = far ? 17.3456789 : 0.123456789;
        scatter(&before, n, 3);
        weft_array a[3];
        for (int k = 0; k < 3; k++) {
            for (i64 i = 0; i < n; i++)
                pull[k][i] = (f64)(i64)test_random(&seed) / (far ? 0x1p46 : 0x1p60);
            a[k] = test_array(WEFT_F64, pull[k], n);
        }
        const weft_steps_particles p = send(&before, n);
        weft_steps_drift(device, &p, drift);
        weft_steps_kick(device, &p, a, kick);
        receive(&p, &after);
        for (i64 i = 0; i < n; i++)
            for (int k = 0; k < 3; k++) {
                const i64 was = before.momentum[k][i];
                ck_assert_uint_eq(after.position[k][i],
                                  moved(before.position[k][i], was, drift));
                ck_assert_int_eq(after.momentum[k][i],
                                 was + (i64)round(pull[k][i] * (kick * 0x1p40)));
            }
        weft_steps_kick(device, &p, a, -kick);
        weft_steps_drift(device, &p, -drift);
        receive(&p, &after);
        ck_assert(memcmp(&before, &after, sizeof before) == 0);
        for (int k = 0; k < 3; k++)
            weft_array_free(device, a[k]);
        release(&p);
    }
}
END_TEST

typedef struct calls {
    int slow, fast;
} calls;

static weft_status pull_roughly(weft_device *on, const weft_steps_particles *p,
                                const weft_array a[3], u32 salt) {
    for (int k = 0; k < 3; k++)
        weft_for_each(on, p->n, steps_force_rough, .salt = salt, .x = p->position[k],
                      .y = p->position[(k + 1) % 3], .a = a[k]);
    return weft_check(on);
}

static weft_status pull_slowly(void *user, weft_device *on, const weft_steps_particles *p,
                               const weft_array a[3]) {
    ((calls *)user)->slow++;
    return pull_roughly(on, p, a, 0);
}

static weft_status pull_fast(void *user, weft_device *on, const weft_steps_particles *p,
                             const weft_array a[3]) {
    ((calls *)user)->fast++;
    return pull_roughly(on, p, a, 77);
}

/* Forces of which nothing is left of rounding: 50 steps, and back to the last bit. */
START_TEST(forward_and_back) {
    enum { N = 65, STEPS = 50, SUBSTEPS = 2 };
    static state before, there, after;
    calls count = {0};
    scatter(&before, N, 11);
    const weft_steps_particles p = send(&before, N);
    weft_steps_options o = {.cosmology = flat,
                            .substeps = SUBSTEPS,
                            .slow = pull_slowly,
                            .fast = pull_fast,
                            .user = &count,
                            .strength = 0.25};
    for (int k = 0; k < 3; k++)
        o.acceleration[k] = weft_array_new(device, WEFT_F64, N);
    for (int s = 0; s < STEPS; s++) {
        o.from = 0.02 * pow(50, s / (f64)STEPS);
        o.to = 0.02 * pow(50, (s + 1) / (f64)STEPS);
        weft_steps_take(device, &p, &o);
        o.known = 1;
    }
    receive(&p, &there);
    ck_assert_int_eq(count.slow, STEPS + 1);
    ck_assert_int_eq(count.fast, STEPS * SUBSTEPS);
    ck_assert(memcmp(there.position, before.position, sizeof before.position) != 0);
    for (int s = STEPS - 1; s >= 0; s--) {
        o.known = s % 2;
        o.to = 0.02 * pow(50, s / (f64)STEPS);
        o.from = 0.02 * pow(50, (s + 1) / (f64)STEPS);
        weft_steps_take(device, &p, &o);
    }
    receive(&p, &after);
    ck_assert(memcmp(&before, &after, sizeof before) == 0);
    ck_assert_int_eq(count.slow, STEPS + 1 + STEPS + STEPS / 2);
}
END_TEST

START_TEST(free_streaming) {
    static state before, after;
    scatter(&before, MOST, 1);
    for (int i = 0; i < MOST; i++)
        before.momentum[0][i] >>= 6;
    const weft_steps_particles p = send(&before, MOST);
    weft_steps_options o = {.cosmology = einstein_de_sitter, .substeps = 4};
    for (int s = 0; s < 10; s++) {
        o.from = 0.1 * pow(10, s / 10.0);
        o.to = 0.1 * pow(10, (s + 1) / 10.0);
        weft_steps_take(device, &p, &o);
    }
    receive(&p, &after);
    ck_assert(memcmp(before.momentum, after.momentum, sizeof before.momentum) == 0);
    for (int i = 0; i < MOST; i++) {
        const f64 far = (f64)before.momentum[0][i] / 256 * (2 / sqrt(0.1) - 2);
        const f64 off = remainder((f64)(after.position[0][i] - before.position[0][i]) - far,
                                  4294967296.0);
        ck_assert_double_le(fabs(off), 80 + 1e-12 * fabs(far));
    }
}
END_TEST

static weft_status pull_sheets(void *user, weft_device *on, const weft_steps_particles *p,
                               const weft_array a[3]) {
    (void)user;
    weft_fill(on, a[1], &(f64){0});
    weft_fill(on, a[2], &(f64){0});
    weft_for_each(on, p->n, steps_force_sheet, .n = p->n, .x = p->position[0], .a = a[0]);
    return weft_check(on);
}

/* The wave grows as D(a) = a until it crosses at a = 1: by either force, to 7e-3 of the
 * box in 10 steps, and to a sixteenth of that in 40, nearly. */
START_TEST(plane_wave) {
    enum { N = 64 };
    static state before, after;
    for (int trial = 0; trial < 4; trial++) {
        const int steps = trial % 2 ? 40 : 10;
        memset(&before, 0, sizeof before);
        for (i64 i = 0; i < N; i++) {
            const f64 moves = -sin(2 * pi * (f64)i / N) / (2 * pi);
            before.position[0][i] =
                (u32)((u64)i << 26) + (u32)(i64)round(0x1p32 * 0.02 * moves);
            before.momentum[0][i] = (i64)round(0x1p40 * pow(0.02, 1.5) * moves);
        }
        const weft_steps_particles p = send(&before, N);
        weft_steps_options o = {.cosmology = einstein_de_sitter,
                                .substeps = trial < 2 ? 1 : 2,
                                .slow = trial < 2 ? pull_sheets : NULL,
                                .fast = trial < 2 ? NULL : pull_sheets,
                                .strength = 1.5};
        for (int k = 0; k < 3; k++)
            o.acceleration[k] = weft_array_new(device, WEFT_F64, N);
        for (int s = 0; s < steps; s++) {
            o.from = 0.02 * pow(45, s / (f64)steps);
            o.to = 0.02 * pow(45, (s + 1) / (f64)steps);
            weft_steps_take(device, &p, &o);
            o.known = 1;
        }
        receive(&p, &after);
        for (i64 i = 0; i < N; i++) {
            const f64 expected = -0.9 * sin(2 * pi * (f64)i / N) / (2 * pi);
            const f64 got = (f64)(i32)(after.position[0][i] - (u32)((u64)i << 26)) / 0x1p32;
            ck_assert_double_eq_tol(got, expected, trial % 2 ? 5e-4 : 7e-3);
            ck_assert(after.position[1][i] == 0 && after.momentum[2][i] == 0);
        }
        release(&p);
    }
}
END_TEST

START_TEST(wrong_arguments) {
    static state s;
    const f64 bad[3] = {0, 1, INFINITY};
    weft_steps_particles p = send(&s, 3);
    weft_array a[3];
    for (int k = 0; k < 3; k++)
        a[k] = weft_array_new(device, WEFT_F64, 3), weft_fill(device, a[k], &(f64){0});
    weft_write(device, a[1], bad);
    weft_steps_kick(device, &p, a, 1);
    test_expect_error(WEFT_E_ARGUMENT, "acceleration[1] of particle 2 is not finite");
    weft_steps_drift(device, &p, NAN);
    test_expect_error(WEFT_E_ARGUMENT, "drift is nan");
    weft_steps_options o = {.cosmology = flat, .from = 0.5, .to = 1};
    weft_steps_take(device, &p, &o);
    test_expect_error(WEFT_E_ARGUMENT, "substeps is 0, not 1 to 2^20");
    o.substeps = 1;
    o.slow = pull_sheets;
    weft_steps_take(device, &p, &o);
    test_expect_error(WEFT_E_TYPE, "array 'acceleration[0]' is not of type f64");
    o.slow = NULL;
    o.from = -1;
    weft_steps_take(device, &p, &o);
    test_expect_error(WEFT_E_ARGUMENT, "scale factors");
    p.momentum[1] = weft_slice(device, p.momentum[1], 0, 2);
    weft_steps_drift(device, &p, 1);
    test_expect_error(WEFT_E_SHAPE, "array 'momentum[1]' has 2 elements, at least 3");
    p.n = -1;
    weft_steps_drift(device, &p, 1);
    test_expect_error(WEFT_E_ARGUMENT, "n is -1, below 0");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {integrals,      drifts_and_kicks, forward_and_back,
                                  free_streaming, plane_wave,       wrong_arguments};
    return test_main(argc, argv, "steps", tests, sizeof tests / sizeof *tests);
}
