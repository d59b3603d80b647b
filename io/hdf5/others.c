/* The particles' data sets that are no fields. */
#include "snapshot.h"

#include <stdio.h>
#include <string.h>

/* What the data set is; nothing of a type, shape or storage that is not read has a kind. */
static struct snapshot_other describe(hid_t dataset, const char *name, int64_t n) {
    struct io_error ignored;
    struct snapshot_other other = {.components = 1};
    hsize_t shape[H5S_MAX_RANK] = {0};
    if (H5Iget_type(dataset) != H5I_DATASET)
        return other;
    const hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    const H5T_class_t class = H5Tget_class(type);
    const size_t size = H5Tget_size(type);
    const int rank = H5Sget_simple_extent_type(space) == H5S_SIMPLE
                         ? H5Sget_simple_extent_dims(space, shape, NULL)
                         : 0;
    const bool is_float = io_hdf5_is_ieee(type),
               is_signed = class == H5T_INTEGER && H5Tget_sign(type) != H5T_SGN_NONE;
    H5Tclose(type);
    H5Sclose(space);
    if (!(is_float || (class == H5T_INTEGER && size <= 8)) || rank < 1 || rank > 2 ||
        shape[0] != (hsize_t)n || shape[1] > INT32_MAX || strlen(name) >= SNAPSHOT_NAME ||
        !snapshot_hdf5_check_storage(dataset, name, "", &ignored))
        return other;
    strcpy(other.name, name);
    other.kind = is_float ? 'f' : is_signed ? 'i' : 'u';
    other.bytes = is_float && size < 4 ? 4 : (int)size;
    other.components = rank == 1 ? 1 : (int)shape[1];
    return other;
}

bool snapshot_hdf5_add_others(struct snapshot *snapshot,
                              const struct snapshot_hdf5_groups *groups, int64_t n,
                              struct io_error *error) {
    H5G_info_t info;
    struct io_error ignored;
    if (H5Gget_info(groups->particles, &info) < 0)
        return io_fail(error, "cannot list %s in %s", groups->name, groups->path);
    for (hsize_t k = 0; k < info.nlinks; ++k) {
        char name[SNAPSHOT_NAME] = "";
        hid_t object = -1;
        const ssize_t length =
            H5Lget_name_by_idx(groups->particles, ".", H5_INDEX_NAME, H5_ITER_INC, k, name,
                               sizeof name, H5P_DEFAULT);
        if (length > 0 && snapshot_hdf5_is_field(name))
            continue;
        if (length > 0 && length < SNAPSHOT_NAME &&
            !io_hdf5_find(groups->particles, name, groups->path, &object, &ignored))
            object = -1;
        const struct snapshot_other other = describe(object, name, n);
        io_hdf5_close(object);
        if (!snapshot_add_other(snapshot, &other, error))
            return false;
    }
    return true;
}

hid_t snapshot_hdf5_native(const struct snapshot_other *other) {
    const bool is_signed = other->kind == 'i';
    if (other->kind == 'f')
        return other->bytes == 4 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
    switch (other->bytes) {
    case 1:
        return is_signed ? H5T_NATIVE_INT8 : H5T_NATIVE_UINT8;
    case 2:
        return is_signed ? H5T_NATIVE_INT16 : H5T_NATIVE_UINT16;
    case 4:
        return is_signed ? H5T_NATIVE_INT32 : H5T_NATIVE_UINT32;
    default:
        return is_signed ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64;
    }
}

bool snapshot_hdf5_read_other(const struct snapshot *snapshot,
                              const struct snapshot_part *part,
                              const struct snapshot_other *other, int64_t first,
                              int64_t count, void *values, struct io_error *error) {
    struct snapshot_hdf5_groups groups;
    char reason[SNAPSHOT_HDF5_REASON];
    hid_t dataset = -1;
    if (!snapshot_hdf5_groups_open(part->path, 1, &groups, error))
        return false;
    bool done = groups.particles < 0 ||
                io_hdf5_find(groups.particles, other->name, part->path, &dataset, error);
    if (done) {
        const struct snapshot_other found = describe(dataset, other->name, part->count);
        done = (found.kind == other->kind && found.bytes == other->bytes &&
                found.components == other->components) ||
               io_fail(error, "PartType1/%s in %s is not what it is in files before it",
                       other->name, part->path);
    }
    const struct snapshot_hdf5_rows rows = {
        dataset, snapshot_hdf5_native(other), first, count, values, NULL};
    if (done && !snapshot_hdf5_read_rows(snapshot, &rows, reason))
        done = io_fail(error, "cannot read PartType1/%s of %s: %s", other->name, part->path,
                       reason);
    io_hdf5_close(dataset);
    snapshot_hdf5_groups_close(&groups);
    return done;
}
