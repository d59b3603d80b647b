#include "contiguous.h"
#include "io/files/input.h"

#include <limits.h>

/* Where the array begins in its file; 0: it does not lie there in one piece. */
static uint64_t place_of(hid_t dataset, hid_t type) {
    const hid_t stored = H5Dget_type(dataset), creation = H5Dget_create_plist(dataset);
    const hid_t file = H5Iget_file_id(dataset), file_creation = H5Fget_create_plist(file);
    hsize_t before = 0;
    const bool plain = H5Tequal(stored, type) > 0 &&
                       H5Pget_layout(creation) == H5D_CONTIGUOUS &&
                       H5Pget_external_count(creation) == 0 &&
                       H5Pget_userblock(file_creation, &before) >= 0 && before == 0;
    const haddr_t place = plain ? H5Dget_offset(dataset) : HADDR_UNDEF;
    H5Pclose(file_creation);
    H5Fclose(file);
    H5Pclose(creation);
    H5Tclose(stored);
    return place == HADDR_UNDEF ? 0 : place;
}

/* Bytes of a row; 0: there are not so many rows. */
static uint64_t row_of(hid_t dataset, hid_t type, int64_t rows) {
    hsize_t shape[H5S_MAX_RANK];
    const hid_t space = H5Dget_space(dataset);
    const int rank = H5Sget_simple_extent_dims(space, shape, NULL);
    uint64_t row = H5Tget_size(type);
    H5Sclose(space);
    for (int axis = 1; axis < rank; ++axis)
        row *= shape[axis];
    return rank > 0 && (hsize_t)rows <= shape[0] ? row : 0;
}

bool io_hdf5_read_contiguous(hid_t dataset, hid_t type, int64_t first, int64_t count,
                             int threads, void *values) {
    const uint64_t place = place_of(dataset, type),
                   row = row_of(dataset, type, first + count);
    char path[PATH_MAX];
    const ssize_t length = H5Fget_name(dataset, path, sizeof path);
    struct io_input input;
    struct io_error ignored;
    if (place == 0 || row == 0 || length < 1 || length >= (ssize_t)sizeof path ||
        !io_input_open(&input, path, &ignored))
        return false;
    input.threads = threads;
    const bool done = io_input_read(&input, place + (uint64_t)first * row, values,
                                    (uint64_t)count * row, "a data set", &ignored);
    io_input_close(&input);
    return done;
}
