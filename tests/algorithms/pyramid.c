/* Blocks over segments, against their definition: each member of a segment is in one block,
 * blocks are whole but the last, and no block is of two segments; lengths of segments. */
#include "harness.h"

#include "algorithms/pyramid/lengths.h"
#include "algorithms/pyramid/pyramid.h"

#include <stdlib.h>

enum { SEGMENTS = 9 };

/* Lengths around the edges of blocks, none first, in the middle and last. */
static const i64 sizes[][SEGMENTS] = {
    {0, 0, 0, 0, 0, 0, 0, 0, 0},
    {0, 1, 15, 16, 17, 0, 255, 256, 0},
    {257, 4095, 4096, 4097, 0, 63, 64, 65, 1},
    {1, 1, 1, 1, 1, 1, 1, 1, 1},
    {70000, 0, 3, 1000, 31, 32, 33, 2, 100003},
};

static void check_level(const i64 *offset, i64 bits) {
    const i64 blocks = pyramid_blocks(offset[SEGMENTS], SEGMENTS, bits);
    i64 *owner = malloc((size_t)(blocks + 1) * sizeof *owner);
    for (i64 b = 0; b < blocks; b++)
        owner[b] = -1;
    for (i64 s = 0; s < SEGMENTS; s++) {
        const i64 members = offset[s + 1] - offset[s], count = pyramid_count(members, bits);
        const i64 first = pyramid_first(offset[s], s, bits);
        ck_assert_int_eq(count, (members + ((i64)1 << bits) - 1) / ((i64)1 << bits));
        ck_assert(first >= 0 && first + count <= blocks);
        for (i64 b = first; b < first + count; b++) {
            ck_assert_msg(owner[b] < 0, "block %lld is of two segments", (long long)b);
            owner[b] = s;
        }
        ck_assert_int_le(pyramid_first(offset[s + 1], s + 1, bits) - first, count + 1);
    }
    for (i64 b = 0; b < blocks; b++)
        ck_assert(owner[b] < 0 || pyramid_owner(b, SEGMENTS, bits, offset) == owner[b]);
    free(owner);
}

START_TEST(levels) {
    static const i64 shapes[][3] = {{4, 2, 4}, {8, 4, 1}, {4, 4, 1}, {0, 1, 1}, {8, 1, 3}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        i64 offset[SEGMENTS + 1] = {0}, longest = 0;
        for (int s = 0; s < SEGMENTS; s++) {
            offset[s + 1] = offset[s] + sizes[k][s];
            longest = sizes[k][s] > longest ? sizes[k][s] : longest;
        }
        for (int j = 0; j < 5; j++) {
            const i64 leaf = shapes[j][0], fan = shapes[j][1], top = shapes[j][2];
            const pyramid p =
                pyramid_over(offset[SEGMENTS], SEGMENTS, longest, leaf, fan, top);
            ck_assert(p.levels >= 1 && p.levels <= PYRAMID_MOST_LEVELS);
            for (i64 l = 0; l < p.levels; l++) {
                check_level(offset, leaf + fan * l);
                ck_assert_int_eq(
                    pyramid_size(&p, l),
                    pyramid_blocks(offset[SEGMENTS], SEGMENTS, leaf + fan * l));
                if (p.levels < PYRAMID_MOST_LEVELS)
                    ck_assert((pyramid_count(longest, leaf + fan * l) <= top) ==
                              (l == p.levels - 1));
            }
        }
    }
}
END_TEST

/* Levels lie one after the other in an array of blocks, and kernels learn where. */
START_TEST(slices) {
    i64 begins[PYRAMID_MOST_LEVELS];
    const pyramid p = pyramid_over(100000, 7, 90000, 4, 2, 4);
    weft_scope_open(device);
    const weft_array blocks = weft_scratch(device, WEFT_U32, pyramid_total(&p));
    const weft_array begin = pyramid_begins(device, &p);
    ck_assert_int_eq(begin.length, p.levels);
    weft_read(device, begin, begins);
    i64 from = 0;
    for (i64 l = 0; l < p.levels; l++) {
        const weft_array level = pyramid_level(device, &p, blocks, l);
        ck_assert_int_eq(begins[l], from);
        ck_assert_int_eq(level.length, (100000 >> (4 + 2 * l)) + 7);
        from += level.length;
    }
    ck_assert_int_eq(from, blocks.length);
    weft_scope_close(device);
    test_ok();
}
END_TEST

/* Of each number of those segments, none among them. */
START_TEST(lengths) {
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (i64 n = 0; n <= SEGMENTS; n++) {
            i64 begins[SEGMENTS + 1] = {0}, most = 0, last = 0, least = 64;
            for (i64 s = 0; s < n; s++) {
                begins[s + 1] = begins[s] + sizes[k][s];
                most = sizes[k][s] > most ? sizes[k][s] : most;
                last = sizes[k][s] >= least ? s + 1 : last;
            }
            weft_scope_open(device);
            const weft_array offset = weft_scratch(device, WEFT_I64, n + 1);
            const weft_array of = weft_scratch(device, WEFT_U32, begins[n]);
            const weft_array rank = weft_scratch(device, WEFT_U32, begins[n]);
            u32 *each = malloc(2 * (size_t)(begins[n] + 1) * sizeof *each);
            weft_write(device, offset, begins);
            ck_assert_int_eq(lengths_most(device, n, offset), most);
            ck_assert_int_eq(lengths_last(device, n, offset, least), last);
            lengths_expand(device, n, offset, of, rank);
            weft_read(device, of, each);
            weft_read(device, rank, each + begins[n]);
            for (i64 s = 0; s < n; s++)
                for (i64 m = begins[s]; m < begins[s + 1]; m++)
                    ck_assert(each[m] == s && each[begins[n] + m] == m - begins[s]);
            free(each);
            weft_scope_close(device);
            test_ok();
        }
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {levels, slices, lengths};
    return test_main(argc, argv, "pyramid", tests, 3);
}
