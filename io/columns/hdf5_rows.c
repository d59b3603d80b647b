/* Rows of the columns of an HDF5 file. */
#include "hdf5.h"
#include "io/hdf5/snapshot.h"

#include <stdio.h>
#include <stdlib.h>

enum { PIECE = 1 << 13 };

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
        done && ((columns_hdf5_describe(source.dataset, &source, &column, &components) &&
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
                    io_fail(error, "members/offset in %s does not ascend from 0 to %lld",
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

bool columns_hdf5_read(struct columns_file *file, int table, int number, int64_t row,
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
