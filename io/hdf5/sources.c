/* Files beside the parts that a snapshot is read from: inputs, too. */
#include "elsewhere.h"
#include "snapshot.h"

#include <string.h>

struct gathering {
    struct snapshot *snapshot;
    struct io_error *error;
    int depth;
    bool done;
};

static void add(void *context, const char *file) {
    struct gathering *gathering = context;
    gathering->done =
        gathering->done && snapshot_add_source(gathering->snapshot, file, gathering->error);
}

static void gather(struct gathering *gathering, const char *path, hid_t dataset);

static void add_shown(void *context, const char *file, hid_t dataset) {
    struct gathering *gathering = context;
    add(gathering, file);
    if (dataset >= 0 && gathering->depth < HDF5_DEEPEST) {
        ++gathering->depth;
        gather(gathering, file, dataset);
        --gathering->depth;
    }
}

/* A link may have led to another file, too. */
static void gather(struct gathering *gathering, const char *path, hid_t dataset) {
    char file[HDF5_NAME] = "";
    const ssize_t length = H5Fget_name(dataset, file, sizeof file);
    const hid_t creation = H5Dget_create_plist(dataset);
    const char *from = length > 0 && length < HDF5_NAME ? file : path;
    add(gathering, from);
    if (H5Pget_layout(creation) == H5D_VIRTUAL)
        virtual_sources(creation, from, add_shown, gathering);
    else
        external_sources(creation, from, add, gathering);
    H5Pclose(creation);
}

bool snapshot_hdf5_add_sources(struct snapshot *snapshot,
                               const struct snapshot_hdf5_groups *groups,
                               struct io_error *error) {
    struct gathering gathering = {.snapshot = snapshot, .error = error, .done = true};
    H5G_info_t info;
    if (groups->particles < 0)
        return true;
    if (H5Gget_info(groups->particles, &info) < 0)
        return io_fail(error, "cannot list %s in %s", groups->name, groups->path);
    for (hsize_t k = 0; k < info.nlinks && gathering.done; ++k) {
        char name[SNAPSHOT_NAME] = "";
        const ssize_t length =
            H5Lget_name_by_idx(groups->particles, ".", H5_INDEX_NAME, H5_ITER_INC, k, name,
                               sizeof name, H5P_DEFAULT);
        const hid_t object = length > 0 && length < SNAPSHOT_NAME
                                 ? H5Oopen(groups->particles, name, H5P_DEFAULT)
                                 : -1;
        if (object >= 0 && H5Iget_type(object) == H5I_DATASET)
            gather(&gathering, groups->path, object);
        io_hdf5_close(object);
    }
    return gathering.done;
}
