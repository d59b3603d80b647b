/* What `weft info` shows of an HDF5 snapshot. */
#include "snapshot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 80, CHECK_BYTES = 16 << 20 };

static void append(char *text, size_t room, const char *word) {
    const size_t length = strlen(text);
    if (length < room)
        snprintf(text + length, room - length, "%s%s", length == 0 ? "" : ", ", word);
}

static void name_filter(H5Z_filter_t filter, unsigned value, const char *own_name,
                        char *text, size_t room) {
    if (filter == H5Z_FILTER_DEFLATE)
        snprintf(text, room, "gzip %u", value);
    else if (filter == H5Z_FILTER_SHUFFLE)
        snprintf(text, room, "shuffle");
    else if (filter == H5Z_FILTER_FLETCHER32)
        snprintf(text, room, "Fletcher-32 checksum");
    else if (filter == H5Z_FILTER_SZIP)
        snprintf(text, room, "szip");
    else if (filter == H5Z_FILTER_NBIT)
        snprintf(text, room, "n-bit");
    else if (filter == H5Z_FILTER_SCALEOFFSET)
        snprintf(text, room, "scale-offset");
    else if (own_name[0] != '\0')
        snprintf(text, room, "%s", own_name);
    else
        snprintf(text, room, "filter %d", (int)filter);
}

/* How the array is stored; the shuffle and compression filters in the order of writing. */
static void describe_storage(hid_t dataset, struct snapshot_array *array) {
    const hid_t creation = H5Dget_create_plist(dataset);
    const H5D_layout_t layout = H5Pget_layout(creation);
    const size_t room = sizeof array->storage;
    append(array->storage, room,
           layout == H5D_CHUNKED   ? "chunked"
           : layout == H5D_VIRTUAL ? "virtual"
           : layout == H5D_COMPACT ? "compact"
                                   : "contiguous");
    const int n = layout == H5D_CHUNKED ? H5Pget_nfilters(creation) : 0;
    for (int k = 0; k < n; ++k) {
        unsigned flags, values[8] = {0}, configuration;
        size_t n_values = 8;
        char name[32] = "", word[48];
        const H5Z_filter_t filter =
            H5Pget_filter2(creation, (unsigned)k, &flags, &n_values, values,
                           sizeof name - 1, name, &configuration);
        if (filter < 0)
            continue;
        name_filter(filter, values[0], name, word, sizeof word);
        append(array->storage, room, word);
        array->checked = array->checked || filter == H5Z_FILTER_FLETCHER32;
    }
    H5Pclose(creation);
}

/* Reads the array once through, a few rows at a time; the values are not kept. */
static bool verify(hid_t dataset, hid_t type, hid_t space,
                   const struct snapshot_array *array, const char *path,
                   struct io_error *error) {
    hsize_t shape[H5S_MAX_RANK] = {0}, start[H5S_MAX_RANK] = {0};
    size_t row = H5Tget_size(type);
    const int rank = H5Sget_simple_extent_dims(space, shape, NULL);
    for (int axis = 1; axis < rank; ++axis) {
        if (shape[axis] > CHECK_BYTES || row > CHECK_BYTES)
            return io_fail(error, "%s in %s has rows that are too long to check",
                           array->name, path);
        row *= (size_t)shape[axis];
    }
    if (row == 0)
        return true;
    const hsize_t n = shape[0], step = row < CHECK_BYTES ? CHECK_BYTES / row : 1;
    void *values = io_allocate((int64_t)(step < n ? step : n), row, "checking", error);
    bool done = values != NULL;
    for (start[0] = 0; done && start[0] < n; start[0] += step) {
        shape[0] = n - start[0] < step ? n - start[0] : step;
        const hid_t memory = H5Screate_simple(rank, shape, NULL);
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, shape, NULL);
        if (H5Dread(dataset, type, memory, space, H5P_DEFAULT, values) < 0) {
            char reason[256];
            done = io_fail(error, "%s in %s is damaged: %s", array->name, path,
                           io_hdf5_reason(reason, sizeof reason));
        }
        H5Sclose(memory);
    }
    free(values);
    return done;
}

static bool describe(hid_t dataset, const char *path, bool verified,
                     struct snapshot_array *array, struct io_error *error) {
    hsize_t shape[H5S_MAX_RANK] = {0};
    const hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    const int rank = H5Sget_simple_extent_dims(space, shape, NULL);
    io_hdf5_type_name(type, array->type, sizeof array->type);
    array->rank = rank < 0 ? 0 : rank < 4 ? rank : 4;
    for (int axis = 0; axis < array->rank; ++axis)
        array->shape[axis] = (int64_t)shape[axis];
    describe_storage(dataset, array);
    const bool plain =
        H5Tdetect_class(type, H5T_VLEN) == 0 && H5Tis_variable_str(type) == 0;
    array->checked = array->checked && plain && rank > 0;
    const bool done =
        !array->checked || !verified || verify(dataset, type, space, array, path, error);
    H5Tclose(type);
    H5Sclose(space);
    return done;
}

static bool list_group(hid_t group, const char *group_name, const char *path, bool verified,
                       struct snapshot_contents *contents, struct io_error *error) {
    H5G_info_t info;
    if (H5Gget_info(group, &info) < 0)
        return io_fail(error, "cannot list %s in %s", group_name, path);
    for (hsize_t k = 0; k < info.nlinks; ++k) {
        char name[NAME] = "";
        struct snapshot_array array = {.rank = 0};
        hid_t object;
        if (H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, k, name, sizeof name,
                               H5P_DEFAULT) >= NAME)
            continue; /* longer than any name of a field */
        if (!io_hdf5_find(group, name, path, &object, error))
            return false;
        snprintf(array.name, sizeof array.name, "%s/%s", group_name, name);
        const bool is_array = object >= 0 && H5Iget_type(object) == H5I_DATASET;
        const bool done = !is_array || (describe(object, path, verified, &array, error) &&
                                        snapshot_add_array(contents, &array, error));
        io_hdf5_close(object);
        if (!done)
            return false;
    }
    return true;
}

bool snapshot_hdf5_arrays(const struct snapshot *snapshot, bool verified,
                          struct snapshot_contents *contents, struct io_error *error) {
    bool done = true;
    for (int k = 0; done && k < snapshot->info.n_parts; ++k) {
        struct snapshot_hdf5_groups groups;
        const char *path = snapshot->parts[k].path;
        if (!snapshot_hdf5_groups_open(path, snapshot->type, &groups, error))
            return false;
        for (int type = 0; done && type < SNAPSHOT_TYPES; ++type) {
            char name[16];
            hid_t group;
            done = io_hdf5_find(groups.file, snapshot_hdf5_type_group(type, name), path,
                                &group, error);
            if (done && group >= 0 && H5Iget_type(group) == H5I_GROUP)
                done = list_group(group, name, path, verified, contents, error);
            io_hdf5_close(group);
        }
        snapshot_hdf5_groups_close(&groups);
    }
    return done;
}
