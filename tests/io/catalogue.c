/* The catalogue is what was put in, as HDF5 and as CSV, whole or not at all. */
#include "support.h"

#include "io/catalogue.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define WORDS(...) ((const char *[]){__VA_ARGS__, NULL})

enum { N = 3 };

static const int64_t tags[N] = {0, INT64_MAX, -1}, counts[N] = {30, 20, 20};
static const uint8_t wraps[N] = {0, 1, 255};
static const double masses[N] = {0.1, 1e300, -0.0};
static const double centers[N][3] = {
    {1, 2, 3}, {0.1, 1.0 / 3, NAN}, {INFINITY, 5e-324, -7}};
static const int64_t offsets[N + 1] = {0, 2, 2, 5}, members[5] = {4, 9, 1, 2, 3};

static const struct catalogue_column columns[] = {
    {"tag", CATALOGUE_I64, 1, "1", "smallest particle id in the halo", tags},
    {"wraps", CATALOGUE_U8, 1, "1", "reaches half the box", wraps},
    {"count", CATALOGUE_I64, 1, "1", "particles", counts},
    {"mass", CATALOGUE_F64, 1, "1e10 Msun/h", "mass", masses},
    {"center_of_mass", CATALOGUE_F64, 3, "Mpc/h", "µ, wrapped into the box", centers},
};

static struct catalogue whole(void) {
    static const struct catalogue_members all = {offsets, members};
    return (struct catalogue){
        .header =
            {
                .weft_version = "0.1.0",
                .backend = "serial",
                .n_particles = 1234567890123,
                .box = {1, 2, 0.1},
                .periodic = {true, false, true},
                .linking_length = 0.1,
                .mean_separation = 0.5,
                .min_members = 20,
                .redshift = NAN,
                .ids = "file",
                .source_file = "Größe.hdf5",
                .command = "weft halos Größe.hdf5",
            },
        .n = N,
        .n_columns = 5,
        .columns = columns,
        .members = &all,
    };
}

static void write_whole(const char *path, const struct catalogue *catalogue) {
    struct io_error error;
    ck_assert_msg(catalogue_write(path, catalogue, &error), "%s", error.text);
    ck_assert_int_eq(scratch_count(), 1);
}

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
    H5Fclose(file);
}
END_TEST

START_TEST(no_halos) {
    static const struct catalogue_members none = {offsets, NULL};
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

START_TEST(same_bytes) {
    const struct catalogue catalogue = whole();
    size_t n, n_again;
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

static const char *const csv =
    "tag,wraps,count,mass,center_of_mass_x,center_of_mass_y,center_of_mass_z\n"
    "0,0,30,0.10000000000000001,1,2,3\n"
    "9223372036854775807,1,20,1.0000000000000001e+300,0.10000000000000001,"
    "0.33333333333333331,nan\n"
    "-1,255,20,-0,inf,4.9406564584124654e-324,-7\n";

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
    const struct catalogue_column column = {"x", CATALOGUE_F64, 1, "1", "", values};
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

static void expect_failure(const char *path, const struct catalogue *catalogue,
                           const char *const *words) {
    struct io_error error = {""};
    const int before = scratch_count();
    ck_assert(!catalogue_write(path, catalogue, &error));
    expect_words(error.text, words);
    ck_assert_int_eq(scratch_count(), before);
}

START_TEST(wrong_catalogues) {
    static const int64_t late[N + 1] = {1, 2, 2, 5}, falling[N + 1] = {0, 3, 2, 5};
    const struct catalogue_members bad[] = {{late, members}, {falling, members}};
    const char *path = scratch("c.hdf5");
    struct catalogue catalogue = whole();
    struct catalogue_column wrong[5];
    catalogue.columns = wrong;
    memcpy(wrong, columns, sizeof wrong);
    wrong[2].components = 2;
    expect_failure(path, &catalogue, WORDS("column count", "2 components"));
    memcpy(wrong, columns, sizeof wrong);
    wrong[2].data = NULL;
    expect_failure(path, &catalogue, WORDS("column count", "no data"));
    memcpy(wrong, columns, sizeof wrong);
    wrong[2].name = "mass";
    expect_failure(path, &catalogue, WORDS("two columns named mass"));
    wrong[2].name = "a/b";
    expect_failure(path, &catalogue, WORDS("column 2", "no usable name"));
    wrong[2].name = NULL;
    expect_failure(path, &catalogue, WORDS("column 2", "no usable name"));
    catalogue = whole();
    expect_failure(scratch("c.csv"), &catalogue, WORDS("c.csv is CSV", "members"));
    catalogue.members = &bad[0];
    expect_failure(path, &catalogue, WORDS("begin with 1"));
    catalogue.members = &bad[1];
    expect_failure(path, &catalogue, WORDS("descend at halo 1"));
    catalogue.n = -1;
    expect_failure(path, &catalogue, WORDS("-1 halos"));
}
END_TEST

START_TEST(wrong_places) {
    const struct catalogue catalogue = whole();
    struct catalogue plain = catalogue;
    struct io_error error;
    plain.members = NULL;
    expect_failure(scratch("no/such.hdf5"), &catalogue,
                   WORDS("cannot write", "no/such.hdf5", "No such file or directory"));
    expect_failure(scratch(""), &catalogue, WORDS("Is a directory"));
    expect_failure("/dev/null", &catalogue, WORDS("/dev/null is not a regular file"));
    FILE *full = fopen("/dev/full", "wb");
    if (full != NULL) {
        ck_assert(!catalogue_print(full, &plain, &error));
        expect_words(error.text, WORDS("cannot write the catalogue", "No space left"));
        fclose(full);
        symlink("/dev/full", scratch("full.csv"));
        expect_failure(scratch("full.csv"), &plain, WORDS("full.csv", "No space left"));
    }
}
END_TEST

/* A link is followed, its target replaced, and the modes are those of a new file. */
START_TEST(links) {
    struct stat status;
    struct catalogue catalogue = whole();
    struct io_error error;
    size_t n;
    catalogue.members = NULL;
    umask(027);
    spill(scratch("target.csv"), "old", 3);
    ck_assert_int_eq(symlink("target.csv", scratch("link.csv")), 0);
    ck_assert(catalogue_write(scratch("link.csv"), &catalogue, &error));
    ck_assert_int_eq(lstat(scratch("link.csv"), &status), 0);
    ck_assert(S_ISLNK(status.st_mode));
    ck_assert_int_eq(stat(scratch("target.csv"), &status), 0);
    ck_assert_int_eq(status.st_mode & 0777, 0640);
    char *text = slurp(scratch("target.csv"), &n);
    ck_assert_str_eq(text, csv);
    free(text);
}
END_TEST

/* The disk fills up at every byte in turn: the older file stays, and nothing else. */
static void fill_up(const char *name, const struct catalogue *catalogue) {
    struct rlimit limit;
    struct io_error error;
    size_t n, n_old;
    write_whole(scratch(name), catalogue);
    free(slurp(scratch(name), &n));
    spill(scratch(name), "old", 3);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &limit);
    for (size_t size = 0; size < n; size += size < 4096 ? 37 : 509) {
        limit.rlim_cur = size;
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
        const bool done = catalogue_write(scratch(name), catalogue, &error);
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_FSIZE, &limit);
        ck_assert_msg(!done, "%zu bytes of %zu were enough", size, n);
        expect_words(error.text, WORDS("cannot write", name, "File too large"));
        ck_assert_int_eq(scratch_count(), 1);
        char *old = slurp(scratch(name), &n_old);
        ck_assert_str_eq(old, "old");
        free(old);
    }
    write_whole(scratch(name), catalogue);
    remove(scratch(name));
}

START_TEST(full_disk) {
    enum { MANY = 3000 };
    static double values[3 * MANY];
    const struct catalogue_column column = {"x", CATALOGUE_F64, 3, "1", "", values};
    struct catalogue catalogue = whole();
    fill_up("c.hdf5", &catalogue);
    catalogue.members = NULL;
    fill_up("c.csv", &catalogue);
    catalogue.columns = &column;
    catalogue.n_columns = 1;
    catalogue.n = MANY;
    fill_up("big.hdf5", &catalogue);
    fill_up("big.csv", &catalogue);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {hdf5,
                                  no_halos,
                                  same_bytes,
                                  comma_separated,
                                  numbers_come_back,
                                  wrong_catalogues,
                                  wrong_places,
                                  links,
                                  full_disk};
    return io_test_main("catalogue", tests, sizeof tests / sizeof *tests);
}
