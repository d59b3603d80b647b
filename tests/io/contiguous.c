/* Long reads by one thread or several, and arrays that lie in their file in one piece: what
 * was written, or else left to HDF5. */
#include "io/files/input.h"
#include "io/hdf5/rows/contiguous.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* More than the 4 MiB that a thread reads at least. */
enum { N = 1000003, WIDE = 3, ROW = 12, BYTES = N * ROW };

static char *random_bytes(void) {
    char *bytes = malloc(BYTES);
    for (int k = 0; k < BYTES; ++k)
        bytes[k] = (char)(rand() >> 7);
    return bytes;
}

START_TEST(parts_of_a_file) {
    const uint64_t slab[][2] = {{0, BYTES},   {1, BYTES - 1}, {4097, 9 << 20},
                                {5, 8 << 20}, {BYTES - 1, 1}, {BYTES, 0},
                                {1023, 1025}};
    char *bytes = random_bytes(), *values = malloc(BYTES + 1);
    struct io_error error;
    struct io_input input;
    spill(scratch("a"), bytes, BYTES);
    ck_assert(io_input_open(&input, scratch("a"), &error));
    for (input.threads = 0; input.threads < 9; input.threads += 2)
        for (size_t k = 0; k < sizeof slab / sizeof *slab; ++k) {
            const uint64_t first = slab[k][0], n = slab[k][1];
            memset(values, 0x5a, BYTES + 1);
            ck_assert(io_input_read(&input, first, values, n, "a piece", &error));
            ck_assert(memcmp(values, bytes + first, n) == 0 && values[n] == 0x5a);
        }
    ck_assert(!io_input_read(&input, 1, values, BYTES, "a piece", &error));
    expect_words(error.text, (const char *const[]){"is cut off: a piece is missing", NULL});
    io_input_close(&input);
    /* Shorter than when it was opened: of several threads one finds out, or all. */
    ck_assert(io_input_open(&input, scratch("a"), &error));
    ck_assert_int_eq(truncate(scratch("a"), BYTES / 2), 0);
    for (input.threads = 1; input.threads < 4; input.threads += 2) {
        ck_assert(!io_input_read(&input, 0, values, BYTES, "a piece", &error));
        expect_words(error.text, (const char *const[]){"it became shorter", NULL});
    }
    io_input_close(&input);
    free(bytes);
    free(values);
}
END_TEST

static hid_t make(hid_t file, const char *name, hid_t type, hid_t creation,
                  const char *bytes) {
    const hid_t space = H5Screate_simple(2, (const hsize_t[]){N, WIDE}, NULL);
    const hid_t array =
        H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    if (bytes)
        ck_assert_int_ge(
            H5Dwrite(array, H5T_NATIVE_UINT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes), 0);
    H5Fflush(file, H5F_SCOPE_LOCAL);
    H5Sclose(space);
    return array;
}

START_TEST(as_written) {
    const int64_t slab[][2] = {{0, N}, {1, N - 1}, {77, 800000}, {N - 1, 1}, {N, 0}};
    char *bytes = random_bytes(), *values = malloc(BYTES + 1);
    const hid_t file = make_file(scratch("a.hdf5"));
    H5Dclose(make(file, "before", H5T_NATIVE_UINT32, H5P_DEFAULT, bytes));
    const hid_t array = make(file, "a", H5T_NATIVE_UINT32, H5P_DEFAULT, bytes);
    for (int threads = 0; threads < 9; threads += 2)
        for (size_t k = 0; k < sizeof slab / sizeof *slab; ++k) {
            const size_t first = (size_t)slab[k][0] * ROW, n = (size_t)slab[k][1] * ROW;
            memset(values, 0x5a, BYTES + 1);
            ck_assert(io_hdf5_read_contiguous(array, H5T_NATIVE_UINT32, slab[k][0],
                                              slab[k][1], threads, values));
            ck_assert(memcmp(values, bytes + first, n) == 0 && values[n] == 0x5a);
        }
    ck_assert(!io_hdf5_read_contiguous(array, H5T_NATIVE_UINT32, 1, N, 4, values));
    H5Dclose(array);
    H5Fclose(file);
    free(bytes);
    free(values);
}
END_TEST

/* Other types, chunks, what was never written, and files in which HDF5 begins later. */
START_TEST(left_to_hdf5) {
    char *bytes = random_bytes(), *values = malloc(BYTES);
    const hid_t chunks = H5Pcreate(H5P_DATASET_CREATE), late = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_chunk(chunks, 2, (const hsize_t[]){N, WIDE});
    H5Pset_userblock(late, 512);
    const hid_t file = make_file(scratch("a.hdf5"));
    const hid_t other = H5Fcreate(scratch("b.hdf5"), H5F_ACC_TRUNC, late, H5P_DEFAULT);
    const hid_t arrays[] = {make(file, "big", H5T_STD_U32BE, H5P_DEFAULT, bytes),
                            make(file, "wide", H5T_NATIVE_UINT64, H5P_DEFAULT, bytes),
                            make(file, "chunk", H5T_NATIVE_UINT32, chunks, bytes),
                            make(file, "none", H5T_NATIVE_UINT32, H5P_DEFAULT, NULL),
                            make(other, "late", H5T_NATIVE_UINT32, H5P_DEFAULT, bytes)};
    for (int k = 0; k < 5; ++k) {
        ck_assert(!io_hdf5_read_contiguous(arrays[k], H5T_NATIVE_UINT32, 0, N, 4, values));
        H5Dclose(arrays[k]);
    }
    H5Fclose(other);
    H5Fclose(file);
    H5Pclose(late);
    H5Pclose(chunks);
    free(bytes);
    free(values);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {parts_of_a_file, as_written, left_to_hdf5};
    return io_test_main("contiguous", tests, sizeof tests / sizeof *tests);
}
