/* Numbers that an HDF5 file keeps in other files: read where they are all there, and
 * refused where HDF5 would read zeros, or what lies outside of the snapshot's folder. */
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})
enum { N = 6 };

/* A snapshot of N particles with nothing but Coordinates, stored as `creation` says. */
static void make_view(const char *path, hid_t creation) {
    const hsize_t shape[2] = {N, 3};
    const hid_t file = make_file(path), group = make_group(file, "PartType1");
    const hid_t space = H5Screate_simple(2, shape, NULL);
    const hid_t dataset = H5Dcreate2(group, "Coordinates", H5T_IEEE_F32LE, space,
                                     H5P_DEFAULT, creation, H5P_DEFAULT);
    ck_assert_int_ge(dataset, 0);
    H5Dclose(dataset);
    H5Pclose(creation);
    H5Sclose(space);
    H5Gclose(group);
    H5Fclose(file);
}

/* Maps rows first .. first + n to rows from .. from + n of a source with `rows` rows. */
static void map(hid_t creation, hsize_t first, hsize_t n, const char *source, hsize_t from,
                hsize_t rows) {
    const hsize_t whole[2] = {N, 3}, shape[2] = {rows, 3}, count[2] = {n, 3};
    const hsize_t to[2] = {first, 0}, at[2] = {from, 0};
    const hid_t view = H5Screate_simple(2, whole, NULL),
                space = H5Screate_simple(2, shape, NULL);
    H5Sselect_hyperslab(view, H5S_SELECT_SET, to, NULL, count, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, at, NULL, count, NULL);
    ck_assert_int_ge(H5Pset_virtual(creation, view, source, "PartType1/Coordinates", space),
                     0);
    H5Sclose(view);
    H5Sclose(space);
}

static void make_source(const char *name, int64_t first, int64_t n) {
    struct recipe recipe = full_recipe(n);
    recipe.first = first;
    make_snapshot(scratch(name), &recipe);
}

static void expect_right(const char *name, const char *source) {
    struct snapshot_particles particles;
    struct snapshot *snapshot = open_snapshot(scratch(name));
    read_snapshot(snapshot, &particles);
    expect_made(&particles, 1);
    ck_assert(snapshot_has_part(snapshot, scratch(source)));
    ck_assert(!snapshot_has_part(snapshot, scratch("stranger")));
    snapshot_free(&particles);
    snapshot_close(snapshot);
}

START_TEST(virtual_halves) {
    make_source("a.hdf5", 0, 2);
    make_source("b.hdf5", 2, 4);
    spill(scratch("stranger"), "x", 1);
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    map(creation, 0, 2, "a.hdf5", 0, 2);
    map(creation, 2, 4, "b.hdf5", 0, 4);
    make_view(scratch("whole.hdf5"), creation);
    expect_right("whole.hdf5", "b.hdf5");

    creation = H5Pcreate(H5P_DATASET_CREATE);
    map(creation, 0, 2, "a.hdf5", 0, 2);
    make_view(scratch("half.hdf5"), creation);
    expect_refused(scratch("half.hdf5"),
                   WORDS("PartType1/Coordinates in", "half.hdf5", "not all of it"));

    /* as many rows as the whole, but some of them twice */
    creation = H5Pcreate(H5P_DATASET_CREATE);
    map(creation, 0, 4, "b.hdf5", 0, 4);
    map(creation, 1, 2, "a.hdf5", 0, 2);
    make_view(scratch("twice.hdf5"), creation);
    expect_refused(scratch("twice.hdf5"), WORDS("twice.hdf5", "not all of it"));
}
END_TEST

START_TEST(virtual_sources_that_lack_some) {
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    map(creation, 0, N, "short.hdf5", 0, N);
    make_view(scratch("view.hdf5"), creation);
    make_source("short.hdf5", 0, N - 1);
    expect_refused(scratch("view.hdf5"), WORDS("PartType1/Coordinates in", "short.hdf5",
                                               "is shorter than what is shown of it"));

    /* chunks that were never written */
    const hsize_t chunk[2] = {2, 3};
    creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 2, chunk);
    make_view(scratch("short.hdf5"), creation);
    expect_refused(scratch("view.hdf5"), WORDS("short.hdf5 was not written"));

    /* a view of a view of itself */
    creation = H5Pcreate(H5P_DATASET_CREATE);
    map(creation, 0, N, "view.hdf5", 0, N);
    make_view(scratch("short.hdf5"), creation);
    expect_refused(scratch("view.hdf5"), WORDS("shows itself"));
}
END_TEST

/* N positions in two raw files, the second `short_by` bytes too short. */
static void make_raw(const char *name, size_t short_by) {
    float values[N][3];
    for (int64_t i = 0; i < N; ++i)
        for (int axis = 0; axis < 3; ++axis)
            values[i][axis] = (float)made_position(i, axis);
    char *bytes = calloc(1, 8 + sizeof values);
    memcpy(bytes + 8, values, sizeof values);
    spill(scratch(name), bytes, 8 + sizeof values - short_by);
    free(bytes);
}

static void make_external(const char *path, const char *raw) {
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    ck_assert_int_ge(H5Pset_external(creation, raw, 8, N * 3 * sizeof(float)), 0);
    make_view(path, creation);
}

START_TEST(external) {
    make_external(scratch("e.hdf5"), "e.raw");
    make_raw("e.raw", 0);
    spill(scratch("stranger"), "x", 1);
    expect_right("e.hdf5", "e.raw");
    setenv("HDF5_EXTFILE_PREFIX", "/", 1);
    expect_right("e.hdf5", "e.raw");
    make_raw("e.raw", 1);
    expect_refused(scratch("e.hdf5"),
                   WORDS("PartType1/Coordinates in", "e.raw, which is cut off"));
    remove(scratch("e.raw"));
    expect_refused(scratch("e.hdf5"), WORDS("e.raw, which is not there"));
}
END_TEST

START_TEST(external_outside) {
    ck_assert_int_eq(mkdir(scratch("inner"), 0700), 0);
    make_raw("e.raw", 0);
    make_external(scratch("inner/e.hdf5"), "../e.raw");
    make_external(scratch("inner/f.hdf5"), scratch("e.raw"));
    expect_refused(scratch("inner/e.hdf5"), WORDS("outside of the snapshot's folder",
                                                  "e.raw", "--allow-external reads it"));
    expect_refused(scratch("inner/f.hdf5"), WORDS("outside of the snapshot's folder"));
    snapshot_allow_external();
    spill(scratch("stranger"), "x", 1);
    expect_right("inner/e.hdf5", "e.raw");
    expect_right("inner/f.hdf5", "e.raw");
    remove(scratch("inner/e.hdf5"));
    remove(scratch("inner/f.hdf5"));
    remove(scratch("inner"));
}
END_TEST

int main(void) {
    const TTest *const tests[] = {virtual_halves, virtual_sources_that_lack_some, external,
                                  external_outside};
    return io_test_main("snapshot_elsewhere", tests, sizeof tests / sizeof *tests);
}
