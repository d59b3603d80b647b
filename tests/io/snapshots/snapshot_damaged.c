/* Files that are cut off, damaged, or lack what they point to are refused. */
#include "support.h"

#include "io/process/rehearsal.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS(...) ((const char *[]){__VA_ARGS__, NULL})

/* A file that is cut off is refused, or gives the right particles. Each third length, for
 * the sake of time. */
START_TEST(truncated_anywhere) {
    const struct recipe recipe = full_recipe(5);
    struct io_error error;
    size_t n;
    make_snapshot(scratch("whole.hdf5"), &recipe);
    char *bytes = slurp(scratch("whole.hdf5"), &n);
    for (size_t length = 0; length < n; length += 3) {
        struct snapshot_particles particles;
        error.text[0] = '\0';
        spill(scratch("cut.hdf5"), bytes, length);
        struct snapshot *snapshot = snapshot_open(scratch("cut.hdf5"), &error);
        if (snapshot != NULL && snapshot_read(snapshot, SNAPSHOT_ALL, &particles, &error)) {
            ck_assert_int_eq(particles.n, 5);
            expect_made(&particles, 1);
            snapshot_free(&particles);
        } else if (strstr(error.text, "cut.hdf5") == NULL) {
            ck_abort_msg("%zu bytes: %s", length, error.text);
        }
        snapshot_close(snapshot);
    }
    free(bytes);
}
END_TEST

/* So is a file with a byte that is another, but that a number may be another then. */
START_TEST(flipped_anywhere) {
    const struct recipe recipe = full_recipe(5);
    size_t n, refused = 0;
    make_snapshot(scratch("whole.hdf5"), &recipe);
    char *bytes = slurp(scratch("whole.hdf5"), &n);
    for (size_t k = 0; k < n; k += 4) {
        struct snapshot_particles particles;
        struct io_error error = {""};
        bytes[k] = (char)~bytes[k];
        spill(scratch("flip.hdf5"), bytes, n);
        bytes[k] = (char)~bytes[k];
        struct snapshot *snapshot = snapshot_open(scratch("flip.hdf5"), &error);
        if (snapshot != NULL && snapshot_read(snapshot, SNAPSHOT_ALL, &particles, &error)) {
            ck_assert_int_eq(particles.n, 5);
            snapshot_free(&particles);
        } else {
            ck_assert_msg(strstr(error.text, "flip.hdf5") != NULL, "byte %zu: %s", k,
                          error.text);
            ++refused;
        }
        snapshot_close(snapshot);
    }
    ck_assert_uint_gt(refused, 100);
    free(bytes);
}
END_TEST

static void do_nothing(const void *what) {
    (void)what;
}

static void crash(const void *what) {
    (void)what;
    abort();
}

static void never_end(const void *what) {
    (void)what;
    raise(SIGXCPU); /* as the system tells it after a minute */
}

START_TEST(rehearsal) {
    ck_assert(io_rehearse(do_nothing, NULL));
    ck_assert(!io_rehearse(crash, NULL));
    ck_assert(!io_rehearse(never_end, NULL));
}
END_TEST

/* Made by a fuzzer: libhdf5 1.10.8 reads from address 0 on it. */
START_TEST(crashing) {
    struct io_error error = {""};
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/hdf5/crash",
             getenv("WEFT_SOURCE_ROOT"));
    struct snapshot *snapshot = snapshot_open(path, &error);
    ck_assert_msg(snapshot == NULL, "it was opened");
    ck_assert_msg(strstr(error.text, path) != NULL, "%s", error.text);
}
END_TEST

/* An array that has a place in the file, and no numbers in it. */
START_TEST(not_written) {
    static const hsize_t shape[2] = {5, 3}, piece[2] = {2, 3};
    for (int chunked = 0; chunked < 2; ++chunked) {
        const hid_t file = make_file(scratch("u.hdf5")),
                    group = make_group(file, "PartType1"),
                    space = H5Screate_simple(2, shape, NULL),
                    creation = H5Pcreate(H5P_DATASET_CREATE);
        if (chunked)
            H5Pset_chunk(creation, 2, piece);
        H5Dclose(H5Dcreate2(group, "Coordinates", H5T_IEEE_F64LE, space, H5P_DEFAULT,
                            creation, H5P_DEFAULT));
        H5Pclose(creation);
        H5Sclose(space);
        H5Gclose(group);
        H5Fclose(file);
        expect_refused(scratch("u.hdf5"), WORDS("Coordinates in", "u.hdf5 was not written",
                                                chunked ? "it has 0 of 3 chunks" : ""));
    }
}
END_TEST

/* A part of several that is missing, cut off, or not like the others. */
START_TEST(broken_parts) {
    struct recipe recipe = full_recipe(4);
    size_t n;
    recipe.n_files = 2;
    recipe.total = 8;
    make_snapshot(scratch("p.0.hdf5"), &recipe);
    expect_refused(scratch("p.0.hdf5"), WORDS("cannot read", "p.1.hdf5", "No such file"));
    recipe.first = 4;
    make_snapshot(scratch("p.1.hdf5"), &recipe);
    snapshot_close(open_snapshot(scratch("p")));

    char *bytes = slurp(scratch("p.1.hdf5"), &n);
    spill(scratch("p.1.hdf5"), bytes, n / 2);
    expect_refused(scratch("p"), WORDS("p.1.hdf5 as HDF5", "truncated file"));
    free(bytes);

    recipe.n = 3;
    make_snapshot(scratch("p.1.hdf5"), &recipe);
    expect_refused(scratch("p"), WORDS("NumPart_Total", "says 8", "hold 7"));
    recipe.n = 4;
    recipe.n_files = 3;
    make_snapshot(scratch("p.1.hdf5"), &recipe);
    expect_refused(scratch("p"),
                   WORDS("NumFilesPerSnapshot is 3 in", "p.1.hdf5 and 2 in", "p.0.hdf5"));
    recipe.n_files = 2;
    recipe.coordinates = H5T_IEEE_F64LE;
    make_snapshot(scratch("p.1.hdf5"), &recipe);
    expect_refused(scratch("p"), WORDS("Coordinates has 8 bytes", "p.1.hdf5 and 4"));
    recipe.coordinates = H5T_IEEE_F32LE;
    recipe.masses = 0;
    make_snapshot(scratch("p.1.hdf5"), &recipe);
    expect_refused(scratch("p"), WORDS("Masses has 0 bytes", "p.1.hdf5 and 4"));
    make_snapshot(scratch("odd.hdf5"), &recipe);
    expect_refused(scratch("odd.hdf5"), WORDS("odd.hdf5", ".NUMBER.hdf5"));
}
END_TEST

START_TEST(damaged_checksum) {
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    struct snapshot_contents contents;
    struct io_error error;
    size_t n;
    H5Pset_chunk(creation, 2, (const hsize_t[]){64, 3});
    H5Pset_fletcher32(creation);
    make_stored(scratch("c.hdf5"), 256, creation);
    H5Pclose(creation);
    char *bytes = slurp(scratch("c.hdf5"), &n);
    bytes[n - 100] ^= 1;
    spill(scratch("c.hdf5"), bytes, n);
    free(bytes);
    struct snapshot *snapshot = open_snapshot(scratch("c.hdf5"));
    ck_assert(!snapshot_list(snapshot, &contents, &error));
    expect_words(error.text, WORDS("PartType1/Coordinates", "c.hdf5 is damaged"));
    snapshot_close(snapshot);
    expect_refused(scratch("c.hdf5"), WORDS("PartType1/Coordinates of", "c.hdf5"));
}
END_TEST

/* A chunk that damage made longer than the array, found in the file by its three lengths.
 */
START_TEST(damaged_chunks) {
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    const uint32_t lengths[3] = {51, 3, 8};
    size_t n, place = 0;
    H5Pset_chunk(creation, 2, (const hsize_t[]){51, 3});
    make_stored(scratch("d.hdf5"), 77, creation);
    H5Pclose(creation);
    char *bytes = slurp(scratch("d.hdf5"), &n);
    while (memcmp(bytes + place, lengths, sizeof lengths) != 0)
        ck_assert_uint_lt(++place, n - sizeof lengths);
    bytes[place + 6] = 1; /* 3 becomes 65539 */
    spill(scratch("d.hdf5"), bytes, n);
    free(bytes);
    expect_refused(scratch("d.hdf5"),
                   WORDS("Coordinates in", "d.hdf5 is damaged", "chunks"));
}
END_TEST

/* Chunks that do not unpack, and one that unpacks to nothing. */
START_TEST(spoilt_chunks) {
    static const unsigned char empty[] = {0x78, 0x9c, 3, 0, 0, 0, 0, 1};
    for (hsize_t row = 0; row < 256; row += 64) {
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_chunk(creation, 2, (const hsize_t[]){64, 3});
        H5Pset_shuffle(creation);
        H5Pset_deflate(creation, 4);
        make_stored(scratch("s.hdf5"), 256, creation);
        H5Pclose(creation);
        const hid_t file = H5Fopen(scratch("s.hdf5"), H5F_ACC_RDWR, H5P_DEFAULT),
                    array = H5Dopen2(file, "PartType1/Coordinates", H5P_DEFAULT);
        H5Dwrite_chunk(array, H5P_DEFAULT, 0, (const hsize_t[]){row, 0},
                       row < 128 ? sizeof empty : 4, empty);
        H5Dclose(array);
        H5Fclose(file);
        expect_refused(scratch("s.hdf5"),
                       WORDS("cannot read PartType1/Coordinates of", "s.hdf5"));
    }
}
END_TEST

/* A filter that this HDF5 does not have. */
START_TEST(unknown_filter) {
    const hid_t file = make_file(scratch("f.hdf5")), group = make_group(file, "PartType1");
    const hsize_t shape[2] = {4, 3};
    const hid_t space = H5Screate_simple(2, shape, NULL);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    const unsigned char raw[96] = {0};
    H5Pset_chunk(creation, 2, shape);
    H5Pset_filter(creation, 32001, H5Z_FLAG_OPTIONAL, 0, NULL);
    const hid_t array = H5Dcreate2(group, "Coordinates", H5T_IEEE_F64LE, space, H5P_DEFAULT,
                                   creation, H5P_DEFAULT);
    H5Dwrite_chunk(array, H5P_DEFAULT, 0, (const hsize_t[]){0, 0}, sizeof raw, raw);
    H5Dclose(array);
    H5Pclose(creation);
    H5Sclose(space);
    H5Gclose(group);
    H5Fclose(file);
    expect_refused(scratch("f.hdf5"),
                   WORDS("Coordinates in", "f.hdf5",
                         "filter 32001, Blosc, which this HDF5 does not have"));
}
END_TEST

START_TEST(virtual_without_source) {
    struct snapshot_particles particles;
    const struct recipe recipe = full_recipe(6);
    make_snapshot(scratch("source.hdf5"), &recipe);
    const hid_t file = make_file(scratch("v.hdf5")), group = make_group(file, "PartType1");
    const hsize_t shape[2] = {6, 3};
    const hid_t space = H5Screate_simple(2, shape, NULL);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_virtual(creation, space, "source.hdf5", "PartType1/Coordinates", space);
    H5Dclose(H5Dcreate2(group, "Coordinates", H5T_IEEE_F32LE, space, H5P_DEFAULT, creation,
                        H5P_DEFAULT));
    H5Pclose(creation);
    H5Sclose(space);
    H5Gclose(group);
    H5Fclose(file);
    struct snapshot *snapshot = open_snapshot(scratch("v.hdf5"));
    read_snapshot(snapshot, &particles);
    expect_made(&particles, 1);
    snapshot_free(&particles);
    snapshot_close(snapshot);
    remove(scratch("source.hdf5"));
    expect_refused(scratch("v.hdf5"), WORDS("v.hdf5 shows data of source.hdf5"));
}
END_TEST

int main(void) {
    const TTest *const tests[] = {truncated_anywhere, flipped_anywhere,      rehearsal,
                                  crashing,           not_written,           broken_parts,
                                  damaged_checksum,   damaged_chunks,        spoilt_chunks,
                                  unknown_filter,     virtual_without_source};
    return io_test_main("snapshot_damaged", tests, sizeof tests / sizeof *tests);
}
