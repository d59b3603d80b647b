/* Links between groups against the definition, and of a history that is known. */
#include <weft/links.h>
#include "harness.h"

#include <math.h>
#include <stdlib.h>

typedef struct groups {
    i64 count, members;
    i64 *offset, *id, *tag;
} groups;

static groups groups_new(i64 count, i64 members) {
    return (groups){count, members, calloc((size_t)count + 1, 8),
                    calloc((size_t)members + 1, 8), calloc((size_t)count + 1, 8)};
}

static void groups_free(groups *g) {
    free(g->offset), free(g->id), free(g->tag);
}

/* Some of `most` ids in any order, in groups of any size, some of them empty. */
static groups groups_random(i64 count, i64 members, i64 most, u64 seed) {
    groups g = groups_new(count, members);
    i64 *all = malloc((size_t)most * sizeof *all);
    for (i64 k = 0; k < most; k++) {
        const i64 to = (i64)(test_random(&seed) % (u64)(k + 1));
        all[k] = all[to];
        all[to] = k * 7 - 20;
    }
    for (i64 k = 0; k < members; k++)
        g.id[k] = all[k];
    for (i64 k = 0; k < members && count > 0; k++)
        g.offset[1 + test_random(&seed) % (u64)(k % 3 ? count : (count + 3) / 4)]++;
    for (i64 k = 0; k < count; k++) {
        g.offset[k + 1] += g.offset[k];
        g.tag[k] = (i64)(test_random(&seed) % 3);
    }
    free(all);
    return g;
}

static weft_links_groups put(const groups *g, int tagged) {
    return (weft_links_groups){.count = g->count,
                               .members = g->members,
                               .offset = test_array(WEFT_I64, g->offset, g->count + 1),
                               .id = test_array(WEFT_I64, g->id, g->members),
                               .tag = tagged ? test_array(WEFT_I64, g->tag, g->count)
                                             : (weft_array){0}};
}

typedef struct link {
    u32 target, shared;
    u64 weight;
} link;

static link define(const groups *from, const groups *to, i64 g, int tagged) {
    link best = {UINT32_MAX, 0, 0};
    for (u32 t = 0; t < (u32)to->count; t++) {
        link l = {t, 0, 0};
        for (i64 k = from->offset[g]; k < from->offset[g + 1]; k++)
            for (i64 j = to->offset[t]; j < to->offset[t + 1]; j++)
                if (from->id[k] == to->id[j]) {
                    l.shared++;
                    l.weight += (u64)(0x1p32 / (1 + sqrt((f64)(k - from->offset[g]))));
                }
        const int better = l.weight != best.weight   ? l.weight > best.weight
                           : l.shared != best.shared ? l.shared > best.shared
                           : l.shared == 0           ? 0
                                           : tagged && to->tag[t] < to->tag[best.target];
        best = better ? l : best;
    }
    return best;
}

static void compare(const groups *from, const groups *to, int tagged) {
    const weft_links_groups a = put(from, 0), b = put(to, tagged);
    const weft_array target = weft_array_new(device, WEFT_U32, from->count),
                     weight = weft_array_new(device, WEFT_U64, from->count),
                     shared = weft_array_new(device, WEFT_U32, from->count);
    u32 *t = malloc((size_t)(from->count + 1) * 4),
        *s = malloc((size_t)(from->count + 1) * 4);
    u64 *w = malloc((size_t)(from->count + 1) * 8);
    weft_links(device, &a, &b, target, weight, shared);
    weft_read(device, target, t), weft_read(device, weight, w),
        weft_read(device, shared, s);
    test_ok();
    for (i64 g = 0; g < from->count; g++) {
        const link l = define(from, to, g, tagged);
        ck_assert_int_eq(t[g], l.target);
        ck_assert_int_eq(s[g], l.shared);
        ck_assert(w[g] == l.weight);
    }
    free(t), free(s), free(w);
}

START_TEST(random_groups) {
    static const i64 sizes[][3] = {{0, 0, 1},   {0, 0, 9},      {1, 1, 1},        {3, 0, 5},
                                   {5, 64, 64}, {40, 300, 700}, {300, 1025, 1500}};
    for (int k = first_kind % 3; k < (int)(sizeof sizes / sizeof *sizes); k += kind_step) {
        groups a = groups_random(sizes[k][0], sizes[k][1], sizes[k][2], (u64)k);
        groups b = groups_random(sizes[k][0] + 7, sizes[k][1] / 2, sizes[k][2], 99);
        compare(&a, &b, 0);
        compare(&b, &a, 1);
        groups_free(&a), groups_free(&b);
    }
}
END_TEST

/* One of two halves has the core; one fades; two merge, and the core is of the second. */
START_TEST(history) {
    groups a = groups_new(5, 20), b = groups_new(4, 15);
    const i64 from[] = {0, 2, 9, 11, 15, 20}, to[] = {0, 1, 2, 10, 15};
    const i64 then[] = {1,  2,  10, 11, 12, 13, 14, 15, 16, 90,
                        91, 30, 31, 32, 33, 40, 41, 42, 43, 44};
    const i64 now[] = {2, 1, 40, 41, 42, 30, 31, 32, 43, 33, 10, 12, 11, 50, 51};
    const i64 tags[] = {8, 5, 3, 1};
    for (int k = 0; k < 6; k++)
        a.offset[k] = from[k];
    for (int k = 0; k < 20; k++)
        a.id[k] = then[k];
    for (int k = 0; k < 5; k++)
        b.offset[k] = to[k];
    for (int k = 0; k < 15; k++)
        b.id[k] = now[k];
    for (int k = 0; k < 4; k++)
        b.tag[k] = tags[k];
    compare(&a, &b, 1);
    compare(&b, &a, 0);
    a.id[0] = -5; /* below all others, and above */
    a.id[1] = INT64_MAX;
    compare(&a, &b, 1);
    a.id[0] = 1, a.id[1] = 2;
    const weft_links_groups p = put(&a, 0), q = put(&b, 1);
    const weft_array target = weft_array_new(device, WEFT_U32, 5);
    u32 next[5], before[4];
    weft_links(device, &p, &q, target, (weft_array){0}, (weft_array){0});
    weft_read(device, target, next);
    weft_links(device, &q, &p, target, (weft_array){0}, (weft_array){0});
    weft_read(device, weft_slice(device, target, 0, 4), before);
    test_ok();
    ck_assert_int_eq(next[0], 1); /* by the weight of its first */
    ck_assert_int_eq(next[1], 3);
    ck_assert_int_eq(next[2], UINT32_MAX);
    ck_assert_int_eq(next[3], 2);
    ck_assert_int_eq(next[4], 2);
    ck_assert_int_eq(before[2], 4);
    groups_free(&a), groups_free(&b);
}
END_TEST

/* Far out in a group two particles weigh the same: tags decide, and then places. */
START_TEST(equals) {
    if (kind_step > 1)
        return;
    const i64 n = 4000020;
    i64 r = 4000000;
    while (floor(0x1p32 / (1 + sqrt((f64)r))) != floor(0x1p32 / (1 + sqrt((f64)(r + 1)))))
        r++;
    ck_assert_int_lt(r + 1, n);
    groups a = groups_new(1, n), b = groups_new(3, 2);
    for (i64 k = 0; k < n; k++)
        a.id[k] = k;
    a.offset[1] = n;
    b.id[0] = r, b.id[1] = r + 1;
    b.offset[2] = 1, b.offset[3] = 2; /* of groups 1 and 2 */
    const weft_links_groups from = put(&a, 0);
    const weft_array target = weft_array_new(device, WEFT_U32, 1);
    for (int k = 0; k < 3; k++) {
        u32 found = 0;
        b.tag[1] = 5, b.tag[2] = 4 + k;
        const weft_links_groups to = put(&b, 1);
        weft_links(device, &from, &to, target, (weft_array){0}, (weft_array){0});
        weft_read(device, target, &found);
        test_ok();
        ck_assert_int_eq(found, k == 0 ? 2 : 1);
    }
    groups_free(&a), groups_free(&b);
}
END_TEST

/* Of a group in no order the one with most particles in both. */
START_TEST(no_order) {
    groups a = groups_new(1, 3), b = groups_new(2, 3);
    const u32 same[] = {0, 0, 0};
    for (i64 k = 0; k < 3; k++)
        a.id[k] = b.id[k] = k;
    a.offset[1] = b.offset[2] = 3;
    b.offset[1] = 1;
    weft_links_groups from = put(&a, 0);
    const weft_links_groups to = put(&b, 0);
    const weft_array target = weft_array_new(device, WEFT_U32, 1);
    for (u32 k = 0; k < 2; k++) {
        u32 found = 9;
        weft_links(device, &from, &to, target, (weft_array){0}, (weft_array){0});
        weft_read(device, target, &found);
        test_ok();
        ck_assert_int_eq(found, k);
        from.rank = test_array(WEFT_U32, same, 3);
    }
    from.rank = weft_slice(device, from.rank, 0, 2);
    weft_links(device, &from, &to, target, (weft_array){0}, (weft_array){0});
    test_expect_error(WEFT_E_SHAPE, "'rank' has 2 elements, at least 3 are needed");
    groups_free(&a), groups_free(&b);
}
END_TEST

START_TEST(wrong_arguments) {
    groups a = groups_random(3, 10, 10, 1);
    weft_links_groups g = put(&a, 0);
    const weft_array target = weft_array_new(device, WEFT_U32, 3);
    weft_links(device, &g, NULL, target, (weft_array){0}, (weft_array){0});
    test_expect_error(WEFT_E_ARGUMENT, "'to' is NULL");
    weft_links(device, &g, &g, weft_slice(device, target, 0, 2), (weft_array){0},
               (weft_array){0});
    test_expect_error(WEFT_E_SHAPE, "'target' has 2 elements, at least 3 are needed");
    a.id[4] = a.id[9] = 77;
    const weft_links_groups twice = put(&a, 0);
    weft_links(device, &g, &twice, target, (weft_array){0}, (weft_array){0});
    test_expect_error(WEFT_E_ARGUMENT, "id 77 is twice in 'to'");
    g.id = target;
    weft_links(device, &g, &g, target, (weft_array){0}, (weft_array){0});
    test_expect_error(WEFT_E_TYPE, "array 'id' is not of type i64");
    groups_free(&a);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {random_groups, history, equals, no_order,
                                  wrong_arguments};
    return test_main(argc, argv, "links", tests, sizeof tests / sizeof *tests);
}
