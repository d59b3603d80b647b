#include "attribute.h"

#include <math.h>

bool io_hdf5_put_attribute(hid_t object, const char *name, hid_t file_type,
                           hid_t memory_type, hsize_t n, const void *values) {
    const hid_t space = n == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &n, NULL);
    const hid_t attribute =
        H5Acreate2(object, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool done = attribute >= 0 && H5Awrite(attribute, memory_type, values) >= 0;
    if (attribute >= 0)
        H5Aclose(attribute);
    H5Sclose(space);
    return done;
}

bool io_hdf5_put_text(hid_t object, const char *name, const char *text) {
    const char *value = text == NULL ? "" : text;
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    const bool done = io_hdf5_put_attribute(object, name, type, type, 0, &value);
    H5Tclose(type);
    return done;
}

bool io_hdf5_put_integer(hid_t object, const char *name, int64_t value) {
    return io_hdf5_put_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, 0, &value);
}

bool io_hdf5_put_numbers(hid_t object, const char *name, const double *values, hsize_t n) {
    return io_hdf5_put_attribute(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, n,
                                 values);
}

bool io_hdf5_put_one(hid_t object, const char *name, double value) {
    return io_hdf5_put_numbers(object, name, &value, 1);
}

enum { TYPES = 7 };

static bool put_counts(hid_t header, int64_t n) {
    const int64_t count[TYPES] = {0, n}, low[TYPES] = {0, n & 0xffffffff};
    const int64_t high[TYPES] = {0, n >> 32};
    return io_hdf5_put_attribute(header, "NumPart_ThisFile", H5T_STD_I64LE,
                                 H5T_NATIVE_INT64, TYPES, count) &&
           io_hdf5_put_attribute(header, "NumPart_Total", H5T_STD_U32LE, H5T_NATIVE_INT64,
                                 TYPES, low) &&
           io_hdf5_put_attribute(header, "NumPart_Total_HighWord", H5T_STD_U32LE,
                                 H5T_NATIVE_INT64, TYPES, high);
}

static bool put_whole(hid_t object, const char *name, int64_t value) {
    return io_hdf5_put_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, 1, &value);
}

bool io_hdf5_put_header(hid_t header, int64_t n, const double box[3], double redshift) {
    const double none[TYPES] = {0};
    return io_hdf5_put_numbers(header, "BoxSize", box, 3) && put_counts(header, n) &&
           io_hdf5_put_numbers(header, "MassTable", none, TYPES) &&
           put_whole(header, "NumFilesPerSnapshot", 1) &&
           put_whole(header, "Flag_Entropy_ICs", 0) && put_whole(header, "Dimension", 3) &&
           (isnan(redshift) ||
            (io_hdf5_put_one(header, "Redshift", redshift) &&
             io_hdf5_put_one(header, "Scale-factor", 1 / (1 + redshift))));
}

static hid_t make_group(hid_t file, const char *name) {
    return H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

bool io_hdf5_put_units(hid_t file, const struct io_hdf5_units *units) {
    const hid_t group = make_group(file, "Units");
    const bool done = group >= 0 &&
                      io_hdf5_put_one(group, "Unit mass in cgs (U_M)", units->mass) &&
                      io_hdf5_put_one(group, "Unit length in cgs (U_L)", units->length) &&
                      io_hdf5_put_one(group, "Unit time in cgs (U_t)", units->time) &&
                      io_hdf5_put_one(group, "Unit current in cgs (U_I)", 1) &&
                      io_hdf5_put_one(group, "Unit temperature in cgs (U_T)", 1);
    io_hdf5_close(group);
    return done;
}

bool io_hdf5_put_cosmology(hid_t file, const double values[4]) {
    static const char *const names[4] = {"h", "Omega_m", "Omega_lambda", "Omega_b"};
    const hid_t group = make_group(file, "Cosmology");
    bool done = group >= 0;
    for (int k = 0; done && k < 4; ++k)
        done = io_hdf5_put_one(group, names[k], values[k]);
    io_hdf5_close(group);
    return done;
}

bool io_hdf5_put_dimension(hid_t dataset, const struct io_hdf5_dimension *of) {
    return io_hdf5_put_one(dataset, "U_M exponent", of->mass) &&
           io_hdf5_put_one(dataset, "U_L exponent", of->length) &&
           io_hdf5_put_one(dataset, "U_t exponent", of->time) &&
           io_hdf5_put_one(dataset, "U_I exponent", 0) &&
           io_hdf5_put_one(dataset, "U_T exponent", 0) &&
           io_hdf5_put_one(dataset, "a-scale exponent", of->scale_factor) &&
           io_hdf5_put_one(dataset, "h-scale exponent", of->h) &&
           io_hdf5_put_one(
               dataset, "Conversion factor to CGS (not including cosmological corrections)",
               of->cgs);
}
