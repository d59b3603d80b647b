/* Numbers of friends, and the member with the most of them, against their definitions. */
#include "definitions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <weft/mcp.h>

static weft_points lend(const cloud *c) {
    const i64 n = c->count;
    f32 *narrow = malloc((size_t)(3 * n + 1) * sizeof *narrow);
    for (i64 k = 0; k < 3 * n; k++)
        narrow[k] = (f32)c->at[k];
    const weft_array at =
        test_array(c->wide ? WEFT_F64 : WEFT_F32, c->wide ? (void *)c->at : narrow, 3 * n);
    free(narrow);
    return weft_points_interleaved(device, at);
}

/* Ids that do not ascend with the indices. */
static i64 id_of(i64 i) {
    return (i * 7919 + 13) % 100003;
}

/* That weft_friends_count gives what the definition gives. */
static void compare_counts(const cloud *c, const weft_points *points,
                           const weft_fof_options *options, weft_cells *cells,
                           const u32 *expected, weft_array count, u32 *friends) {
    weft_friends_count(device, points, options, cells, count);
    weft_read(device, count, friends);
    test_ok();
    for (i64 i = 0; i < c->count; i++)
        ck_assert_msg(friends[i] == expected[i],
                      "particle %lld of %lld has %u friends, not %u (length %.17g, box %g "
                      "%g %g)",
                      (long long)i, (long long)c->count, friends[i], expected[i],
                      options->linking_length, options->box[0], options->box[1],
                      options->box[2]);
}

/* That weft_friends_count and weft_mcp give what the definitions give, with cells that
 * weft_fof_cells left or without. */
static void compare(const cloud *c, weft_fof_options options, i64 min_members) {
    const i64 n = c->count;
    const size_t bytes = (size_t)(n + 1) * sizeof(u32);
    u32 *friends = malloc(bytes), *expected = calloc((size_t)(n + 1), sizeof *expected),
        *particle = malloc(bytes), *most = malloc(bytes), *member = malloc(bytes);
    i64 *id = malloc((size_t)(n + 1) * sizeof *id),
        *offset = malloc((size_t)(n + 2) * sizeof *offset);
    for (i64 i = 0; i < n; i++) {
        id[i] = id_of(i);
        for (i64 j = 0; j < n; j++)
            expected[i] +=
                j != i && define_friends(c, i, j, options.linking_length, options.box);
    }
    const weft_points points = lend(c);
    const weft_array label = weft_array_new(device, WEFT_U32, n);
    compare_counts(c, &points, &options, NULL, expected, label, friends);
    weft_halos halos;
    weft_cells *cells = NULL;
    for (int keep = 0; keep < 2; keep++) {
        weft_fof_cells(device, &points, &options, label, keep ? &cells : NULL);
        weft_halos_group(device, label, test_array(WEFT_I64, id, n), min_members, &halos);
        const weft_array chosen = weft_array_new(device, WEFT_U32, halos.count);
        const weft_array count = weft_array_new(device, WEFT_U32, halos.count);
        weft_mcp(device, &points, &options, cells, &halos, chosen, count);
        weft_read(device, chosen, particle);
        weft_read(device, count, most);
        weft_read(device, halos.offset, offset);
        weft_read(device, halos.member, member);
        test_ok();
        for (i64 h = 0; h < halos.count; h++) {
            u32 best = member[offset[h]];
            for (i64 k = offset[h] + 1; k < offset[h + 1]; k++)
                if (expected[member[k]] > expected[best] ||
                    (expected[member[k]] == expected[best] && id[member[k]] < id[best]))
                    best = member[k];
            ck_assert_msg(particle[h] == best && most[h] == expected[best],
                          "halo %lld: particle %u with %u friends, not %u with %u",
                          (long long)h, particle[h], most[h], best, expected[best]);
        }
        weft_halos_free(device, &halos);
    }
    ck_assert((cells != NULL) == (n > 0));
    compare_counts(c, &points, &options, cells, expected, label, friends);
    weft_cells_free(device, cells);
    free(friends);
    free(expected);
    free(particle);
    free(most);
    free(member);
    free(id);
    free(offset);
}

START_TEST(clumps) {
    const f64 lengths[9] = {0, 0.003, 0.02, 0.05, 0.13, 0.26, 0.34, 0.6, 1.2};
    for (int wide = 0; wide <= 1; wide++)
        for (int periodic = 0; periodic < 8; periodic += wide ? 3 : 7)
            for (int k = periodic % kind_step; k < 9; k += kind_step)
                for (i64 min_friends = 0; min_friends < 5; min_friends += 2) {
                    cloud c = cloud_clumps(300 + 37 * k, wide, (u64)(7 * k + periodic));
                    compare(&c,
                            (weft_fof_options){
                                .linking_length = lengths[k],
                                .box = {periodic & 1, periodic >> 1 & 1, periodic >> 2},
                                .min_friends = min_friends},
                            1 + k % 4);
                    cloud_free(&c);
                }
}
END_TEST

START_TEST(all_sizes) {
    const i64 sizes[] = {0, 1, 2, 3, 63, 64, 65, 1000, 1025};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        cloud c = cloud_clumps(sizes[k], 0, k);
        compare(&c, (weft_fof_options){.linking_length = 0.03, .box = {1, 1, 1}}, 1);
        cloud_free(&c);
    }
}
END_TEST

/* Particles exactly a length apart, of which many have as many friends. */
START_TEST(lattices) {
    const f64 lengths[] = {0.25, 0.25 * sqrt(2), 0.25 * sqrt(3), 0.5};
    for (int periodic = 0; periodic < 2; periodic++)
        for (int l = (first_kind + periodic) % 4; l < 4; l += kind_step) {
            cloud c = cloud_new(700, l % 2);
            for (int i = 0; i < 700; i++) {
                const int k = i < 512 ? i : i * 31 % 512;
                cloud_set(&c, i, 0.25 * (k & 7), 0.25 * (k >> 3 & 7), 0.25 * (k >> 6));
            }
            const f64 box = periodic ? 2 : 0;
            compare(
                &c,
                (weft_fof_options){.linking_length = lengths[l], .box = {box, box, box}},
                2);
            compare(&c,
                    (weft_fof_options){.linking_length = nextafter(lengths[l], 0),
                                       .box = {box, box, box}},
                    1);
            cloud_free(&c);
        }
}
END_TEST

/* Short halos, some as long as their box, of particles in its images, near and far. */
START_TEST(strings) {
    const int members[] = {20, 60, 200, 512, 513};
    const f64 images[] = {0, 0, 1024, 0x1p24};
    for (int k = 0; k < 5; k++)
        for (int l = k % kind_step; l < 4; l += kind_step) {
            const f64 box = l > 0 ? 0.0625 * members[k] : 0, across = l > 0 ? 1 : 0;
            cloud c = cloud_new(3 * members[k], 1);
            u64 state = (u64)k;
            for (i64 i = 0; i < c.count; i++)
                cloud_set(&c, i, (f64)(i / 3) * 0.0625 + (f64)(i % 7 - 3) * images[l] * box,
                          (f64)(test_random(&state) >> 11) * 0x1p-58, (f64)(i % 3) * 0.25);
            for (f64 length = 0.0625; length < 0.2; length += 0.0625)
                compare(&c,
                        (weft_fof_options){.linking_length = length,
                                           .box = {box, across, across}},
                        2);
            cloud_free(&c);
        }
}
END_TEST

/* So dense that sub-cells count at once. */
START_TEST(balls) {
    cloud c = cloud_new(4000, 0);
    u64 state = 7;
    for (i64 i = 0; i < c.count; i++) {
        f64 at[3];
        for (int k = 0; k < 3; k++)
            at[k] = (f64)(test_random(&state) >> 11) * 0x1p-53;
        cloud_set(&c, i, at[0] * at[0], at[1] * at[2], at[2]);
    }
    compare(&c, (weft_fof_options){.linking_length = 0.3}, 2);
    compare(&c, (weft_fof_options){.linking_length = 0.2, .box = {1, 1, 1}}, 2);
    compare(&c,
            (weft_fof_options){.linking_length = 0.13, .box = {1, 0, 1}, .min_friends = 40},
            2);
    cloud_free(&c);
}
END_TEST

/* Many particles at one place, and at two that are friends: no work for each pair. */
START_TEST(heaps) {
    const i64 n = 70001;
    cloud c = cloud_new(n, 1);
    u32 *friends = malloc((size_t)n * sizeof *friends), particle = 0;
    for (int places = 1; places <= 2; places++) {
        for (i64 i = 0; i < n; i++)
            cloud_set(&c, i, i % places ? 0.37 : 0.3, 0.3, 0.3);
        for (int k = 0; k < 2; k++) {
            const weft_fof_options o = {.linking_length = k ? 0.1 : 0.01, .box = {1, 1, 1}};
            const weft_points points = lend(&c);
            const weft_array label = weft_array_new(device, WEFT_U32, n);
            if (places == 1 || k == 1) {
                weft_halos halos;
                weft_fof(device, &points, &o, label);
                weft_halos_group(device, label, (weft_array){0}, 2, &halos);
                ck_assert_int_eq(halos.count, 1);
                const weft_array chosen = weft_array_new(device, WEFT_U32, 1);
                weft_mcp(device, &points, &o, NULL, &halos, chosen,
                         weft_array_new(device, WEFT_U32, 1));
                weft_read(device, chosen, &particle);
                ck_assert_uint_eq(particle, 0);
                weft_halos_free(device, &halos);
            }
            weft_friends_count(device, &points, &o, NULL, label);
            weft_read(device, label, friends);
            test_ok();
            for (i64 i = 0; i < n; i++) {
                const i64 odd = places == 1 ? 0 : n / 2;
                ck_assert_int_eq(friends[i], (k ? n : i % places ? odd : n - odd) - 1);
            }
            weft_array_free(device, label);
            weft_array_free(device, points.x);
        }
    }
    free(friends);
    cloud_free(&c);
}
END_TEST

START_TEST(wrong_arguments) {
    cloud c = cloud_clumps(10, 0, 9);
    weft_points points = lend(&c);
    const weft_fof_options o = {.linking_length = 0.1}, bad = {.linking_length = -1};
    const weft_array out = weft_array_new(device, WEFT_U32, 10);
    weft_friends_count(device, &points, &bad, NULL, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_friends_count: the linking length -1");
    weft_friends_count(device, &points, NULL, NULL, out);
    test_expect_error(WEFT_E_ARGUMENT, "'options' is NULL");
    weft_friends_count(device, &points, &o, NULL, weft_slice(device, out, 0, 9));
    test_expect_error(WEFT_E_SHAPE, "'friends' has 9 elements, at least 10 are needed");
    weft_friends_count(device, &points, &o, NULL, weft_array_new(device, WEFT_I32, 10));
    test_expect_error(WEFT_E_TYPE, "'friends' is not of type u32");
    weft_halos halos;
    weft_fof(device, &points, &o, out);
    weft_halos_group(device, out, (weft_array){0}, 1, &halos);
    weft_mcp(device, &points, &bad, NULL, &halos, out, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_mcp: the linking length -1");
    weft_mcp(device, &points, &o, NULL, &halos, weft_slice(device, out, 0, 0), out);
    test_expect_error(WEFT_E_SHAPE, "'particle' has 0 elements");
    c.at[5] = NAN;
    points = lend(&c);
    weft_friends_count(device, &points, &o, NULL, out);
    test_expect_error(WEFT_E_ARGUMENT, "particle 1 has a coordinate that is not finite");
    weft_halos_free(device, &halos);
    weft_cells *cells = NULL;
    const weft_fof_options kept = {.linking_length = 0.1};
    const weft_fof_options other = {.linking_length = 0.2};
    c.at[5] = 0;
    points = lend(&c);
    weft_fof_cells(device, &points, &kept, out, &cells);
    weft_friends_count(device, &points, &other, cells, out);
    test_expect_error(WEFT_E_ARGUMENT,
                      "the cells are of 10 particles and linking length 0.1");
    weft_cells_free(device, cells);
    weft_fof_cells(device, &points, &bad, out, &cells);
    ck_assert_ptr_null(cells);
    test_expect_error(WEFT_E_ARGUMENT, "linking length -1");
    cloud_free(&c);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {clumps, all_sizes, lattices,       strings,
                                  balls,  heaps,     wrong_arguments};
    return test_main(argc, argv, "mcp", tests, sizeof tests / sizeof *tests);
}
