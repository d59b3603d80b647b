/* Poisson centers: against their definition, in f64, and the laws that they obey. */
#include "harness.h"
#include "poisson_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <weft/mbp.h>

typedef struct found {
    u32 particle[16];
    f64 potential[16];
    u32 proven[16];
} found;

enum { POISSON, MBP, PROVE };

static found find_on(weft_device *where, const scene *s, int how) {
    found f = {{0}, {0}, {0}};
    u32 *member = malloc((size_t)(s->n + 1) * sizeof *member);
    for (i64 k = 0; k < s->n; k++)
        member[k] = (u32)k;
    const weft_array position = weft_array_new(where, WEFT_F64, 3 * s->n);
    const weft_array mass = weft_array_new(where, WEFT_F64, s->n), none = {0};
    const weft_halos halos = {.count = s->count,
                              .members = s->n,
                              .offset = weft_array_new(where, WEFT_I64, s->count + 1),
                              .member = weft_array_new(where, WEFT_U32, s->n)};
    const weft_array particle = weft_array_new(where, WEFT_U32, s->count);
    const weft_array potential = weft_array_new(where, WEFT_F64, s->count);
    weft_write(where, position, s->x);
    weft_write(where, mass, s->m);
    weft_write(where, halos.offset, s->offset);
    weft_write(where, halos.member, member);
    const weft_bodies bodies = {.points = weft_points_interleaved(where, position),
                                .mass = s->has_mass ? mass : none,
                                .particle_mass = s->particle_mass,
                                .box = {s->box[0], s->box[1], s->box[2]}};
    const weft_mbp_options bound = {.softening = s->options.softening};
    const weft_array proven = weft_array_new(where, WEFT_U32, s->count);
    weft_fill(where, proven, &(u32){7});
    if (how == MBP)
        weft_mbp(where, &bodies, &bound, &halos, particle, potential);
    else if (how == PROVE)
        weft_poisson_prove(where, &bodies, &s->options, &halos, particle, potential,
                           proven);
    else
        weft_poisson(where, &bodies, &s->options, &halos, particle, potential);
    weft_read(where, particle, f.particle);
    weft_read(where, potential, f.potential);
    weft_read(where, proven, f.proven);
    ck_assert_msg(weft_check(where) == WEFT_OK, "%s", weft_error(where));
    const weft_array all[] = {position, mass,      halos.offset, halos.member,
                              particle, potential, proven};
    for (int k = 0; k < 7; k++)
        weft_array_free(where, all[k]);
    free(member);
    return f;
}

static found find(const scene *s) {
    return find_on(device, s, POISSON);
}

static const i64 sizes[] = {1500, 700, 400, 101, 64, 17, 16, 5, 3, 2, 1, 1};
static const i64 size_count = sizeof sizes / sizeof *sizes;

START_TEST(definition) {
    static const i64 grids[] = {0, 0, 11, 15, 19, 31, 0, 12, 4};
    for (int k = 0; k < 9; k++) {
        scene s = scene_new(sizes, size_count, (u64)k + 1);
        s.has_mass = k & 1;
        s.options.softening = k & 2 ? 0.02 : 0;
        s.options.grid = grids[k];
        s.options.boundary = k < 6 ? WEFT_POISSON_ZERO : WEFT_POISSON_OPEN;
        s.box[0] = s.box[2] = k & 2 ? 20 : 0;
        for (i64 i = 0; i < 3 * s.n && k & 2; i += 5)
            s.x[i] += 20 * (i % 3 != 1);
        const found f = find(&s);
        for (i64 h = 0; h < s.count; h++) {
            const i64 members = s.offset[h + 1] - s.offset[h];
            const i64 own = members < 1000 ? 7 : 15;
            expect_defined(&s, h, s.options.grid ? s.options.grid : own, f.particle[h],
                           f.potential[h]);
        }
        scene_free(&s);
    }
}
END_TEST

/* On three points an axis all members lie within two cells of any: the most bound of all
 * is found, and otherwise none that is more bound. */
START_TEST(most_bound) {
    for (int k = 0; k < 4; k++) {
        scene s = scene_new(sizes, size_count, (u64)k + 11);
        s.has_mass = k & 1;
        s.options.softening = k & 2 ? 0.02 : 0;
        const found least = find_on(device, &s, MBP), usual = find(&s);
        s.options.grid = 3;
        const found all = find(&s);
        ck_assert_mem_eq(all.particle, least.particle, sizeof all.particle);
        ck_assert_mem_eq(all.potential, least.potential, sizeof all.potential);
        for (i64 h = 0; h < s.count; h++)
            ck_assert_double_ge(usual.potential[h], least.potential[h]);
        scene_free(&s);
    }
}
END_TEST

/* Puts a member of the first halo beside the one that is farthest from its first. */
static void pair_far_away(const scene *s) {
    i64 far = 1;
    f64 most = 0;
    for (i64 k = 1; k < s->offset[1]; k++) {
        f64 r2 = 0;
        for (int a = 0; a < 3; a++)
            r2 += pow(s->x[3 * k + a] - s->x[a], 2);
        far = r2 > most ? k : far;
        most = fmax(most, r2);
    }
    const i64 other = far == 1 ? 2 : 1;
    for (int a = 0; a < 3; a++)
        s->x[3 * other + a] = s->x[3 * far + a] + 0x1p-20 * (a == 0);
}

/* What is proven is the most bound particle, and without a proof that is found, too: in the
 * first halo, where a close pair far from the middle is. */
START_TEST(proofs) {
    for (int k = 0; k < 3; k++) {
        scene s = scene_new(sizes + 1, size_count - 1, (u64)k + 21);
        i64 proven = 0;
        s.has_mass = k & 1;
        s.options.softening = k == 2 ? 0.02 : 0;
        s.options.boundary = k == 1 ? WEFT_POISSON_OPEN : WEFT_POISSON_ZERO;
        pair_far_away(&s);
        const found least = find_on(device, &s, MBP), usual = find(&s);
        const found f = find_on(device, &s, PROVE);
        ck_assert_mem_eq(f.particle, least.particle, sizeof f.particle);
        ck_assert_mem_eq(f.potential, least.potential, sizeof f.potential);
        for (i64 h = 0; h < s.count; h++) {
            ck_assert_uint_le(f.proven[h], 1);
            if (f.proven[h])
                ck_assert_uint_eq(usual.particle[h], least.particle[h]);
            proven += f.proven[h];
        }
        if (k != 2) {
            ck_assert_uint_ne(usual.particle[0], least.particle[0]);
            ck_assert_uint_eq(f.proven[0], 0);
        }
        ck_assert_int_ge(proven, s.count / 2);
        scene_free(&s);
    }
}
END_TEST

/* What moves all, or only changes the order of the members, changes no center. */
START_TEST(shift_and_permutation) {
    scene s = scene_new(sizes, 6, 5);
    const found before = find(&s);
    for (i64 k = 0; k < 3 * s.n; k++)
        s.x[k] += k % 3 == 1 ? 4096 : -512;
    const found shifted = find(&s);
    ck_assert_mem_eq(&shifted, &before, sizeof before);
    f64 *x = malloc((size_t)(3 * s.n) * sizeof *x);
    memcpy(x, s.x, (size_t)(3 * s.n) * sizeof *x);
    for (i64 h = 0; h < s.count; h++)
        for (i64 k = s.offset[h]; k < s.offset[h + 1]; k++)
            memcpy(s.x + 3 * k, x + 3 * (s.offset[h] + s.offset[h + 1] - 1 - k),
                   3 * sizeof *x);
    const found turned = find(&s);
    for (i64 h = 0; h < s.count; h++)
        ck_assert_int_eq(turned.particle[h],
                         s.offset[h] + s.offset[h + 1] - 1 - before.particle[h]);
    free(x);
    scene_free(&s);
}
END_TEST

START_TEST(repeats) {
    static const char *const teams[] = {"pthreads:1", "pthreads:3", "pthreads:64"};
    scene s = scene_new(sizes, size_count, 8);
    s.has_mass = 1;
    s.options.grid = 31;
    const found once = find(&s), again = find(&s);
    ck_assert_mem_eq(&once, &again, sizeof once);
    const int threads = strcmp(weft_backend_name(device), "pthreads") == 0;
    for (int k = 0; k < 3 && threads; k++) {
        weft_device *other = weft_open(teams[k]);
        const found others = find_on(other, &s, POISSON);
        ck_assert_mem_eq(&others, &once, sizeof once);
        weft_close(other);
    }
    scene_free(&s);
}
END_TEST

/* All at one place: no potential, and the smallest id. A shell, whose middle is as deep as
 * its rim and has no members. A heavy clump beside a light one. No members at all. */
START_TEST(shapes) {
    const i64 shape[] = {1000, 600, 500, 0};
    scene s = scene_new(shape, 4, 3);
    for (i64 k = s.offset[0]; k < s.offset[1]; k++) {
        f64 r = 0;
        for (int axis = 0; axis < 3; axis++)
            r += pow(s.x[3 * k + axis] - 10, 2);
        for (int axis = 0; axis < 3; axis++)
            s.x[3 * k + axis] = (s.x[3 * k + axis] - 10) / sqrt(r);
    }
    for (i64 k = s.offset[1] + 400; k < s.offset[2]; k++)
        s.x[3 * k] += 8;
    for (i64 k = 3 * s.offset[2]; k < 3 * s.offset[3]; k++)
        s.x[k] = 4;
    s.options.grid = 15;
    const found f = find(&s);
    for (i64 h = 0; h < 3; h++)
        expect_defined(&s, h, 15, f.particle[h], f.potential[h]);
    ck_assert_uint_lt(f.particle[1], (u32)s.offset[1] + 400);
    ck_assert_uint_eq(f.particle[2], (u32)s.offset[2]);
    ck_assert(f.potential[2] == 0 && f.potential[3] == 0);
    ck_assert_uint_eq(f.particle[3], UINT32_MAX);
    scene_free(&s);
}
END_TEST

/* A crowd within the softening that is not near the grid's minimum, and deeper than all who
 * are; and crowds who are, of whom rounding tells apart the second. */
START_TEST(crowds) {
    const i64 crowd[] = {3000, 2500, 2000};
    const f64 width[] = {0.02, 1e-4, 1e-9}, softening[] = {1e-3, 1e-2, 1e-2};
    for (int k = 0; k < 3; k++) {
        const i64 size[] = {crowd[k] + 1100};
        u64 seed = (u64)k + 31;
        scene s = scene_new(size, 1, 3);
        for (i64 i = 0; i < 3 * s.n; i++) {
            const f64 u = 2 * (f64)(test_random(&seed) >> 11) * 0x1p-53 - 1;
            s.x[i] = i < 3 * crowd[k] ? width[k] * u : k == 0 ? 1 + 1e-6 * u : u;
        }
        s.options.softening = softening[k];
        const found f = find(&s);
        expect_defined(&s, 0, 15, f.particle[0], f.potential[0]);
        ck_assert_uint_lt(f.particle[0], (u32)crowd[k]);
        scene_free(&s);
    }
}
END_TEST

/* Units in which squares leave the range of f32, or lengths that of f64 squares. */
START_TEST(extremes) {
    const f64 length[] = {1e-30, 1e30, 1e-150, 1e-300, 1e200};
    for (int k = 0; k < 5; k++) {
        scene s = scene_new(sizes + 2, 4, 9);
        for (i64 i = 0; i < 3 * s.n; i++)
            s.x[i] *= length[k];
        const found f = find(&s);
        for (i64 h = 0; h < s.count; h++)
            ck_assert(f.particle[h] >= s.offset[h] && f.particle[h] < s.offset[h + 1]);
        scene_free(&s);
    }
}
END_TEST

START_TEST(wrong_arguments) {
    scene s = scene_new(sizes, 1, 1);
    const weft_array position = test_array(WEFT_F64, s.x, 3 * s.n);
    const u32 member[] = {0, 1};
    const i64 offset[] = {0, 2};
    weft_bodies bodies = {.points = weft_points_interleaved(device, position),
                          .particle_mass = 1};
    const weft_halos halos = {.count = 1,
                              .members = 2,
                              .offset = test_array(WEFT_I64, offset, 2),
                              .member = test_array(WEFT_U32, member, 2)};
    const weft_array particle = weft_array_new(device, WEFT_U32, 1);
    const weft_array phi = weft_array_new(device, WEFT_F64, 1);
    weft_poisson_options options = {.grid = 2};
    weft_poisson(device, &bodies, &options, &halos, particle, phi);
    test_expect_error(WEFT_E_ARGUMENT, "weft_poisson: grid is 2, not 0 or 3 to 255");
    options.grid = 256;
    weft_poisson(device, &bodies, &options, &halos, particle, phi);
    test_expect_error(WEFT_E_ARGUMENT, "grid is 256");
    options.grid = 0, options.boundary = (weft_poisson_boundary)2;
    weft_poisson(device, &bodies, &options, &halos, particle, phi);
    test_expect_error(WEFT_E_ARGUMENT, "weft_poisson: there is no boundary 2");
    options.boundary = WEFT_POISSON_OPEN, bodies.particle_mass = 0;
    weft_poisson(device, &bodies, &options, &halos, particle, phi);
    test_expect_error(WEFT_E_ARGUMENT, "weft_poisson: particle_mass is 0, not above 0");
    bodies.particle_mass = 1;
    weft_poisson(device, &bodies, &options, &halos, phi, phi);
    test_expect_error(WEFT_E_TYPE, "weft_poisson: array 'particle'");
    weft_poisson_prove(device, &bodies, &options, &halos, particle, phi, (weft_array){0});
    test_expect_error(WEFT_E_ARGUMENT, "weft_poisson_prove: 'proven' is no array");
    weft_poisson_prove(device, &bodies, &options, &halos, particle, phi, phi);
    test_expect_error(WEFT_E_TYPE, "weft_poisson_prove: array 'proven'");
    scene_free(&s);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {definition,     most_bound, proofs, shift_and_permutation,
                                  repeats,        shapes,     crowds, extremes,
                                  wrong_arguments};
    return test_main(argc, argv, "poisson", tests, sizeof tests / sizeof *tests);
}
