/* The sort of the host backends against its definition: every type of keys and values, any
 * bits, both orders, even and uneven keys, from one item to several levels of buckets. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TYPES = 10, SIZES = 14, PATTERNS = 9, DEVICES = 6 };

static const weft_type types[TYPES] = {WEFT_I8,  WEFT_U8,  WEFT_I16, WEFT_U16, WEFT_I32,
                                       WEFT_U32, WEFT_I64, WEFT_U64, WEFT_F32, WEFT_F64};
static const weft_type value_types[] = {0, WEFT_U32, WEFT_F32, WEFT_U64};
static const i64 sizes[SIZES] = {1,    2,    31,    32,    33,    64,     1000,
                                 8191, 8193, 16384, 32769, 65537, 100003, 300007};
static const char *const names[DEVICES] = {"serial",     "pthreads:1", "pthreads:2",
                                           "pthreads:3", "pthreads:7", "pthreads:16"};

/* What a key counts for, by the public definition. */
static u64 order_of(weft_type type, const char *key) {
    f32 narrow;
    f64 wide;
    u64 bits = 0;
    const size_t size = WEFT_SIZE(type);
    const u64 sign = 1ull << (8 * size - 1), all = sign | (sign - 1);
    memcpy(&bits, key, size);
    if (type == WEFT_F32 || type == WEFT_F64) {
        memcpy(&narrow, key, 4);
        memcpy(&wide, key, size);
        if (type == WEFT_F32 ? narrow != narrow : wide != wide)
            return all;
        return bits & sign ? ~bits & all : bits | sign;
    }
    const int is_signed =
        type == WEFT_I8 || type == WEFT_I16 || type == WEFT_I32 || type == WEFT_I64;
    return is_signed ? bits ^ sign : bits;
}

/* Bits of a key; each pattern sends the sort another way. */
static u64 pattern_bits(int pattern, i64 i, u64 offset, u64 *seed) {
    const u64 x = test_random(seed);
    switch (pattern) {
    case 0:
        return x;
    case 1: /* few distinct ones */
        return x % 7 * 0x1111111111111111u;
    case 2: /* a narrow range, anywhere */
        return offset + (x & 0xffffff);
    case 3: /* sorted, each twice */
        return (u64)i / 2 * 3;
    case 4: /* nearly all the same */
        return x % 10 ? offset : test_random(seed);
    case 5: /* 40 bits */
        return x & 0xffffffffffu;
    case 6: /* each range as likely as one twice as wide: floats do so */
        return test_random(seed) >> (x & 63);
    case 7: /* one full bucket, its keys differing in their last bits */
        return x % 16 ? offset << 20 | (x >> 8 & 0xffff) : test_random(seed);
    default: /* equal */
        return offset;
    }
}

typedef struct place {
    u64 order;
    i64 from;
} place;

static int compare_places(const void *a, const void *b) {
    const place *x = a, *y = b;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    return x->from < y->from ? -1 : x->from > y->from;
}

typedef struct trial {
    weft_type type, value_type;
    i64 n;
    int pattern, descending, begin, end;
} trial;

static trial new_trial(u64 *seed, i64 k) {
    trial t = {.type = types[k % TYPES],
               .value_type = value_types[test_random(seed) % 4],
               .n = sizes[test_random(seed) % SIZES],
               .pattern = (int)(test_random(seed) % PATTERNS),
               .descending = (int)(test_random(seed) % 2)};
    t.end = 8 * (int)WEFT_SIZE(t.type);
    if (test_random(seed) % 3 == 0) {
        t.begin = (int)(test_random(seed) % (u64)t.end);
        t.end = t.begin + 1 + (int)(test_random(seed) % (u64)(t.end - t.begin));
    }
    return t;
}

static void check(weft_device *d, const trial *t, u64 *seed) {
    const size_t size = WEFT_SIZE(t->type), value_size = WEFT_SIZE(t->value_type);
    const size_t bytes = (size_t)t->n * 8;
    char *key = malloc(bytes), *value = malloc(bytes), *got = malloc(bytes);
    place *places = malloc((size_t)t->n * sizeof *places);
    const u64 offset = test_random(seed),
              mask = t->end - t->begin < 64 ? (1ull << (t->end - t->begin)) - 1 : ~0ull;
    for (i64 i = 0; i < t->n; i++) {
        const u64 bits = pattern_bits(t->pattern, i, offset, seed), v = test_random(seed);
        memcpy(key + (size_t)i * size, &bits, size);
        memcpy(value + (size_t)i * value_size, &v, value_size);
        const u64 order = order_of(t->type, key + (size_t)i * size);
        places[i] = (place){(t->descending ? ~order : order) >> t->begin & mask, i};
    }
    qsort(places, (size_t)t->n, sizeof *places, compare_places);
    const weft_array keys = weft_array_new(d, t->type, t->n);
    const weft_array values =
        value_size ? weft_array_new(d, t->value_type, t->n) : (weft_array){0};
    weft_write(d, keys, key);
    if (value_size)
        weft_write(d, values, value);
    weft_sort_bits(d, keys, values, t->descending ? WEFT_DESCENDING : WEFT_ASCENDING,
                   t->begin, t->end);
    char what[160];
    snprintf(what, sizeof what,
             "%s, keys %x, values %x, n %lld, pattern %d, descending %d, bits %d to %d",
             weft_device_name(d), t->type, t->value_type, (long long)t->n, t->pattern,
             t->descending, t->begin, t->end);
    weft_read(d, keys, got);
    ck_assert_msg(weft_check(d) == WEFT_OK, "%s: %s", what, weft_error(d));
    i64 wrong = -1;
    for (i64 i = 0; i < t->n && wrong < 0; i++)
        if (memcmp(got + (size_t)i * size, key + (size_t)places[i].from * size, size) != 0)
            wrong = i;
    ck_assert_msg(wrong < 0, "%s: key %lld", what, (long long)wrong);
    if (value_size)
        weft_read(d, values, got);
    for (i64 i = 0; value_size && i < t->n && wrong < 0; i++)
        if (memcmp(got + (size_t)i * value_size,
                   value + (size_t)places[i].from * value_size, value_size) != 0)
            wrong = i;
    ck_assert_msg(wrong < 0, "%s: value %lld", what, (long long)wrong);
    weft_array_free(d, keys);
    weft_array_free(d, values);
    free(key);
    free(value);
    free(got);
    free(places);
}

START_TEST(every_kind) {
    weft_device *d[DEVICES];
    u64 seed = 11;
    for (int k = 0; k < DEVICES; k++)
        d[k] = weft_open(names[k]);
    for (i64 k = 0; k < (test_is_whole() ? 800 : 300); k++) {
        const trial t = new_trial(&seed, k);
        weft_device *one = d[test_random(&seed) % DEVICES];
        if (weft_backend_name(one)[0] != 'n') /* "none": serial may not be built in */
            check(one, &t, &seed);
    }
    for (int k = 0; k < DEVICES; k++)
        weft_close(d[k]);
}
END_TEST

/* Buckets beyond what the cache takes, more than one level deep. */
START_TEST(uneven_buckets) {
    u64 seed = 12;
    weft_device *d = weft_open("pthreads:3");
    for (int pattern = 0; pattern < PATTERNS; pattern++)
        for (int k = 0; k < 5; k++) {
            const trial t = {.type = k % 4 == 0 ? WEFT_U32
                                     : k == 1   ? WEFT_U64
                                     : k == 2   ? WEFT_F32
                                                : WEFT_F64,
                             .value_type = WEFT_U32,
                             .n = 700001,
                             .pattern = pattern,
                             .descending = pattern % 2,
                             .end = k == 4  ? 29
                                    : k % 2 ? 64
                                            : 32};
            check(d, &t, &seed);
        }
    weft_close(d);
}
END_TEST

/* Scratch is a copy of keys and values, and what each thread needs. */
START_TEST(scratch_is_one_copy) {
    enum { N = 1 << 20, MIB = 1 << 20 };
    weft_device *d = weft_open("pthreads:2");
    const weft_array keys = weft_array_new(d, WEFT_U32, N),
                     values = weft_array_new(d, WEFT_U32, N);
    u32 *host = malloc(N * sizeof *host);
    u64 seed = 13;
    for (i64 i = 0; i < N; i++)
        host[i] = (u32)test_random(&seed);
    weft_write(d, keys, host);
    weft_write(d, values, host);
    weft_sort_by_key(d, keys, values, WEFT_ASCENDING);
    ck_assert_uint_le(weft_memory_use(d).peak, 16 * MIB + 2 * 2 * MIB);
    ck_assert_uint_eq(weft_memory_use(d).used, 8 * MIB);
    free(host);
    weft_close(d);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {every_kind, uneven_buckets, scratch_is_one_copy};
    return test_main(argc, argv, "sort", tests, sizeof tests / sizeof *tests);
}
