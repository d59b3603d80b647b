/* Wrong files are refused, each with a sentence that says what is wrong and where. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Words that a sentence must have. */
#define WORDS(...) ((const char *[]){__VA_ARGS__, NULL})

START_TEST(not_a_snapshot) {
    const char *path = scratch("none.hdf5");
    expect_refused(path, WORDS("none.hdf5", "No such file"));
    spill(path, "", 0);
    expect_refused(path, WORDS("none.hdf5 is empty"));
    spill(path, "x", 1);
    expect_refused(path, WORDS("none.hdf5 is not an HDF5 snapshot"));
    spill(path, "\211HDF\r\n\032\n", 8);
    expect_refused(path, WORDS("none.hdf5"));
    mkdir(scratch("folder"), 0777);
    expect_refused(scratch("folder"), WORDS("folder is a folder"));
    remove(scratch("folder"));
    ck_assert_int_eq(mkfifo(scratch("pipe"), 0600), 0); /* whose other end nobody opens */
    expect_refused(scratch("pipe"), WORDS("pipe is a pipe, not a file", "by the name -"));
    remove(scratch("pipe"));
    expect_refused("", WORDS("the name of a file to read is empty"));
}
END_TEST

/* Makes a file with one array of PartType1 in another type or shape, or as something else.
 */
static void make_wrong(const char *name, hid_t type, int rank, hsize_t n, hsize_t columns) {
    static const char zeros[1024];
    struct recipe recipe = full_recipe(4);
    recipe.coordinates = strcmp(name, "Coordinates") == 0 ? 0 : recipe.coordinates;
    recipe.velocities = strcmp(name, "Velocities") == 0 ? 0 : recipe.velocities;
    recipe.masses = strcmp(name, "Masses") == 0 ? 0 : recipe.masses;
    recipe.ids = strcmp(name, "ParticleIDs") == 0 ? 0 : recipe.ids;
    make_snapshot(scratch("w.hdf5"), &recipe);
    const hid_t file = H5Fopen(scratch("w.hdf5"), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t group = H5Gopen2(file, "PartType1", H5P_DEFAULT);
    if (type == 0)
        H5Gclose(make_group(group, name));
    else if (rank >= 0)
        make_array(group, name, type, type, rank, n, columns, zeros);
    H5Gclose(group);
    H5Fclose(file);
}

START_TEST(wrong_types_and_shapes) {
    const char *path = scratch("w.hdf5");
    const char *const names[] = {"Coordinates", "Velocities", "Masses", "ParticleIDs"};
    const hid_t odd = H5Tcopy(H5T_IEEE_F32LE); /* no float that anybody has */
    H5Tset_ebias(odd, 126);
    make_wrong("Coordinates", 1, -1, 0, 0);
    expect_refused(path, WORDS("PartType1 in", "w.hdf5 has no Coordinates"));
    for (int f = 0; f < 4; ++f) {
        const bool whole = f == 3, three = f < 2;
        const hid_t right = whole ? H5T_STD_I32LE : H5T_IEEE_F32LE;
        const hsize_t columns = three ? 3 : 1;
        make_wrong(names[f], whole ? H5T_IEEE_F32LE : H5T_STD_I32LE, three + 1, 4, columns);
        expect_refused(path, WORDS(names[f], "w.hdf5 has the type",
                                   whole ? "f4; integers" : "i4; f4 or f8"));
        make_wrong(names[f], odd, three + 1, 4, columns);
        expect_refused(path, WORDS(names[f], "the type other (4 bytes)"));
        make_wrong(names[f], H5T_NATIVE_LDOUBLE, three + 1, 4, columns);
        expect_refused(path, WORDS(names[f], "the type f16"));
        make_wrong(names[f], right, three ? 1 : 2, 4, 3);
        expect_refused(path, WORDS(names[f], "does not have the shape [n]"));
        make_wrong(names[f], right, 3, 4, columns);
        expect_refused(path, WORDS(names[f], "does not have the shape [n]"));
        make_wrong(names[f], right, 2, 4, 2);
        expect_refused(path, WORDS(names[f], "does not have the shape [n]"));
        make_wrong(names[f], 0, 0, 0, 0);
        expect_refused(path, WORDS(names[f], "is not a data set"));
        make_wrong(names[f], right, three + 1, 3, columns);
        expect_refused(path, f == 0 ? WORDS("w.hdf5 has 4 particles, Coordinates 3")
                                    : WORDS("w.hdf5 has 3 particles, Coordinates 4"));
    }
    H5Tclose(odd);
}
END_TEST

START_TEST(no_dark_matter) {
    const hid_t file = make_file(scratch("gas.hdf5"));
    H5Gclose(make_group(file, "PartType0"));
    H5Fclose(file);
    expect_refused(scratch("gas.hdf5"), WORDS("gas.hdf5 has no dark matter", "PartType1"));
    const hid_t odd = make_file(scratch("odd.hdf5"));
    make_array(odd, "PartType1", H5T_STD_I32LE, H5T_NATIVE_INT, 1, 0, 1, NULL);
    H5Fclose(odd);
    expect_refused(scratch("odd.hdf5"), WORDS("PartType1", "is not a group"));
}
END_TEST

/* A file with one header attribute of the given numbers, or of text. */
static void make_header(const char *name, hsize_t n, const double *values,
                        const char *text) {
    const struct recipe recipe = {.n = 2, .coordinates = H5T_IEEE_F32LE, .redshift = NAN};
    make_snapshot(scratch("h.hdf5"), &recipe);
    const hid_t file = H5Fopen(scratch("h.hdf5"), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t header = H5Gopen2(file, "Header", H5P_DEFAULT);
    if (text != NULL)
        make_text(header, name, text, true);
    else
        make_numbers(header, name, H5T_IEEE_F64LE, n, values);
    H5Gclose(header);
    H5Fclose(file);
}

START_TEST(wrong_header) {
    const char *path = scratch("h.hdf5");
    const char *const names[] = {
        "BoxSize",          "Redshift",      "MassTable",    "NumFilesPerSnapshot",
        "NumPart_ThisFile", "NumPart_Total", "Scale-factor", "NumPart_Total_HighWord"};
    static const double many[100];
    for (int k = 0; k < 8; ++k) {
        make_header(names[k], 0, NULL, "five");
        expect_refused(path, WORDS(names[k], "h.hdf5 is not a", "number"));
        make_header(names[k], 100, many, NULL);
        expect_refused(path, WORDS(names[k], k < 3 || k == 6 ? "h.hdf5 has 100 values"
                                                             : "h.hdf5 is not a whole"));
    }
    make_header("NumFilesPerSnapshot", 0, (double[]){1}, NULL);
    expect_refused(path, WORDS("NumFilesPerSnapshot", "not a whole number"));
    for (int k = 0; k < 3; ++k) {
        const double bad[] = {-1, NAN, INFINITY};
        make_header("BoxSize", 3, (double[]){1, 1, bad[k]}, NULL);
        expect_refused(path, WORDS("BoxSize in", "h.hdf5 is"));
        make_header("Redshift", 0, &bad[k], NULL);
        expect_refused(path, WORDS("Redshift in", "h.hdf5 is"));
        make_header("MassTable", 2, (double[]){0, bad[k]}, NULL);
        expect_refused(path, WORDS("MassTable in", "for PartType1"));
        make_header("Scale-factor", 0, &bad[k], NULL);
        expect_refused(path, WORDS("Scale-factor in", "h.hdf5 is"));
    }
    make_header("BoxSize", 2, (double[]){1, 1}, NULL);
    expect_refused(path, WORDS("BoxSize", "has two numbers"));
    make_header("BoxSize", 5, (double[]){1, 1, 1, 1, 1}, NULL);
    expect_refused(path, WORDS("BoxSize", "has more than three numbers"));
}
END_TEST

START_TEST(wrong_totals) {
    struct recipe recipe = full_recipe(5);
    recipe.total = 6;
    make_snapshot(scratch("t.hdf5"), &recipe);
    expect_refused(scratch("t.hdf5"),
                   WORDS("NumPart_Total in", "t.hdf5 says 6, but it holds 5"));
    recipe.total = ((int64_t)3 << 32) + 5;
    make_snapshot(scratch("t.hdf5"), &recipe);
    expect_refused(scratch("t.hdf5"), WORDS("says 12884901893, but it holds 5"));
}
END_TEST

/* One number of one particle is wrong, in the second of two files. */
static void spoil(const char *array, hsize_t index, hsize_t axis, double value) {
    struct recipe recipe = full_recipe(70);
    recipe.n_files = 2;
    recipe.total = 140;
    make_snapshot(scratch("q.0.hdf5"), &recipe);
    recipe.first = 70;
    make_snapshot(scratch("q.1.hdf5"), &recipe);
    const hid_t file = H5Fopen(scratch("q.1.hdf5"), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t dataset = H5Dopen2(file, array, H5P_DEFAULT);
    const hid_t space = H5Dget_space(dataset), one = H5Screate(H5S_SCALAR);
    const hsize_t place[2] = {index, axis}, count[2] = {1, 1};
    H5Sselect_hyperslab(space, H5S_SELECT_SET, place, NULL, count, NULL);
    ck_assert_int_ge(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, one, space, H5P_DEFAULT, &value),
                     0);
    H5Sclose(one);
    H5Sclose(space);
    H5Dclose(dataset);
    H5Fclose(file);
}

/* Files of two runs; one that says nothing belongs to either. */
START_TEST(of_another_run) {
    struct recipe recipe = full_recipe(70);
    recipe.n_files = 2;
    recipe.total = 140;
    make_snapshot(scratch("q.0.hdf5"), &recipe);
    recipe.first = 70;
    recipe.box = 0;
    recipe.redshift = NAN;
    make_snapshot(scratch("q.1.hdf5"), &recipe);
    snapshot_close(open_snapshot(scratch("q")));
    recipe.box = 32;
    make_snapshot(scratch("q.1.hdf5"), &recipe);
    expect_refused(scratch("q"), WORDS("BoxSize in", "q.1.hdf5 is 32", "q.0.hdf5 64"));
    recipe.box = 64;
    recipe.redshift = 1;
    make_snapshot(scratch("q.1.hdf5"), &recipe);
    expect_refused(scratch("q"), WORDS("Redshift in", "q.1.hdf5 is 1", "q.0.hdf5 0"));
}
END_TEST

START_TEST(numbers_that_are_none) {
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 3; ++k) {
        for (hsize_t axis = 0; axis < 3; ++axis) {
            spoil("PartType1/Coordinates", 5, axis, bad[k]);
            expect_refused(scratch("q"), WORDS("the position of particle 75 in",
                                               "q.1.hdf5 is not finite"));
            spoil("PartType1/Velocities", 69, axis, bad[k]);
            expect_refused(scratch("q"), WORDS("the velocity of particle 139 in", "q.1"));
        }
        spoil("PartType1/Masses", 0, 0, bad[k]);
        expect_refused(scratch("q"), WORDS("the mass of particle 70 in", "not finite"));
    }
    spoil("PartType1/Masses", 1, 0, 0);
    expect_refused(scratch("q"), WORDS("the mass of particle 71 in", "not above 0"));
    spoil("PartType1/Masses", 1, 0, -2);
    expect_refused(scratch("q"), WORDS("the mass of particle 71 in", "not above 0"));
}
END_TEST

START_TEST(nothing_is_printed) {
    size_t n;
    fflush(stderr);
    FILE *stream = freopen(scratch("stderr"), "w", stderr);
    ck_assert_ptr_nonnull(stream);
    spill(scratch("bad.hdf5"), "\211HDF\r\n\032\n and nothing more", 24);
    expect_refused(scratch("bad.hdf5"), WORDS("bad.hdf5"));
    fflush(stderr);
    free(slurp(scratch("stderr"), &n));
    ck_assert_uint_eq(n, 0);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {
        not_a_snapshot, wrong_types_and_shapes, no_dark_matter,        wrong_header,
        wrong_totals,   of_another_run,         numbers_that_are_none, nothing_is_printed};
    return io_test_main("snapshot_refuse", tests, sizeof tests / sizeof *tests);
}
