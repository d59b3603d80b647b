/* The most bound particle against its definition, bit for bit. */
#include "mbp_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ANY = 1 << 20 };

/* Sizes around rows, blocks and the parts that are summed at a time. */
static const i64 sizes[] = {4099, 2049, 1040, 1025, 1024, 1023, 513, 512, 300, 257,
                            256,  255,  100,  65,   64,   63,   49,  48,  47,  33,
                            32,   31,   20,   17,   16,   15,   3,   2,   1,   1};
static const i64 size_count = sizeof sizes / sizeof *sizes;

START_TEST(definition) {
    const f64 boxes[][3] = {{100, 100, 100}, {100, 0, 100}};
    for (int k = first_kind; k < 8; k += kind_step) {
        scene s = scene_new(sizes, size_count);
        scene_scatter_all(&s, 100, k & 1 ? 40 : 2, (u64)k + 1);
        s.type = k & 1 ? WEFT_F32 : WEFT_F64;
        s.mass_type = k >> 2 ^ (k & 1) ? WEFT_F32 : WEFT_F64;
        s.has_mass = k >> 1 & 1;
        s.separate = k % 3 == 0;
        s.options.softening = k >> 2 ? 0.02 : 0;
        s.particle_mass = 0.7;
        s.verify = 1;
        memcpy(s.box, boxes[k >> 2], sizeof s.box);
        scene_compare(&s, ANY);
        scene_free(&s);
    }
}
END_TEST

START_TEST(small_halos) {
    enum { HALOS = 10000 };
    i64 *few = malloc(HALOS * sizeof *few);
    for (i64 h = 0; h < HALOS; h++)
        few[h] = 60 - 58 * h / HALOS;
    for (int soft = first_kind % 2; soft < 2; soft += kind_step) {
        scene s = scene_new(few, HALOS);
        scene_scatter_all(&s, 50, 1, 99);
        s.has_mass = soft;
        s.options.softening = 0.1 * soft;
        s.box[0] = s.box[1] = s.box[2] = 50;
        scene_compare(&s, ANY);
        scene_free(&s);
    }
    free(few);
}
END_TEST

/* Trees of many levels, on their own and beside small ones, and the sizes where trees
 * begin; of the largest halo not all members are evaluated. */
START_TEST(large_halos) {
    const i64 large[] = {40003, 17000, 4097, 4096, 4095, 257, 20};
    for (int k = first_kind % 2; k < 2; k += kind_step) {
        scene s = scene_new(large, sizeof large / sizeof *large);
        scene_scatter_all(&s, 100, 3, (u64)k + 21);
        s.has_mass = k;
        s.options.softening = 0.01 * k;
        s.box[0] = s.box[1] = s.box[2] = 100;
        scene_compare(&s, 20000);
        scene_free(&s);
    }
}
END_TEST

/* The best of what shares find is what one call finds, and in halos that are large on every
 * device, and whose potentials all differ, no two find the same. */
START_TEST(shares) {
    enum { HALOS = 6, LONG = 32768 };
    const i64 large[HALOS] = {33000, 4097, 2048, 300, 20, 1};
    const i32 counts[5] = {1, 2, 3, 8, 700};
    scene s = scene_new(large, HALOS);
    scene_scatter_all(&s, 100, 3, 77);
    s.has_mass = 1;
    u32 whole[HALOS], particle[HALOS];
    f64 lowest[HALOS], potential[HALOS];
    scene_find(&s, whole, lowest);
    for (int k = first_kind % 5; k < 5; k += kind_step) {
        i64 finders[HALOS] = {0};
        const int all = counts[k] < 700; /* or one in 50, the last among them */
        s.shares = counts[k];
        for (s.share = all ? 0 : 699 % 50; s.share < counts[k]; s.share += all ? 1 : 50) {
            scene_find(&s, particle, potential);
            for (i64 h = 0; h < HALOS; h++) {
                if (particle[h] == (u32)s.n)
                    continue;
                ck_assert(potential[h] >= lowest[h]);
                ck_assert_int_eq(particle[h] == whole[h], potential[h] == lowest[h]);
                finders[h] += particle[h] == whole[h];
            }
        }
        for (i64 h = 0; h < HALOS; h++)
            ck_assert((!all || finders[h] >= 1) && (large[h] < LONG || finders[h] <= 1));
    }
    scene_free(&s);
}
END_TEST

START_TEST(no_members) {
    scene s = scene_new((const i64[]){20, 0, 0}, 3);
    u32 particle[3];
    f64 potential[3];
    scene_find(&s, particle, potential);
    ck_assert_uint_eq(particle[1], (u32)s.n);
    ck_assert(particle[0] == 0 && potential[0] == 0 && potential[1] == 0);
    ck_assert(!signbit(potential[0])); /* which would be printed as -0 */
    s.count = 0, s.n = 0;
    scene_find(&s, particle, potential);
    scene_free(&s);
}
END_TEST

START_TEST(wrong_arguments) {
    const f64 x[] = {1, 2, 3};
    const i64 offset[] = {0, 3};
    const u32 member[] = {0, 1, 2};
    const weft_array at = test_array(WEFT_F64, x, 3);
    const weft_points points = {at, at, at, 1, 3};
    const weft_bodies good = {.points = points, .particle_mass = 1};
    weft_bodies short_of = good, box = good, weightless = good, heavy = good;
    weft_bodies light = good;
    short_of.points.count = 4;
    box.box[1] = -1;
    weightless.particle_mass = 0;
    const weft_halos halos = {.count = 1,
                              .members = 3,
                              .offset = test_array(WEFT_I64, offset, 2),
                              .member = test_array(WEFT_U32, member, 3)};
    const weft_array found = weft_array_new(device, WEFT_U32, 1);
    const weft_array phi = weft_array_new(device, WEFT_F64, 1);
    const weft_mbp_options soft = {.softening = NAN};
    heavy.mass = halos.offset;
    light.mass = phi;
    weft_mbp(device, &short_of, NULL, &halos, found, phi);
    test_expect_error(WEFT_E_SHAPE, "weft_mbp: x has fewer than 4 coordinates");
    weft_mbp(device, &box, NULL, &halos, found, phi);
    test_expect_error(WEFT_E_ARGUMENT, "weft_mbp: box[1] is -1, not 0 or a size");
    weft_mbp(device, &good, &soft, &halos, found, phi);
    test_expect_error(WEFT_E_ARGUMENT, "weft_mbp: softening is nan");
    weft_mbp_share(device, &good, NULL, &halos, 2, 2, found, phi);
    test_expect_error(WEFT_E_ARGUMENT, "weft_mbp_share: share is 2, of 2");
    weft_mbp(device, &weightless, NULL, &halos, found, phi);
    test_expect_error(WEFT_E_ARGUMENT, "weft_mbp: particle_mass is 0, not above 0");
    weft_mbp(device, &heavy, NULL, &halos, found, phi);
    test_expect_error(WEFT_E_TYPE, "'mass'");
    weft_mbp(device, &light, NULL, &halos, found, phi);
    test_expect_error(WEFT_E_SHAPE, "'mass' has 1 elements, at least 3");
    weft_mbp(device, &good, NULL, &halos, phi, phi);
    test_expect_error(WEFT_E_TYPE, "'particle' is not of type u32");
    weft_mbp(device, &good, NULL, &halos, found, weft_slice(device, phi, 0, 0));
    test_expect_error(WEFT_E_SHAPE, "'potential' has 0 elements, at least 1");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {definition, small_halos, large_halos,
                                  shares,     no_members,  wrong_arguments};
    return test_main(argc, argv, "mbp", tests, sizeof tests / sizeof *tests);
}
