/* The curve along which members lie: each cell is once on it, a step from the one before.
 */
#include "harness.h"

#include <stdlib.h>

#include "algorithms/neighbours/knn_tree.kernel.h"

/* The cells along the curve, x << 2 bits | y << bits | z. */
static void walk(i32 bits, u64 *at) {
    const u64 cells = (u64)1 << 3 * bits, low = ((u64)1 << bits) - 1;
    for (u64 i = 0; i < cells; i++)
        at[i] = UINT64_MAX;
    for (u64 c = 0; c < cells; c++) {
        const u64 place = knn_tree_curve((u32)(c >> 2 * bits), (u32)(c >> bits & low),
                                         (u32)(c & low), bits);
        ck_assert(place < cells && at[place] == UINT64_MAX);
        at[place] = c;
    }
}

START_TEST(steps) {
    for (i32 bits = 1; bits < 6; bits++) {
        const u64 cells = (u64)1 << 3 * bits, low = ((u64)1 << bits) - 1;
        u64 *at = malloc((size_t)cells * sizeof *at);
        walk(bits, at);
        for (u64 i = 1; i < cells; i++) {
            i64 way = 0;
            for (i32 axis = 0; axis < 3; axis++)
                way += llabs((i64)(at[i] >> axis * bits & low) -
                             (i64)(at[i - 1] >> axis * bits & low));
            ck_assert_int_eq(way, 1);
        }
        free(at);
    }
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {steps};
    return test_main(argc, argv, "knn_curve", tests, sizeof tests / sizeof *tests);
}
