/* A cube that several processes share. A slab of all planes has the bits of the whole mesh,
 * though planes lie around it (tests/distributed/gravity.c has several); and cubes of space
 * have those of all particles. */
#include "gravity_scene.h"

#include <stdlib.h>

enum { SIDE = 32, N = 900 };

/* How often each was called, and what a call works on. */
typedef struct calls {
    int transform, add, fill;
} calls;

static weft_status transform(void *user, weft_device *on, weft_fourier_direction direction,
                             weft_array real, weft_array spectrum) {
    const i64 n[3] = {SIDE, SIDE, SIDE};
    ((calls *)user)->transform++;
    return weft_fourier_transform(on, n, direction, real, spectrum);
}

/* The plane of a slab of all that plane k around it is. */
static i64 own_of(i64 k) {
    return (k - 1 + SIDE) % SIDE + 1;
}

static weft_array plane(weft_device *on, weft_array mesh, i64 k) {
    return weft_slice(on, mesh, k * SIDE * SIDE, SIDE * SIDE);
}

static const i64 around[] = {0, SIDE + 1, SIDE + 2};

static weft_status add(void *user, weft_device *on, weft_array mesh) {
    static i64 more[SIDE * SIDE], sum[SIDE * SIDE];
    ((calls *)user)->add++;
    for (int k = 0; k < 3; k++) {
        weft_read(on, plane(on, mesh, around[k]), more);
        weft_read(on, plane(on, mesh, own_of(around[k])), sum);
        for (i64 i = 0; i < SIDE * SIDE; i++)
            sum[i] += more[i];
        weft_write(on, plane(on, mesh, own_of(around[k])), sum);
    }
    return weft_check(on);
}

static weft_status fill(void *user, weft_device *on, weft_array mesh) {
    ((calls *)user)->fill++;
    for (int k = 0; k < 3; k++)
        weft_copy(on, plane(on, mesh, own_of(around[k])), plane(on, mesh, around[k]));
    return weft_check(on);
}

static scene crowd(void) {
    u64 seed = 11;
    scene s = scene_new(N);
    for (i64 i = 0; i < N; i++)
        for (int k = 0; k < 3; k++)
            s.at[k][i] = (u32)(test_random(&seed) >> (i % 3 ? 32 : 35));
    return s;
}

/* Particles i of the scene for which `of` is `part`, in their order; where is what they
 * are. */
static scene some(const scene *s, const int *of, int part, i64 *where) {
    scene got = scene_new(s->n);
    got.n = 0;
    for (i64 i = 0; i < s->n; i++)
        if (of[i] == part) {
            for (int k = 0; k < 3; k++)
                got.at[k][got.n] = s->at[k][i];
            where[got.n++] = i;
        }
    return got;
}

START_TEST(mesh) {
    for (int kind = 0; kind < 3; kind++) {
        calls count = {0, 0, 0};
        const weft_gravity_slab slab = {.planes = SIDE,
                                        .rows = SIDE,
                                        .particles = N,
                                        .transform = transform,
                                        .add = add,
                                        .fill = fill,
                                        .user = &count};
        const weft_gravity_options alone = {.mesh = SIDE,
                                            .most = N,
                                            .precision = kind == 1,
                                            .split = kind == 2 ? WEFT_GRAVITY_HACC
                                                               : WEFT_GRAVITY_BALL};
        weft_gravity_options shared = alone;
        shared.slab = &slab;
        weft_gravity *whole = weft_gravity_new(device, &alone);
        weft_gravity *plan = weft_gravity_new(device, &shared);
        scene s = crowd(), t = crowd();
        f64 *well = malloc(N * sizeof *well), *other = malloc(N * sizeof *other);
        scene_run(&s, whole, weft_gravity_long);
        scene_run(&t, plan, weft_gravity_long);
        ck_assert(count.transform == 4 && count.add == 1 && count.fill == 3);
        for (int k = 0; k < 3; k++)
            ck_assert_mem_eq(s.got[k], t.got[k], N * sizeof *well);
        weft_array at[3];
        const weft_array out = weft_array_new(device, WEFT_F64, N);
        for (int k = 0; k < 3; k++)
            at[k] = test_array(WEFT_U32, s.at[k], N);
        if (kind < 2) {
            weft_gravity_long_potential(device, whole, at[0], at[1], at[2], out);
            weft_read(device, out, well);
            weft_gravity_long_potential(device, plan, at[0], at[1], at[2], out);
            weft_read(device, out, other);
            ck_assert_mem_eq(well, other, N * sizeof *well);
        }
        test_ok();
        for (int k = 0; k < 3; k++)
            weft_array_free(device, at[k]);
        weft_array_free(device, out);
        weft_gravity_free(device, plan), weft_gravity_free(device, whole);
        scene_free(&s), scene_free(&t), free(well), free(other);
    }
}
END_TEST

static void expect_refused(weft_gravity_slab slab, const char *words) {
    const weft_gravity_options o = {.mesh = SIDE, .most = N, .slab = &slab};
    ck_assert_ptr_null(weft_gravity_new(device, &o));
    test_expect_error(WEFT_E_ARGUMENT, words);
}

START_TEST(wrong_slabs) {
    const weft_gravity_slab good = {.first_plane = 4,
                                    .planes = 8,
                                    .rows = 2,
                                    .particles = N,
                                    .transform = transform,
                                    .add = add,
                                    .fill = fill};
    weft_gravity_slab slab = good;
    slab.first_plane = SIDE - 7;
    expect_refused(slab, "8 planes from 25 on and 2 rows from 0 on: not all");
    slab = good, slab.rows = -1;
    expect_refused(slab, "-1 rows from 0 on");
    slab = good, slab.first_column = 9, slab.columns = SIDE / 2 - 7;
    expect_refused(slab, "9 columns from 9 on: not all are of the 17 of a mesh of 32");
    slab = good, slab.particles = 0;
    expect_refused(slab, "the particles of all processes are 0");
    slab = good, slab.fill = NULL;
    expect_refused(slab, "lacks a function");
    slab = good, slab.reserved[3] = 1;
    expect_refused(slab, "options.slab");
    /* Planes 4 to 11 of 32, but for the last one. */
    const weft_gravity_options o = {.mesh = SIDE, .most = N, .slab = &good};
    const u32 x[] = {4u << 27, (12u << 27) - 1, 5u << 27, 12u << 27};
    const weft_array at = test_array(WEFT_U32, x, 4),
                     out = weft_array_new(device, WEFT_F64, 12);
    weft_gravity *plan = weft_gravity_new(device, &o);
    weft_gravity_long(device, plan, at, at, at, weft_slice(device, out, 0, 4),
                      weft_slice(device, out, 4, 4), weft_slice(device, out, 8, 4));
    test_expect_error(WEFT_E_ARGUMENT, "particle 3 is not in planes 4 to 11");
    weft_gravity_free(device, plan);
}
END_TEST

/* The cube that a particle is in, along an axis. */
static i64 cube(u32 x, int bits) {
    return bits == 0 ? 0 : (i64)(x >> (32 - bits));
}

/* Those of a process first, all in cubes around it after them: half of the cube along x. */
static void pairs_of(const scene *s, weft_gravity *plan, int part, int bits) {
    int of[N];
    i64 where[2][N];
    const i64 count = (i64)1 << bits;
    for (i64 i = 0; i < N; i++) {
        const i64 at = cube(s->at[0][i], bits), half = count / 2;
        const i64 near =
            part == 0 ? (at == count - 1 || at == half) : (at == 0 || at == half - 1);
        of[i] = (at >= half) == part ? 0 : near ? 1 : 2;
    }
    scene own = some(s, of, 0, where[0]), others = some(s, of, 1, where[1]);
    ck_assert_int_gt(own.n, 10);
    weft_array at[3], out[3];
    for (int k = 0; k < 3; k++) {
        at[k] = weft_array_new(device, WEFT_U32, own.n + others.n);
        out[k] = weft_array_new(device, WEFT_F64, own.n);
        weft_write(device, weft_slice(device, at[k], 0, own.n), own.at[k]);
        weft_write(device, weft_slice(device, at[k], own.n, others.n), others.at[k]);
    }
    weft_gravity_short(device, plan, at[0], at[1], at[2], out[0], out[1], out[2]);
    for (int k = 0; k < 3; k++) {
        weft_read(device, out[k], own.got[k]);
        for (i64 i = 0; i < own.n; i++)
            ck_assert_double_eq(own.got[k][i], s->got[k][where[0][i]]);
    }
    weft_gravity_short_potential(device, plan, at[0], at[1], at[2], out[0]);
    weft_gravity_short_potential(device, plan, at[0], at[1], at[2],
                                 weft_slice(device, out[1], 0, 1));
    weft_read(device, out[0], own.got[0]);
    weft_read(device, out[1], own.got[1]);
    ck_assert_double_eq(own.got[0][0], own.got[1][0]);
    test_ok();
    for (int k = 0; k < 3; k++)
        weft_array_free(device, at[k]), weft_array_free(device, out[k]);
    scene_free(&own), scene_free(&others);
}

START_TEST(pairs) {
    scene s = crowd();
    for (i64 i = 0; i < 200; i++) /* within what the sort tells apart */
        for (int k = 0; k < 3; k++)
            s.at[k][i] = (u32)(i % 2) * 0x90000000u + (u32)(i * (k + 3) % 64);
    const weft_gravity_options o = {.mesh = 96, .most = N, .reach = 2};
    weft_gravity *plan = weft_gravity_new(device, &o);
    const int bits = weft_gravity_cubes(plan);
    ck_assert_int_eq(bits, 5); /* 4 for half of them */
    ck_assert_int_eq(weft_gravity_cubes(NULL), -1);
    scene_run(&s, plan, weft_gravity_short);
    for (int part = 0; part < 2; part++)
        pairs_of(&s, plan, part, bits);
    weft_gravity_free(device, plan);
    scene_free(&s);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {mesh, wrong_slabs, pairs};
    return test_main(argc, argv, "gravity_shared", tests, sizeof tests / sizeof *tests);
}
