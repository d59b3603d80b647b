/* The data sets of the particles: what they may be, and reading them. */
#include "rows/contiguous.h"
#include "io/process/rehearsal.h"
#include "rows/inflate.h"
#include "snapshot.h"

#include <stdio.h>
#include <string.h>

/* Each field's data set, its name in older files, and in SWIFT's of black holes. */
enum { NAMES = 3 };
static const char *const names[SNAPSHOT_FIELDS][NAMES] = {
    {"Coordinates"},
    {"Velocities", "Velocity"},
    {"Masses", "Mass", "DynamicalMasses"},
    {"ParticleIDs"},
};

const char *snapshot_hdf5_field_name(enum snapshot_field field) {
    return names[field][0];
}

bool snapshot_hdf5_is_field(const char *name) {
    for (enum snapshot_field f = 0; f < SNAPSHOT_FIELDS; ++f) {
        for (int k = 0; k < NAMES; ++k) {
            if (names[f][k] != NULL && strcmp(name, names[f][k]) == 0)
                return true;
        }
    }
    return false;
}

bool snapshot_hdf5_find_field(const struct snapshot_hdf5_groups *groups,
                              enum snapshot_field field, hid_t *dataset,
                              struct io_error *error) {
    *dataset = -1;
    for (int k = 0; k < NAMES && *dataset < 0; ++k) {
        if (groups->particles < 0 || names[field][k] == NULL)
            return true;
        if (!io_hdf5_find(groups->particles, names[field][k], groups->path, dataset, error))
            return false;
    }
    return true;
}

/* The length, or -1 where the shape is not [n][components]; [n] and [n][1] are the same. */
static int64_t length_of(hid_t space, int components) {
    hsize_t shape[H5S_MAX_RANK];
    if (H5Sget_simple_extent_type(space) != H5S_SIMPLE)
        return -1;
    const int rank = H5Sget_simple_extent_dims(space, shape, NULL);
    if (rank == 1 && components == 1)
        return (int64_t)shape[0];
    if (rank == 2 && shape[1] == (hsize_t)components)
        return (int64_t)shape[0];
    return -1;
}

bool snapshot_hdf5_inspect(const struct snapshot_hdf5_groups *groups,
                           enum snapshot_field field, hid_t dataset, int *bytes, int64_t *n,
                           struct io_error *error) {
    const int components = snapshot_components(field);
    if (H5Iget_type(dataset) != H5I_DATASET)
        return io_fail(error, "%s/%s in %s is not a data set", groups->name,
                       names[field][0], groups->path);
    const hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    const size_t size = H5Tget_size(type);
    char type_name[32], whole[64];
    io_hdf5_type_name(type, type_name, sizeof type_name);
    const bool type_right = field == SNAPSHOT_IDS
                                ? H5Tget_class(type) == H5T_INTEGER && size <= 8
                                : io_hdf5_is_ieee(type);
    *bytes = field == SNAPSHOT_IDS || size > 4 ? 8 : 4;
    *n = length_of(space, components);
    H5Tclose(type);
    H5Sclose(space);
    if (!type_right)
        return io_fail(error, "%s/%s in %s has the type %s; %s needed", groups->name,
                       names[field][0], groups->path, type_name,
                       field == SNAPSHOT_IDS ? "integers are" : "f4 or f8 is");
    if (*n < 0)
        return io_fail(error, "%s/%s in %s does not have the shape [n]%s", groups->name,
                       names[field][0], groups->path, components == 3 ? "[3]" : "");
    snprintf(whole, sizeof whole, "%s/%s", groups->name, names[field][0]);
    return snapshot_hdf5_check_storage(dataset, whole, groups->path, error);
}

static hid_t memory_type(enum snapshot_field field, int bytes, hid_t dataset) {
    if (field != SNAPSHOT_IDS)
        return bytes == 4 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
    /* unsigned ids of 2^63 and above must come out negative, not clipped */
    const hid_t type = H5Dget_type(dataset);
    const bool has_sign = H5Tget_sign(type) != H5T_SGN_NONE;
    H5Tclose(type);
    return has_sign ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64;
}

/* By H5Dread. */
static bool read_by_hdf5(const struct snapshot_hdf5_rows *rows,
                         char reason[SNAPSHOT_HDF5_REASON]) {
    const hid_t space = H5Dget_space(rows->dataset);
    hsize_t shape[H5S_MAX_RANK] = {0}, start[H5S_MAX_RANK] = {(hsize_t)rows->first};
    const int rank = H5Sget_simple_extent_dims(space, shape, NULL);
    shape[0] = (hsize_t)rows->count;
    const hid_t memory = H5Screate_simple(rank, shape, NULL);
    const bool done =
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, shape, NULL) >= 0 &&
        H5Dread(rows->dataset, rows->type, memory, space, H5P_DEFAULT, rows->values) >= 0;
    if (!done)
        io_hdf5_reason(reason, SNAPSHOT_HDF5_REASON);
    H5Sclose(memory);
    H5Sclose(space);
    return done;
}

static void rehearse(const void *rows) {
    char reason[SNAPSHOT_HDF5_REASON];
    read_by_hdf5(rows, reason);
}

static bool inflate(const struct snapshot *snapshot, const struct snapshot_hdf5_rows *rows,
                    struct io_hdf5_inflated *found) {
    const bool done = io_hdf5_inflate(rows->dataset, rows->type, rows->first, rows->count,
                                      snapshot->threads,
                                      snapshot->rehearses ? NULL : rows->values, found);
    if (done && rows->seen != NULL)
        io_seen_join(rows->seen, &found->seen);
    return done;
}

bool snapshot_hdf5_read_rows(const struct snapshot *snapshot,
                             const struct snapshot_hdf5_rows *rows,
                             char reason[SNAPSHOT_HDF5_REASON]) {
    struct io_hdf5_inflated found;
    if (io_hdf5_read_contiguous(rows->dataset, rows->type, rows->first, rows->count,
                                snapshot->threads, rows->values) ||
        inflate(snapshot, rows, &found))
        return true;
    /* what does not unpack comes to filters that were not rehearsed */
    if (!found.spoilt || io_rehearse(rehearse, rows))
        return read_by_hdf5(rows, reason);
    snprintf(reason, SNAPSHOT_HDF5_REASON, "HDF5 crashes on one of its chunks");
    return false;
}

bool snapshot_hdf5_read(const struct snapshot *snapshot, const struct snapshot_part *part,
                        int64_t first, int64_t count, void *const values[SNAPSHOT_FIELDS],
                        struct io_seen *seen, struct io_error *error) {
    struct snapshot_hdf5_groups groups;
    if (!snapshot_hdf5_groups_open(part->path, snapshot->type, &groups, error))
        return false;
    bool done = true;
    for (enum snapshot_field f = 0; done && f < SNAPSHOT_FIELDS; ++f) {
        hid_t dataset;
        int bytes;
        int64_t n;
        char reason[SNAPSHOT_HDF5_REASON];
        if (values[f] == NULL)
            continue;
        done = snapshot_hdf5_find_field(&groups, f, &dataset, error);
        if (!done)
            break;
        /* looked at again, since the file may have changed since it was opened */
        done = snapshot_hdf5_inspect(&groups, f, dataset, &bytes, &n, error);
        if (done && (n != part->count || bytes != snapshot->info.bytes[f]))
            done = io_fail(error, "%s has changed while it was read", part->path);
        const hid_t type = done ? memory_type(f, bytes, dataset) : -1;
        const struct snapshot_hdf5_rows rows = {dataset, type,      first,
                                                count,   values[f], seen ? &seen[f] : NULL};
        if (done && !snapshot_hdf5_read_rows(snapshot, &rows, reason))
            done = io_fail(error, "cannot read %s/%s of %s: %s", groups.name, names[f][0],
                           part->path, reason);
        io_hdf5_close(dataset);
    }
    snapshot_hdf5_groups_close(&groups);
    return done;
}

bool snapshot_hdf5_has_one_mass(const struct snapshot *snapshot,
                                const struct snapshot_part *part, double *mass) {
    struct snapshot_hdf5_groups groups;
    struct io_error ignored;
    hid_t dataset = -1;
    int bytes;
    int64_t n;
    if (!snapshot_hdf5_groups_open(part->path, snapshot->type, &groups, &ignored))
        return false;
    const bool found =
        snapshot_hdf5_find_field(&groups, SNAPSHOT_MASSES, &dataset, &ignored) &&
        dataset >= 0 &&
        snapshot_hdf5_inspect(&groups, SNAPSHOT_MASSES, dataset, &bytes, &n, &ignored) &&
        n == part->count &&
        io_hdf5_is_one_number(dataset, memory_type(SNAPSHOT_MASSES, bytes, dataset), n,
                              snapshot->threads, mass);
    io_hdf5_close(dataset);
    snapshot_hdf5_groups_close(&groups);
    return found;
}
