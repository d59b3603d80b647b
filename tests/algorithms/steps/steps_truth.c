/* Motions that are known: two bodies on ellipses, and a lattice, which stays where it is.
 */
#include "harness.h"

#include <math.h>
#include <stdlib.h>

static const f64 pi = 3.14159265358979323846;

static weft_status pull_far(void *plan, weft_device *on, const weft_steps_particles *p,
                            const weft_array a[3]) {
    return weft_gravity_long(on, plan, p->position[0], p->position[1], p->position[2], a[0],
                             a[1], a[2]);
}

static weft_status pull_near(void *plan, weft_device *on, const weft_steps_particles *p,
                             const weft_array a[3]) {
    return weft_gravity_short(on, plan, p->position[0], p->position[1], p->position[2],
                              a[0], a[1], a[2]);
}

/* From one scale factor to another; x and p, [3][n], are what becomes of them. */
static void evolve(i64 n, i64 mesh, u32 *x, i64 *p, weft_steps_options o, int steps) {
    const weft_gravity_options asked = {.mesh = mesh, .most = n};
    const f64 from = o.from, growth = o.to / o.from;
    weft_steps_particles particles = {.n = n};
    o.slow = pull_far;
    o.fast = pull_near;
    o.user = weft_gravity_new(device, &asked);
    for (int k = 0; k < 3; k++) {
        particles.position[k] = test_array(WEFT_U32, x + k * n, n);
        particles.momentum[k] = test_array(WEFT_I64, p + k * n, n);
        o.acceleration[k] = weft_array_new(device, WEFT_F64, n);
    }
    for (int s = 0; s < steps; s++) {
        o.from = from * pow(growth, s / (f64)steps);
        o.to = from * pow(growth, (s + 1) / (f64)steps);
        weft_steps_take(device, &particles, &o);
        o.known = 1;
    }
    for (int k = 0; k < 3; k++) {
        weft_read(device, particles.position[k], x + k * n);
        weft_read(device, particles.momentum[k], p + k * n);
    }
    test_ok();
    weft_gravity_free(device, o.user);
}

/* In a time in which nothing expands, a hundred-thousandth of Hubble's, two bodies go
 * around each other twice, from 0.4 to 0.8 points of the mesh apart, and are where they
 * were. The force of 1.01 times the size takes them 3.9 % of their distance further. */
START_TEST(kepler) {
    enum { MESH = 32, ORBITS = 2 };
    static const f64 along[3] = {2. / 3, 1. / 3, 2. / 3},
                     across[3] = {1. / 3, 2. / 3, -2. / 3};
    const weft_cosmology flat = {.h = 0.7, .omega_matter = 1};
    const f64 time = 1e-5, axis = 0.018, e = 1. / 3, period = time / ORBITS;
    const f64 strength = 2 * pi * pi * axis * axis * axis / (period * period);
    const f64 apart = axis * (1 + e);
    const f64 speed = sqrt(2 * strength / axis * (1 - e) / (1 + e));
    u32 x[6], was[6];
    i64 p[6];
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 2; i++) {
            const f64 side = i ? 0.5 : -0.5;
            was[2 * k + i] = x[2 * k + i] = (u32)(i64)(side * apart * along[k] * 0x1p32);
            p[2 * k + i] = (i64)(side * speed * across[k] * WEFT_STEPS_MOMENTUM);
        }
    evolve(2, MESH, x, p,
           (weft_steps_options){.cosmology = flat,
                                .from = 1,
                                .to = 1 + time,
                                .substeps = 10,
                                .strength = strength},
           40);
    f64 off = 0;
    for (int k = 0; k < 6; k++) {
        const f64 d = (f64)(i32)(x[k] - was[k]) * 0x1p-32;
        off += d * d / 2;
    }
    ck_assert_double_lt(sqrt(off), 0.5e-2 * apart);
}
END_TEST

/* On meshes that fit and that do not: there it is pushed around by 3e-4 of the force of a
 * neighbour, and that grows. */
START_TEST(lattices) {
    enum { SIDE = 8, N = SIDE * SIDE * SIDE };
    static const i64 meshes[] = {16, 18};
    static const f64 bounds[] = {1e-6, 4e-3};
    const weft_cosmology now = {.h = 0.7, .omega_matter = 0.3, .omega_lambda = 0.7};
    u32 *x = calloc(3 * N, sizeof *x), *was = calloc(3 * N, sizeof *was);
    i64 *p = calloc(3 * N, sizeof *p);
    for (int m = 0; m < (kind_step > 1 ? 1 : 2); m++) {
        for (int i = 0; i < N; i++)
            for (int k = 0; k < 3; k++) {
                const u32 at = (u32)(i / (k == 0 ? SIDE * SIDE : k == 1 ? SIDE : 1) % SIDE);
                x[k * N + i] = was[k * N + i] =
                    at * (0xffffffffu / SIDE + 1) + 0x1234567u * (u32)(k + 1);
                p[k * N + i] = 0;
            }
        evolve(N, meshes[m], x, p,
               (weft_steps_options){.cosmology = now,
                                    .from = 0.02,
                                    .to = 1,
                                    .substeps = 2,
                                    .strength = 3 * now.omega_matter / (8 * pi * N)},
               8);
        f64 most = 0;
        for (int k = 0; k < 3 * N; k++)
            most = fmax(most, fabs((f64)(i32)(x[k] - was[k])) * 0x1p-32 * SIDE);
        if (!(most < bounds[m]))
            ck_abort_msg("mesh of %lld: moved by %g of a distance", (long long)meshes[m],
                         most);
    }
    free(x), free(was), free(p);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {kepler, lattices};
    return test_main(argc, argv, "steps_truth", tests, sizeof tests / sizeof *tests);
}
