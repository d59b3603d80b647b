/* The catalogue is what was put in, as HDF5 and as CSV. */
#include "catalogue_sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void expect_array(hid_t file, const char *path, hid_t type, hid_t memory_type,
                         int rank, hsize_t n, hsize_t components, const void *values,
                         size_t bytes) {
    char found[256] = {0};
    hsize_t shape[2] = {0, 1};
    const hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
    ck_assert_msg(dataset >= 0, "no %s", path);
    const hid_t its_type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    ck_assert(H5Tequal(type, its_type) > 0);
    ck_assert_int_eq(H5Sget_simple_extent_dims(space, shape, NULL), rank);
    ck_assert(shape[0] == n && shape[1] == components);
    ck_assert_int_ge(H5Dread(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, found),
                     0);
    if (bytes > 0)
        ck_assert_mem_eq(found, values, bytes);
    H5Tclose(its_type);
    H5Sclose(space);
    H5Dclose(dataset);
}

static void expect_text(hid_t file, const char *object, const char *name,
                        const char *want) {
    const hid_t attribute = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);
    ck_assert_msg(attribute >= 0, "no %s of %s", name, object);
    const hid_t type = H5Aget_type(attribute);
    char *found = NULL;
    ck_assert_int_eq(H5Tget_cset(type), H5T_CSET_UTF8);
    ck_assert_int_gt(H5Tis_variable_str(type), 0);
    ck_assert_int_ge(H5Aread(attribute, type, &found), 0);
    ck_assert_str_eq(found, want);
    H5free_memory(found);
    H5Tclose(type);
    H5Aclose(attribute);
}

static void expect_number(hid_t file, const char *name, int count, const double *want) {
    double found[3];
    const hid_t attribute = H5Aopen_by_name(file, "header", name, H5P_DEFAULT, H5P_DEFAULT);
    ck_assert_msg(attribute >= 0, "no %s", name);
    const hid_t space = H5Aget_space(attribute);
    ck_assert_int_eq(H5Sget_simple_extent_npoints(space), count);
    ck_assert_int_ge(H5Aread(attribute, H5T_NATIVE_DOUBLE, found), 0);
    for (int k = 0; k < count; ++k)
        ck_assert(found[k] == want[k] || (isnan(found[k]) && isnan(want[k])));
    H5Sclose(space);
    H5Aclose(attribute);
}

START_TEST(hdf5) {
    const struct catalogue catalogue = whole();
    write_whole(scratch("c.hdf5"), &catalogue);
    const hid_t file = H5Fopen(scratch("c.hdf5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    ck_assert_int_ge(file, 0);
    const hid_t i64 = H5T_NATIVE_INT64, f64 = H5T_NATIVE_DOUBLE;
    expect_array(file, "halos/tag", H5T_STD_I64LE, i64, 1, N, 1, tags, sizeof tags);
    expect_array(file, "halos/count", H5T_STD_I64LE, i64, 1, N, 1, counts, sizeof counts);
    expect_array(file, "halos/wraps", H5T_STD_U8LE, H5T_NATIVE_UINT8, 1, N, 1, wraps,
                 sizeof wraps);
    expect_array(file, "halos/mass", H5T_IEEE_F64LE, f64, 1, N, 1, masses, sizeof masses);
    expect_array(file, "halos/center_of_mass", H5T_IEEE_F64LE, f64, 2, N, 3, centers,
                 sizeof centers);
    expect_array(file, "members/offset", H5T_STD_I64LE, i64, 1, N + 1, 1, offsets,
                 sizeof offsets);
    expect_array(file, "members/particle_id", H5T_STD_I64LE, i64, 1, 5, 1, members,
                 sizeof members);
    expect_text(file, "halos/mass", "unit", "1e10 Msun/h");
    expect_text(file, "halos/center_of_mass", "description", "µ, wrapped into the box");
    expect_text(file, "header", "weft_version", "0.1.0");
    expect_text(file, "header", "backend", "serial");
    expect_text(file, "header", "device", "");
    expect_text(file, "header", "ids", "file");
    expect_text(file, "header", "source_file", "Größe.hdf5");
    expect_text(file, "header", "command", "weft halos Größe.hdf5");
    expect_number(file, "n_particles", 1, (const double[]){1234567890123});
    expect_number(file, "box", 3, (const double[]){1, 2, 0.1});
    expect_number(file, "periodic", 3, (const double[]){1, 0, 1});
    expect_number(file, "linking_length", 1, (const double[]){0.1});
    expect_number(file, "mean_separation", 1, (const double[]){0.5});
    expect_number(file, "min_members", 1, (const double[]){20});
    expect_number(file, "min_friends", 1, (const double[]){0});
    expect_number(file, "redshift", 1, (const double[]){NAN});
    expect_number(file, "scale_factor", 1, (const double[]){0.25});
    expect_number(file, "h", 1, (const double[]){0.7});
    expect_number(file, "omega_matter", 1, (const double[]){0.3});
    expect_number(file, "omega_lambda", 1, (const double[]){0.6});
    expect_number(file, "softening", 1, (const double[]){0.01});
    expect_text(file, "header", "length_unit", "kpc");
    expect_text(file, "header", "length_frame", "comoving");
    expect_text(file, "header", "mass_unit", "1e10 Msun/h");
    expect_text(file, "halos/center_of_mass", "frame", "comoving");
    H5Fclose(file);
}
END_TEST

START_TEST(no_halos) {
    static const struct catalogue_members none = {offsets, false, pull, NULL, {0, 0}};
    struct catalogue catalogue = whole();
    struct catalogue_column empty[5];
    memcpy(empty, columns, sizeof empty);
    empty[4].data = NULL;
    catalogue.columns = empty;
    catalogue.n = 0;
    catalogue.members = &none;
    write_whole(scratch("c.hdf5"), &catalogue);
    const hid_t file = H5Fopen(scratch("c.hdf5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    expect_array(file, "halos/center_of_mass", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 2, 0, 3,
                 NULL, 0);
    expect_array(file, "members/particle_id", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, 0, 1,
                 NULL, 0);
    H5Fclose(file);
}
END_TEST

static int64_t third(enum catalogue_member_column column, int64_t k) {
    return column == CATALOGUE_MEMBER_IDS ? 3 * k : k / 3;
}

/* As often as the context says. */
static bool pull_thirds(void *context, enum catalogue_member_column column, int64_t first,
                        int64_t n, int64_t *out) {
    int64_t *left = context;
    for (int64_t k = 0; k < n; ++k)
        out[k] = third(column, first + k);
    return (*left)-- > 0;
}

START_TEST(members_in_pieces) {
    enum { MANY = 2 * CATALOGUE_PIECE + 5 };
    static const int64_t ends[N + 1] = {0, 7, CATALOGUE_PIECE + 9, MANY};
    static int64_t found[MANY];
    int64_t left = 6;
    const struct catalogue_members many = {ends, true, pull_thirds, &left, {0, 0}};
    struct catalogue catalogue = whole();
    struct io_error error;
    catalogue.members = &many;
    write_whole(scratch("c.hdf5"), &catalogue);
    ck_assert_int_eq(left, 0);
    const hid_t file = H5Fopen(scratch("c.hdf5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    for (int column = 0; column < 2; ++column) {
        const hid_t array =
            H5Dopen2(file, column ? "members/friends" : "members/particle_id", H5P_DEFAULT);
        const hid_t space = H5Dget_space(array);
        ck_assert_int_eq(H5Sget_simple_extent_npoints(space), MANY);
        ck_assert(H5Dread(array, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, found) >=
                  0);
        for (int64_t k = 0; k < MANY; ++k)
            ck_assert_int_eq(found[k], third((enum catalogue_member_column)column, k));
        H5Sclose(space);
        H5Dclose(array);
    }
    H5Fclose(file);
    left = 4;
    ck_assert(!catalogue_write(scratch("d.hdf5"), &catalogue, &error));
    ck_assert_int_eq(scratch_count(), 1);
}
END_TEST

/* With what yt looks for. */
START_TEST(same_bytes) {
    struct catalogue catalogue = whole();
    size_t n, n_again;
    catalogue.header.redshift = 1;
    catalogue.header.h = 0.7;
    write_whole(scratch("c.hdf5"), &catalogue);
    char *bytes = slurp(scratch("c.hdf5"), &n);
    sleep(1); /* past the resolution of HDF5's time stamps */
    write_whole(scratch("c.hdf5"), &catalogue);
    char *again = slurp(scratch("c.hdf5"), &n_again);
    ck_assert_uint_eq(n, n_again);
    ck_assert_mem_eq(bytes, again, n);
    free(bytes);
    free(again);
}
END_TEST

/* The attribute of the root that yt scales lengths with; NaN where there is none. */
static double length_unit(const struct catalogue *catalogue) {
    double length = NAN;
    write_whole(scratch("c.hdf5"), catalogue);
    const hid_t file = H5Fopen(scratch("c.hdf5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    if (H5Aexists(file, "length_unit") > 0) {
        const hid_t attribute = H5Aopen(file, "length_unit", H5P_DEFAULT);
        ck_assert_int_ge(H5Aread(attribute, H5T_NATIVE_DOUBLE, &length), 0);
        H5Aclose(attribute);
        expect_text(file, "/", "length_unit_units", "Mpc");
        expect_text(file, "/", "mass_unit_units", "Msun");
        const double apart[] = {centers[0][1], centers[1][1], centers[2][1]};
        expect_array(file, "particle_position_y", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, N,
                     1, apart, sizeof apart);
        expect_array(file, "particle_index_start", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, N, 1,
                     offsets, N * sizeof *offsets);
        expect_array(file, "particles/ids", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, 5, 1,
                     members, sizeof members);
    }
    H5Fclose(file);
    return length;
}

START_TEST(as_yt_has_it) {
    struct catalogue catalogue = whole();
    ck_assert(isnan(length_unit(&catalogue)));
    catalogue.header.redshift = 1;
    catalogue.header.h = 0;
    ck_assert(isnan(length_unit(&catalogue)));
    catalogue.header.h = 0.5;
    ck_assert_double_eq(length_unit(&catalogue), 1);
    catalogue.header.box[1] = 0;
    ck_assert(isnan(length_unit(&catalogue)));
    catalogue.header.box[1] = 2;
    static const char *const strange[] = {"code", "Mpc h^2", "1", "", "parsec", "Mpc/hh"};
    struct catalogue_column other[5];
    memcpy(other, columns, sizeof other);
    catalogue.columns = other;
    for (int k = 0; k < 6; ++k) {
        other[4].unit = strange[k];
        ck_assert_msg(isnan(length_unit(&catalogue)), "%s", strange[k]);
    }
    other[4].unit = "250 Mpc";
    ck_assert_double_eq(length_unit(&catalogue), 125);
}
END_TEST

START_TEST(comma_separated) {
    struct catalogue catalogue = whole();
    struct io_error error;
    size_t n;
    catalogue.members = NULL;
    write_whole(scratch("c.CSV"), &catalogue);
    char *text = slurp(scratch("c.CSV"), &n);
    ck_assert_str_eq(text, csv);
    free(text);

    FILE *stream = fopen(scratch("stream"), "wb");
    ck_assert(catalogue_print(stream, &catalogue, &error));
    text = slurp(scratch("stream"), &n); /* flushed, and still open */
    ck_assert_str_eq(text, csv);
    free(text);
    fclose(stream);
}
END_TEST

START_TEST(numbers_come_back) {
    enum { MANY = 20000 };
    static double values[MANY];
    uint64_t state = 1;
    size_t n;
    for (int i = 0; i < MANY; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        memcpy(&values[i], &state, sizeof values[i]);
        if (!isfinite(values[i]))
            values[i] = 0;
    }
    const struct catalogue_column column = {"x",    CATALOGUE_F64, 1,    "1", "",
                                            values, NULL,          NULL, 0,   0};
    const struct catalogue catalogue = {.n = MANY, .n_columns = 1, .columns = &column};
    write_whole(scratch("x.csv"), &catalogue);
    char *text = slurp(scratch("x.csv"), &n), *next = text + 2;
    for (int i = 0; i < MANY; ++i) {
        const double value = strtod(next, &next);
        if (memcmp(&value, &values[i], sizeof value) != 0)
            ck_abort_msg("%a became %a", values[i], value);
    }
    free(text);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {
        hdf5,         no_halos,        members_in_pieces, same_bytes,
        as_yt_has_it, comma_separated, numbers_come_back};
    return io_test_main("catalogue", tests, sizeof tests / sizeof *tests);
}
