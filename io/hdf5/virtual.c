/* Virtual data sets: a view of other files, as SWIFT writes beside a snapshot in parts.
 * What they do not map, HDF5 reads as zeros. */
#include "elsewhere.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* One source of a virtual data set. */
struct source {
    char file[HDF5_NAME], dataset[HDF5_NAME];
    bool is_pattern; /* as many files as there are */
};

static struct source source_of(hid_t creation, size_t k) {
    struct source source = {.is_pattern = false};
    H5Pget_virtual_filename(creation, k, source.file, sizeof source.file);
    H5Pget_virtual_dsetname(creation, k, source.dataset, sizeof source.dataset);
    source.is_pattern = strchr(source.file, '%') != NULL;
    return source;
}

/* Where HDF5 finds it: a relative name beside the virtual file before the current folder, a
 * full one there before beside the file. */
static bool find_source(const char *path, const char *file, char found[HDF5_NAME]) {
    const char *last = strrchr(file, '/'), *base = last == NULL ? file : last + 1;
    const char *slash = strrchr(path, '/');
    const int folder = slash == NULL ? 0 : (int)(slash - path + 1);
    struct stat status;
    const char *const names[] = {file[0] == '/' ? NULL : file, file,
                                 file[0] == '/' ? base : NULL};
    if (strcmp(file, ".") == 0) {
        snprintf(found, HDF5_NAME, "%s", path);
        return true;
    }
    for (int k = 0; k < 3; ++k) {
        if (names[k] == NULL)
            continue;
        snprintf(found, HDF5_NAME, "%.*s%s", k == 1 ? 0 : folder, path, names[k]);
        if (stat(found, &status) == 0)
            return true;
    }
    return false;
}

/* Whether what is shown of the source is there, and was written. */
static bool check_dataset(hid_t creation, size_t k, hid_t dataset, const char *inside,
                          const char *path, int depth, virtual_check *check,
                          struct io_error *error) {
    hsize_t low[H5S_MAX_RANK], high[H5S_MAX_RANK], shape[H5S_MAX_RANK];
    const hid_t shown = H5Pget_virtual_srcspace(creation, k), space = H5Dget_space(dataset);
    const int rank = H5Sget_simple_extent_dims(space, shape, NULL);
    bool done = true;
    if (H5Sget_select_type(shown) == H5S_SEL_HYPERSLABS &&
        H5Sget_select_npoints(shown) != (hssize_t)H5S_UNLIMITED &&
        H5Sget_simple_extent_ndims(shown) == rank &&
        H5Sget_select_bounds(shown, low, high) >= 0) {
        for (int axis = 0; axis < rank; ++axis)
            done = done && high[axis] < shape[axis];
    }
    H5Sclose(shown);
    H5Sclose(space);
    if (!done)
        return io_fail(error, "%s in %s is shorter than what is shown of it", inside, path);
    return check(dataset, inside, path, depth + 1, error);
}

static bool check_source(hid_t creation, size_t k, const char *name, const char *path,
                         int depth, virtual_check *check, struct io_error *error) {
    const struct source source = source_of(creation, k);
    char found[HDF5_NAME];
    struct io_error ignored;
    if (source.is_pattern)
        return true;
    const bool there = find_source(path, source.file, found);
    const hid_t file = there ? io_hdf5_open(found, &ignored) : -1;
    const hid_t dataset = file < 0 ? -1 : H5Dopen2(file, source.dataset, H5P_DEFAULT);
    bool done =
        dataset >= 0 || io_fail(error, "%s in %s shows data of %s, which cannot be opened",
                                name, path, source.file);
    done = done &&
           check_dataset(creation, k, dataset, source.dataset, found, depth, check, error);
    if (dataset >= 0)
        H5Dclose(dataset);
    if (file >= 0)
        H5Fclose(file);
    return done;
}

/* Whether the sources together are all of the data set. Sources without an end are as long
 * as HDF5 makes the data set. */
static bool is_covered(hid_t creation, hid_t dataset, size_t n) {
    const hid_t space = H5Dget_space(dataset);
    const hssize_t needed = H5Sget_simple_extent_npoints(space);
    hid_t all = -1;
    hssize_t single = 0;
    bool whole = needed == 0;
    for (size_t k = 0; k < n && !whole; ++k) {
        const hid_t part = H5Pget_virtual_vspace(creation, k);
        const hssize_t points = H5Sget_select_npoints(part);
        whole = points == (hssize_t)H5S_UNLIMITED || points >= needed;
        hid_t more = -1;
        if (H5Sget_select_type(part) != H5S_SEL_HYPERSLABS)
            single += points;
        else
            more = all < 0 ? H5Scopy(part) : H5Scombine_select(all, H5S_SELECT_OR, part);
        H5Sclose(part);
        if (more >= 0 && all >= 0)
            H5Sclose(all);
        all = more >= 0 ? more : all;
    }
    whole = whole || (all < 0 ? 0 : H5Sget_select_npoints(all)) + single >= needed;
    if (all >= 0)
        H5Sclose(all);
    H5Sclose(space);
    return whole;
}

bool virtual_is_whole(hid_t dataset, hid_t creation, const char *name, const char *path,
                      int depth, virtual_check *check, struct io_error *error) {
    size_t n = 0;
    bool done =
        (H5Pget_virtual_count(creation, &n) >= 0 ||
         io_fail(error, "cannot tell what %s in %s shows", name, path)) &&
        (depth < HDF5_DEEPEST || io_fail(error, "%s in %s shows itself", name, path)) &&
        (is_covered(creation, dataset, n) ||
         io_fail(error,
                 "%s in %s is virtual, and its sources are not all of it: HDF5 "
                 "would read the rest as zeros",
                 name, path));
    for (size_t k = 0; done && k < n; ++k)
        done = check_source(creation, k, name, path, depth, check, error);
    return done;
}

void virtual_sources(hid_t creation, const char *path, virtual_visit *visit,
                     void *context) {
    struct io_error ignored;
    size_t n = 0;
    H5Pget_virtual_count(creation, &n);
    for (size_t k = 0; k < n; ++k) {
        const struct source source = source_of(creation, k);
        char found[HDF5_NAME];
        if (strcmp(source.file, ".") == 0 || !find_source(path, source.file, found))
            continue;
        const hid_t file = io_hdf5_open(found, &ignored);
        const hid_t dataset = file < 0 ? -1 : H5Dopen2(file, source.dataset, H5P_DEFAULT);
        visit(context, found, dataset);
        if (dataset >= 0)
            H5Dclose(dataset);
        if (file >= 0)
            H5Fclose(file);
    }
}
