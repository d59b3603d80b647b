/* Arrays, slices, and one memory seen as several types. */
#include "harness.h"
#include "array.kernel.h"

#include <stdlib.h>
#include <string.h>

WEFT_KERNEL(array_fill, (value, u16, with), (out, u16, x))
WEFT_GENERATOR(array_count, u32, (value, u32, from))

/* What is written is what is read, at every size and of every element size. */
START_TEST(round_trip) {
    const weft_type types[] = {WEFT_I8,
                               WEFT_U8,
                               WEFT_I16,
                               WEFT_U16,
                               WEFT_I32,
                               WEFT_U32,
                               WEFT_I64,
                               WEFT_U64,
                               WEFT_F32,
                               WEFT_F64,
                               WEFT_STRUCT(struct { u32 a[3]; })};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int s = 0; s < test_size_count; s++) {
            const size_t bytes = (size_t)test_sizes[s] * WEFT_SIZE(types[t]);
            u8 *host = malloc(bytes + 1), *back = calloc(bytes + 1, 1);
            u64 state = t + (u64)s;
            for (size_t k = 0; k < bytes; k++)
                host[k] = (u8)test_random(&state);
            const weft_array x = weft_array_new(device, types[t], test_sizes[s]);
            ck_assert(x.length == test_sizes[s] && x.type == types[t]);
            weft_write(device, x, host);
            weft_read(device, x, back);
            test_ok();
            ck_assert(memcmp(host, back, bytes) == 0);
            weft_array_free(device, x);
            free(host);
            free(back);
        }
}
END_TEST

START_TEST(slices) {
    u16 host[100], back[100];
    for (u16 i = 0; i < 100; i++)
        host[i] = i;
    const weft_array x = test_array(WEFT_U16, host, 100);
    const weft_array part = weft_slice(device, x, 10, 50);
    const weft_array inner = weft_slice(device, part, 5, 7);
    weft_read(device, inner, back);
    for (u16 i = 0; i < 7; i++)
        ck_assert_uint_eq(back[i], i + 15u);
    weft_for_each(device, 7, array_fill, .with = 999, .x = inner);
    weft_write(device, weft_slice(device, x, 99, 1), &(u16){77});
    weft_read(device, x, back);
    test_ok();
    for (u16 i = 0; i < 100; i++)
        ck_assert_uint_eq(back[i], i >= 15 && i < 22 ? 999u : i == 99 ? 77u : i);
    ck_assert_int_eq((int)weft_slice(device, x, 100, 0).length, 0);
    ck_assert_int_eq((int)weft_slice(device, x, 0, 100).length, 100);
    test_ok();
}
END_TEST

START_TEST(wrong_slices) {
    const weft_array x = weft_array_new(device, WEFT_U16, 100);
    const struct {
        i64 first, length;
    } wrong[] = {{0, 101},       {100, 1},
                 {-1, 5},        {5, -1},
                 {101, 0},       {INT64_MAX, 2},
                 {2, INT64_MAX}, {INT64_MIN, 5},
                 {5, INT64_MIN}, {INT64_MAX, INT64_MAX}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const weft_array none = weft_slice(device, x, wrong[k].first, wrong[k].length);
        ck_assert_ptr_null(none.buffer);
        test_expect_error(WEFT_E_SHAPE, "are not inside an array of 100");
    }
    weft_slice(device, weft_slice(device, x, 10, 10), 5, 6);
    test_expect_error(WEFT_E_SHAPE, "6 elements from 5 on are not inside an array of 10");
}
END_TEST

START_TEST(other_types) {
    const u64 host[3] = {0x0807060504030201u, 1, 2};
    u8 bytes[24];
    const weft_array x = test_array(WEFT_U64, host, 3);
    const weft_array as_bytes = weft_as(device, x, WEFT_U8);
    ck_assert_int_eq((int)as_bytes.length, 24);
    weft_read(device, as_bytes, bytes);
    ck_assert(memcmp(bytes, host, 24) == 0);
    const weft_array tail = weft_as(device, weft_slice(device, x, 1, 2), WEFT_U16);
    ck_assert_int_eq((int)tail.length, 8);
    weft_for_each(device, 8, array_fill, .with = 0x0101, .x = tail);
    weft_read(device, as_bytes, bytes);
    for (u8 k = 0; k < 24; k++)
        ck_assert_uint_eq(bytes[k], k < 8 ? k + 1u : 1u);
    const weft_array again = weft_as(device, as_bytes, WEFT_U64);
    ck_assert(again.length == 3 && again.first == 0 && again.type == WEFT_U64);
    const weft_array none = weft_as(device, weft_slice(device, x, 3, 0), WEFT_F32);
    ck_assert_int_eq((int)none.length, 0);
    test_ok();
}
END_TEST

START_TEST(wrong_types) {
    const weft_array x = weft_array_new(device, WEFT_U8, 100);
    weft_as(device, x, WEFT_U64);
    test_expect_error(WEFT_E_TYPE, "100 bytes from byte 0 on are not elements of 8 bytes");
    weft_as(device, weft_slice(device, x, 2, 8), WEFT_U32);
    test_expect_error(WEFT_E_TYPE, "8 bytes from byte 2 on are not elements of 4 bytes");
    weft_as(device, x, 0);
    test_expect_error(WEFT_E_TYPE, "elements of 0 bytes");
    weft_as(device, x, WEFT_STRUCT(struct { u32 a[7]; }));
    test_expect_error(WEFT_E_TYPE, "elements of 28 bytes");
}
END_TEST

START_TEST(wrong_lengths) {
    weft_array_new(device, WEFT_U32, -5);
    test_expect_error(WEFT_E_ARGUMENT, "cannot have -5 elements of 4 bytes");
    weft_array_new(device, 0, 5);
    test_expect_error(WEFT_E_ARGUMENT, "0 is no type of elements");
    weft_array_new(device, WEFT_U64, INT64_MAX);
    test_expect_error(WEFT_E_ARGUMENT, "elements of 8 bytes");
    weft_array_new(device, WEFT_U8, INT64_MAX - 5000);
    test_expect_error(WEFT_E_MEMORY, "9223372036854770807 bytes");
    weft_array_new(device, WEFT_U8, (i64)1 << 50);
    test_expect_error(WEFT_E_MEMORY, "1125899906842624 bytes");
}
END_TEST

START_TEST(no_host_memory) {
    const weft_array x = weft_array_new(device, WEFT_U8, 10);
    weft_write(device, x, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "weft_write: 'host' is NULL");
    weft_read(device, x, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "weft_read: 'host' is NULL");
    const weft_array none = weft_array_new(device, WEFT_U8, 0);
    weft_write(device, none, NULL);
    weft_read(device, none, NULL);
    test_ok();
}
END_TEST

/* A lazy array has no memory: it is read by primitives alone. */
START_TEST(lazy) {
    u32 host[5] = {9, 9, 9, 9, 9};
    const weft_array x = weft_lazy(5, array_count, .from = 3);
    ck_assert(x.type == WEFT_U32 && x.length == 5 && x.read_only);
    weft_slice(device, x, 0, 2);
    test_expect_error(WEFT_E_ARGUMENT, "weft_slice: array 'array' is lazy");
    weft_as(device, x, WEFT_I32);
    test_expect_error(WEFT_E_ARGUMENT, "weft_as: array 'array' is lazy");
    weft_read(device, x, host);
    test_expect_error(WEFT_E_ARGUMENT, "weft_read: array 'array' is lazy");
    ck_assert_uint_eq(host[4], 0);
    weft_write(device, x, host);
    test_expect_error(WEFT_E_ARGUMENT, "weft_write: array 'array' is lazy");
    weft_array_free(device, x);
    weft_return(device, x);
    test_ok();
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {round_trip,  slices,        wrong_slices,   other_types,
                                  wrong_types, wrong_lengths, no_host_memory, lazy};
    return test_main(argc, argv, "array", tests, sizeof tests / sizeof *tests);
}
