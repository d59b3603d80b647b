#include "support.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[256];

static void make_folder(void) {
    const char *where = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/weft-io-XXXXXX", where == NULL ? "/tmp" : where);
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void remove_folder(void) {
    DIR *entries = opendir(folder);
    ck_assert_ptr_nonnull(entries);
    for (struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries))
        unlink(scratch(entry->d_name));
    closedir(entries);
    ck_assert_int_eq(rmdir(folder), 0);
}

int io_test_main(const char *name, const TTest *const *tests, int count) {
    Suite *suite = suite_create(name);
    TCase *group = tcase_create(name);
    tcase_add_checked_fixture(group, make_folder, remove_folder);
    tcase_set_timeout(group, 300);
    for (int k = 0; k < count; ++k)
        tcase_add_test(group, tests[k]);
    suite_add_tcase(suite, group);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}

const char *scratch(const char *name) {
    static char paths[8][600];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

int scratch_count(void) {
    int n = 0;
    DIR *entries = opendir(folder);
    while (readdir(entries) != NULL)
        ++n;
    closedir(entries);
    return n - 2;
}

char *slurp(const char *path, size_t *n) {
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "no file %s", path);
    fseek(file, 0, SEEK_END);
    *n = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*n + 1);
    ck_assert_uint_eq(fread(bytes, 1, *n, file), *n);
    bytes[*n] = '\0';
    fclose(file);
    return bytes;
}

void spill(const char *path, const void *bytes, size_t n) {
    remove(path); /* ext4 waits for the disk where a file is replaced in place */
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, n, file), n);
    fclose(file);
}

void expect_words(const char *text, const char *const *words) {
    for (; *words != NULL; ++words)
        ck_assert_msg(strstr(text, *words) != NULL, "no '%s' in: %s", *words, text);
    ck_assert_msg(strchr(text, '\n') == NULL, "more than a line: %s", text);
}

hid_t make_file(const char *path) {
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    ck_assert_int_ge(file, 0);
    return file;
}

hid_t make_group(hid_t parent, const char *name) {
    return H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

void make_array(hid_t group, const char *name, hid_t type, hid_t memory_type, int rank,
                hsize_t n, hsize_t components, const void *values) {
    const hsize_t shape[3] = {n, components, 1};
    const hid_t space = H5Screate_simple(rank, shape, NULL);
    const hid_t dataset =
        H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    ck_assert_int_ge(dataset, 0);
    if (n > 0)
        ck_assert_int_ge(
            H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
    H5Dclose(dataset);
    H5Sclose(space);
}

static void make_attribute(hid_t object, const char *name, hid_t type, hid_t memory_type,
                           hsize_t n, const void *values) {
    const hid_t space = n == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &n, NULL);
    const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    ck_assert_int_ge(attribute, 0);
    ck_assert_int_ge(H5Awrite(attribute, memory_type, values), 0);
    H5Aclose(attribute);
    H5Sclose(space);
}

void make_numbers(hid_t object, const char *name, hid_t type, hsize_t n,
                  const double *values) {
    make_attribute(object, name, type, H5T_NATIVE_DOUBLE, n, values);
}

static void make_integers(hid_t object, const char *name, hid_t type, hsize_t n,
                          const int64_t *values) {
    make_attribute(object, name, type, H5T_NATIVE_INT64, n, values);
}

void make_text(hid_t object, const char *name, const char *text, bool fixed) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, fixed ? strlen(text) : H5T_VARIABLE);
    if (fixed)
        H5Tset_strpad(type, H5T_STR_NULLPAD);
    make_attribute(object, name, type, type, 0,
                   fixed ? (const void *)text : (const void *)&text);
    H5Tclose(type);
}

double made_position(int64_t i, int axis) {
    return (double)((i * (7 + 4 * axis) + axis) % 4096) / 64;
}

int64_t made_id(int64_t i) {
    return 3 * i + 1000000007;
}

struct recipe full_recipe(int64_t n) {
    return (struct recipe){
        .n = n,
        .coordinates = H5T_IEEE_F32LE,
        .velocities = H5T_IEEE_F32LE,
        .masses = H5T_IEEE_F32LE,
        .ids = H5T_STD_U32LE,
        .box = 64,
        .redshift = 0,
        .n_files = 1,
        .total = n,
    };
}

static void make_header(hid_t file, const struct recipe *recipe) {
    const hid_t header = make_group(file, "Header");
    if (recipe->box != 0)
        make_numbers(header, "BoxSize", H5T_IEEE_F64LE, 0, &recipe->box);
    if (!isnan(recipe->redshift))
        make_numbers(header, "Redshift", H5T_IEEE_F64LE, 0, &recipe->redshift);
    const double table[6] = {0, recipe->table_mass};
    if (recipe->table_mass != 0)
        make_numbers(header, "MassTable", H5T_IEEE_F64LE, 6, table);
    const int64_t n_files = recipe->n_files;
    if (n_files != 0)
        make_integers(header, "NumFilesPerSnapshot", H5T_STD_I32LE, 0, &n_files);
    if (recipe->total != 0) {
        const int64_t here[6] = {0, recipe->n}, all[6] = {0, recipe->total & 0xffffffff};
        const int64_t high[6] = {0, recipe->total >> 32};
        make_integers(header, "NumPart_ThisFile", H5T_STD_I32LE, 6, here);
        make_integers(header, "NumPart_Total", H5T_STD_U32LE, 6, all);
        make_integers(header, "NumPart_Total_HighWord", H5T_STD_U32LE, 6, high);
    }
    H5Gclose(header);
}

void make_snapshot(const char *path, const struct recipe *recipe) {
    const size_t n = (size_t)recipe->n;
    double *position = malloc((3 * n + 1) * sizeof *position);
    double *velocity = malloc((3 * n + 1) * sizeof *velocity);
    double *mass = malloc((n + 1) * sizeof *mass);
    int64_t *id = malloc((n + 1) * sizeof *id);
    for (int64_t i = 0; i < recipe->n; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            position[3 * i + axis] = made_position(recipe->first + i, axis);
            velocity[3 * i + axis] = 100 * position[3 * i + axis];
        }
        mass[i] = (double)(1 + recipe->first + i);
        id[i] = made_id(recipe->first + i);
    }
    const hid_t file = make_file(path);
    make_header(file, recipe);
    const hid_t group = make_group(file, "PartType1");
    if (recipe->coordinates != 0)
        make_array(group, "Coordinates", recipe->coordinates, H5T_NATIVE_DOUBLE, 2, n, 3,
                   position);
    if (recipe->velocities != 0)
        make_array(group, "Velocities", recipe->velocities, H5T_NATIVE_DOUBLE, 2, n, 3,
                   velocity);
    if (recipe->masses != 0)
        make_array(group, "Masses", recipe->masses, H5T_NATIVE_DOUBLE, 1, n, 1, mass);
    if (recipe->ids != 0)
        make_array(group, "ParticleIDs", recipe->ids, H5T_NATIVE_INT64, 1, n, 1, id);
    H5Gclose(group);
    ck_assert_int_ge(H5Fclose(file), 0);
    free(position);
    free(velocity);
    free(mass);
    free(id);
}

void make_stored(const char *path, hsize_t n, hid_t creation) {
    const hsize_t shape[2] = {n, 3};
    double *position = malloc((3 * n + 1) * sizeof *position);
    for (hsize_t k = 0; k < 3 * n; ++k)
        position[k] = made_position((int64_t)(k / 3), (int)(k % 3));
    const hid_t file = make_file(path), group = make_group(file, "PartType1");
    const hid_t space = H5Screate_simple(2, shape, NULL);
    const hid_t array = H5Dcreate2(group, "Coordinates", H5T_IEEE_F64LE, space, H5P_DEFAULT,
                                   creation, H5P_DEFAULT);
    ck_assert_int_ge(
        H5Dwrite(array, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, position), 0);
    H5Dclose(array);
    H5Sclose(space);
    H5Gclose(group);
    H5Fclose(file);
    free(position);
}

struct snapshot *open_snapshot(const char *path) {
    struct io_error error;
    struct snapshot *snapshot = snapshot_open(path, &error);
    ck_assert_msg(snapshot != NULL, "%s", error.text);
    return snapshot;
}

void read_snapshot(struct snapshot *snapshot, struct snapshot_particles *particles) {
    struct io_error error;
    ck_assert_msg(snapshot_read(snapshot, SNAPSHOT_ALL, particles, &error), "%s",
                  error.text);
}

void expect_refused(const char *path, const char *const *words) {
    struct io_error error = {""};
    struct snapshot_particles particles;
    struct snapshot *snapshot = snapshot_open(path, &error);
    if (snapshot != NULL) {
        ck_assert_msg(!snapshot_read(snapshot, SNAPSHOT_ALL, &particles, &error),
                      "%s was read", path);
        snapshot_close(snapshot);
    }
    expect_words(error.text, words);
}

static double value(const struct snapshot_particles *particles, enum snapshot_field field,
                    int64_t k) {
    return particles->bytes[field] == 4 ? (double)((float *)particles->field[field])[k]
                                        : ((double *)particles->field[field])[k];
}

/* Without an assertion for each number, which Check sends through a pipe. */
void expect_made(const struct snapshot_particles *particles, double velocity_factor) {
    const bool has_velocity = particles->field[SNAPSHOT_VELOCITIES] != NULL;
    const bool has_mass = particles->field[SNAPSHOT_MASSES] != NULL;
    const int64_t *ids = particles->field[SNAPSHOT_IDS];
    for (int64_t i = 0; i < particles->n; ++i) {
        const int64_t global = particles->first + i;
        bool right =
            ids[i] == (particles->ids_from == SNAPSHOT_IDS_FILE ? made_id(global) : global);
        if (has_mass)
            right = right && value(particles, SNAPSHOT_MASSES, i) == (double)(1 + global);
        for (int axis = 0; axis < 3; ++axis) {
            const double position = made_position(global, axis);
            const double velocity = 100 * position * velocity_factor;
            right =
                right && value(particles, SNAPSHOT_COORDINATES, 3 * i + axis) == position;
            if (has_velocity)
                right = right && fabs(value(particles, SNAPSHOT_VELOCITIES, 3 * i + axis) -
                                      velocity) <= 1e-7 * velocity;
        }
        if (!right)
            ck_abort_msg("particle %lld is not the one that was made", (long long)global);
    }
}
