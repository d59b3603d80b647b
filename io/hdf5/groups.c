/* The groups of a file: Header, Units, Parameters, PartType1 or another type's. */
#include "snapshot.h"

#include <stdio.h>
#include <string.h>

const char *snapshot_hdf5_type_group(int type, char name[16]) {
    snprintf(name, 16, "PartType%d", type);
    return name;
}

static bool is_swift(const struct snapshot_hdf5_groups *groups) {
    char code[16];
    io_hdf5_text(groups->header, "Code", code, sizeof code);
    return strcmp(code, "SWIFT") == 0 ||
           (groups->units >= 0 && H5Aexists(groups->units, "Unit length in cgs (U_L)") > 0);
}

bool snapshot_hdf5_groups_open(const char *path, int type,
                               struct snapshot_hdf5_groups *groups,
                               struct io_error *error) {
    *groups = (struct snapshot_hdf5_groups){
        .header = -1, .units = -1, .parameters = -1, .particles = -1, .path = path};
    groups->file = io_hdf5_open(path, error);
    if (groups->file < 0)
        return false;
    if (io_hdf5_find(groups->file, "Header", path, &groups->header, error) &&
        io_hdf5_find(groups->file, "Units", path, &groups->units, error) &&
        (groups->units >= 0 ||
         io_hdf5_find(groups->file, "InternalCodeUnits", path, &groups->units, error)) &&
        io_hdf5_find(groups->file, "Parameters", path, &groups->parameters, error) &&
        io_hdf5_find(groups->file, snapshot_hdf5_type_group(type, groups->name), path,
                     &groups->particles, error)) {
        if (groups->particles < 0 || H5Iget_type(groups->particles) == H5I_GROUP) {
            groups->swift = is_swift(groups);
            return true;
        }
        io_fail(error, "%s in %s is not a group", groups->name, path);
    }
    snapshot_hdf5_groups_close(groups);
    return false;
}

void snapshot_hdf5_groups_close(struct snapshot_hdf5_groups *groups) {
    io_hdf5_close(groups->header);
    io_hdf5_close(groups->units);
    io_hdf5_close(groups->parameters);
    io_hdf5_close(groups->particles);
    H5Fclose(groups->file);
}
