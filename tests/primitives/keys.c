#include "keys.h"
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const weft_type key_types[KEY_TYPES] = {WEFT_I8,  WEFT_U8,  WEFT_I16, WEFT_U16, WEFT_I32,
                                        WEFT_U32, WEFT_I64, WEFT_U64, WEFT_F32, WEFT_F64};
const weft_type moved_types[MOVED_TYPES] = {
    WEFT_I8,           WEFT_U8,           WEFT_I16,          WEFT_U16,
    WEFT_I32,          WEFT_U32,          WEFT_I64,          WEFT_U64,
    WEFT_F32,          WEFT_F64,          WEFT_STRUCTS | 3,  WEFT_STRUCTS | 12,
    WEFT_STRUCTS | 24, WEFT_STRUCTS | 40, WEFT_STRUCTS | 100};
const i64 some_sizes[SOME_SIZES] = {0, 1, 2, 63, 65, 1000, 4097};

void *new_zeros(weft_type type, i64 n) {
    void *memory = calloc((size_t)n + 1, WEFT_SIZE(type));
    ck_assert_ptr_nonnull(memory);
    return memory;
}

static int compare_floats(f64 a, f64 b) {
    if (isnan(a) || isnan(b))
        return !!isnan(a) - !!isnan(b);
    if (a == 0 && b == 0)
        return !!signbit(b) - !!signbit(a);
    return (a > b) - (a < b);
}

static i64 signed_key(weft_type type, const void *keys, i64 i) {
    switch (type) {
    case WEFT_I8:
        return ((const i8 *)keys)[i];
    case WEFT_I16:
        return ((const i16 *)keys)[i];
    case WEFT_I32:
        return ((const i32 *)keys)[i];
    default:
        return ((const i64 *)keys)[i];
    }
}

static u64 unsigned_key(weft_type type, const void *keys, i64 i) {
    switch (type) {
    case WEFT_U8:
        return ((const u8 *)keys)[i];
    case WEFT_U16:
        return ((const u16 *)keys)[i];
    case WEFT_U32:
        return ((const u32 *)keys)[i];
    default:
        return ((const u64 *)keys)[i];
    }
}

int compare_keys(weft_type type, const void *a, i64 i, const void *b, i64 j) {
    switch (type) {
    case WEFT_F32:
        return compare_floats(((const f32 *)a)[i], ((const f32 *)b)[j]);
    case WEFT_F64:
        return compare_floats(((const f64 *)a)[i], ((const f64 *)b)[j]);
    case WEFT_I8:
    case WEFT_I16:
    case WEFT_I32:
    case WEFT_I64: {
        const i64 x = signed_key(type, a, i), y = signed_key(type, b, j);
        return (x > y) - (x < y);
    }
    default: {
        const u64 x = unsigned_key(type, a, i), y = unsigned_key(type, b, j);
        return (x > y) - (x < y);
    }
    }
}

static void merge(weft_type type, const void *keys, int descending, const i64 *from,
                  i64 *to, i64 first, i64 middle, i64 end) {
    i64 a = first, b = middle;
    for (i64 k = first; k < end; k++) {
        int take_b = a == middle;
        if (a < middle && b < end) {
            const int c = compare_keys(type, keys, from[a], keys, from[b]);
            take_b = descending ? c < 0 : c > 0;
        }
        to[k] = take_b ? from[b++] : from[a++];
    }
}

i64 *new_order(weft_type type, const void *keys, i64 n, int descending) {
    i64 *order = new_zeros(WEFT_I64, n), *spare = new_zeros(WEFT_I64, n);
    for (i64 i = 0; i < n; i++)
        order[i] = i;
    for (i64 width = 1; width < n; width *= 2) {
        for (i64 first = 0; first < n; first += 2 * width) {
            const i64 middle = first + width < n ? first + width : n;
            const i64 end = middle + width < n ? middle + width : n;
            merge(type, keys, descending, order, spare, first, middle, end);
        }
        i64 *swap = order;
        order = spare;
        spare = swap;
    }
    free(spare);
    return order;
}

static void sort_keys(weft_type type, void *keys, i64 n, int descending) {
    const size_t size = WEFT_SIZE(type);
    i64 *order = new_order(type, keys, n, descending);
    char *copy = new_zeros(type, n);
    memcpy(copy, keys, (size_t)n * size);
    for (i64 i = 0; i < n; i++)
        memcpy((char *)keys + (size_t)i * size, copy + (size_t)order[i] * size, size);
    free(copy);
    free(order);
}

/* One of the keys that are easily got wrong. */
static void extreme_key(weft_type type, void *key, u64 which) {
    static const f32 narrow[] = {0.0f, -0.0f, INFINITY, -INFINITY,
                                 NAN,  -NAN,  1e-42f,   -1.0f};
    static const f64 wide[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, -NAN, 5e-324, -1.0};
    const u32 bits = 8 * (u32)WEFT_SIZE(type);
    const u64 sign = (u64)1 << (bits - 1);
    const u64 whole[] = {0, 1, sign, sign - 1, sign + 1, ~(u64)0, ~(u64)0 - 1, 2};
    if (type == WEFT_F32)
        memcpy(key, &narrow[which % 8], sizeof *narrow);
    else if (type == WEFT_F64)
        memcpy(key, &wide[which % 8], sizeof *wide);
    else
        memcpy(key, &whole[which % 8], WEFT_SIZE(type));
}

void *new_keys(weft_type type, i64 n, key_pattern pattern, u64 seed) {
    const size_t size = WEFT_SIZE(type);
    char *keys = new_zeros(type, n);
    u64 few[7];
    for (int k = 0; k < 7; k++)
        few[k] = test_random(&seed);
    for (i64 i = 0; i < n; i++) {
        char *key = keys + (size_t)i * size;
        u64 bits = test_random(&seed);
        if (type < WEFT_STRUCTS && pattern == KEYS_EXTREME) {
            extreme_key(type, key, bits >> 40);
            continue;
        }
        if (pattern == KEYS_EQUAL || pattern == KEYS_FEW)
            bits = few[pattern == KEYS_EQUAL ? 0 : bits % 7];
        for (size_t k = 0; k < size; k++)
            key[k] = (char)(u8)(bits >> k % 8 * 8);
    }
    if (type < WEFT_STRUCTS && (pattern == KEYS_RISING || pattern == KEYS_FALLING))
        sort_keys(type, keys, n, pattern == KEYS_FALLING);
    return keys;
}

void expect_counts(weft_array counts, const i64 *expected) {
    char *got = new_zeros(counts.type, counts.length);
    weft_read(device, counts, got);
    test_ok();
    for (i64 b = 0; b < counts.length; b++) {
        i64 count = 0;
        memcpy(&count, got + (size_t)b * WEFT_SIZE(counts.type), WEFT_SIZE(counts.type));
        if (count != expected[b])
            ck_abort_msg("bin %lld of %lld: %lld, not %lld", (long long)b,
                         (long long)counts.length, (long long)count,
                         (long long)expected[b]);
    }
    free(got);
}

void check_all_keys(check_two *check, const i64 sizes[4]) {
    for (int t = first_kind; t < KEY_TYPES; t += kind_step)
        for (int p = 0; p < KEY_PATTERNS; p++)
            for (int s = 0; s < 4; s++)
                check(key_types[t], WEFT_U32, sizes[s], sizes[(s + p) % 4], (key_pattern)p);
}

void check_all_selections(check_selection *check) {
    for (int t = first_kind; t < MOVED_TYPES; t += kind_step) {
        check(moved_types[t], 1000, 2);
        check(moved_types[t], 65, 7);
    }
    for (int s = 0; s < test_size_count; s++)
        for (u64 rarity = 0; rarity < 5; rarity++)
            check(WEFT_U32, test_sizes[s], rarity == 4 ? 1000 : rarity);
}
