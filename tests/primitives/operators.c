/* Every operator of every type against arithmetic done in wider numbers. */
#include "harness.h"
#include "keys.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef const weft_operator *operator_of(weft_type type);
static operator_of *const operators[] = {weft_plus,    weft_times,  weft_minimum,
                                         weft_maximum, weft_bit_or, weft_bit_and};
enum { PLUS, TIMES, MINIMUM, MAXIMUM, BIT_OR, BIT_AND, OPERATORS };

/* a[i] op b[i], by the definition. */
static u64 define_whole(int which, weft_type type, const void *a, const void *b, i64 i) {
    const size_t size = WEFT_SIZE(type);
    u64 x = 0, y = 0;
    memcpy(&x, (const char *)a + (size_t)i * size, size);
    memcpy(&y, (const char *)b + (size_t)i * size, size);
    const int order = compare_keys(type, a, i, b, i);
    switch (which) {
    case PLUS:
        return x + y;
    case TIMES:
        return x * y;
    case MINIMUM:
        return order < 0 ? x : y;
    case MAXIMUM:
        return order > 0 ? x : y;
    case BIT_OR:
        return x | y;
    default:
        return x & y;
    }
}

static u64 define(int which, weft_type type, const void *a, const void *b, i64 i) {
    u64 bits = 0;
    if (type == WEFT_F32) {
        const f32 x = ((const f32 *)a)[i], y = ((const f32 *)b)[i];
        const int order = compare_keys(type, a, i, b, i);
        const f32 low = isnan(x) ? y : isnan(y) || order < 0 ? x : y;
        const f32 high = isnan(x) ? y : isnan(y) || order > 0 ? x : y;
        const f32 result[] = {x + y, x * y, low, high};
        memcpy(&bits, &result[which], sizeof *result);
        return isnan(result[which])                  ? 0x7fc00000
               : which == PLUS && result[which] == 0 ? 0
                                                     : bits;
    }
    if (type == WEFT_F64) {
        const f64 x = ((const f64 *)a)[i], y = ((const f64 *)b)[i];
        const int order = compare_keys(type, a, i, b, i);
        const f64 low = isnan(x) ? y : isnan(y) || order < 0 ? x : y;
        const f64 high = isnan(x) ? y : isnan(y) || order > 0 ? x : y;
        const f64 result[] = {x + y, x * y, low, high};
        memcpy(&bits, &result[which], sizeof *result);
        return isnan(result[which])                  ? 0x7ff8000000000000
               : which == PLUS && result[which] == 0 ? 0
                                                     : bits;
    }
    return define_whole(which, type, a, b, i);
}

/* All NaN are alike, and so are both zeros: a scan may begin with the identity, 0, or not.
 */
static u64 bits_at(int which, weft_type type, const char *host, i64 i) {
    u64 bits = 0;
    memcpy(&bits, host + (size_t)i * WEFT_SIZE(type), WEFT_SIZE(type));
    if (type == WEFT_F32 && isnan(((const f32 *)(const void *)host)[i]))
        return 0x7fc00000;
    if (type == WEFT_F32 && which == PLUS && ((const f32 *)(const void *)host)[i] == 0)
        return 0;
    if (type == WEFT_F64 && isnan(((const f64 *)(const void *)host)[i]))
        return 0x7ff8000000000000;
    if (type == WEFT_F64 && which == PLUS && ((const f64 *)(const void *)host)[i] == 0)
        return 0;
    return bits;
}

static int both_nan(weft_type type, const void *a, const void *b, i64 i) {
    if (type == WEFT_F32)
        return isnan(((const f32 *)a)[i]) && isnan(((const f32 *)b)[i]);
    return type == WEFT_F64 && isnan(((const f64 *)a)[i]) && isnan(((const f64 *)b)[i]);
}

/* An inclusive scan of pairs, each a segment, is one operation on each. */
START_TEST(pairs_of_each) {
    const i64 n = 1000;
    u32 host_heads[2000];
    for (i64 i = 0; i < 2 * n; i++)
        host_heads[i] = i % 2 == 0;
    const weft_array heads = test_array(WEFT_U32, host_heads, 2 * n);
    for (int which = 0; which < OPERATORS; which++)
        for (int t = first_kind; t < KEY_TYPES; t += kind_step) {
            const weft_type type = key_types[t];
            const weft_operator *op = operators[which](type);
            if (!op)
                continue;
            const size_t size = WEFT_SIZE(type);
            char *a = new_keys(type, n, KEYS_EXTREME, 1),
                 *b = new_keys(type, n, KEYS_EXTREME, 2);
            char *both = new_zeros(type, 2 * n), *out = new_zeros(type, 2 * n);
            if (which == PLUS || which == TIMES) /* half of all keys are not extreme */
                for (i64 i = 0; i < n / 2 * (i64)size; i++)
                    a[i] = (char)(i * 77 % 63), b[i] = (char)(i * 31 % 63);
            for (i64 i = 0; i < n; i++) {
                memcpy(both + (size_t)(2 * i) * size, a + (size_t)i * size, size);
                memcpy(both + (size_t)(2 * i + 1) * size, b + (size_t)i * size, size);
            }
            const weft_array in = test_array(type, both, 2 * n);
            weft_scan_segments(device, in, heads, op, WEFT_INCLUSIVE, in);
            weft_read(device, in, out);
            test_ok();
            const u64 mask = size == 8 ? ~(u64)0 : ((u64)1 << 8 * size) - 1;
            for (i64 i = 0; i < n; i++) {
                if (both_nan(type, a, b, i)) /* of nothing but NaN: NaN or the identity */
                    continue;
                ck_assert_msg(bits_at(which, type, out, 2 * i + 1) ==
                                  (define(which, type, a, b, i) & mask),
                              "%s at %d: %llx, not %llx", op->name, (int)i,
                              (unsigned long long)bits_at(which, type, out, 2 * i + 1),
                              (unsigned long long)(define(which, type, a, b, i) & mask));
            }
            weft_array_free(device, in);
            free(a), free(b), free(both), free(out);
        }
}
END_TEST

START_TEST(identities) {
    for (int which = 0; which < OPERATORS; which++)
        for (int t = first_kind; t < KEY_TYPES; t += kind_step) {
            const weft_operator *op = operators[which](key_types[t]);
            if (!op) {
                ck_assert_int_ge(which, BIT_OR);
                ck_assert_int_ge(t, 8);
                continue;
            }
            const i64 n = 100;
            const size_t size = WEFT_SIZE(op->type);
            char *keys = new_keys(op->type, n, KEYS_RANDOM, 3),
                 *out = new_zeros(op->type, n);
            char *identity = new_zeros(op->type, n);
            for (i64 i = 0; i < n; i++)
                memcpy(identity + (size_t)i * size, op->identity, size);
            op->combine(keys, identity, out, n);
            for (i64 i = 0; i < n; i++)
                if (compare_keys(op->type, keys, i, keys, i) == 0 &&
                    bits_at(which, op->type, keys, i) != 0x7fc00000 &&
                    bits_at(which, op->type, keys, i) != 0x7ff8000000000000)
                    ck_assert_mem_eq(out + (size_t)i * size, keys + (size_t)i * size, size);
            free(keys), free(out), free(identity);
        }
}
END_TEST

START_TEST(none_for_structs) {
    for (int which = 0; which < OPERATORS; which++) {
        ck_assert_ptr_null(operators[which](WEFT_STRUCTS | 4));
        ck_assert_ptr_null(operators[which](0));
    }
    ck_assert_ptr_null(weft_bit_or(WEFT_F32));
    ck_assert_ptr_null(weft_bit_and(WEFT_F64));
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {pairs_of_each, identities, none_for_structs};
    return test_main(argc, argv, "operators", tests, sizeof tests / sizeof *tests);
}
