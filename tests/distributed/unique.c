/* Numbers of several ranks: proven to be different where they are and lie close together,
 * and never where two are the same. */
#include "scene.h"
#include "distributed/table/unique.h"

#include <stdlib.h>

enum { LARGE = 100003 };

/* Numbers least .. least + n, each once, in an order without one. */
static i64 *shuffled(i64 n, i64 least) {
    i64 *number = malloc((size_t)(n + 1) * sizeof *number);
    u64 seed = 7;
    for (i64 i = 0; i < n; i++) {
        const i64 j = (i64)(test_random(&seed) % (u64)(i + 1));
        number[i] = number[j];
        number[j] = least + i;
    }
    return number;
}

/* Rank r has number[first of r .. first of r + 1). */
static i64 first_of(i64 n, int rank, bool uneven) {
    if (uneven) /* the first has none, the last nearly all */
        return rank == comm.size ? n : rank < 2 ? 0 : n / 100;
    return n * rank / comm.size;
}

static bool is_proven(const i64 *number, i64 n, bool uneven) {
    const i64 first = first_of(n, comm.rank, uneven);
    const i64 end = first_of(n, comm.rank + 1, uneven);
    bool are_proven = false;
    ck_assert(unique_prove(&comm, number + first, end - first, &are_proven));
    return are_proven;
}

/* With the number at i once more at j. */
static void expect_repeated(i64 *number, i64 n, i64 i, i64 j, bool uneven) {
    if (i == j || i < 0 || j < 0 || i >= n || j >= n)
        return;
    const i64 had = number[j];
    number[j] = number[i];
    ck_assert(!is_proven(number, n, uneven));
    number[j] = had;
}

static void expect_all(i64 n, i64 least, bool uneven) {
    i64 *number = shuffled(n, least);
    ck_assert_int_eq(is_proven(number, n, uneven), n > 0);
    expect_repeated(number, n, 0, n - 1, uneven);
    expect_repeated(number, n, n - 1, 0, uneven);
    expect_repeated(number, n, 0, 1, uneven);
    expect_repeated(number, n, n / 2, n / 2 - 1, uneven);
    expect_repeated(number, n, n - 2, n - 1, uneven);
    expect_repeated(number, n, n / 3, 2 * n / 3, uneven);
    const i64 had = n > 0 ? number[n / 2] : 0;
    if (n > 0) {
        number[n / 2] = -1 - had;
        ck_assert(!is_proven(number, n, uneven));
        number[n / 2] = INT64_MIN;
        ck_assert(!is_proven(number, n, uneven));
        number[n / 2] = had;
        ck_assert(is_proven(number, n, uneven));
    }
    free(number);
}

START_TEST(repeated_ones_are_found) {
    const i64 sizes[] = {0, 1, 2, 63, 64, 65, 1000, LARGE};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (comm.threads = 1; comm.threads < 6; comm.threads += 4)
            for (int uneven = 0; uneven < 2; uneven++) {
                expect_all(sizes[s], 0, uneven);
                expect_all(sizes[s], INT64_MAX - sizes[s], uneven);
            }
}
END_TEST

/* With gaps, up to where bits would take too much memory; far apart. */
START_TEST(gaps_are_allowed) {
    i64 *number = shuffled(LARGE, 0);
    for (i64 gap = 2; gap < 1000; gap *= 3) {
        i64 *apart = malloc(LARGE * sizeof *apart);
        for (i64 i = 0; i < LARGE; i++)
            apart[i] = gap * number[i];
        const i64 words = gap * (LARGE - 1) / 64 + 1;
        ck_assert_int_eq(is_proven(apart, LARGE, false),
                         words <= 2 * (LARGE / comm.size) + 1024);
        expect_repeated(apart, LARGE, 5, LARGE - 5, false);
        free(apart);
    }
    number[0] = INT64_MAX;
    ck_assert(!is_proven(number, LARGE, false));
    free(number);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {repeated_ones_are_found, gaps_are_allowed};
    return scene_main(argc, argv, "unique", tests, sizeof tests / sizeof *tests);
}
