/* Sorting by vectors against the C library's sort: at the edges of registers and networks,
 * and for keys that no pivot from a sample or from the middle of their range divides. */
#include "harness.h"
#include "backends/host/sort/sort_vectors.h"

#include <stdlib.h>
#include <string.h>

enum { PATTERNS = 9, MOST = 9000, GUARD = 64, FILL = 0x5a };

static int compare4(const void *a, const void *b) {
    u32 x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static int compare8(const void *a, const void *b) {
    u64 x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static u64 pattern_bits(int pattern, i64 i, i64 n, u64 *seed) {
    const u64 x = test_random(seed);
    switch (pattern) {
    case 0:
        return x;
    case 1: /* few distinct ones */
        return x % 7;
    case 2: /* equal, all bits set */
        return ~0ull;
    case 3:
        return (u64)i;
    case 4:
        return (u64)(n - i);
    case 5: /* nearly all the same */
        return x % 10 ? 77 : x;
    case 6: /* each range as likely as one twice as wide */
        return x >> (x >> 5 & 63);
    case 7: /* equal where a sample is taken, but for one */
        return i % 16 == 7 ? x : 5;
    default: /* zeros and the greatest key */
        return x % 2 ? ~0ull : 0;
    }
}

static void check(i64 n, i32 size, int pattern, u64 *seed) {
    static char items[8 * MOST + GUARD], spare[8 * MOST + GUARD], to[8 * MOST + GUARD],
        expected[8 * MOST + GUARD];
    const size_t bytes = (size_t)n * (size_t)size;
    memset(items, FILL, bytes + GUARD);
    memset(spare, FILL, bytes + GUARD);
    memset(to, FILL, bytes + GUARD);
    for (i64 i = 0; i < n; i++) {
        const u64 x = pattern_bits(pattern, i, n, seed);
        memcpy(items + i * size, &x, (size_t)size);
    }
    memcpy(expected, items, bytes + GUARD);
    sort_by_vectors(items, spare, to, n, size);
    qsort(expected, (size_t)n, (size_t)size, size == 4 ? compare4 : compare8);
    ck_assert_msg(memcmp(to, expected, bytes + GUARD) == 0, "n %lld, size %d, pattern %d",
                  (long long)n, size, pattern);
    for (size_t k = bytes; k < bytes + GUARD; k++)
        ck_assert_msg(items[k] == FILL && spare[k] == FILL, "beyond %lld items of %d bytes",
                      (long long)n, size);
}

START_TEST(all_sizes) {
    u64 seed = 21;
    if (!sort_has_vectors())
        return;
    for (i32 size = 4; size <= 8; size += 4)
        for (int pattern = 0; pattern < PATTERNS; pattern++) {
            for (i64 n = 1; n <= 600; n++)
                check(n, size, pattern, &seed);
            for (i64 n = 601; n <= MOST; n += 193)
                check(n, size, pattern, &seed);
        }
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {all_sizes};
    return test_main(argc, argv, "vectors", tests, sizeof tests / sizeof *tests);
}
