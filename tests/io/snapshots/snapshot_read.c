/* Right files are read right: widths, byte orders, missing fields, several files, slices.
 */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t sizes[] = {0, 1, 2, 63, 64, 65, 1000, 100003};

static void check_recipe(const struct recipe *recipe, int coordinate_bytes) {
    const char *path = scratch("s.hdf5");
    struct snapshot_particles particles;
    make_snapshot(path, recipe);
    struct snapshot *snapshot = open_snapshot(path);
    const struct snapshot_info *info = snapshot_info(snapshot);
    ck_assert_int_eq(info->n, recipe->n);
    ck_assert_int_eq(info->bytes[SNAPSHOT_COORDINATES], coordinate_bytes);
    ck_assert_int_eq(info->count[1], recipe->n);
    read_snapshot(snapshot, &particles);
    ck_assert_int_eq(particles.n, recipe->n);
    expect_made(&particles, sqrt(info->scale_factor));
    snapshot_free(&particles);
    snapshot_close(snapshot);
}

START_TEST(sizes_and_types) {
    const hid_t floats[] = {H5T_IEEE_F32LE, H5T_IEEE_F64LE, H5T_IEEE_F32BE, H5T_IEEE_F64BE};
    const hid_t ids[] = {H5T_STD_U32LE, H5T_STD_I64LE, H5T_STD_U64BE, H5T_STD_U32BE};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        for (int k = 0; k < 4; ++k) {
            struct recipe recipe = full_recipe(sizes[s]);
            recipe.coordinates = floats[k];
            recipe.velocities = floats[3 - k];
            recipe.masses = floats[(k + 2) % 4];
            recipe.ids = ids[k];
            check_recipe(&recipe, k % 2 == 0 ? 4 : 8);
        }
    }
}
END_TEST

/* Bits that no conversion would keep: subnormals, the smallest differences, -0. */
START_TEST(bits_are_kept) {
    const double f8[6] = {0x1p-1074, -0.0, 0x1.fffffffffffffp-3, 1e300, 0x1p-1022, 0.1};
    const float f4[6] = {0x1p-149f, -0.0f, 0x1.fffffep-3f, 1e30f, 0x1p-126f, 0.1f};
    for (int width = 4; width <= 8; width += 4) {
        for (int big = 0; big < 2; ++big) {
            const hid_t type = width == 4 ? (big ? H5T_IEEE_F32BE : H5T_IEEE_F32LE)
                                          : (big ? H5T_IEEE_F64BE : H5T_IEEE_F64LE);
            const char *path = scratch("bits.hdf5");
            struct snapshot_particles particles;
            const hid_t file = make_file(path), group = make_group(file, "PartType1");
            make_array(group, "Coordinates", type,
                       width == 4 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE, 2, 2, 3,
                       width == 4 ? (const void *)f4 : (const void *)f8);
            H5Gclose(group);
            H5Fclose(file);
            struct snapshot *snapshot = open_snapshot(path);
            read_snapshot(snapshot, &particles);
            ck_assert_mem_eq(particles.field[SNAPSHOT_COORDINATES],
                             width == 4 ? (const void *)f4 : (const void *)f8,
                             (size_t)(6 * width));
            snapshot_free(&particles);
            snapshot_close(snapshot);
        }
    }
}
END_TEST

START_TEST(missing_fields) {
    for (int without = 0; without < 8; ++without) {
        struct recipe recipe = full_recipe(65);
        recipe.velocities = without & 1 ? 0 : recipe.velocities;
        recipe.masses = without & 2 ? 0 : recipe.masses;
        recipe.ids = without & 4 ? 0 : recipe.ids;
        make_snapshot(scratch("s.hdf5"), &recipe);
        struct snapshot *snapshot = open_snapshot(scratch("s.hdf5"));
        struct snapshot_particles particles;
        read_snapshot(snapshot, &particles);
        ck_assert((particles.field[SNAPSHOT_VELOCITIES] == NULL) == (without & 1));
        ck_assert((particles.field[SNAPSHOT_MASSES] == NULL) == ((without & 2) != 0));
        ck_assert_ptr_nonnull(particles.field[SNAPSHOT_IDS]);
        ck_assert_int_eq(particles.ids_from,
                         without & 4 ? SNAPSHOT_IDS_INDEX : SNAPSHOT_IDS_FILE);
        ck_assert_str_eq(particles.ids_note, without & 4 ? "there are none" : "");
        ck_assert(particles.mass == 1);
        ck_assert_str_eq(snapshot_info(snapshot)->mass_unit, without & 2 ? "1" : "code");
        expect_made(&particles, 1);
        snapshot_free(&particles);
        snapshot_close(snapshot);
    }
}
END_TEST

START_TEST(bare_file) {
    const struct recipe recipe = {.n = 2, .coordinates = H5T_IEEE_F32LE, .redshift = NAN};
    make_snapshot(scratch("s.hdf5"), &recipe);
    struct snapshot *snapshot = open_snapshot(scratch("s.hdf5"));
    const struct snapshot_info *info = snapshot_info(snapshot);
    ck_assert_int_eq(info->n_parts, 1);
    ck_assert(isnan(info->redshift) && info->scale_factor == 1);
    ck_assert(info->box[0] == 0 && info->box[1] == 0 && info->box[2] == 0);
    ck_assert(!info->periodic[0] && !info->periodic[1] && !info->periodic[2]);
    ck_assert_str_eq(info->length_unit, "code");
    ck_assert_str_eq(snapshot_part(snapshot, 0), scratch("s.hdf5"));
    snapshot_close(snapshot);
}
END_TEST

START_TEST(mass_table) {
    struct recipe recipe = full_recipe(3);
    struct snapshot_particles particles;
    recipe.masses = 0;
    recipe.table_mass = 0.625;
    make_snapshot(scratch("s.hdf5"), &recipe);
    struct snapshot *snapshot = open_snapshot(scratch("s.hdf5"));
    read_snapshot(snapshot, &particles);
    ck_assert_ptr_null(particles.field[SNAPSHOT_MASSES]);
    ck_assert(particles.mass == 0.625 && snapshot_info(snapshot)->mass == 0.625);
    ck_assert_str_eq(snapshot_info(snapshot)->mass_unit, "code");
    snapshot_free(&particles);
    snapshot_close(snapshot);
}
END_TEST

START_TEST(only_what_is_asked_for) {
    const struct recipe recipe = full_recipe(10);
    struct snapshot_particles particles;
    struct io_error error;
    make_snapshot(scratch("s.hdf5"), &recipe);
    struct snapshot *snapshot = open_snapshot(scratch("s.hdf5"));
    for (unsigned fields = 0; fields <= SNAPSHOT_ALL; ++fields) {
        ck_assert(snapshot_read(snapshot, fields, &particles, &error));
        for (unsigned f = 0; f < SNAPSHOT_FIELDS; ++f)
            ck_assert((particles.field[f] != NULL) == ((fields >> f & 1) != 0));
        snapshot_free(&particles);
        ck_assert_ptr_null(particles.field[0]);
    }
    snapshot_close(snapshot);
}
END_TEST

/* Parts of 5, 0 (without PartType1), 7 and 1 particles, the first one empty or not. */
static int64_t make_parts(const char *pattern, bool empty_first) {
    const int64_t counts[] = {empty_first ? 0 : 5, 0, 7, 1};
    int64_t first = 0, total = 8 + counts[0];
    for (int k = 0; k < 4; ++k) {
        char name[64];
        snprintf(name, sizeof name, pattern, k);
        struct recipe recipe = full_recipe(counts[k]);
        recipe.first = first;
        recipe.n_files = 4;
        recipe.total = total;
        recipe.redshift = 3;
        if (k == 1)
            recipe.coordinates = recipe.velocities = recipe.masses = recipe.ids = 0;
        make_snapshot(scratch(name), &recipe);
        if (k == 1) {
            const hid_t file = H5Fopen(scratch(name), H5F_ACC_RDWR, H5P_DEFAULT);
            H5Ldelete(file, "PartType1", H5P_DEFAULT);
            H5Fclose(file);
        }
        first += counts[k];
    }
    return total;
}

START_TEST(several_files) {
    const char *const names[] = {"snap_1", "snap_1.hdf5", "snap_1.0.hdf5", "snap_1.2.hdf5"};
    for (int empty = 0; empty < 2; ++empty) {
        const int64_t n = make_parts("snap_1.%d.hdf5", empty);
        for (int k = 0; k < 4; ++k) {
            struct snapshot_particles particles;
            struct snapshot *snapshot = open_snapshot(scratch(names[k]));
            ck_assert_int_eq(snapshot_info(snapshot)->n, n);
            ck_assert_int_eq(snapshot_info(snapshot)->n_parts, 4);
            ck_assert_str_eq(snapshot_part(snapshot, 3), scratch("snap_1.3.hdf5"));
            read_snapshot(snapshot, &particles);
            expect_made(&particles, 0.5);
            snapshot_free(&particles);
            snapshot_close(snapshot);
        }
    }
}
END_TEST

START_TEST(slices) {
    const int64_t n = make_parts("x.%d.h5", false);
    struct snapshot *snapshot = open_snapshot(scratch("x"));
    struct snapshot_particles particles;
    struct io_error error;
    for (int64_t first = 0; first <= n; ++first) {
        for (int64_t count = 0; first + count <= n; ++count) {
            ck_assert_msg(snapshot_read_slice(snapshot, first, count, SNAPSHOT_ALL,
                                              &particles, &error),
                          "%s", error.text);
            ck_assert(particles.first == first && particles.n == count);
            expect_made(&particles, 0.5);
            snapshot_free(&particles);
        }
    }
    const int64_t wrong[][2] = {{-1, 1}, {0, -1}, {0, n + 1}, {n + 1, 0}, {1, INT64_MAX}};
    for (int k = 0; k < 5; ++k) {
        ck_assert(!snapshot_read_slice(snapshot, wrong[k][0], wrong[k][1], SNAPSHOT_ALL,
                                       &particles, &error));
        ck_assert_ptr_null(particles.field[SNAPSHOT_COORDINATES]);
        expect_words(error.text, (const char *[]){"among the 13 of", "x.0.h5", NULL});
    }
    snapshot_close(snapshot);
}
END_TEST

START_TEST(other_types_are_counted) {
    const double corner[3] = {1, 2, 3};
    const struct recipe recipe = {.n = 2, .coordinates = H5T_IEEE_F32LE};
    make_snapshot(scratch("s.hdf5"), &recipe);
    const hid_t file = H5Fopen(scratch("s.hdf5"), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t gas = make_group(file, "PartType0"), stars = make_group(file, "PartType4");
    make_array(gas, "Coordinates", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 2, 1, 3, corner);
    H5Gclose(gas);
    H5Gclose(stars);
    H5Fclose(file);
    struct snapshot *snapshot = open_snapshot(scratch("s.hdf5"));
    const int64_t *count = snapshot_info(snapshot)->count;
    ck_assert(count[0] == 1 && count[1] == 2 && count[4] == 0);
    snapshot_close(snapshot);
}
END_TEST

/* A slab of a chunked, compressed array, across the chunks. */
START_TEST(chunks) {
    enum { N = 1000 };
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 2, (const hsize_t[]){64, 2});
    H5Pset_shuffle(creation);
    H5Pset_deflate(creation, 4);
    H5Pset_fletcher32(creation);
    make_stored(scratch("s.hdf5"), N, creation);
    H5Pclose(creation);

    struct snapshot *snapshot = open_snapshot(scratch("s.hdf5"));
    struct snapshot_particles particles;
    struct snapshot_contents contents;
    struct io_error error;
    const int64_t slab[][2] = {{0, N}, {63, 2}, {0, 1}, {999, 1}, {100, 500}, {64, 64}};
    for (int k = 0; k < 6; ++k) {
        ck_assert(snapshot_read_slice(snapshot, slab[k][0], slab[k][1], SNAPSHOT_ALL,
                                      &particles, &error));
        expect_made(&particles, 1);
        snapshot_free(&particles);
    }
    ck_assert(snapshot_list(snapshot, &contents, &error));
    ck_assert_int_eq(contents.n_arrays, 1);
    ck_assert(contents.arrays[0].checked);
    ck_assert_str_eq(contents.arrays[0].storage,
                     "chunked, shuffle, gzip 4, Fletcher-32 checksum");
    free(contents.arrays);
    snapshot_close(snapshot);
}
END_TEST

START_TEST(listing) {
    struct snapshot_contents contents;
    struct io_error error;
    const int64_t n = make_parts("y.%d.hdf5", false);
    struct snapshot *snapshot = open_snapshot(scratch("y"));
    ck_assert_msg(snapshot_list(snapshot, &contents, &error), "%s", error.text);
    const char *const names[] = {"PartType1/Coordinates", "PartType1/Masses",
                                 "PartType1/ParticleIDs", "PartType1/Velocities"};
    const char *const types[] = {"f4", "f4", "u4", "f4"};
    ck_assert_int_eq(contents.n_arrays, 4);
    for (int k = 0; k < 4; ++k) {
        const struct snapshot_array *array = &contents.arrays[k];
        ck_assert_str_eq(array->name, names[k]);
        ck_assert_str_eq(array->type, types[k]);
        ck_assert_str_eq(array->storage, "contiguous");
        ck_assert(array->shape[0] == n && array->rank == (k % 3 == 0 ? 2 : 1));
        ck_assert(!array->checked);
    }
    free(contents.arrays);
    snapshot_close(snapshot);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {sizes_and_types,
                                  bits_are_kept,
                                  missing_fields,
                                  bare_file,
                                  mass_table,
                                  several_files,
                                  slices,
                                  other_types_are_counted,
                                  chunks,
                                  listing,
                                  only_what_is_asked_for};
    return io_test_main("snapshot_read", tests, sizeof tests / sizeof *tests);
}
