/* Numbers that were written beside particles. */
#include "ics.h"
#include "io/hdf5/file.h"

bool ics_read_note(const char *path, const char *name, int64_t most, double *values,
                   int64_t *n, struct io_error *error) {
    *n = 0;
    if (H5Fis_hdf5(path) <= 0)
        return true;
    const hid_t file = io_hdf5_open(path, error);
    hid_t group = -1;
    int count = 0;
    if (file < 0)
        return false;
    const bool done = io_hdf5_find(file, "Weft", path, &group, error) &&
                      io_hdf5_numbers(group, name, path, values, (int)most, &count, error);
    io_hdf5_close(group);
    H5Fclose(file);
    *n = count;
    return done;
}
