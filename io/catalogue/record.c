#include "catalogue.h"
#include "io/process/rehearsal.h"
#include "io/hdf5/file.h"

#include <string.h>

/* Halos in it; -1 where it has no list of them. */
static int64_t count_halos(hid_t file, const char *path, struct io_error *error) {
    hid_t halos, tag = -1;
    hsize_t n[H5S_MAX_RANK];
    int rank = -1;
    if (io_hdf5_find(file, "halos", path, &halos, error) && halos >= 0 &&
        io_hdf5_find(halos, "tag", path, &tag, error) && tag >= 0) {
        const hid_t space = H5Dget_space(tag);
        rank = H5Sget_simple_extent_ndims(space);
        if (rank == 1)
            H5Sget_simple_extent_dims(space, n, NULL);
        H5Sclose(space);
    }
    io_hdf5_close(tag);
    io_hdf5_close(halos);
    return rank == 1 ? (int64_t)n[0] : -1;
}

static bool read_record(const char *path, struct catalogue_record *record,
                        struct io_error *error) {
    hid_t header = -1;
    *record = (struct catalogue_record){.n = -1};
    const hid_t file = io_hdf5_open(path, error);
    if (file < 0)
        return false;
    if (io_hdf5_find(file, "header", path, &header, error) && header >= 0) {
        io_hdf5_text(header, "options_hash", record->options_hash,
                     sizeof record->options_hash);
        io_hdf5_text(header, "source_hash", record->source_hash,
                     sizeof record->source_hash);
        record->n = count_halos(file, path, error);
    }
    io_hdf5_close(header);
    H5Fclose(file);
    return record->n >= 0 ||
           io_fail(error, "%s is no catalogue of weft halos, or is damaged", path);
}

static void rehearse(const void *path) {
    struct catalogue_record record;
    struct io_error ignored;
    read_record(path, &record, &ignored);
}

bool catalogue_read_record(const char *path, struct catalogue_record *record,
                           struct io_error *error) {
    return (io_rehearse(rehearse, path) ||
            io_fail(error, "%s is damaged: HDF5 crashes on it", path)) &&
           read_record(path, record, error);
}
