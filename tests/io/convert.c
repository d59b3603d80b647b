/* Every format written from every other, and read again; and what is lost on the way. */
#include "support.h"

#include "io/convert/convert.h"
#include "io/format.h"
#include "made_gadget.h"
#include "made_genericio.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 15 };

/* Up to SWIFT's HDF5, which no name tells: that is tests/python/test_swiftsimio.py's. */
static const char *const names[CONVERT_SWIFT] = {
    [CONVERT_HDF5] = "a.hdf5",       [CONVERT_GENERICIO] = "a.gio",
    [CONVERT_GADGET1] = "a.gadget1", [CONVERT_GADGET2] = "a.gadget2",
    [CONVERT_NPY] = "a.npy",         [CONVERT_TEXT] = "a.csv",
    [CONVERT_F32] = "a.f32",
};

/* Writes `in` as `out`; returns what is lost. */
static const char *convert(const char *in, const char *out, int bytes) {
    static char losses[CONVERT_LOSSES];
    struct io_error error;
    const struct convert_options options = {convert_by_path(out), bytes, 1};
    struct snapshot *snapshot = open_snapshot(scratch(in));
    ck_assert_msg(convert_write(scratch(out), snapshot, &options, &error), "%s",
                  error.text);
    convert_losses(snapshot, &options, losses);
    snapshot_close(snapshot);
    return losses;
}

static void expect_read(const char *name, double velocity_factor) {
    struct snapshot_particles particles;
    struct snapshot *snapshot = open_snapshot(scratch(name));
    read_snapshot(snapshot, &particles);
    ck_assert_int_eq(particles.n, N);
    expect_made(&particles, velocity_factor);
    snapshot_free(&particles);
    snapshot_close(snapshot);
}

START_TEST(names_tell_formats) {
    for (enum convert_format format = 0; format < CONVERT_SWIFT; ++format)
        ck_assert_int_eq(convert_by_path(names[format]), format);
    ck_assert_int_eq(convert_by_path("a.TXT"), CONVERT_TEXT);
    ck_assert_int_eq(convert_by_path("a.dat"), CONVERT_FORMATS);
    ck_assert_int_eq(convert_named("genericio"), CONVERT_GENERICIO);
    ck_assert_int_eq(convert_named("swift"), CONVERT_SWIFT);
    ck_assert_int_eq(convert_named("hdf"), CONVERT_FORMATS);
}
END_TEST

/* From each to each; formats that lost the rest have their positions. */
START_TEST(each_to_each) {
    for (int bytes = 4; bytes <= 8; bytes += 4) {
        struct recipe recipe = full_recipe(N);
        make_snapshot(scratch("first.hdf5"), &recipe);
        for (enum convert_format from = 0; from < CONVERT_SWIFT; ++from) {
            char in[16];
            snprintf(in, sizeof in, "b%s", names[from] + 1);
            convert("first.hdf5", in, from == CONVERT_F32 ? 0 : bytes);
            expect_read(in, 1);
            for (enum convert_format to = 0; to < CONVERT_SWIFT; ++to) {
                if (to == CONVERT_GADGET1 && (from == CONVERT_NPY || from == CONVERT_F32))
                    continue; /* which need velocities */
                convert(in, names[to], 0);
                expect_read(names[to], 1);
            }
        }
    }
}
END_TEST

/* Away from z = 0 velocities mean different things in different formats. */
START_TEST(velocities_keep_their_meaning) {
    static const enum convert_format with_redshift[] = {CONVERT_HDF5, CONVERT_GADGET1,
                                                        CONVERT_GADGET2};
    struct recipe recipe = full_recipe(N);
    recipe.redshift = 3;
    make_snapshot(scratch("z.hdf5"), &recipe);
    expect_read("z.hdf5", 0.5);
    for (int k = 0; k < 3; ++k) {
        const char *losses = convert("z.hdf5", names[with_redshift[k]], 0);
        ck_assert_ptr_null(strstr(losses, "velocities"));
        expect_read(names[with_redshift[k]], 0.5);
    }
    ck_assert_ptr_nonnull(strstr(convert("z.hdf5", "a.gio", 0), "last bit of velocities"));
    expect_read("a.gio", 0.5);
    ck_assert_ptr_nonnull(strstr(convert("a.gio", "a.csv", 0), "the box"));
    expect_read("a.csv", 0.5);
}
END_TEST

START_TEST(box_and_masses_and_units) {
    struct recipe recipe = full_recipe(N);
    recipe.masses = 0;
    recipe.table_mass = 2.5;
    make_snapshot(scratch("t.hdf5"), &recipe);
    for (enum convert_format to = 0; to < CONVERT_SWIFT; ++to) {
        struct snapshot_particles particles;
        const char *losses = convert("t.hdf5", names[to], 0);
        const bool has_box = to <= CONVERT_GADGET2,
                   has_mass = has_box || to == CONVERT_TEXT;
        ck_assert_int_eq(strstr(losses, "the box") == NULL, has_box);
        ck_assert_int_eq(strstr(losses, "masses") == NULL, has_mass);
        struct snapshot *snapshot = open_snapshot(scratch(names[to]));
        const struct snapshot_info *info = snapshot_info(snapshot);
        ck_assert_double_eq(info->box[1], has_box ? 64 : 0);
        ck_assert_int_eq(info->periodic[1], has_box);
        ck_assert(to == CONVERT_HDF5 || to == CONVERT_GADGET1 || to == CONVERT_GADGET2
                      ? info->redshift == 0
                      : isnan(info->redshift));
        read_snapshot(snapshot, &particles);
        const double *mass = particles.field[SNAPSHOT_MASSES];
        ck_assert_double_eq(mass ? mass[N - 1] : particles.mass, has_mass ? 2.5 : 1);
        snapshot_free(&particles);
        snapshot_close(snapshot);
    }
    const hid_t file = H5Fopen(scratch("t.hdf5"), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t header = H5Gopen2(file, "Header", H5P_DEFAULT);
    const double cm = 3.085678e21, g = 1.989e43, h = 0.7;
    make_numbers(header, "UnitLength_in_cm", H5T_IEEE_F64LE, 0, &cm);
    make_numbers(header, "UnitMass_in_g", H5T_IEEE_F64LE, 0, &g);
    make_numbers(header, "HubbleParam", H5T_IEEE_F64LE, 0, &h);
    H5Gclose(header);
    H5Fclose(file);
    ck_assert_str_eq(convert("t.hdf5", "u.hdf5", 0), "the unit of masses");
    struct snapshot *snapshot = open_snapshot(scratch("u.hdf5"));
    ck_assert_str_eq(snapshot_info(snapshot)->length_unit, "kpc/h");
    ck_assert_double_eq(snapshot_info(snapshot)->mass, 2.5);
    snapshot_close(snapshot);
    ck_assert_str_eq(convert("t.hdf5", "a.gadget2", 8), "the units");
}
END_TEST

static void tell_cosmology(const char *path, const double cosmology[3]) {
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t header = H5Gopen2(file, "Header", H5P_DEFAULT);
    const double cm = 3.085678e24, g = 1.989e43;
    make_numbers(header, "UnitLength_in_cm", H5T_IEEE_F64LE, 0, &cm);
    make_numbers(header, "UnitMass_in_g", H5T_IEEE_F64LE, 0, &g);
    make_numbers(header, "HubbleParam", H5T_IEEE_F64LE, 0, &cosmology[0]);
    make_numbers(header, "Omega0", H5T_IEEE_F64LE, 0, &cosmology[1]);
    make_numbers(header, "OmegaLambda", H5T_IEEE_F64LE, 0, &cosmology[2]);
    H5Gclose(header);
    H5Fclose(file);
}

START_TEST(cosmology) {
    const double told[3] = {0.68, 0.31, 0.69};
    struct recipe recipe = full_recipe(N);
    recipe.masses = 0;
    recipe.table_mass = 2.5;
    make_snapshot(scratch("t.hdf5"), &recipe);
    tell_cosmology(scratch("t.hdf5"), told);
    for (enum convert_format to = 0; to < CONVERT_SWIFT; ++to) {
        const char *losses = convert("t.hdf5", names[to], 0);
        const bool holds =
            to == CONVERT_HDF5 || to == CONVERT_GADGET1 || to == CONVERT_GADGET2;
        ck_assert_int_eq(strstr(losses, "the cosmology") == NULL, holds);
        struct snapshot *snapshot = open_snapshot(scratch(names[to]));
        const struct snapshot_cosmology found = snapshot_info(snapshot)->cosmology;
        ck_assert_double_eq(found.h, holds ? told[0] : 0);
        ck_assert_double_eq(found.omega_matter, holds ? told[1] : 0);
        ck_assert_double_eq(found.omega_lambda, holds ? told[2] : 0);
        if (to == CONVERT_HDF5)
            ck_assert_str_eq(snapshot_info(snapshot)->mass_unit, "1e10 Msun/h");
        snapshot_close(snapshot);
    }
}
END_TEST

/* Masses that are all the same go into Gadget's table, where other programs look. */
START_TEST(common_mass) {
    double mass[N];
    const struct recipe recipe = full_recipe(N);
    make_snapshot(scratch("t.hdf5"), &recipe);
    for (int last = 0; last < 2; ++last) {
        for (int i = 0; i < N; ++i)
            mass[i] = i == N - 1 && last ? 3 : 2.5;
        const hid_t file = H5Fopen(scratch("t.hdf5"), H5F_ACC_RDWR, H5P_DEFAULT);
        const hid_t dataset = H5Dopen2(file, "PartType1/Masses", H5P_DEFAULT);
        H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, mass);
        H5Dclose(dataset);
        H5Fclose(file);
        for (enum convert_format to = CONVERT_GADGET1; to <= CONVERT_GADGET2; ++to) {
            convert("t.hdf5", names[to], 0);
            struct snapshot *snapshot = open_snapshot(scratch(names[to]));
            const struct snapshot_info *info = snapshot_info(snapshot);
            ck_assert_int_eq(info->bytes[SNAPSHOT_MASSES], last ? 4 : 0);
            ck_assert_double_eq(info->mass, last ? 1 : 2.5);
            snapshot_close(snapshot);
        }
    }
}
END_TEST

/* An f8 position that no f4 is keeps its bits where the format can hold them. */
START_TEST(bits) {
    const double third[6] = {1.0 / 3, 2.0 / 3, 1e-300, 4.0 / 3, 1e17 / 3, 7.0 / 3};
    const hid_t file = make_file(scratch("w.hdf5")), group = make_group(file, "PartType1");
    make_array(group, "Coordinates", H5T_IEEE_F64BE, H5T_NATIVE_DOUBLE, 2, 2, 3, third);
    H5Gclose(group);
    H5Fclose(file);
    for (enum convert_format to = 0; to < CONVERT_F32; ++to) {
        struct snapshot_particles particles;
        if (to == CONVERT_GADGET1)
            continue;
        convert("w.hdf5", names[to], 8);
        struct snapshot *snapshot = open_snapshot(scratch(names[to]));
        read_snapshot(snapshot, &particles);
        ck_assert_mem_eq(particles.field[SNAPSHOT_COORDINATES], third, sizeof third);
        snapshot_free(&particles);
        snapshot_close(snapshot);
    }
    ck_assert_ptr_nonnull(strstr(convert("w.hdf5", "a.f32", 0), "beyond float32"));
}
END_TEST

/* Arrays that are no fields, through GenericIO and back. */
START_TEST(others_go_along) {
    static const struct {
        const char *name, *type;
        int rank, components;
    } wanted[] = {{"Four", "f4", 1, 1},
                  {"Many", "i2", 2, 5},
                  {"Tiny", "u1", 1, 1},
                  {"Wide", "f8", 2, 3}};
    struct recipe recipe = full_recipe(N);
    struct snapshot_contents contents;
    struct io_error error;
    int64_t whole[5 * N];
    double real[3 * N];
    for (int k = 0; k < 5 * N; ++k)
        whole[k] = k - 7;
    for (int k = 0; k < 3 * N; ++k)
        real[k] = k / 7.0;
    make_snapshot(scratch("o.hdf5"), &recipe);
    const hid_t file = H5Fopen(scratch("o.hdf5"), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t group = H5Gopen2(file, "PartType1", H5P_DEFAULT);
    make_array(group, "Four", H5T_IEEE_F32BE, H5T_NATIVE_DOUBLE, 1, N, 1, real);
    make_array(group, "Many", H5T_STD_I16BE, H5T_NATIVE_INT64, 2, N, 5, whole);
    make_array(group, "Tiny", H5T_STD_U8LE, H5T_NATIVE_INT64, 1, N, 1, whole + 7);
    make_array(group, "Wide", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 2, N, 3, real);
    H5Gclose(group);
    H5Fclose(file);
    ck_assert_str_eq(convert("o.hdf5", "p.hdf5", 0), "");
    ck_assert_str_eq(convert("p.hdf5", "p.gio", 0), "the redshift");
    ck_assert_str_eq(convert("p.gio", "q.hdf5", 0), "");
    ck_assert_str_eq(convert("o.hdf5", "p.gadget2", 0), "other arrays");
    struct snapshot *first = open_snapshot(scratch("o.hdf5")),
                    *last = open_snapshot(scratch("q.hdf5"));
    ck_assert_int_eq(first->n_others, 4);
    ck_assert_int_eq(last->n_others, 4);
    for (int k = 0; k < 4; ++k) {
        char a[1024] = {0}, b[1024] = {0};
        ck_assert_str_eq(last->others[k].name, wanted[k].name);
        ck_assert(snapshot_read_other(first, k, 2, N - 3, a, &error));
        ck_assert(snapshot_read_other(last, k, 2, N - 3, b, &error));
        ck_assert_mem_eq(a, b, sizeof a);
        ck_assert_int_ne(a[0] | a[1] | a[2] | a[3] | a[4], 0);
    }
    ck_assert(snapshot_list(last, &contents, &error));
    for (int k = 0, found = 0; k < contents.n_arrays; ++k) {
        const struct snapshot_array *array = &contents.arrays[k];
        if (found < 4 &&
            strcmp(array->name + strlen("PartType1/"), wanted[found].name) == 0) {
            ck_assert_str_eq(array->type, wanted[found].type);
            ck_assert_int_eq(array->rank, wanted[found].rank);
            ck_assert(array->rank == 1 || array->shape[1] == wanted[found].components);
            ++found;
        }
        ck_assert(k + 1 < contents.n_arrays || found == 4);
    }
    free(contents.arrays);
    snapshot_close(first);
    snapshot_close(last);
    /* an array that is named as another format names a field stays behind */
    const hid_t again = H5Fopen(scratch("o.hdf5"), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t dark = H5Gopen2(again, "PartType1", H5P_DEFAULT);
    make_array(dark, "mass", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, N, 1, real);
    H5Gclose(dark);
    H5Fclose(again);
    ck_assert_str_eq(convert("o.hdf5", "p.gio", 0), "some other arrays, the redshift");
}
END_TEST

/* Gadget-2's ids have 32 bits where all fit, else 64. */
START_TEST(widths_of_ids) {
    for (int k = 0; k < 2; ++k) {
        int64_t ids[2] = {0, (int64_t)UINT32_MAX + k};
        const double at[6] = {1, 2, 3, 4, 5, 6};
        struct snapshot_contents contents;
        struct snapshot_particles particles;
        struct io_error error;
        const hid_t file = make_file(scratch("i.hdf5")),
                    group = make_group(file, "PartType1");
        make_array(group, "Coordinates", H5T_IEEE_F32LE, H5T_NATIVE_DOUBLE, 2, 2, 3, at);
        make_array(group, "ParticleIDs", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, 2, 1, ids);
        H5Gclose(group);
        H5Fclose(file);
        convert("i.hdf5", "i.gadget2", 0);
        struct snapshot *snapshot = open_snapshot(scratch("i.gadget2"));
        ck_assert(snapshot_list(snapshot, &contents, &error));
        ck_assert_str_eq(contents.arrays[1].type, k == 0 ? "u4" : "u8");
        free(contents.arrays);
        read_snapshot(snapshot, &particles);
        ck_assert_mem_eq(particles.field[SNAPSHOT_IDS], ids, sizeof ids);
        snapshot_free(&particles);
        snapshot_close(snapshot);
    }
}
END_TEST

START_TEST(too_large_for_float32) {
    const char text[] = "x,y,z,mass\n1,2,3,1\n1,2,-1e39,1\n";
    const struct convert_options options = {CONVERT_GADGET2, 0, 1};
    struct io_error error;
    spill(scratch("large.csv"), text, sizeof text - 1);
    struct snapshot *snapshot = open_snapshot(scratch("large.csv"));
    ck_assert(!convert_write(scratch("large.gadget2"), snapshot, &options, &error));
    expect_words(error.text, (const char *[]){"large.csv has the number -1e+39", NULL});
    ck_assert_int_eq(scratch_count(), 1);
    snapshot_close(snapshot);
}
END_TEST

START_TEST(failures_leave_nothing) {
    struct recipe recipe = full_recipe(N);
    struct io_error error;
    make_snapshot(scratch("f.hdf5"), &recipe);
    struct snapshot *snapshot = open_snapshot(scratch("f.hdf5"));
    for (enum convert_format to = 0; to < CONVERT_SWIFT; ++to) {
        const struct convert_options options = {to, 0, 1};
        ck_assert(!convert_write("/dev/full", snapshot, &options, &error));
        ck_assert_ptr_nonnull(strstr(error.text, "/dev/full"));
    }
    remove(scratch("f.hdf5")); /* from under the reader */
    for (enum convert_format to = 0; to < CONVERT_SWIFT; ++to) {
        const struct convert_options options = {to, 0, 1};
        ck_assert(!convert_write(scratch(names[to]), snapshot, &options, &error));
        ck_assert_ptr_nonnull(strstr(error.text, "f.hdf5"));
        ck_assert_int_eq(scratch_count(), 0);
    }
    snapshot_close(snapshot);
    const float points[6] = {1, 2, 3, 4, 5, 6};
    spill(scratch("p.f32"), points, sizeof points);
    snapshot = open_snapshot(scratch("p.f32"));
    const struct convert_options first = {CONVERT_GADGET1, 0, 1};
    ck_assert(!convert_write(scratch("p.gadget1"), snapshot, &first, &error));
    expect_words(error.text, (const char *[]){"p.gadget1", "take format 2", NULL});
    snapshot_close(snapshot);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {names_tell_formats,
                                  each_to_each,
                                  velocities_keep_their_meaning,
                                  box_and_masses_and_units,
                                  cosmology,
                                  common_mass,
                                  bits,
                                  others_go_along,
                                  widths_of_ids,
                                  too_large_for_float32,
                                  failures_leave_nothing};
    return io_test_main("convert", tests, sizeof tests / sizeof *tests);
}
