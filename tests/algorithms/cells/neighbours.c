/* The nearest members of halos, by looking at all pairs. */
#include "definitions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <weft/neighbours.h>

enum { MOST = 64 };

/* Clumps, in so many halos at random; none: all points are one. */
typedef struct scene {
    cloud cloud;
    i64 halos;
    u64 seed;
} scene;

static i64 id_of(i64 i) {
    return (i * 7919 + 13) % 100003;
}

/* The members' neighbours, by insertion in the order of (d2, place). */
static void define(const cloud *c, const f64 box[3], const u32 *member, i64 begin, i64 end,
                   i64 m, i64 k, u32 *neighbour, f64 *distance2) {
    for (i64 i = 0; i < k; i++) {
        neighbour[i] = UINT32_MAX;
        distance2[i] = INFINITY;
    }
    for (i64 j = begin; j < end; j++) {
        const f64 d2 = define_squared(c, member[m], member[j], box);
        i64 at = k;
        if (j == m)
            continue;
        for (; at > 0 && (neighbour[at - 1] == UINT32_MAX || d2 < distance2[at - 1]); at--)
            if (at < k) {
                neighbour[at] = neighbour[at - 1];
                distance2[at] = distance2[at - 1];
            }
        if (at < k) {
            neighbour[at] = (u32)j;
            distance2[at] = d2;
        }
    }
}

static void compare(const cloud *c, const weft_neighbours_options *o, const u32 *member,
                    const i64 *offset, i64 halos, const u32 *found, const f64 *distance2) {
    u32 expected[MOST];
    f64 far[MOST];
    const i64 k = o->count;
    for (i64 h = 0; h < halos; h++)
        for (i64 m = offset[h]; m < offset[h + 1]; m++) {
            define(c, o->box, member, offset[h], offset[h + 1], m, k, expected, far);
            for (i64 i = 0; i < k; i++)
                ck_assert_msg(
                    found[m * k + i] == expected[i] && distance2[m * k + i] == far[i],
                    "neighbour %lld of %lld of member %lld of %lld is %u at %.17g, not %u "
                    "at %.17g",
                    (long long)i, (long long)k, (long long)m, (long long)c->count,
                    found[m * k + i], distance2[m * k + i], expected[i], far[i]);
        }
}

static void run(const scene *s, weft_neighbours_options o) {
    const cloud *c = &s->cloud;
    const i64 n = c->count;
    const size_t most = (size_t)(n + 1);
    f32 *narrow = malloc(3 * most * sizeof *narrow);
    u32 *label = malloc(most * sizeof *label), *member = malloc(most * sizeof *member),
        *found = malloc(most * MOST * sizeof *found);
    i64 *id = malloc(most * sizeof *id), *offset = malloc((most + 1) * sizeof *offset);
    f64 *distance2 = malloc(most * MOST * sizeof *distance2);
    u64 state = s->seed;
    for (i64 k = 0; k < 3 * n; k++)
        narrow[k] = (f32)c->at[k];
    for (i64 i = 0; i < n; i++) {
        id[i] = id_of(i);
        label[i] = (u32)(test_random(&state) % (u64)(s->halos + 1));
        if (label[i] == (u32)s->halos || (i64)label[i] >= n)
            label[i] = UINT32_MAX;
    }
    weft_halos halos = {0};
    const weft_array at =
        test_array(c->wide ? WEFT_F64 : WEFT_F32, c->wide ? (void *)c->at : narrow, 3 * n);
    const weft_points points = weft_points_interleaved(device, at);
    if (s->halos > 0)
        weft_halos_group(device, test_array(WEFT_U32, label, n),
                         test_array(WEFT_I64, id, n), 1, &halos);
    const i64 members = s->halos > 0 ? halos.members : n;
    const weft_array to = weft_array_new(device, WEFT_U32, members * o.count),
                     far = weft_array_new(device, WEFT_F64, members * o.count);
    weft_neighbours(device, &points, &o, s->halos > 0 ? &halos : NULL, to, far);
    weft_read(device, to, found);
    weft_read(device, far, distance2);
    for (i64 i = 0; i < n; i++)
        member[i] = (u32)i;
    offset[0] = 0;
    offset[1] = n;
    if (s->halos > 0) {
        weft_read(device, halos.offset, offset);
        weft_read(device, halos.member, member);
    }
    test_ok();
    compare(c, &o, member, offset, s->halos > 0 ? halos.count : 1, found, distance2);
    weft_halos_free(device, &halos);
    weft_array_free(device, to);
    weft_array_free(device, far);
    weft_array_free(device, at);
    free(narrow), free(label), free(member), free(found);
    free(id), free(offset), free(distance2);
}

START_TEST(clumps) {
    const i64 ks[] = {1, 5, 20, 64, 10};
    for (int k = first_kind % 5; k < 5; k += kind_step)
        for (int periodic = 0; periodic < 8; periodic += 7 - 2 * (k & 1)) {
            scene s = {cloud_clumps(500 + 37 * k, k & 1, (u64)(7 * k + periodic)),
                       periodic & 1 ? 3 : 1, (u64)k};
            run(&s, (weft_neighbours_options){
                        .count = ks[k],
                        .box = {periodic & 1, periodic >> 1 & 1, periodic >> 2}});
            cloud_free(&s.cloud);
        }
}
END_TEST

/* No halos of few members, and around leaves. */
START_TEST(all_sizes) {
    const i64 sizes[] = {0, 1, 2, 15, 16, 17, 63, 64, 65, 257, 1025};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        scene s = {cloud_clumps(sizes[k], 0, k), 0, k};
        run(&s, (weft_neighbours_options){.count = 16, .box = {1, 1, 1}});
        s.halos = 1 + sizes[k] / 3;
        run(&s, (weft_neighbours_options){.count = 2});
        cloud_free(&s.cloud);
    }
}
END_TEST

/* Many at one distance, some at one place: those with small ids are found. */
START_TEST(lattices) {
    for (int periodic = 0; periodic < 2; periodic++) {
        cloud c = cloud_new(700, periodic);
        for (int i = 0; i < 700; i++) {
            const int k = i < 512 ? i : i * 31 % 512;
            cloud_set(&c, i, 0.25 * (k & 7), 0.25 * (k >> 3 & 7), 0.25 * (k >> 6));
        }
        scene s = {c, 1, 3};
        const f64 box = periodic ? 2 : 0;
        const i64 ks[] = {20, 29, 30, 64};
        for (int k = 0; k < 4; k++)
            run(&s, (weft_neighbours_options){.count = ks[k], .box = {box, box, box}});
        cloud_free(&c);
    }
}
END_TEST

/* In images of a box, near and far, and of a width that differences are rounded at. */
START_TEST(periods) {
    const f64 far[] = {1, 1024, 0x1p24};
    for (int l = 0; l < 3; l++) {
        cloud c = cloud_clumps(400, 1, 5);
        for (i64 i = 0; i < c.count; i++)
            c.at[3 * i + l] += (f64)(i % 7 - 3) * far[l];
        scene s = {c, 1, 9};
        run(&s, (weft_neighbours_options){.count = 7, .box = {1, 1, 1}});
        run(&s, (weft_neighbours_options){.count = 7, .box = {0, 1, 0}});
        cloud_free(&c);
    }
}
END_TEST

/* A core far denser than what is around it, in the middle and across faces: many are nearer
 * than the k-th neighbour to a leaf, and few to each of its members. */
START_TEST(slopes) {
    for (int across = 0; across < 2; across++) {
        cloud c = cloud_new(4000, across);
        u64 state = 4;
        for (i64 i = 0; i < c.count; i++) {
            f64 u[4];
            for (int k = 0; k < 4; k++)
                u[k] = (f64)(test_random(&state) >> 11) * 0x1p-53;
            const f64 r = 0.35 * pow(u[0], 4), z = 2 * u[1] - 1, turn = 6.283 * u[2];
            const f64 middle = across ? 1 : 0.5, flat = r * sqrt(1 - z * z);
            cloud_set(&c, i, fmod(middle + flat * cos(turn), 1),
                      fmod(middle + flat * sin(turn), 1), fmod(middle + r * z, 1));
        }
        scene s = {c, 0, 1};
        run(&s, (weft_neighbours_options){.count = across ? 33 : 20, .box = {1, 1, 1}});
        cloud_free(&c);
    }
}
END_TEST

/* Few in the middle of a shell: all of it is near to them, and to each another part is. */
START_TEST(shell) {
    cloud c = cloud_new(3000, 0);
    u64 state = 11;
    for (i64 i = 0; i < c.count; i++) {
        f64 way[3], length = 0;
        for (int k = 0; k < 3; k++) {
            way[k] = (f64)(test_random(&state) >> 11) * 0x1p-53 - 0.5;
            length += way[k] * way[k];
        }
        const f64 r = (i < 32 ? 0.1 : 0.45 + 1e-4 * sqrt(length)) / sqrt(length);
        cloud_set(&c, i, 0.5 + r * way[0], 0.5 + r * way[1], 0.5 + r * way[2]);
    }
    cloud_set(&c, 32, 1.25, 1.25, 1.25); /* the middle is in one cell of the curve */
    scene s = {c, 0, 1};
    run(&s, (weft_neighbours_options){.count = 20});
    run(&s, (weft_neighbours_options){.count = 64});
    cloud_free(&c);
}
END_TEST

/* Many at one place. */
START_TEST(heap) {
    const i64 n = 3000, k = 20;
    cloud c = cloud_new(n, 0);
    u32 *found = malloc((size_t)(n * k) * sizeof *found);
    f32 *at = malloc((size_t)(3 * n) * sizeof *at);
    for (i64 i = 0; i < 3 * n; i++)
        at[i] = 0.37f;
    const weft_points points =
        weft_points_interleaved(device, test_array(WEFT_F32, at, 3 * n));
    const weft_array to = weft_array_new(device, WEFT_U32, n * k);
    const weft_neighbours_options o = {.count = k, .box = {1, 1, 1}};
    weft_neighbours(device, &points, &o, NULL, to, (weft_array){0});
    weft_read(device, to, found);
    test_ok();
    for (i64 m = 0; m < n; m++)
        for (i64 i = 0; i < k; i++)
            ck_assert_int_eq(found[m * k + i], i < m ? i : i + 1);
    free(found), free(at);
    cloud_free(&c);
}
END_TEST

START_TEST(wrong_arguments) {
    cloud c = cloud_clumps(10, 1, 9);
    weft_points points = weft_points_interleaved(device, test_array(WEFT_F64, c.at, 30));
    weft_neighbours_options o = {.count = 3};
    const weft_array to = weft_array_new(device, WEFT_U32, 30);
    weft_neighbours(device, &points, NULL, NULL, to, (weft_array){0});
    test_expect_error(WEFT_E_ARGUMENT, "'options' is NULL");
    weft_neighbours(device, &points, &o, NULL, weft_slice(device, to, 0, 29),
                    (weft_array){0});
    test_expect_error(WEFT_E_SHAPE, "'neighbour' has 29 elements, at least 30 are needed");
    weft_neighbours(device, &points, &o, NULL, to, to);
    test_expect_error(WEFT_E_TYPE, "'distance2' is not of type f64");
    o.count = 65;
    weft_neighbours(device, &points, &o, NULL, to, (weft_array){0});
    test_expect_error(WEFT_E_ARGUMENT, "count is 65, not 1 to 64");
    o.count = 3;
    o.box[1] = -1;
    weft_neighbours(device, &points, &o, NULL, to, (weft_array){0});
    test_expect_error(WEFT_E_ARGUMENT, "box[1] is -1");
    o.box[1] = 0;
    u32 member[] = {3, 10};
    i64 offset[] = {0, 2};
    const weft_halos halos = {.count = 1,
                              .members = 2,
                              .offset = test_array(WEFT_I64, offset, 2),
                              .member = test_array(WEFT_U32, member, 2)};
    weft_neighbours(device, &points, &o, &halos, to, (weft_array){0});
    test_expect_error(WEFT_E_ARGUMENT, "1 members of halos are none of the 10 points");
    c.at[5] = NAN;
    points = weft_points_interleaved(device, test_array(WEFT_F64, c.at, 30));
    weft_neighbours(device, &points, &o, NULL, to, (weft_array){0});
    test_expect_error(WEFT_E_ARGUMENT, "particle 1 has a coordinate that is not finite");
    cloud_free(&c);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {clumps, all_sizes, lattices, periods,
                                  slopes, shell,     heap,     wrong_arguments};
    return test_main(argc, argv, "neighbours", tests, sizeof tests / sizeof *tests);
}
