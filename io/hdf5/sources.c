/* Files beside the parts that a snapshot is read from: inputs, too. */
#include "elsewhere.h"
#include "snapshot.h"

#include <string.h>

struct gathering {
    struct snapshot *snapshot;
    struct io_error *error;
    bool done;
};

static void add(void *context, const char *file) {
    struct gathering *gathering = context;
    gathering->done =
        gathering->done && snapshot_add_source(gathering->snapshot, file, gathering->error);
}

bool snapshot_hdf5_add_sources(struct snapshot *snapshot,
                               const struct snapshot_hdf5_groups *groups,
                               struct io_error *error) {
    struct gathering gathering = {snapshot, error, true};
    H5G_info_t info;
    if (groups->dark_matter < 0)
        return true;
    if (H5Gget_info(groups->dark_matter, &info) < 0)
        return io_fail(error, "cannot list PartType1 in %s", groups->path);
    for (hsize_t k = 0; k < info.nlinks && gathering.done; ++k) {
        char name[SNAPSHOT_NAME] = "";
        const ssize_t length =
            H5Lget_name_by_idx(groups->dark_matter, ".", H5_INDEX_NAME, H5_ITER_INC, k,
                               name, sizeof name, H5P_DEFAULT);
        const hid_t object = length > 0 && length < SNAPSHOT_NAME
                                 ? H5Oopen(groups->dark_matter, name, H5P_DEFAULT)
                                 : -1;
        if (object >= 0 && H5Iget_type(object) == H5I_DATASET)
            elsewhere_sources(object, groups->path, 0, add, &gathering);
        io_hdf5_close(object);
    }
    return gathering.done;
}
