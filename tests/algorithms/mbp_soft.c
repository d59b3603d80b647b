/* The most bound particle of halos whose members crowd within the softening, or lie at one
 * place with it, against its definition, bit for bit; and that it is not found by trying
 * all pairs. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "mbp_scene.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { ANY = 1 << 20 };

/* Members [first, end) within `width` of a place. */
static void crowd(scene *s, i64 first, i64 end, f64 at, f64 width, u64 *seed) {
    for (i64 i = 3 * first; i < 3 * end; i++)
        s->x[i] = at + width * (2 * scene_uniform(seed) - 1);
}

/* From as wide as the softening to where only rounding tells potentials apart, and where
 * nothing does; of equal and of other masses; looked for by one, and by shares. */
START_TEST(crowds) {
    const f64 width[11] = {1, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-6, 1e-7, 1e-9, 1e-11, 0};
    const i64 size[] = {4200, 700, 100, 1};
    for (int k = first_kind; k < 11; k += kind_step) {
        scene s = scene_new(size, 4);
        u64 seed = (u64)k + 1;
        s.options.softening = 0.25;
        s.has_mass = k % 2;
        s.verify = k < 4;
        crowd(&s, 0, s.n, 7, 0.25 * width[k], &seed);
        for (i64 i = 0; i < s.n; i++)
            s.m[i] = 1 + (f64)(i % 3);
        scene_compare(&s, ANY);
        if (k / 3 % 2 == 0) {
            scene_free(&s);
            continue;
        }
        s.shares = 2;
        u32 particle[2][4];
        f64 potential[2][4], phi[8192];
        for (s.share = 0; s.share < 2; s.share++)
            scene_find(&s, particle[s.share], potential[s.share]);
        scene_define(&s, phi);
        for (i64 h = 0; h < 4; h++) {
            f64 deepest = 0;
            for (i64 i = s.offset[h]; i < s.offset[h + 1]; i++)
                deepest = phi[i] < deepest ? phi[i] : deepest;
            ck_assert(potential[0][h] == deepest || potential[1][h] == deepest);
        }
        scene_free(&s);
    }
}
END_TEST

/* Crowds and piles in wider halos: two crowds, near and far; a pile and members around it;
 * piles of two, of several, of masses of their own; a crowd that rounding tells apart
 * beside a pile. */
START_TEST(mixtures) {
    enum { HALOS = 6 };
    const i64 size[HALOS] = {4300, 4301, 4200, 4100, 4100, 4352};
    const f64 origin[3] = {0, 0, 0};
    for (int k = first_kind % 2; k < 2; k += kind_step) {
        scene s = scene_new(size, HALOS);
        const i64 *at = s.offset;
        u64 seed = 77;
        s.options.softening = k ? 1e-2 : 1;
        s.has_mass = s.verify = 1;
        for (i64 i = 0; i < s.n; i++)
            s.m[i] = i >= at[3] ? 1 + (f64)(i % 5) : 2;
        crowd(&s, at[0], at[0] + 2000, 0, 1e-4, &seed);
        crowd(&s, at[0] + 2000, at[1], 3, 1e-5, &seed);
        crowd(&s, at[1], at[1] + 2500, 0, 1e-3, &seed);
        crowd(&s, at[1] + 2500, at[2], 0.3, 1e-4, &seed);
        scene_scatter(&s, at[2], at[3], origin, 1, &seed);
        for (i64 i = at[2] + 7; i < at[3]; i += 2)
            memset(s.x + 3 * i, 0, 3 * sizeof *s.x);
        crowd(&s, at[3], at[4], 1, 1e-3, &seed);
        for (i64 i = at[3] + 1; i < at[4]; i += 2)
            memcpy(s.x + 3 * i, s.x + 3 * i - 3, 3 * sizeof *s.x);
        for (i64 i = at[4]; i < at[5]; i++)
            for (int axis = 0; axis < 3; axis++)
                s.x[3 * i + axis] = (f64)(i * (axis + 1) % 7) - (axis ? 0 : 0.5);
        crowd(&s, at[5], at[6], 0, 1e-7, &seed);
        for (i64 i = at[5]; i < at[5] + 2000; i++)
            s.x[3 * i] = s.x[3 * i + 1] = s.x[3 * i + 2] = 0.0 * (i % 2 ? -1 : 1);
        scene_compare(&s, ANY);
        f64 *phi = malloc((size_t)s.n * sizeof *phi),
            *defined = malloc((size_t)s.n * sizeof *phi);
        scene_potential(&s, 0, phi);
        scene_define(&s, defined);
        ck_assert_mem_eq(phi, defined, (size_t)s.n * sizeof *phi);
        free(phi), free(defined);
        scene_free(&s);
    }
}
END_TEST

/* Blocks of 256 pairs that launches since then were to look at; and whether bounds were
 * looked for by all pairs. */
static struct {
    i64 blocks;
    int by_pairs;
} counted;

/* Stands before the library's. */
weft_status weft_launch(weft_device *on, i64 n, const weft_kernel *kernel,
                        const void *arguments) {
    const char *name = kernel->function.name;
    weft_status (*launch)(weft_device *, i64, const weft_kernel *, const void *);
    *(void **)&launch = dlsym(RTLD_NEXT, "weft_launch");
    if (strcmp(name, "mbp_evaluate_sum") == 0 || strcmp(name, "mbp_below_block") == 0)
        counted.blocks += n;
    counted.by_pairs |= strncmp(name, "mbp_pairs", 9) == 0;
    return launch(on, n, kernel, arguments);
}

/* 100,000 of them, at most a sixteenth of whose pairs are looked at (4.7 % at most are);
 * not where every access is checked. Of the first width none lies in a group that is narrow
 * enough; the last two are told apart by rounding alone. */
START_TEST(many) {
    const i64 size[] = {100000};
    const f64 width[] = {0, 1e-4, 1e-2, 0.1, 1e-7, 1e-9};
    for (int k = 0; k < 6 && strcmp(weft_backend_name(device), "checking") != 0; k++) {
        scene s = scene_new(size, 1);
        u64 seed = 5;
        u32 particle;
        f64 potential;
        s.options.softening = 1;
        crowd(&s, 0, s.n, 3, width[k], &seed);
        counted.blocks = counted.by_pairs = 0;
        scene_find(&s, &particle, &potential);
        ck_assert_double_lt(potential, -99400);
        ck_assert_int_gt(counted.blocks, 0);
        ck_assert_int_lt(counted.blocks, s.n / 16 * (s.n / 256));
        ck_assert(!counted.by_pairs);
        scene_free(&s);
    }
}
END_TEST

/* Left out by groups of neighbours: a crowd that is all there is of a halo, one whose
 * members have other masses, beside a third of them that draw it; and a halo too small for
 * groups. */
START_TEST(groups) {
    const i64 size[] = {4300, 4200, 20};
    const f64 width[] = {3e-7, 3e-8, 2e-9};
    for (int k = first_kind % 3; k < 3; k += kind_step) {
        scene s = scene_new(size, 3);
        u64 seed = (u64)k + 50;
        s.options.softening = 0.5;
        s.has_mass = 1;
        for (i64 i = 0; i < s.n; i++)
            s.m[i] = i < s.offset[1] ? 2 : 1 + (f64)(i % 3);
        crowd(&s, 0, s.n, 0, 0.5 * width[k], &seed);
        for (i64 i = s.offset[1]; i < s.offset[2]; i += 3)
            s.x[3 * i] += 1.25;
        scene_compare(&s, ANY);
        scene_free(&s);
    }
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {crowds, mixtures, groups, many};
    return test_main(argc, argv, "mbp_soft", tests, sizeof tests / sizeof *tests);
}
