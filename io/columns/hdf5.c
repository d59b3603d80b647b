/* Data sets of an HDF5 file as columns. */
#include "notes.h"
#include "io/hdf5/snapshot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COMPONENTS = 64, MOST_SOURCES = 4096, PIECE = 1 << 13, NAME = 80 };

/* Where a column's numbers are. */
struct source {
    char group[NAME], name[NAME]; /* group: empty for the root */
    hid_t dataset;                /* -1: not opened yet */
    int rank;
    hsize_t shape[H5S_MAX_RANK];
};

struct sources {
    hid_t file;
    int n;
    struct source *source;
    int64_t *offset; /* of /members, [n_offsets]; NULL: not read yet */
    int64_t n_offsets;
};

/* The columns of /members that say in which halo a member is. */
enum { HALO = -1 };

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

/* A data set of numbers, as a column; false, too, for all others. */
static bool describe(hid_t dataset, struct source *source, struct columns_column *column,
                     int64_t *components) {
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

/* The name of link k of a group; false where it is longer than what is looked for. */
static bool link_name(hid_t group, hsize_t k, char name[NAME]) {
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
    const bool usable = object >= 0 && H5Iget_type(object) == H5I_DATASET &&
                        describe(object, &source, &column, &components);
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
        if (!link_name(group, k, array) ||
            (has_halo &&
             (strcmp(array, "offset") == 0 || strcmp(array, "particle_id") == 0)))
            continue;
        if (!add_array(file, group, name, array, &main_table, error))
            return false;
    }
    return true;
}

static bool open_file(struct columns_file *file, struct io_error *error) {
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
        if (!link_name(sources->file, k, name))
            continue;
        if (!io_hdf5_find(sources->file, name, file->path, &object, error))
            return false;
        const bool is_group = object >= 0 && H5Iget_type(object) == H5I_GROUP;
        const bool done = !is_group || add_group(file, object, name, error);
        io_hdf5_close(object);
        if (!done)
            return false;
    }
    return file->n_tables > 0 || add_group(file, sources->file, "", error);
}

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

/* Opens a data set when it is first read: until then nothing of it is looked at. */
static bool open_source(struct columns_file *file, struct source *source,
                        struct io_error *error) {
    struct sources *sources = file->context;
    hid_t group = sources->file;
    char whole[2 * NAME];
    if (source->dataset >= 0)
        return true;
    if (source->group[0] &&
        !io_hdf5_find(sources->file, source->group, file->path, &group, error))
        return false;
    bool done = io_hdf5_find(group, source->name, file->path, &source->dataset, error);
    if (source->group[0])
        io_hdf5_close(group);
    snprintf(whole, sizeof whole, "%s/%s", source->group, source->name);
    done = done &&
           (source->dataset >= 0 || io_fail(error, "%s in %s is gone", whole, file->path));
    return done && snapshot_hdf5_check_storage(source->dataset, whole, file->path, error);
}

/* Reads one component of some rows. */
static bool read_rows(struct columns_file *file, const struct source *source,
                      const struct columns_column *column, int64_t first, int64_t count,
                      void *values, struct io_error *error) {
    hsize_t start[H5S_MAX_RANK] = {(hsize_t)first}, size[H5S_MAX_RANK] = {(hsize_t)count};
    hsize_t rest = (hsize_t)column->component;
    for (int axis = source->rank - 1; axis > 0; --axis) {
        start[axis] = rest % source->shape[axis];
        rest /= source->shape[axis];
        size[axis] = 1;
    }
    const hid_t stored = H5Dget_type(source->dataset);
    const bool no_sign = column->integer && H5Tget_sign(stored) == H5T_SGN_NONE;
    const hid_t type = !column->integer ? H5T_NATIVE_DOUBLE
                       : no_sign        ? H5T_NATIVE_UINT64
                                        : H5T_NATIVE_INT64;
    const hid_t space = H5Dget_space(source->dataset),
                memory = H5Screate_simple(1, size, NULL);
    char reason[256];
    bool done = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
                H5Dread(source->dataset, type, memory, space, H5P_DEFAULT, values) >= 0;
    if (!done)
        io_fail(error, "%s/%s in %s is damaged: %s", source->group, source->name,
                file->path, io_hdf5_reason(reason, sizeof reason));
    for (int64_t k = 0; done && no_sign && k < count; ++k)
        done = ((const int64_t *)values)[k] >= 0 ||
               io_fail(error, "row %lld of %s/%s in %s is not below 2^63",
                       (long long)(first + k), source->group, source->name, file->path);
    H5Sclose(memory);
    H5Sclose(space);
    H5Tclose(stored);
    return done;
}

/* The ends of the halos in /members. */
static bool read_offsets(struct columns_file *file, int64_t members,
                         struct io_error *error) {
    struct sources *sources = file->context;
    struct source source = {.group = "members", .name = "offset", .dataset = -1};
    struct columns_column column = {.integer = true};
    int64_t components = 0;
    if (sources->offset)
        return true;
    bool done = open_source(file, &source, error);
    done =
        done && ((describe(source.dataset, &source, &column, &components) &&
                  column.integer && components == 1) ||
                 io_fail(error, "members/offset in %s is no list of integers", file->path));
    sources->n_offsets = done ? (int64_t)source.shape[0] : 0;
    sources->offset =
        done ? io_allocate(sources->n_offsets, sizeof *sources->offset, "offsets", error)
             : NULL;
    done = sources->offset &&
           read_rows(file, &source, &column, 0, sources->n_offsets, sources->offset, error);
    io_hdf5_close(source.dataset);
    const int64_t n = sources->n_offsets, *offset = sources->offset;
    for (int64_t h = 1; done && h < n; ++h)
        done = offset[h] >= offset[h - 1] ||
               io_fail(error, "members/offset in %s descends", file->path);
    done = done && ((n > 0 && offset[0] == 0 && offset[n - 1] == members) ||
                    io_fail(error, "members/offset in %s does not end with %lld",
                            file->path, (long long)members));
    if (!done) {
        free(sources->offset);
        sources->offset = NULL;
    }
    return done;
}

/* The halos of members first .. first + count. */
static void name_halos(const struct sources *sources, int64_t first, int64_t count,
                       int64_t *halo) {
    int64_t low = 0, high = sources->n_offsets - 1;
    while (low + 1 < high) {
        const int64_t middle = low + (high - low) / 2;
        if (sources->offset[middle] <= first)
            low = middle;
        else
            high = middle;
    }
    for (int64_t k = 0; k < count; ++k) {
        while (sources->offset[low + 1] <= first + k)
            ++low;
        halo[k] = low;
    }
}

static bool read_piece(struct columns_file *file, int table, int number, int64_t row,
                       struct columns_piece *piece, struct io_error *error) {
    struct sources *sources = file->context;
    const struct columns_column *column = &file->tables[table].columns[number];
    const int64_t n = file->tables[table].n, first = row - row % PIECE;
    const int64_t count = n - first < PIECE ? n - first : PIECE;
    if (!columns_make_room(piece, count, error))
        return false;
    if (column->source == HALO) {
        if (!read_offsets(file, n, error))
            return false;
        name_halos(sources, first, count, piece->values);
    } else {
        struct source *source = &sources->source[column->source];
        if (!open_source(file, source, error) ||
            !read_rows(file, source, column, first, count, piece->values, error))
            return false;
    }
    piece->first = first;
    piece->count = count;
    return true;
}

static bool tell_notes(struct columns_file *file, columns_note *note, void *context,
                       struct io_error *error) {
    const struct sources *sources = file->context;
    return columns_hdf5_notes(sources->file, file->path, note, context, error);
}

const struct columns_format columns_hdf5 = {
    .open = open_file, .close = close_file, .read = read_piece, .notes = tell_notes};
