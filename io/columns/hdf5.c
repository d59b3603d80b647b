/* HDF5 as a format of tables. All that is done with a file is rehearsed first, but for most
 * rows of its columns: HDF5 crashes on some damaged files. */
#include "hdf5.h"
#include "io/process/rehearsal.h"
#include "io/hdf5/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void close_file(struct columns_file *file) {
    struct sources *sources = file->context;
    if (sources == NULL)
        return;
    for (int k = 0; k < sources->n; ++k)
        io_hdf5_close(sources->source[k].dataset);
    if (sources->file >= 0)
        H5Fclose(sources->file);
    free(sources->source);
    free(sources->offset);
    free(sources);
}

static bool tell_notes(struct columns_file *file, columns_note *note, void *context,
                       struct io_error *error) {
    const struct sources *sources = file->context;
    return columns_hdf5_notes(sources->file, file->path, note, context, error);
}

/* Whether there are numbers of it in a table. */
static bool is_column(const struct sources *sources, const char *group, const char *name) {
    bool found = strcmp(group, "members") == 0 && strcmp(name, "offset") == 0;
    for (int k = 0; k < sources->n; ++k)
        found = found || (strcmp(sources->source[k].group, group) == 0 &&
                          strcmp(sources->source[k].name, name) == 0);
    return found;
}

static void tell_array(hid_t dataset, const char *group, const char *name,
                       columns_array *array, void *context) {
    char whole[2 * NAME], type_name[24], shape[128] = "";
    hsize_t axes[H5S_MAX_RANK];
    size_t length = 0;
    const hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    const int rank = H5Sget_simple_extent_dims(space, axes, NULL);
    snprintf(whole, sizeof whole, "%s%s%s", group, group[0] ? "/" : "", name);
    io_hdf5_type_name(type, type_name, sizeof type_name);
    for (int axis = 0; axis < rank && length < sizeof shape; ++axis)
        length += (size_t)snprintf(shape + length, sizeof shape - length, "%s%llu",
                                   axis > 0 ? " x " : "", (unsigned long long)axes[axis]);
    array(context, whole, type_name, rank > 0 ? shape : "one");
    H5Tclose(type);
    H5Sclose(space);
}

/* Arrays of a group, and of the groups in the root. */
static bool tell_group(struct columns_file *file, hid_t group, const char *name,
                       columns_array *array, columns_note *note, void *context,
                       struct io_error *error) {
    const struct sources *sources = file->context;
    H5G_info_t info;
    if (H5Gget_info(group, &info) < 0)
        return io_fail(error, "cannot list %s in %s", name, file->path);
    bool done = true;
    for (hsize_t k = 0; done && k < info.nlinks; ++k) {
        char link[NAME];
        hid_t object;
        if (!columns_hdf5_link(group, k, link))
            continue;
        if (!io_hdf5_find(group, link, file->path, &object, error))
            return false;
        const H5I_type_t type = H5Iget_type(object);
        if (type == H5I_GROUP && name[0] == '\0') {
            done = tell_group(file, object, link, array, note, context, error);
        } else if (type == H5I_DATASET && !is_column(sources, name, link)) {
            tell_array(object, name, link, array, context);
            columns_hdf5_attributes(object, file->path, note, context);
        }
        io_hdf5_close(object);
    }
    return done;
}

static bool tell_arrays(struct columns_file *file, columns_array *array, columns_note *note,
                        void *context, struct io_error *error) {
    const struct sources *sources = file->context;
    return tell_group(file, sources->file, "", array, note, context, error);
}

static void ignore_note(void *context, const char *name, const char *value) {
    (void)context, (void)name, (void)value;
}

static void ignore_array(void *context, const char *name, const char *type,
                         const char *shape) {
    (void)context, (void)name, (void)type, (void)shape;
}

static void rehearse(const void *what) {
    const struct columns_file *file = what;
    struct columns_file again = {.path = file->path};
    struct io_error ignored;
    if (!columns_hdf5_open(&again, &ignored))
        return;
    tell_notes(&again, ignore_note, NULL, &ignored);
    tell_arrays(&again, ignore_array, ignore_note, NULL, &ignored);
    for (int t = 0; t < again.n_tables; ++t) {
        for (int c = 0; again.tables[t].n > 0 && c < again.tables[t].n_columns; ++c) {
            struct columns_piece piece = {0};
            columns_hdf5_read(&again, t, c, 0, &piece, &ignored);
            columns_hdf5_read(&again, t, c, again.tables[t].n - 1, &piece, &ignored);
            columns_forget(&piece);
        }
    }
}

static bool open_file(struct columns_file *file, struct io_error *error) {
    return (io_rehearse(rehearse, file) ||
            io_fail(error, "%s is damaged: HDF5 crashes on it or does not come to an end",
                    file->path)) &&
           columns_hdf5_open(file, error);
}

const struct columns_format columns_hdf5 = {.arrays = tell_arrays,
                                            .open = open_file,
                                            .close = close_file,
                                            .read = columns_hdf5_read,
                                            .notes = tell_notes};
