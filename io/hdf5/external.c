/* External storage: raw numbers in other files, of which HDF5 reads what is missing as
 * zeros. */
#include "elsewhere.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool allowed;

void external_allow(void) {
    allowed = true;
}

hid_t external_open(hid_t parent, const char *name) {
    const hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_efile_prefix(access, "${ORIGIN}");
    const hid_t dataset = H5Dopen2(parent, name, access);
    H5Pclose(access);
    return dataset;
}

static bool name_file(hid_t creation, unsigned k, const char *path, char file[HDF5_NAME],
                      hsize_t *offset, hsize_t *size) {
    char name[HDF5_NAME] = "";
    off_t at = 0;
    const char *slash = strrchr(path, '/');
    if (H5Pget_external(creation, k, sizeof name - 1, name, &at, size) < 0)
        return false;
    *offset = (hsize_t)at;
    const int folder = name[0] == '/' || slash == NULL ? 0 : (int)(slash - path + 1);
    return snprintf(file, HDF5_NAME, "%.*s%s", folder, path, name) < HDF5_NAME;
}

/* Whether it lies in the folder of `path`, or below, links followed. */
static bool is_beside(const char *path, const char *file) {
    char *whole = realpath(path, NULL), *other = realpath(file, NULL);
    char *slash = whole == NULL ? NULL : strrchr(whole, '/');
    bool beside = false;
    if (slash != NULL && other != NULL)
        beside = strncmp(whole, other, (size_t)(slash - whole + 1)) == 0;
    free(whole);
    free(other);
    return beside;
}

static bool check_file(const char *name, const char *path, const char *file, hsize_t end,
                       struct io_error *error) {
    struct stat status;
    if (stat(file, &status) != 0 || !S_ISREG(status.st_mode))
        return io_fail(error, "%s in %s is stored in %s, which is not there", name, path,
                       file);
    if (!allowed && !is_beside(path, file))
        return io_fail(error,
                       "%s in %s is stored in %s, outside of the snapshot's folder: "
                       "--allow-external reads it",
                       name, path, file);
    return (hsize_t)status.st_size >= end ||
           io_fail(error,
                   "%s in %s is stored in %s, which is cut off: HDF5 would read "
                   "zeros",
                   name, path, file);
}

bool external_check(hid_t dataset, hid_t creation, const char *name, const char *path,
                    struct io_error *error) {
    const hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
    const hssize_t points = H5Sget_simple_extent_npoints(space);
    hsize_t left = points < 0 ? 0 : (hsize_t)points * H5Tget_size(type);
    const int n = H5Pget_external_count(creation);
    bool done = true;
    H5Sclose(space);
    H5Tclose(type);
    for (int k = 0; done && k < n && left > 0; ++k) {
        char file[HDF5_NAME];
        hsize_t offset = 0, size = 0;
        done = name_file(creation, (unsigned)k, path, file, &offset, &size) ||
               io_fail(error, "%s in %s is stored outside under no name", name, path);
        const hsize_t here = size < left ? size : left;
        done = done && check_file(name, path, file, offset + here, error);
        left -= here;
    }
    return done && (left == 0 || io_fail(error,
                                         "%s in %s is not all stored: %llu bytes "
                                         "have no file",
                                         name, path, (unsigned long long)left));
}

void external_sources(hid_t creation, const char *path, external_visit *visit,
                      void *context) {
    const int n = H5Pget_external_count(creation);
    for (int k = 0; k < n; ++k) {
        char file[HDF5_NAME];
        hsize_t offset = 0, size = 0;
        if (name_file(creation, (unsigned)k, path, file, &offset, &size))
            visit(context, file);
    }
}
