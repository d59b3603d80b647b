/* Scans of sums in registers: all widths give the same bits, and what a loop gives. */
#include "backends/host/scan/scan_lanes.h"
#include "harness.h"

#include <string.h>

enum { MOST = 70, TYPES = 4 };

typedef union numbers {
    _Alignas(64) u32 narrow[MOST];
    u64 wide[MOST];
    f32 narrow_floats[MOST];
    f64 wide_floats[MOST];
} numbers;

static const weft_type types[TYPES] = {WEFT_U32, WEFT_U64, WEFT_F32, WEFT_F64};

static scan_lanes *lanes_of(const scan_lanes_set *set, int t) {
    scan_lanes *const all[TYPES] = {set->plus_u32, set->plus_u64, set->plus_f32,
                                    set->plus_f64};
    return all[t];
}

/* Floats whose sums round, some of them -0. */
static numbers random_numbers(weft_type type, u64 *seed) {
    numbers x;
    for (int i = 0; i < MOST; i++) {
        const u64 random = test_random(seed);
        const f64 value = random % 5 == 0 ? -0.0 : (f64)(i64)random * 0x1p-60;
        switch (type) {
        case WEFT_U32:
            x.narrow[i] = (u32)random;
            break;
        case WEFT_U64:
            x.wide[i] = random;
            break;
        case WEFT_F32:
            x.narrow_floats[i] = (f32)value;
            break;
        default:
            x.wide_floats[i] = value;
        }
    }
    return x;
}

/* By a loop, which for floats is not to the last bit. */
static f64 value_of(weft_type type, const numbers *x, i64 i) {
    return type == WEFT_U32   ? x->narrow[i]
           : type == WEFT_U64 ? (f64)x->wide[i]
           : type == WEFT_F32 ? (f64)x->narrow_floats[i]
                              : x->wide_floats[i];
}

static void check_against_loop(weft_type type, const numbers *in, const u32 *heads,
                               int exclusive, i64 n, const void *before,
                               const numbers *out) {
    numbers sum = {{0}};
    memcpy(&sum, before, WEFT_SIZE(type));
    for (i64 i = 0; i < n; i++) {
        if (heads && heads[i])
            memset(&sum, 0, WEFT_SIZE(type));
        const f64 sooner = value_of(type, &sum, 0);
        if (type == WEFT_U32)
            sum.narrow[0] += in->narrow[i];
        else if (type == WEFT_U64)
            sum.wide[0] += in->wide[i];
        else if (type == WEFT_F32)
            sum.narrow_floats[0] += in->narrow_floats[i];
        else
            sum.wide_floats[0] += in->wide_floats[i];
        const f64 expected = exclusive ? sooner : value_of(type, &sum, 0),
                  off = value_of(type, out, i) - expected;
        ck_assert(type == WEFT_U32 || type == WEFT_U64 ? off == 0
                                                       : off < 1e-3 && off > -1e-3);
    }
}

static void check_all(const scan_lanes_set *set, int t, i64 n, u64 seed, int flags) {
    const int exclusive = flags & 1, in_place = flags >> 1 & 1, bypass = flags >> 2 & 1,
              headed = flags >> 3;
    const size_t size = WEFT_SIZE(types[t]);
    const numbers in = random_numbers(types[t], &seed);
    u32 heads[MOST];
    for (i64 i = 0; i < MOST; i++)
        heads[i] =
            headed && test_random(&seed) % (headed == 1 ? 3 : 20) == 0 ? 1u << 31 : 0;
    numbers before = random_numbers(types[t], &seed), out[2];
    memset(&before, 0, flags & 1 ? size : 0);
    numbers sum[2] = {before, before};
    const scan_lanes_set *sets[2] = {&scan_lanes_quarters, set};
    for (int s = 0; s < 2; s++) {
        memset(&out[s], 0, sizeof out[s]);
        if (in_place)
            out[s] = in;
        lanes_of(sets[s], t)(in_place ? &out[s] : &in, headed ? heads : NULL, exclusive, n,
                             &sum[s], &out[s], bypass, headed ? NULL : &in);
    }
#ifdef __SSE2__
    __builtin_ia32_sfence();
#endif
    ck_assert_mem_eq(&out[0], &out[1], sizeof out[0]);
    ck_assert_mem_eq(&sum[0], &sum[1], size);
    check_against_loop(types[t], &in, headed ? heads : NULL, exclusive, n, &before,
                       &out[0]);
}

START_TEST(widths_agree) {
    const scan_lanes_set *set = &scan_lanes_quarters;
    if (!set->plus_u32)
        return;
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd"))
        set = &scan_lanes_avx512;
#endif
    for (int t = 0; t < TYPES; t++)
        for (i64 n = 0; n <= MOST; n++)
            for (int flags = 0; flags < 24; flags++)
                check_all(set, t, n, (u64)(n * 24 + flags), flags);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {widths_agree};
    return test_main(argc, argv, "lanes", tests, sizeof tests / sizeof *tests);
}
