#include "attribute.h"

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
