/* Makes the small snapshots that the scripts beside this one run the command on, in the
 * current folder. Neighbours by index are 0.31 apart: a linking length of 0.4 chains them.
 */
#include "support.h"

#include <math.h>

static hid_t open_again(const char *path) {
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    ck_assert_int_ge(file, 0);
    return file;
}

/* Overwrites one value of an array. */
static void change(const char *path, const char *array, hid_t type, hsize_t index,
                   const void *value) {
    const hid_t file = open_again(path);
    const hid_t dataset = H5Dopen2(file, array, H5P_DEFAULT);
    const hid_t space = H5Dget_space(dataset);
    const hsize_t element[2] = {index, 0}, one[2] = {1, 1};
    const hid_t memory = H5Screate_simple(1, one, NULL);
    ck_assert_int_ge(H5Sselect_elements(space, H5S_SELECT_SET, 1, element), 0);
    ck_assert_int_ge(H5Dwrite(dataset, type, memory, space, H5P_DEFAULT, value), 0);
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(dataset);
    H5Fclose(file);
}

static void add_gas(const char *path) {
    const double positions[6] = {1, 2, 3, 4, 5, 6};
    const hid_t file = open_again(path);
    const hid_t gas = make_group(file, "PartType0");
    make_array(gas, "Coordinates", H5T_IEEE_F32LE, H5T_NATIVE_DOUBLE, 2, 2, 3, positions);
    H5Gclose(gas);
    const hid_t header = H5Gopen2(file, "Header", H5P_DEFAULT);
    const hid_t count = H5Aopen(header, "NumPart_ThisFile", H5P_DEFAULT);
    const int64_t counts[6] = {2, 300};
    ck_assert_int_ge(H5Awrite(count, H5T_NATIVE_INT64, counts), 0);
    H5Aclose(count);
    H5Gclose(header);
    H5Fclose(file);
}

/* A density on a grid, with what it is made of. */
static void make_grid(const char *path) {
    const hsize_t shape[3] = {3, 4, 5};
    const double density[60] = {1.5}, box[3] = {64, 64, 64};
    const hid_t file = make_file(path);
    const hid_t header = make_group(file, "header");
    make_text(header, "weft_version", "9.8.7", false);
    make_text(header, "command", "weft sheet small.hdf5 --grid 3,4,5", false);
    make_numbers(header, "box", H5T_IEEE_F64LE, 3, box);
    const hid_t space = H5Screate_simple(3, shape, NULL);
    const hid_t array = H5Dcreate2(file, "density", H5T_IEEE_F64LE, space, H5P_DEFAULT,
                                   H5P_DEFAULT, H5P_DEFAULT);
    ck_assert_int_ge(
        H5Dwrite(array, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, density), 0);
    make_text(array, "unit", "mean density", false);
    H5Dclose(array);
    H5Sclose(space);
    H5Gclose(header);
    H5Fclose(file);
}

/* What makes them belongs to the tests of io/, and works inside a test alone. */
START_TEST(make) {
    struct recipe recipe = full_recipe(300);
    make_snapshot("small.hdf5", &recipe);
    make_snapshot("gas.hdf5", &recipe);
    add_gas("gas.hdf5");
    make_snapshot("twice.hdf5", &recipe);
    const int64_t id = made_id(7);
    change("twice.hdf5", "PartType1/ParticleIDs", H5T_NATIVE_INT64, 9, &id);
    make_snapshot("halves.hdf5", &recipe);
    for (hsize_t i = 0; i < 300; i++) {
        const double mass = i < 150 ? 1 : 2;
        change("halves.hdf5", "PartType1/Masses", H5T_NATIVE_DOUBLE, i, &mass);
    }
    make_snapshot("nan.hdf5", &recipe);
    const double bad = NAN;
    change("nan.hdf5", "PartType1/Coordinates", H5T_NATIVE_DOUBLE, 123, &bad);

    struct recipe other = recipe;
    other.box = 0;
    make_snapshot("nobox.hdf5", &other);
    other = recipe;
    other.velocities = other.masses = other.ids = 0;
    make_snapshot("bare.hdf5", &other);
    other = full_recipe(0);
    make_snapshot("empty.hdf5", &other);

    make_grid("grid.hdf5");
    other = recipe;
    other.n_files = 2;
    other.n = 100;
    other.total = 300;
    make_snapshot("snap.0.hdf5", &other);
    other.first = 100;
    other.n = 200;
    make_snapshot("snap.1.hdf5", &other);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {make};
    return io_test_main("snapshots", tests, 1);
}
