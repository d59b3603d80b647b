/* How a data set is stored: what HDF5 could not read, would crash on or make up. */
#include "elsewhere.h"
#include "snapshot.h"

/* HDF5 makes no chunk that is longer than an array of fixed length, but believes a damaged
 * file that has one, and crashes. Chunks that were never written would be read as zeros. */
static bool check_chunks(hid_t dataset, hid_t creation, const char *name, const char *path,
                         struct io_error *error) {
    hsize_t shape[H5S_MAX_RANK], most[H5S_MAX_RANK], chunk[H5S_MAX_RANK], there = 0,
                                                                          needed = 1;
    const hid_t space = H5Dget_space(dataset);
    const int rank = H5Sget_simple_extent_dims(space, shape, most);
    bool done = H5Pget_chunk(creation, H5S_MAX_RANK, chunk) == rank;
    for (int axis = 0; done && axis < rank; ++axis) {
        done = most[axis] == H5S_UNLIMITED || chunk[axis] <= most[axis];
        needed *= shape[axis] / chunk[axis] + (shape[axis] % chunk[axis] != 0);
    }
    done = done && H5Dget_num_chunks(dataset, space, &there) >= 0;
    H5Sclose(space);
    if (!done)
        return io_fail(error, "%s in %s is damaged: its chunks do not fit it", name, path);
    return there == needed ||
           io_fail(error, "%s in %s was not written: it has %llu of %llu chunks", name,
                   path, (unsigned long long)there, (unsigned long long)needed);
}

/* The same for an array in one piece. */
static bool check_contiguous(hid_t dataset, hid_t creation, const char *name,
                             const char *path, int depth, struct io_error *error) {
    const hid_t space = H5Dget_space(dataset);
    const bool outside = H5Pget_external_count(creation) > 0;
    const bool written = H5Sget_simple_extent_npoints(space) == 0 || outside ||
                         H5Dget_offset(dataset) != HADDR_UNDEF;
    H5Sclose(space);
    if (outside && depth > 0)
        return io_fail(error,
                       "%s in %s is stored in other files, and shown by a third: that is "
                       "not read",
                       name, path);
    return (written || io_fail(error, "%s in %s was not written", name, path)) &&
           (!outside || external_check(dataset, creation, name, path, error));
}

/* Refuses an array with a filter that is not there, which HDF5 itself would hardly explain.
 */
static bool check_filters(hid_t creation, const char *name, const char *path,
                          struct io_error *error) {
    const int n = H5Pget_nfilters(creation);
    for (int k = 0; k < n; ++k) {
        size_t n_values = 0;
        char own_name[32] = "";
        const H5Z_filter_t filter =
            H5Pget_filter2(creation, (unsigned)k, NULL, &n_values, NULL,
                           sizeof own_name - 1, own_name, NULL);
        if (H5Zfilter_avail(filter) <= 0)
            return io_fail(error,
                           "%s in %s is stored with filter %d%s%s, which this "
                           "HDF5 does not have",
                           name, path, (int)filter, own_name[0] == '\0' ? "" : ", ",
                           own_name);
    }
    return true;
}

static bool check_at(hid_t dataset, const char *name, const char *path, int depth,
                     struct io_error *error) {
    const hid_t creation = H5Dget_create_plist(dataset);
    const H5D_layout_t layout = H5Pget_layout(creation);
    bool done = true;
    if (layout == H5D_CHUNKED)
        done = check_chunks(dataset, creation, name, path, error) &&
               check_filters(creation, name, path, error);
    else if (layout == H5D_CONTIGUOUS)
        done = check_contiguous(dataset, creation, name, path, depth, error);
    else if (layout == H5D_VIRTUAL)
        done = virtual_is_whole(dataset, creation, name, path, depth, check_at, error);
    H5Pclose(creation);
    return done;
}

bool snapshot_hdf5_check_storage(hid_t dataset, const char *name, const char *path,
                                 struct io_error *error) {
    return check_at(dataset, name, path, 0, error);
}
