/* Particles of a cube that several processes share: here each in turn, whose meshes are
 * added up as they come. The bits are those of one process. */
#include "gravity_scene.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 32, N = 900, PROCESSES = 3 };

/* Meshes so far; the last process of a round has all. */
typedef struct shares {
    i64 *mesh, n;
} shares;

static weft_status add(void *user, weft_device *on, weft_array mesh, int64_t *n) {
    shares *s = user;
    i64 *own = calloc((size_t)mesh.length, sizeof *own);
    weft_read(on, mesh, own);
    for (i64 i = 0; i < mesh.length; i++)
        s->mesh[i] += own[i];
    weft_write(on, mesh, s->mesh);
    *n = s->n += *n;
    free(own);
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
    shares all = {calloc((size_t)SIDE * SIDE * SIDE, sizeof(i64)), 0};
    const weft_gravity_options alone = {.mesh = SIDE, .most = N},
                               shared = {.mesh = SIDE, .most = N, .sum = add, .user = &all};
    weft_gravity *plan = weft_gravity_new(device, &alone);
    scene s = crowd();
    int of[N];
    i64 where[N];
    scene_run(&s, plan, weft_gravity_long);
    weft_gravity_free(device, plan);
    plan = weft_gravity_new(device, &shared);
    for (i64 i = 0; i < N; i++)
        of[i] = (int)(i * i % 7 % PROCESSES);
    for (int part = 0; part < PROCESSES; part++) {
        scene own = some(&s, of, part, where);
        scene_run(&own, plan, weft_gravity_long);
        for (i64 i = 0; part == PROCESSES - 1 && i < own.n; i++)
            for (int k = 0; k < 3; k++)
                ck_assert_double_eq(own.got[k][i], s.got[k][where[i]]);
        scene_free(&own);
    }
    ck_assert_int_eq(all.n, N);
    weft_gravity_free(device, plan);
    scene_free(&s);
    free(all.mesh);
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
    const TTest *const tests[] = {mesh, pairs};
    return test_main(argc, argv, "gravity_shared", tests, sizeof tests / sizeof *tests);
}
