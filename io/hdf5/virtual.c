/* Virtual data sets: a view of other files, as SWIFT writes beside a snapshot in parts. */
#include "snapshot.h"

#include <stdio.h>
#include <string.h>

enum { NAME = 4096 };

/* HDF5 looks for a source under its name and, failing that, in the virtual file's folder.
 */
static bool source_opens(const char *path, const char *source, const char *dataset) {
    struct io_error ignored;
    char beside[2 * NAME];
    const char *slash = strrchr(path, '/');
    const int folder = slash == NULL ? 0 : (int)(slash - path + 1);
    const char *last = strrchr(source, '/');
    const char *base = last == NULL ? source : last + 1;
    const char *candidates[] = {source, beside, beside};
    for (int k = 0; k < 3; ++k) {
        snprintf(beside, sizeof beside, "%.*s%s", folder, path, k == 1 ? source : base);
        const hid_t file = io_hdf5_open(candidates[k], &ignored);
        if (file < 0)
            continue;
        const hid_t found = H5Dopen2(file, dataset, H5P_DEFAULT);
        if (found >= 0)
            H5Dclose(found);
        H5Fclose(file);
        return found >= 0;
    }
    return false;
}

bool snapshot_hdf5_check_virtual(hid_t creation, const char *name, const char *path,
                                 struct io_error *error) {
    size_t n = 0;
    bool done = H5Pget_virtual_count(creation, &n) >= 0 ||
                io_fail(error, "cannot tell what PartType1/%s in %s shows", name, path);
    for (size_t k = 0; done && k < n; ++k) {
        char source[NAME] = "", inside[NAME] = "";
        H5Pget_virtual_filename(creation, k, source, sizeof source);
        H5Pget_virtual_dsetname(creation, k, inside, sizeof inside);
        const bool is_pattern =
            strchr(source, '%') != NULL; /* as many files as there are */
        if (!is_pattern && strcmp(source, ".") != 0 && !source_opens(path, source, inside))
            done = io_fail(error,
                           "PartType1/%s in %s shows data of %s, which cannot be opened",
                           name, path, source);
    }
    return done;
}
