/* Compaction by four elements, which a processor with larger vectors does without. */
#include "backends/host/scan/compact_quads.h"
#include "harness.h"

#include <string.h>

enum { MOST = 70, ROOM = MOST + 16, BEHIND = 0x5a5a5a5a };

typedef struct moved {
    u32 kept[ROOM + 1], others[ROOM + 1];
} moved;

/* What is there where an element of either kind belongs. */
static void check(const u32 *in, const u32 *flags, u32 keep, i64 n, const moved *m,
                  i64 count, int apart) {
    i64 kept = 0, others = 0;
    for (i64 i = 0; i < n; i++) {
        if ((flags[i] != 0) == keep)
            ck_assert_uint_eq(m->kept[kept++], in[i]);
        else if (apart)
            ck_assert_uint_eq(m->others[others++], in[i]);
    }
    ck_assert_int_eq(count, kept);
    for (i64 k = n + 16; k <= ROOM; k++) {
        ck_assert_uint_eq(m->kept[k], BEHIND);
        ck_assert_uint_eq(m->others[k], BEHIND);
    }
}

START_TEST(each_goes_to_its_side) {
    static const u32 set[] = {1, 0x80000000, 0xffffffff, 0x100};
    u64 seed = 1;
    if (!compact_has_quads())
        return;
    for (i64 n = 0; n <= MOST; n++)
        for (u32 way = 0; way < 32; way++) {
            const u32 keep = way & 1, apart = way >> 1 & 1;
            u32 in[MOST], flags[MOST];
            moved m;
            for (i64 i = 0; i < n; i++) {
                const u64 random = test_random(&seed);
                in[i] = (u32)random;
                flags[i] = (random >> 40) % 8 < way / 4 ? 0 : set[random >> 50 & 3];
            }
            memset(&m, 0x5a, sizeof m);
            const i64 count =
                compact_quads((const char *)in, flags, keep, n, (char *)m.kept,
                              apart ? (char *)m.others : NULL);
            check(in, flags, keep, n, &m, count, apart != 0);
        }
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {each_goes_to_its_side};
    return test_main(argc, argv, "quads", tests, sizeof tests / sizeof *tests);
}
