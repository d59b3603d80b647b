/* Opening: which files there are, and whether they agree. */
#include "snapshot.h"

#include "io/parts.h"

#include <math.h>
#include <string.h>

/* Lengths and widths of the fields of one part. */
struct layout {
    int64_t n;
    int bytes[SNAPSHOT_FIELDS];
};

static bool lay_out(const struct snapshot_hdf5_groups *groups, unsigned fields,
                    int64_t header_count, struct layout *layout, struct io_error *error) {
    *layout = (struct layout){0};
    for (enum snapshot_field f = 0; f < SNAPSHOT_FIELDS; ++f) {
        hid_t dataset;
        int64_t n;
        if ((fields & 1u << f) == 0)
            continue;
        if (!snapshot_hdf5_find_field(groups, f, &dataset, error))
            return false;
        if (dataset < 0) {
            if (f == SNAPSHOT_COORDINATES && groups->particles >= 0 && header_count != 0)
                return io_fail(error, "%s in %s has no Coordinates", groups->name,
                               groups->path);
            continue;
        }
        const bool right =
            snapshot_hdf5_inspect(groups, f, dataset, &layout->bytes[f], &n, error);
        io_hdf5_close(dataset);
        if (!right)
            return false;
        if (f == SNAPSHOT_COORDINATES)
            layout->n = n;
        else if (n != layout->n)
            return io_fail(error, "%s/%s in %s has %lld particles, Coordinates %lld",
                           groups->name, snapshot_hdf5_field_name(f), groups->path,
                           (long long)n, (long long)layout->n);
    }
    if (header_count >= 0 && header_count != layout->n)
        return io_fail(error, "NumPart_ThisFile in %s says %lld, but %s has %lld particles",
                       groups->path, (long long)header_count, groups->name,
                       (long long)layout->n);
    return true;
}

/* How many particles of another type there are, where the header does not say. */
static bool count_type(const struct snapshot_hdf5_groups *groups, int type, int64_t *n,
                       struct io_error *error) {
    char name[16];
    hid_t group, dataset = -1;
    hsize_t shape[H5S_MAX_RANK] = {0};
    *n = 0;
    if (!io_hdf5_find(groups->file, snapshot_hdf5_type_group(type, name), groups->path,
                      &group, error))
        return false;
    bool done = true;
    if (group >= 0 && H5Iget_type(group) == H5I_GROUP)
        done = io_hdf5_find(group, "Coordinates", groups->path, &dataset, error);
    if (dataset >= 0 && H5Iget_type(dataset) == H5I_DATASET) {
        const hid_t space = H5Dget_space(dataset);
        if (H5Sget_simple_extent_dims(space, shape, NULL) > 0)
            *n = (int64_t)shape[0];
        H5Sclose(space);
    }
    io_hdf5_close(dataset);
    io_hdf5_close(group);
    return done;
}

/* Takes over a part's widths, or refuses a part that differs from those before it. An empty
 * part counts only until one with particles comes. */
static bool agree(struct snapshot *snapshot, const struct layout *layout,
                  const struct snapshot_hdf5_groups *groups, struct io_error *error) {
    struct snapshot_info *info = &snapshot->info;
    if (info->n == 0) {
        if (layout->n > 0 || layout->bytes[SNAPSHOT_COORDINATES] != 0)
            memcpy(info->bytes, layout->bytes, sizeof info->bytes);
        return true;
    }
    for (enum snapshot_field f = 0; f < SNAPSHOT_FIELDS && layout->n > 0; ++f) {
        if (layout->bytes[f] != info->bytes[f])
            return io_fail(
                error,
                "%s/%s has %d bytes a number in %s and %d in files before it (0: it is "
                "missing)",
                groups->name, snapshot_hdf5_field_name(f), layout->bytes[f], groups->path,
                info->bytes[f]);
    }
    return true;
}

/* Refuses a further part of another box or redshift; one that does not tell is taken. */
static bool is_of_the_same(const struct snapshot *snapshot,
                           const struct snapshot_hdf5_groups *groups,
                           struct io_error *error) {
    const struct snapshot_info *info = &snapshot->info;
    struct snapshot_info here = {0};
    if (!snapshot_hdf5_header(groups, snapshot->type, &here, error))
        return false;
    for (int axis = 0; axis < 3; ++axis) {
        if (here.box[axis] != 0 && here.box[axis] != info->box[axis])
            return io_fail(error, "BoxSize in %s is %g, in %s %g", groups->path,
                           here.box[axis], snapshot->parts[0].path, info->box[axis]);
    }
    return isnan(here.redshift) || here.redshift == info->redshift ||
           io_fail(error, "Redshift in %s is %g, in %s %g", groups->path, here.redshift,
                   snapshot->parts[0].path, info->redshift);
}

static bool add_part(struct snapshot *snapshot, int k, int64_t *total,
                     struct io_error *error) {
    struct snapshot_info *info = &snapshot->info;
    struct snapshot_part *part = &snapshot->parts[k];
    struct snapshot_hdf5_groups groups;
    struct layout layout;
    int64_t in_file[SNAPSHOT_TYPES];
    int n_files;
    const int wanted = snapshot->type;
    if (!snapshot_hdf5_groups_open(part->path, wanted, &groups, error))
        return false;
    bool done = snapshot_hdf5_count_files(&groups, &n_files, error) &&
                snapshot_hdf5_counts(&groups, wanted, in_file, total, error) &&
                lay_out(&groups, snapshot->fields, in_file[wanted], &layout, error);
    if (done && n_files != info->n_parts)
        done = io_fail(error, "NumFilesPerSnapshot is %d in %s and %d in %s", n_files,
                       part->path, info->n_parts, snapshot->parts[0].path);
    done = done && agree(snapshot, &layout, &groups, error);
    if (done) {
        part->first = info->n;
        part->count = layout.n;
        in_file[wanted] = layout.n;
        if (info->format == NULL || (info->n == 0 && layout.n > 0)) {
            info->format = groups.swift ? "SWIFT HDF5" : "Gadget HDF5";
            done = snapshot_hdf5_header(&groups, wanted, info, error) &&
                   snapshot_hdf5_units(&groups, snapshot, error);
        } else {
            done = is_of_the_same(snapshot, &groups, error);
        }
        if (done && info->n == 0 && layout.n > 0)
            done = snapshot_hdf5_add_others(snapshot, &groups, layout.n, error);
        done = done && snapshot_hdf5_add_sources(snapshot, &groups, error);
        info->n += layout.n;
    }
    for (int type = 0; done && type < SNAPSHOT_TYPES; ++type) {
        done = in_file[type] >= 0 || count_type(&groups, type, &in_file[type], error);
        info->count[type] += done ? in_file[type] : 0;
    }
    snapshot_hdf5_groups_close(&groups);
    return done;
}

static bool count_parts(struct snapshot *snapshot, const char *path,
                        struct io_error *error) {
    struct snapshot_hdf5_groups groups;
    int n = 0;
    if (!snapshot_hdf5_groups_open(path, snapshot->type, &groups, error))
        return false;
    const bool counted = snapshot_hdf5_count_files(&groups, &n, error);
    snapshot_hdf5_groups_close(&groups);
    return counted && snapshot_set_parts(snapshot, n, error);
}

static bool name_part(struct snapshot *snapshot, int k, const char *path,
                      struct io_error *error) {
    snapshot->parts[k].path = snapshot->info.n_parts == 1 ? io_join(path, "", error)
                                                          : io_parts_name(path, k, error);
    return snapshot->parts[k].path != NULL;
}

/* A type that is asked for may have no particles; the dark matter has its group. */
static bool has_group(const struct snapshot *snapshot, struct io_error *error) {
    for (int k = 0; k < snapshot->info.n_parts; ++k) {
        struct snapshot_hdf5_groups groups;
        if (!snapshot_hdf5_groups_open(snapshot->parts[k].path, snapshot->type, &groups,
                                       error))
            return false;
        const bool there = groups.particles >= 0 || snapshot->type != 1;
        snapshot_hdf5_groups_close(&groups);
        if (there)
            return true;
    }
    return io_fail(error, "%s has no dark matter: there is no group PartType1",
                   snapshot->parts[0].path);
}

bool snapshot_hdf5_open(struct snapshot *snapshot, const char *path,
                        struct io_error *error) {
    struct snapshot_info *info = &snapshot->info;
    int64_t total = -1;
    if (!count_parts(snapshot, path, error))
        return false;
    for (int k = 0; k < info->n_parts; ++k) {
        if (!name_part(snapshot, k, path, error) || !add_part(snapshot, k, &total, error))
            return false;
    }
    if (info->n == 0) {
        if (!has_group(snapshot, error))
            return false;
        if (info->bytes[SNAPSHOT_COORDINATES] == 0)
            info->bytes[SNAPSHOT_COORDINATES] = 8;
    }
    if (total >= 0 && total != info->n)
        return io_fail(error,
                       "NumPart_Total in %s says %lld, but %s %lld particles of PartType%d",
                       snapshot->parts[0].path, (long long)total,
                       info->n_parts == 1 ? "it holds" : "its files hold",
                       (long long)info->n, snapshot->type);
    return true;
}
