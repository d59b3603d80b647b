/* Compressed chunks by one thread or several: what was written, or else left to HDF5. */
#include "io/hdf5/rows/inflate.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

enum { N = 1000, WIDE = 3 };
static struct io_hdf5_inflated found;

/* An array [N][3] of random bytes, of a type and stored in a way. */
static hid_t make(hid_t file, const char *name, hid_t type, hid_t creation, char *bytes) {
    const size_t length = N * WIDE * H5Tget_size(type);
    for (size_t k = 0; k < length; ++k)
        bytes[k] = (char)(rand() % 16);
    const hid_t space = H5Screate_simple(2, (const hsize_t[]){N, WIDE}, NULL);
    const hid_t array =
        H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    ck_assert_int_ge(H5Dwrite(array, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes), 0);
    H5Sclose(space);
    return array;
}

static hid_t stored(hsize_t height, hsize_t width, bool shuffle, bool deflate, bool sum) {
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 2, (const hsize_t[]){height, width});
    if (shuffle)
        H5Pset_shuffle(creation);
    if (deflate)
        H5Pset_deflate(creation, 4);
    if (sum)
        H5Pset_fletcher32(creation);
    return creation;
}

static void expect_slabs(hid_t array, hid_t type, const char *bytes) {
    const int64_t slab[][2] = {{0, N}, {63, 2}, {0, 65}, {990, 10}, {100, 500}, {64, 129}};
    const size_t row = WIDE * H5Tget_size(type);
    for (int k = 0; k < 6; ++k) {
        const int64_t first = slab[k][0], count = slab[k][1];
        for (int threads = 1; threads < 30; threads += 9) {
            char *values = calloc((size_t)count + 1, row);
            ck_assert(io_hdf5_inflate(array, type, first, count, threads, values, &found));
            ck_assert_mem_eq(values, bytes + (size_t)first * row, (size_t)count * row);
            ck_assert_int_eq(found.seen.rows, H5Tget_size(type) < 4 ? 0 : count);
            for (size_t b = 0; b < row; ++b)
                ck_assert_int_eq(values[(size_t)count * row + b], 0);
            free(values);
        }
    }
}

START_TEST(as_written) {
    static char bytes[N * WIDE * 8];
    const hid_t types[] = {H5T_NATIVE_FLOAT, H5T_NATIVE_DOUBLE, H5T_NATIVE_INT64,
                           H5T_NATIVE_UINT16, H5T_NATIVE_UINT8};
    const hid_t file = make_file(scratch("a.hdf5"));
    for (int k = 0; k < 10; ++k) {
        const hid_t type = types[k / 2], creation = stored(64, WIDE, k % 2, true, false);
        const char name[2] = {(char)('a' + k), 0};
        const hid_t array = make(file, name, type, creation, bytes);
        expect_slabs(array, type, bytes);
        H5Dclose(array);
        H5Pclose(creation);
    }
    H5Fclose(file);
}
END_TEST

/* Another type, other filters, half rows, rows that are not there. */
START_TEST(left_to_hdf5) {
    static char bytes[N * WIDE * 8], values[N * WIDE * 8];
    const hid_t file = make_file(scratch("a.hdf5"));
    const hid_t ways[] = {stored(64, 2, true, true, false), stored(64, 3, true, true, true),
                          stored(64, 3, true, false, false),
                          stored(64, 3, true, true, false)};
    hid_t array = -1;
    for (int k = 0; k < 4; ++k) {
        const char name[2] = {(char)('a' + k), 0};
        if (k > 0)
            H5Dclose(array);
        array = make(file, name, H5T_NATIVE_FLOAT, ways[k], bytes);
        ck_assert(io_hdf5_inflate(array, H5T_NATIVE_FLOAT, 0, N, 4, values, &found) ==
                  (k == 3));
        H5Pclose(ways[k]);
    }
    ck_assert(!io_hdf5_inflate(array, H5T_NATIVE_DOUBLE, 0, N, 4, values, &found));
    ck_assert(!io_hdf5_inflate(array, H5T_NATIVE_FLOAT, 1, N, 4, values, &found));
    H5Dclose(array);
    H5Fclose(file);
}
END_TEST

/* A chunk that is no deflate, one too short, and one that skipped the filters. */
START_TEST(damaged) {
    static char bytes[N * WIDE * 8], values[N * WIDE * 8];
    const hid_t file = make_file(scratch("a.hdf5"));
    const hid_t creation = stored(64, WIDE, true, true, false);
    /* "" by deflate */
    static const unsigned char empty[] = {0x78, 0x9c, 3, 0, 0, 0, 0, 1};
    for (int k = 0; k < 3; ++k) {
        const char name[2] = {(char)('a' + k), 0};
        const hid_t array = make(file, name, H5T_NATIVE_FLOAT, creation, bytes);
        const size_t length = k == 0 ? 100 : k == 1 ? sizeof empty : 64 * WIDE * 4;
        ck_assert_int_ge(H5Dwrite_chunk(array, H5P_DEFAULT, k == 2 ? 3 : 0,
                                        (const hsize_t[]){640, 0}, length,
                                        k == 1 ? (const void *)empty : bytes),
                         0);
        ck_assert(!io_hdf5_inflate(array, H5T_NATIVE_FLOAT, 0, N, 3, values, &found));
        ck_assert_int_eq(found.spoilt, k < 2);
        /* nothing is unpacked */
        ck_assert(io_hdf5_inflate(array, H5T_NATIVE_FLOAT, 0, N, 3, NULL, &found) ==
                  (k < 2));
        ck_assert(!found.spoilt);
        ck_assert(io_hdf5_inflate(array, H5T_NATIVE_FLOAT, 0, 640, 3, values, &found));
        H5Dclose(array);
    }
    H5Pclose(creation);
    H5Fclose(file);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {as_written, left_to_hdf5, damaged};
    return io_test_main("inflate", tests, sizeof tests / sizeof *tests);
}
