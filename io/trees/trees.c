#include "trees.h"
#include "io/files/output.h"
#include "io/hdf5/attribute.h"
#include "io/hdf5/output.h"

#include <stdlib.h>

static hid_t make_group(hid_t file, const char *name) {
    return H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

static bool put_header(hid_t file, const struct trees *trees) {
    const hid_t group = make_group(file, "Header");
    const bool done = group >= 0 &&
                      io_hdf5_put_integer(group, "LastSnapShotNr", trees->snapshots - 1) &&
                      io_hdf5_put_integer(group, "Nhalos_ThisFile", trees->n_halos) &&
                      io_hdf5_put_integer(group, "Nhalos_Total", trees->n_halos) &&
                      io_hdf5_put_integer(group, "Ntrees_ThisFile", trees->n_trees) &&
                      io_hdf5_put_integer(group, "Ntrees_Total", trees->n_trees) &&
                      io_hdf5_put_integer(group, "NumFiles", 1) &&
                      io_hdf5_put_text(group, "kind", trees->kind) &&
                      io_hdf5_put_text(group, "length_unit", trees->length_unit) &&
                      io_hdf5_put_text(group, "length_frame", "comoving") &&
                      io_hdf5_put_text(group, "mass_unit", trees->mass_unit) &&
                      io_hdf5_put_text(group, "weft_version", trees->weft_version) &&
                      io_hdf5_put_text(group, "command", trees->command);
    io_hdf5_close(group);
    return done;
}

static bool put_parameters(hid_t file, const struct trees *trees) {
    const hid_t group = make_group(file, "Parameters");
    const bool done = group >= 0 && io_hdf5_put_numbers(group, "BoxSize", &trees->box, 0) &&
                      io_hdf5_put_numbers(group, "HubbleParam", &trees->h, 0) &&
                      io_hdf5_put_numbers(group, "Omega0", &trees->omega_matter, 0) &&
                      io_hdf5_put_numbers(group, "OmegaLambda", &trees->omega_lambda, 0);
    io_hdf5_close(group);
    return done;
}

static bool put_column(hid_t group, const struct trees_column *column, int64_t n) {
    const hsize_t shape[2] = {(hsize_t)n, (hsize_t)column->components};
    const hid_t space = H5Screate_simple(column->components == 1 ? 1 : 2, shape, NULL);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(creation, false);
    H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
    const hid_t dataset =
        H5Dcreate2(group, column->name, column->whole ? H5T_STD_I64LE : H5T_IEEE_F64LE,
                   space, H5P_DEFAULT, creation, H5P_DEFAULT);
    const bool done =
        dataset >= 0 &&
        (n == 0 || H5Dwrite(dataset, column->whole ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE,
                            H5S_ALL, H5S_ALL, H5P_DEFAULT, column->data) >= 0) &&
        io_hdf5_put_text(dataset, "unit", column->unit) &&
        io_hdf5_put_text(dataset, "description", column->description);
    io_hdf5_close(dataset);
    H5Pclose(creation);
    H5Sclose(space);
    return done;
}

static bool put_group(hid_t file, const char *name, const struct trees_column *columns,
                      int count, int64_t n) {
    const hid_t group = make_group(file, name);
    bool done = group >= 0;
    for (int k = 0; k < count && done; ++k)
        done = put_column(group, &columns[k], n);
    io_hdf5_close(group);
    return done;
}

/* `number` has room for one of each tree. */
static bool put_all(hid_t file, const struct trees *trees, int64_t *number) {
    const struct trees_column times[] = {
        {"Redshift", "1", "redshift of each snapshot", 1, false, trees->redshift},
        {"Time", "1", "scale factor of each snapshot", 1, false, trees->scale_factor},
    };
    const struct trees_column table[] = {
        {"Length", "1", "halos of each tree", 1, true, trees->length},
        {"StartOffset", "1", "row of TreeHalos where it begins", 1, true, trees->start},
        {"TreeID", "1", "number of the tree, from 0", 1, true, number},
    };
    for (int64_t k = 0; k < trees->n_trees; ++k)
        number[k] = k;
    return file >= 0 && put_header(file, trees) && put_parameters(file, trees) &&
           put_group(file, "TreeTimes", times, 2, trees->snapshots) &&
           put_group(file, "TreeTable", table, 3, trees->n_trees) &&
           put_group(file, "TreeHalos", trees->columns, trees->n_columns, trees->n_halos);
}

bool trees_write(const char *path, const struct trees *trees, struct io_error *error) {
    struct io_output output;
    struct io_hdf5_output hdf5;
    int64_t *number = io_allocate(trees->n_trees, sizeof *number, "trees", error);
    if (number == NULL || !io_output_open(&output, path, error)) {
        free(number);
        return false;
    }
    if (output.temporary == NULL) {
        io_fail(error, "%s: HDF5 needs a file, not a pipe or a device", path);
        io_output_close(&output, false, error);
        free(number);
        return false;
    }
    io_hdf5_output_open(&hdf5, fileno(output.stream));
    bool done = put_all(hdf5.file, trees, number);
    done = io_hdf5_output_close(&hdf5) && done;
    free(number);
    if (!done && hdf5.failure != 0)
        io_output_fail(&output, hdf5.failure, error);
    else if (!done)
        io_fail(error, "cannot write %s: HDF5 failed, perhaps for lack of memory", path);
    return io_output_close(&output, done, error) && done;
}
