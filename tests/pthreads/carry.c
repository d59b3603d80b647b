/* Bytes to and from arrays, around the pieces that threads take: all of them, and no
 * others. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 18, BEFORE = 7 };

static u8 byte_of(i64 i) {
    return (u8)((u64)i * 0x9e3779b97f4a7c15u >> 56);
}

START_TEST(all_bytes) {
    static const i64 sizes[] = {0,
                                1,
                                4 * PIECE - 1,
                                4 * PIECE,
                                4 * PIECE + 1,
                                5 * PIECE,
                                9 * PIECE - 1,
                                17 * PIECE + 3};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const i64 n = sizes[k], all = n + 2 * BEFORE;
        u8 *host = malloc((size_t)all), *back = malloc((size_t)all);
        memset(host, 0xa5, (size_t)all);
        const weft_array array = test_array(WEFT_U8, host, all);
        const weft_array part = weft_slice(device, array, BEFORE, n);
        for (i64 i = 0; i < n; i++)
            host[BEFORE + i] = byte_of(i);
        weft_write(device, part, host + BEFORE);
        weft_read(device, array, back);
        ck_assert_mem_eq(back, host, (size_t)all);
        memset(back, 0x5a, (size_t)all);
        weft_read(device, part, back + BEFORE);
        test_ok();
        for (i64 i = 0; i < all; i++)
            ck_assert_uint_eq(back[i], i < BEFORE || i >= BEFORE + n ? 0x5a : host[i]);
        weft_array_free(device, array);
        free(host), free(back);
    }
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {all_bytes};
    return test_main(argc, argv, "carry", tests, sizeof tests / sizeof *tests);
}
