#include "file.h"
#include "elsewhere.h"
#include "io/files/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ATTRIBUTE_ROOM = 64 };

hid_t io_hdf5_open(const char *path, struct io_error *error) {
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    /* what a file names lies beside it, as it was checked, and not somewhere else */
    unsetenv("HDF5_EXTFILE_PREFIX");
    unsetenv("HDF5_VDS_PREFIX");
    if (access(path, R_OK) != 0) {
        io_fail_read(error, path);
        return -1;
    }
    if (io_is_pipe(path)) {
        io_fail(error, "%s is a pipe, and HDF5 needs a file", path);
        return -1;
    }
    const hid_t how = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_file_locking(how, false, true);
    H5Pset_fclose_degree(how, H5F_CLOSE_STRONG);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, how);
    if (file < 0) {
        char reason[256];
        io_fail(error, "cannot open %s as HDF5: %s", path,
                io_hdf5_reason(reason, sizeof reason));
    }
    H5Pclose(how);
    return file;
}

struct reason {
    char *text;
    size_t room;
};

static herr_t note_innermost(unsigned n, const H5E_error2_t *entry, void *to) {
    const struct reason *reason = to;
    (void)n;
    if (entry->desc != NULL && entry->desc[0] != '\0')
        snprintf(reason->text, reason->room, "%s", entry->desc);
    return 0;
}

const char *io_hdf5_reason(char *text, size_t room) {
    struct reason reason = {text, room};
    snprintf(text, room, "no reason given");
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, note_innermost, &reason);
    return text;
}

static bool is_stored_elsewhere(hid_t object) {
    if (H5Iget_type(object) != H5I_DATASET)
        return false;
    const hid_t creation = H5Dget_create_plist(object);
    const bool elsewhere =
        H5Pget_layout(creation) == H5D_CONTIGUOUS && H5Pget_external_count(creation) > 0;
    H5Pclose(creation);
    return elsewhere;
}

bool io_hdf5_find(hid_t parent, const char *name, const char *path, hid_t *object,
                  struct io_error *error) {
    *object = -1;
    const htri_t there = H5Lexists(parent, name, H5P_DEFAULT);
    if (there == 0)
        return true;
    if (there > 0)
        *object = H5Oopen(parent, name, H5P_DEFAULT);
    if (*object >= 0 && is_stored_elsewhere(*object)) {
        H5Oclose(*object);
        *object = external_open(parent, name);
    }
    if (*object >= 0)
        return true;
    char reason[256];
    return io_fail(error, "cannot open %s in %s: %s", name, path,
                   io_hdf5_reason(reason, sizeof reason));
}

void io_hdf5_close(hid_t object) {
    if (object >= 0)
        H5Oclose(object);
}

/* The attribute's values in `memory_type`, 8 bytes each, into values[0..room). */
static bool read_attribute(hid_t object, const char *name, const char *path,
                           hid_t memory_type, void *values, int room, int *count,
                           size_t *width, struct io_error *error) {
    *count = 0;
    if (object < 0)
        return true;
    const htri_t there = H5Aexists(object, name);
    if (there == 0)
        return true;
    const hid_t attribute = there < 0 ? -1 : H5Aopen(object, name, H5P_DEFAULT);
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    const H5T_class_t class = H5Tget_class(type);
    const long long n = H5Sget_simple_extent_npoints(space);
    const bool as_double = H5Tequal(memory_type, H5T_NATIVE_DOUBLE) > 0;
    const bool is_number = (class == H5T_INTEGER && H5Tget_size(type) <= 8) ||
                           (as_double && io_hdf5_is_ieee(type));
    double scratch[ATTRIBUTE_ROOM];
    bool done = false;
    if (!is_number)
        io_fail(error, "the attribute %s in %s is not a %s", name, path,
                as_double ? "number" : "whole number");
    else if (n < 1 || n > ATTRIBUTE_ROOM)
        io_fail(error, "the attribute %s in %s has %lld values", name, path, n);
    else if (H5Aread(attribute, memory_type, scratch) < 0)
        io_fail(error, "cannot read the attribute %s in %s", name, path);
    else
        done = true;
    if (done) {
        *count = n < room ? (int)n : room;
        memcpy(values, scratch, 8 * (size_t)*count);
        if (width != NULL)
            *width = H5Tget_size(type);
    }
    H5Tclose(type);
    H5Sclose(space);
    H5Aclose(attribute);
    return done;
}

bool io_hdf5_numbers(hid_t object, const char *name, const char *path, double *values,
                     int room, int *count, struct io_error *error) {
    return read_attribute(object, name, path, H5T_NATIVE_DOUBLE, values, room, count, NULL,
                          error);
}

bool io_hdf5_integers(hid_t object, const char *name, const char *path, int64_t *values,
                      int room, int *count, size_t *width, struct io_error *error) {
    return read_attribute(object, name, path, H5T_NATIVE_INT64, values, room, count, width,
                          error);
}

void io_hdf5_text(hid_t object, const char *name, char *text, size_t room) {
    text[0] = '\0';
    if (object < 0 || H5Aexists(object, name) <= 0)
        return;
    const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    const size_t size = H5Tget_size(type);
    if (H5Tget_class(type) == H5T_STRING && H5Sget_simple_extent_npoints(space) == 1) {
        if (H5Tis_variable_str(type) > 0) {
            char *value = NULL;
            if (H5Aread(attribute, type, &value) >= 0 && value != NULL) {
                snprintf(text, room, "%s", value);
                H5free_memory(value);
            }
        } else if (size < ATTRIBUTE_ROOM) {
            char value[ATTRIBUTE_ROOM] = {0};
            if (H5Aread(attribute, type, value) >= 0)
                snprintf(text, room, "%s", value);
        }
    }
    H5Tclose(type);
    H5Sclose(space);
    H5Aclose(attribute);
}

bool io_hdf5_is_ieee(hid_t type) {
    const size_t bits = 8 * H5Tget_size(type), mantissa = bits == 16   ? 10
                                                          : bits == 32 ? 23
                                                                       : 52;
    const H5T_order_t order = H5Tget_order(type);
    const size_t exponent = bits - 1 - mantissa;
    size_t at_sign, at_exponent, n_exponent, at_mantissa, n_mantissa;
    return H5Tget_class(type) == H5T_FLOAT && (bits == 16 || bits == 32 || bits == 64) &&
           (order == H5T_ORDER_LE || order == H5T_ORDER_BE) &&
           H5Tget_precision(type) == bits && H5Tget_offset(type) == 0 &&
           H5Tget_fields(type, &at_sign, &at_exponent, &n_exponent, &at_mantissa,
                         &n_mantissa) >= 0 &&
           at_sign == bits - 1 && at_exponent == mantissa && n_exponent == exponent &&
           at_mantissa == 0 && n_mantissa == mantissa &&
           H5Tget_ebias(type) == ((size_t)1 << (exponent - 1)) - 1 &&
           H5Tget_norm(type) == H5T_NORM_IMPLIED;
}

void io_hdf5_type_name(hid_t type, char *text, size_t room) {
    const size_t size = H5Tget_size(type);
    const H5T_class_t class = H5Tget_class(type);
    const char *order = H5Tget_order(type) == H5T_ORDER_BE && size > 1 ? ">" : "";
    if (class == H5T_FLOAT && (size > 8 || io_hdf5_is_ieee(type)))
        snprintf(text, room, "%sf%zu", order, size);
    else if (class == H5T_INTEGER)
        snprintf(text, room, "%s%c%zu", order,
                 H5Tget_sign(type) == H5T_SGN_NONE ? 'u' : 'i', size);
    else if (class == H5T_STRING)
        snprintf(text, room, "S%zu", size);
    else
        snprintf(text, room, "other (%zu bytes)", size);
}
