/* Potentials against their definition: each within the error that was asked for. */
#include "mbp_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static f64 uniform(u64 *state) {
    return (f64)(test_random(state) >> 11) * 0x1p-53;
}

/* Cusps, so that pairs come close, in a box that they reach out of; some of a halo's
 * members coincide. */
static void scatter(scene *s, f64 unit, u64 seed) {
    for (i64 h = 0; h < s->count; h++) {
        f64 center[3];
        for (int axis = 0; axis < 3; axis++)
            center[axis] = 100 * uniform(&seed);
        for (i64 k = s->offset[h]; k < s->offset[h + 1]; k++) {
            const f64 u = uniform(&seed), r = 10 * u * u;
            for (int axis = 0; axis < 3; axis++)
                s->x[3 * k + axis] = unit * (center[axis] + r * (uniform(&seed) - 0.5) +
                                             (k % 7 == 0 ? 100 * (f64)(k % 5 - 2) : 0));
            if (k % 50 == 49 && k > s->offset[h])
                memcpy(s->x + 3 * k, s->x + 3 * (k - 1), 3 * sizeof(f64));
            s->m[k] = exp(3 * uniform(&seed));
        }
    }
}

static void compare(const scene *s) {
    static const f64 errors[] = {0, 1e-9, 4e-5, 1e-3, 0.03, 0.5, 10};
    f64 *found = malloc((size_t)(s->n + 1) * sizeof *found);
    f64 *phi = malloc((size_t)(s->n + 1) * sizeof *phi);
    scene_define(s, phi);
    for (int e = 0; e < 7; e++) {
        scene_potential(s, errors[e], found);
        for (i64 h = 0; h < s->count; h++)
            for (i64 k = s->offset[h]; k < s->offset[h + 1]; k++)
                ck_assert_msg(fabs(found[k] - phi[k]) <= errors[e] * fabs(phi[k]),
                              "error %g, halo %lld of %lld, member %lld: %.17g, not %.17g",
                              errors[e], (long long)h,
                              (long long)(s->offset[h + 1] - s->offset[h]),
                              (long long)(k - s->offset[h]), found[k], phi[k]);
    }
    free(found), free(phi);
}

START_TEST(within_error) {
    static const i64 sizes[] = {1100, 1025, 300, 257, 256, 65, 64, 17, 16, 15, 2, 1, 1};
    for (int k = first_kind; k < 8; k += kind_step) {
        scene s = scene_new(sizes, sizeof sizes / sizeof *sizes);
        scatter(&s, 1, (u64)k + 3);
        s.type = k & 1 ? WEFT_F32 : WEFT_F64;
        s.has_mass = k >> 1 & 1;
        s.particle_mass = 0.7;
        s.options.softening = k >> 2 ? 0.05 : 0;
        s.options.all_pairs = k == 5;
        s.verify = 1;
        for (int axis = 0; axis < 3; axis++)
            s.box[axis] = axis == 1 && k >> 2 ? 0 : 100;
        compare(&s);
        scene_free(&s);
    }
}
END_TEST

/* Units beyond the range of f32, and of f64; all members in one place. */
START_TEST(extremes) {
    static const i64 sizes[] = {300, 65, 2, 1};
    static const f64 unit[] = {1e-30, 1e30, 1e-150, 1e160, 1e-300, 0};
    for (int k = first_kind; k < 12; k += kind_step) {
        scene s = scene_new(sizes, 4);
        scatter(&s, unit[k / 2], 5);
        s.has_mass = 1;
        s.options.softening = k & 1 ? unit[k / 2] : 0;
        compare(&s);
        scene_free(&s);
    }
}
END_TEST

/* Within an error, too, on any number of threads. */
START_TEST(repeats) {
    static const i64 sizes[] = {3000, 300, 17};
    static const char *const teams[] = {"pthreads:1", "pthreads:3", "pthreads:64"};
    scene s = scene_new(sizes, 3);
    scatter(&s, 1, 7);
    s.particle_mass = 1;
    const size_t bytes = (size_t)s.n * sizeof(f64);
    f64 *once = malloc(bytes), *again = malloc(bytes);
    scene_potential(&s, 1e-3, once);
    const int threads = strcmp(weft_backend_name(device), "pthreads") == 0 &&
                        weft_device_style(device) == WEFT_SIMD;
    weft_device *own = device;
    for (int k = first_kind % 4; k < 4; k += kind_step) {
        if (k < 3 && threads)
            device = weft_open(teams[k]);
        scene_potential(&s, 1e-3, again);
        ck_assert_mem_eq(once, again, bytes);
        if (device != own)
            weft_close(device);
        device = own;
    }
    free(once), free(again);
    scene_free(&s);
}
END_TEST

START_TEST(no_members) {
    scene s = scene_new((const i64[]){0, 3, 0}, 3);
    for (i64 i = 0; i < 9; i++)
        s.x[i] = (f64)(i * i);
    compare(&s);
    s.count = 0, s.n = 0;
    compare(&s);
    scene_free(&s);
}
END_TEST

START_TEST(wrong_arguments) {
    const f64 x[] = {1, 2, 3};
    const i64 offset[] = {0, 3};
    const u32 member[] = {0, 1, 2};
    const weft_array at = test_array(WEFT_F64, x, 3);
    const weft_bodies bodies = {.points = {at, at, at, 1, 3}, .particle_mass = 1};
    const weft_halos halos = {.count = 1,
                              .members = 3,
                              .offset = test_array(WEFT_I64, offset, 2),
                              .member = test_array(WEFT_U32, member, 3)};
    const weft_array phi = weft_array_new(device, WEFT_F64, 3);
    const weft_mbp_options soft = {.softening = -1};
    weft_potential(device, &bodies, NULL, &halos, -1e-3, phi);
    test_expect_error(WEFT_E_ARGUMENT, "weft_potential: error is -0.001, not 0 or above");
    weft_potential(device, &bodies, NULL, &halos, NAN, phi);
    test_expect_error(WEFT_E_ARGUMENT, "weft_potential: error is nan");
    weft_potential(device, &bodies, &soft, &halos, 0, phi);
    test_expect_error(WEFT_E_ARGUMENT, "weft_potential: softening is -1");
    weft_potential(device, &bodies, NULL, &halos, 0, halos.member);
    test_expect_error(WEFT_E_TYPE, "'potential' is not of type f64");
    weft_potential(device, &bodies, NULL, &halos, 0, weft_slice(device, phi, 0, 2));
    test_expect_error(WEFT_E_SHAPE, "'potential' has 2 elements, at least 3");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {within_error, extremes, repeats, no_members,
                                  wrong_arguments};
    return test_main(argc, argv, "potential", tests, sizeof tests / sizeof *tests);
}
