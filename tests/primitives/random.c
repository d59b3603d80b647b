/* Random numbers against the authors' vectors, their definition and their distributions;
 * shuffles against a sort by the same keys. */
#include "harness.h"
#include "keys.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random.kernel.h"

WEFT_KERNEL(random_block, (in, u32, counter, 4 * n), (in, u32, key, 2 * n),
            (inout, u32, out, 4 * n))
WEFT_KERNEL(random_normal_of, (in, u32, bits), (out, f32, out))
WEFT_KERNEL(random_long_normal_of, (in, u64, bits), (out, f64, out))
WEFT_GENERATOR(random_in_circle, u32, (value, u64, seed))

/* Random123 1.14, tests/kat_vectors: philox4x32 10. */
START_TEST(known_answers) {
    static const u32 counter[12] = {0,           0,           0,           0,
                                    0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu,
                                    0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u};
    static const u32 key[6] = {0, 0, 0xffffffffu, 0xffffffffu, 0xa4093822u, 0x299f31d0u};
    static const u32 answer[12] = {0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u,
                                   0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu,
                                   0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u};
    u32 got[12];
    const weft_array out = weft_array_new(device, WEFT_U32, 12);
    weft_for_each(device, 3, random_block, .counter = test_array(WEFT_U32, counter, 12),
                  .key = test_array(WEFT_U32, key, 6), .out = out);
    weft_read(device, out, got);
    test_ok();
    ck_assert_mem_eq(got, answer, sizeof got);
}
END_TEST

/* Words [4k, 4k + 4) of a stream, by the paper's own words: rounds, and keys that rise. */
static void block_of(u64 seed, u64 stream, u64 k, u32 word[4]) {
    u32 c[4] = {(u32)k, (u32)(k >> 32), (u32)stream, (u32)(stream >> 32)};
    for (u32 round = 0; round < 10; round++) {
        const u64 left = (u64)c[0] * 0xd2511f53u, right = (u64)c[2] * 0xcd9e8d57u;
        const u32 key[2] = {(u32)seed + round * 0x9e3779b9u,
                            (u32)(seed >> 32) + round * 0xbb67ae85u};
        const u32 next[4] = {(u32)(right >> 32) ^ c[1] ^ key[0], (u32)right,
                             (u32)(left >> 32) ^ c[3] ^ key[1], (u32)left};
        memcpy(c, next, sizeof c);
    }
    memcpy(word, c, sizeof c);
}

/* What element i of an array is, by the documentation. */
static void expect_number(weft_distribution d, u64 seed, u64 stream, i64 i,
                          const void *got) {
    const i64 words =
        d == WEFT_UNIFORM_U64 || d == WEFT_UNIFORM_F64 || d == WEFT_NORMAL_F64 ? 2 : 1;
    u32 word[4];
    block_of(seed, stream, (u64)(i * words / 4), word);
    const u32 low = word[i * words % 4];
    const u64 both = (u64)word[(i * words % 4 + words - 1) % 4] << 32 | low;
    if (d == WEFT_UNIFORM_U32)
        ck_assert_uint_eq(((const u32 *)got)[i], low);
    else if (d == WEFT_UNIFORM_U64)
        ck_assert(((const u64 *)got)[i] == both);
    else if (d == WEFT_UNIFORM_F32)
        ck_assert(((const f32 *)got)[i] == (f32)(low >> 8) / 16777216.0f);
    else if (d == WEFT_UNIFORM_F64)
        ck_assert(((const f64 *)got)[i] == (f64)(both >> 11) / 9007199254740992.0);
    else if (d == WEFT_NORMAL_F32)
        ck_assert(((const f32 *)got)[i] == philox_normal_of_f32(low));
    else
        ck_assert(((const f64 *)got)[i] == philox_normal_of_f64(both));
}

START_TEST(arrays) {
    const u64 seed = 0x0123456789abcdefu, stream = 0xfedcba9876543210u;
    for (int d = WEFT_UNIFORM_U32; d <= WEFT_NORMAL_F64; d++)
        for (int s = 0; s < test_size_count; s++) {
            const i64 n = test_sizes[s];
            const weft_array in =
                weft_random(n, (weft_distribution)d, .seed = seed, .stream = stream);
            const weft_array out = weft_array_new(device, in.type, n);
            void *got = new_zeros(in.type, n);
            weft_copy(device, in, out);
            weft_read(device, out, got);
            test_ok();
            for (i64 i = 0; i < n; i += i < 5000 ? 1 : 97)
                expect_number((weft_distribution)d, seed, stream, i, got);
            weft_array_free(device, out);
            free(got);
        }
}
END_TEST

/* The loops of the host over pieces that begin and end anywhere, around blocks and what is
 * made at a time; nothing is written behind them. */
START_TEST(pieces) {
    static const i64 begins[] = {0, 1, 2, 3, 4, 5, 127, 129, 511, 512, 514, 1023};
    static const i64 lengths[] = {0, 1, 2, 3, 4, 5, 127, 128, 130, 512, 513, 1100};
    enum { MANY = 12, MOST = 1023 + 1100 + 1 };
    weft_stream stream = {.seed = 0x0123456789abcdefu, .stream = 5};
    void *const arguments[] = {&stream.seed, &stream.stream};
    static u64 got[MOST];
    for (int d = WEFT_UNIFORM_U32; d <= WEFT_NORMAL_F64; d++)
        for (int pair = 0; pair < MANY * MANY; pair++) {
            const weft_array all = weft_random_array(MOST, (weft_distribution)d, &stream);
            const i64 size = all.type == WEFT_U32 || all.type == WEFT_F32 ? 4 : 8;
            const i64 begin = begins[pair / MANY], end = begin + lengths[pair % MANY];
            memset(got, 0x55, sizeof got);
            all.generator->fill(arguments, begin, end, (char *)got + begin * size);
            for (i64 i = begin; i < end; i++)
                expect_number((weft_distribution)d, stream.seed, stream.stream, i, got);
            ck_assert_int_eq(((const char *)got)[end * size], 0x55);
        }
}
END_TEST

/* Other primitives read them in pieces, from anywhere on. */
START_TEST(as_an_input) {
    enum { N = 70001 };
    i64 count = 0;
    f64 sum = 0, squares = 0;
    weft_reduce(device, weft_random(N, WEFT_NORMAL_F64, .seed = 3), weft_plus(WEFT_F64),
                &sum);
    weft_inner_product(device, weft_random(N, WEFT_NORMAL_F64, .seed = 3),
                       weft_random(N, WEFT_NORMAL_F64, .seed = 3), &squares);
    weft_count_if(device, weft_lazy(N, random_in_circle, .seed = 5), &count);
    test_ok();
    ck_assert(fabs(sum) < 5 * sqrt(N) && fabs(squares / N - 1) < 5 * sqrt(2.0 / N));
    i64 expected = 0;
    for (i64 i = 0; i < N; i++)
        expected += random_in_circle(i, 5);
    ck_assert_int_eq(count, expected);
    ck_assert(fabs(4.0 * (f64)count / N - 3.14159265) < 0.03);
    f32 sorted[1000];
    const weft_array out = weft_array_new(device, WEFT_F32, 1000);
    weft_copy(device, weft_random(1000, WEFT_UNIFORM_F32, .stream = 9), out);
    weft_sort(device, out, WEFT_ASCENDING);
    weft_read(device, out, sorted);
    test_ok();
    for (int i = 0; i < 1000; i++)
        ck_assert(sorted[i] >= 0 && sorted[i] < 1 && fabs(sorted[i] - i / 1000.0) < 0.07);
}
END_TEST

/* The lower tail that belongs to a normal number below 0. */
static f64 tail_of(f64 z) {
    return erfc(-z / sqrt(2.0)) / 2;
}

/* Each number of bits against the distribution: d(log p) = -d(log z) * (about z^2 + 1). */
START_TEST(normal_is_the_inverse) {
    enum { N = 1 << 16 };
    static u32 bits[N];
    static u64 longs[N];
    static f32 got[N];
    static f64 far[N];
    u64 state = 1;
    for (i64 i = 0; i < N; i++) {
        const u64 any = test_random(&state);
        bits[i] = (i < 100 ? (u32)i : (u32)any >> (1 + i % 31)) | 0x80000000u;
        longs[i] = (i < 100 ? (u64)i : any >> (1 + i % 63)) | (u64)1 << 63;
    }
    const weft_array out = weft_array_new(device, WEFT_F32, N),
                     far_out = weft_array_new(device, WEFT_F64, N);
    weft_for_each(device, N, random_normal_of, .bits = test_array(WEFT_U32, bits, N),
                  .out = out);
    weft_for_each(device, N, random_long_normal_of, .bits = test_array(WEFT_U64, longs, N),
                  .out = far_out);
    weft_read(device, out, got);
    weft_read(device, far_out, far);
    test_ok();
    for (i64 i = 0; i < N; i++) {
        const f64 z = got[i], p = ((bits[i] & 0x7fffffffu) + 0.5) * 0x1p-32;
        const f64 y = far[i], q = ((f64)(longs[i] & ~((u64)1 << 63)) + 0.5) * 0x1p-64;
        ck_assert_msg(fabs(tail_of(z) / p - 1) < 5e-7 * (z * z + 1.5), "%g at %x", z,
                      bits[i]);
        ck_assert_msg(fabs(tail_of(y) / q - 1) < 2e-15 * (y * y + 1.5), "%g at %llx", y,
                      (unsigned long long)longs[i]);
        ck_assert(philox_normal_of_f32(bits[i] ^ 0x80000000u) == -got[i]);
        ck_assert(philox_normal_of_f64(longs[i] ^ (u64)1 << 63) == -far[i]);
    }
}
END_TEST

static u64 digest_of(const void *bytes, size_t size) {
    u64 digest = 1469598103934665603u;
    for (size_t k = 0; k < size; k++)
        digest = (digest ^ ((const u8 *)bytes)[k]) * 1099511628211u;
    return digest;
}

/* On every backend, compiler and machine. */
START_TEST(same_bits_everywhere) {
    enum { N = 100003 };
    static f32 narrow[N];
    static f64 wide[N];
    const weft_array a = weft_array_new(device, WEFT_F32, N),
                     b = weft_array_new(device, WEFT_F64, N);
    weft_copy(device, weft_random(N, WEFT_NORMAL_F32, .seed = 2026), a);
    weft_copy(device, weft_random(N, WEFT_NORMAL_F64, .seed = 2026), b);
    weft_read(device, a, narrow);
    weft_read(device, b, wide);
    test_ok();
    ck_assert_msg(digest_of(narrow, sizeof narrow) == 0xa600b5b99b0f12e8u, "f32: %llx",
                  (unsigned long long)digest_of(narrow, sizeof narrow));
    ck_assert_msg(digest_of(wide, sizeof wide) == 0x3e83e16f701f489fu, "f64: %llx",
                  (unsigned long long)digest_of(wide, sizeof wide));
}
END_TEST

typedef struct keyed {
    u64 key;
    i64 index;
} keyed;

static int by_key(const void *a, const void *b) {
    const keyed *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->index > y->index) - (x->index < y->index);
}

static void check_shuffle(weft_type type, i64 n, u64 seed) {
    const size_t size = WEFT_SIZE(type);
    char *in = new_keys(type, n, KEYS_RANDOM, 7), *got = new_zeros(type, n);
    keyed *order = malloc((size_t)(n + 1) * sizeof *order);
    for (i64 i = 0; i < n; i++) {
        u32 word[4];
        block_of(seed, 0, (u64)i / 2, word);
        order[i] = (keyed){(u64)word[i % 2 * 2 + 1] << 32 | word[i % 2 * 2], i};
    }
    qsort(order, (size_t)n, sizeof *order, by_key);
    const weft_array x = test_array(type, in, n);
    weft_shuffle(device, x, seed);
    weft_read(device, x, got);
    test_ok();
    for (i64 i = 0; i < n; i++)
        ck_assert_mem_eq(got + (size_t)i * size, in + (size_t)order[i].index * size, size);
    weft_array_free(device, x);
    free(in), free(got), free(order);
}

START_TEST(shuffles) {
    for (int s = 0; s < test_size_count; s++)
        check_shuffle(WEFT_U32, test_sizes[s], (u64)s);
    for (int t = first_kind; t < MOVED_TYPES; t += kind_step)
        check_shuffle(moved_types[t], 1000, 42);
}
END_TEST

/* Each of the 24 orders of four elements comes as often as any other: chi-squared of 23
 * degrees of freedom is above 49.7 once in a thousand. */
START_TEST(shuffles_are_fair) {
    enum { ROUNDS = 480 };
    int seen[256] = {0}, kinds = 0;
    f64 chi = 0;
    const weft_array x = weft_array_new(device, WEFT_U32, 4);
    for (u64 seed = 0; seed < ROUNDS; seed++) {
        u32 host[4] = {0, 1, 2, 3};
        weft_write(device, x, host);
        weft_shuffle(device, x, seed);
        weft_read(device, x, host);
        test_ok();
        seen[host[0] | host[1] << 2 | host[2] << 4 | host[3] << 6]++;
    }
    for (int k = 0; k < 256; k++) {
        kinds += seen[k] > 0;
        chi += seen[k] ? pow(seen[k] - ROUNDS / 24.0, 2) / (ROUNDS / 24.0) : 0;
    }
    ck_assert_int_eq(kinds, 24);
    ck_assert_msg(chi < 49.7, "chi-squared is %g", chi);
}
END_TEST

START_TEST(wrong_arguments) {
    const weft_array x = weft_array_new(device, WEFT_U32, 8);
    weft_copy(device, weft_random(8, (weft_distribution)17, .seed = 1), x);
    test_expect_error(WEFT_E_ARGUMENT, "weft_copy: array 'in' is missing");
    weft_copy(device, weft_random(8, WEFT_NORMAL_F32, .seed = 1), x);
    test_expect_error(WEFT_E_TYPE, "weft_copy: array 'out' has elements of u32");
    weft_shuffle(device, (weft_array){0}, 1);
    test_expect_error(WEFT_E_ARGUMENT, "weft_shuffle: array 'inout' is missing");
    weft_shuffle(device, weft_random(8, WEFT_UNIFORM_U32, .seed = 1), 1);
    test_expect_error(WEFT_E_ARGUMENT, "weft_shuffle: array 'inout' is lazy");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {known_answers,
                                  arrays,
                                  pieces,
                                  as_an_input,
                                  normal_is_the_inverse,
                                  same_bits_everywhere,
                                  shuffles,
                                  shuffles_are_fair,
                                  wrong_arguments};
    return test_main(argc, argv, "random", tests, sizeof tests / sizeof *tests);
}
