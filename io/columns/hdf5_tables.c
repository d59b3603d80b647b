/* Data sets of an HDF5 file as columns of tables. */
#include "hdf5.h"
#include "io/hdf5/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool add_source(struct sources *sources, const struct source *source,
                       struct io_error *error) {
    struct source *longer =
        realloc(sources->source, ((size_t)sources->n + 1) * sizeof *longer);
    if (longer == NULL || sources->n == MOST_SOURCES) {
        sources->source = longer ? longer : sources->source;
        return io_fail(error, "too many data sets");
    }
    sources->source = longer;
    longer[sources->n++] = *source;
    return true;
}

bool columns_hdf5_describe(hid_t dataset, struct source *source,
                           struct columns_column *column, int64_t *components) {
    const hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    const bool whole = H5Tget_class(type) == H5T_INTEGER && H5Tget_size(type) <= 8;
    bool usable = whole || io_hdf5_is_ieee(type);
    source->rank = H5Sget_simple_extent_ndims(space);
    usable = usable && source->rank >= 1;
    if (usable)
        H5Sget_simple_extent_dims(space, source->shape, NULL);
    *components = 1;
    for (int axis = 1; usable && axis < source->rank; ++axis)
        *components = *components > MOST_COMPONENTS
                          ? *components
                          : *components * (int64_t)(source->shape[axis] > MOST_COMPONENTS
                                                        ? MOST_COMPONENTS + 1
                                                        : source->shape[axis]);
    io_hdf5_type_name(type, column->type, sizeof column->type);
    column->integer = whole;
    H5Tclose(type);
    H5Sclose(space);
    io_hdf5_text(dataset, "unit", column->unit, sizeof column->unit);
    io_hdf5_text(dataset, "frame", column->frame, sizeof column->frame);
    io_hdf5_text(dataset, "description", column->about, sizeof column->about);
    if (strcmp(column->unit, "1") == 0)
        column->unit[0] = '\0';
    return usable && *components >= 1 && *components <= MOST_COMPONENTS;
}

bool columns_hdf5_link(hid_t group, hsize_t k, char name[NAME]) {
    const ssize_t length = H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, k,
                                              name, NAME, H5P_DEFAULT);
    return length > 0 && length < NAME;
}

/* The table for n rows: that of the group, which its first array makes; or for the array
 * alone. */
static bool choose_table(struct columns_file *file, const char *group, const char *name,
                         int64_t n, int *main_table, int *table, struct io_error *error) {
    char own[2 * NAME];
    const bool first = *main_table < 0;
    *table = *main_table;
    if (!first && file->tables[*main_table].n == n)
        return true;
    snprintf(own, sizeof own, "%s_%s", group, name);
    if (!columns_add_table(file, !first ? own : group[0] ? group : "data", n, error))
        return false;
    *table = file->n_tables - 1;
    if (first)
        *main_table = *table;
    return true;
}

static bool add_array(struct columns_file *file, hid_t group, const char *group_name,
                      const char *name, int *main_table, struct io_error *error) {
    struct sources *sources = file->context;
    struct source source = {.dataset = -1};
    struct columns_column column = {.source = sources->n};
    hid_t object;
    int table;
    int64_t components = 0;
    if (!io_hdf5_find(group, name, file->path, &object, error))
        return false;
    bool usable = object >= 0 && H5Iget_type(object) == H5I_DATASET &&
                  columns_hdf5_describe(object, &source, &column, &components);
    usable = usable && (group_name[0] || source.rank <= 2); /* more axes are a grid's */
    io_hdf5_close(object);
    if (!usable)
        return true;
    snprintf(column.name, sizeof column.name, "%s", name);
    snprintf(source.group, sizeof source.group, "%s", group_name);
    snprintf(source.name, sizeof source.name, "%s", name);
    return choose_table(file, group_name, name, (int64_t)source.shape[0], main_table,
                        &table, error) &&
           add_source(sources, &source, error) &&
           columns_add(file, table, &column, (int)components, error);
}

/* Members lie halo by halo: in the place of offsets each has the row of its halo. */
static bool add_members(struct columns_file *file, hid_t group, int *main_table,
                        struct io_error *error) {
    const struct columns_column halo = {.name = "halo",
                                        .type = "i8",
                                        .integer = true,
                                        .about = "row of halos",
                                        .source = HALO};
    hid_t object;
    if (!io_hdf5_find(group, "particle_id", file->path, &object, error))
        return false;
    io_hdf5_close(object);
    return object < 0 ||
           (add_array(file, group, "members", "particle_id", main_table, error) &&
            columns_add(file, *main_table, &halo, 1, error));
}

static bool add_group(struct columns_file *file, hid_t group, const char *name,
                      struct io_error *error) {
    H5G_info_t info;
    int main_table = -1;
    if (H5Gget_info(group, &info) < 0)
        return io_fail(error, "cannot list %s in %s", name, file->path);
    const bool members = strcmp(name, "members") == 0;
    if (members && !add_members(file, group, &main_table, error))
        return false;
    const bool has_halo = main_table >= 0;
    for (hsize_t k = 0; k < info.nlinks; ++k) {
        char array[NAME];
        if (!columns_hdf5_link(group, k, array) ||
            (has_halo &&
             (strcmp(array, "offset") == 0 || strcmp(array, "particle_id") == 0)))
            continue;
        if (!add_array(file, group, name, array, &main_table, error))
            return false;
    }
    return true;
}

bool columns_hdf5_open(struct columns_file *file, struct io_error *error) {
    struct sources *sources = calloc(1, sizeof *sources);
    H5G_info_t info;
    file->context = sources;
    if (sources == NULL)
        return io_fail(error, "out of memory: the tables of %s", file->path);
    sources->file = io_hdf5_open(file->path, error);
    if (sources->file < 0)
        return false;
    if (H5Gget_info(sources->file, &info) < 0)
        return io_fail(error, "cannot list %s", file->path);
    for (hsize_t k = 0; k < info.nlinks; ++k) {
        char name[NAME];
        hid_t object;
        if (!columns_hdf5_link(sources->file, k, name))
            continue;
        if (!io_hdf5_find(sources->file, name, file->path, &object, error))
            return false;
        /* (In a catalogue they are the members once more, as yt looks for them.) */
        const bool is_group =
            object >= 0 && H5Iget_type(object) == H5I_GROUP &&
            (strcmp(name, "particles") != 0 || columns_find(file, "members") < 0);
        const bool done = !is_group || add_group(file, object, name, error);
        io_hdf5_close(object);
        if (!done)
            return false;
    }
    return file->n_tables > 0 || add_group(file, sources->file, "", error);
}
