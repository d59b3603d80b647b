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

/* Filters that come as plugins, which HDF5 finds by itself, and who has them. (Registered:
 * github.com/HDFGroup/hdf5_plugins.) */
static const struct {
    H5Z_filter_t number;
    const char *name, *package; /* Debian's */
} plugins[] = {
    {307, "bzip2", "hdf5-filter-plugin"},
    {32000, "LZF",
     "hdf5-plugin-lzf (in Debian 12 also LD_PRELOAD=liblzf.so.1, which it is not linked "
     "with)"},
    {32001, "Blosc", "hdf5-filter-plugin-blosc-serial"},
    {32004, "LZ4", "hdf5-filter-plugin"},
    {32008, "bitshuffle", "python3-hdf5plugin"},
    {32013, "ZFP", "hdf5-filter-plugin-zfp-serial"},
    {32015, "Zstandard", "python3-hdf5plugin"},
    {32026, "Blosc2", NULL},
};

/* Which filter it is, and where it is to be had. */
static void describe_filter(H5Z_filter_t filter, const char *own_name, char *text,
                            size_t room) {
    for (size_t k = 0; k < sizeof plugins / sizeof *plugins; ++k) {
        if (plugins[k].number != filter)
            continue;
        const char *package = plugins[k].package;
        snprintf(text, room, "filter %d, %s, which this HDF5 does not have: install %s%s",
                 (int)filter, plugins[k].name,
                 package ? "Debian's " : "a plugin, and set HDF5_PLUGIN_PATH",
                 package ? package : "");
        return;
    }
    snprintf(text, room, "filter %d%s%s, which this HDF5 does not have", (int)filter,
             own_name[0] == '\0' ? "" : ", ", own_name);
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
        char what[200];
        if (H5Zfilter_avail(filter) > 0)
            continue;
        describe_filter(filter, own_name, what, sizeof what);
        return io_fail(error, "%s in %s is stored with %s", name, path, what);
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
