#include "formats.h"

#include <string.h>

static bool is_named(const struct catalogue *catalogue, int column,
                     struct io_error *error) {
    const char *name = catalogue->columns[column].name;
    if (name == NULL || name[0] == '\0' || strpbrk(name, "/,\"\n") != NULL)
        return io_fail(error, "column %d of the catalogue has no usable name", column);
    for (int k = 0; k < column; ++k) {
        if (strcmp(catalogue->columns[k].name, name) == 0)
            return io_fail(error, "the catalogue has two columns named %s", name);
    }
    return true;
}

static bool check(const struct catalogue *catalogue, struct io_error *error) {
    if (catalogue->n < 0)
        return io_fail(error, "the catalogue has %lld halos", (long long)catalogue->n);
    for (int k = 0; k < catalogue->n_columns; ++k) {
        const struct catalogue_column *column = &catalogue->columns[k];
        if (!is_named(catalogue, k, error))
            return false;
        if (column->components != 1 && column->components != 3 && column->components != 6 &&
            column->components != 9)
            return io_fail(error,
                           "column %s of the catalogue has %d components, not 1, 3, 6 or 9",
                           column->name, column->components);
        if (column->data == NULL && catalogue->n > 0)
            return io_fail(error, "column %s of the catalogue has no data", column->name);
    }
    const struct catalogue_members *members = catalogue->members;
    if (members != NULL && members->offset[0] != 0)
        return io_fail(error, "the offsets of the members begin with %lld, not 0",
                       (long long)members->offset[0]);
    for (int64_t i = 0; members != NULL && i < catalogue->n; ++i) {
        if (members->offset[i + 1] < members->offset[i])
            return io_fail(error, "the offsets of the members descend at halo %lld",
                           (long long)i);
    }
    return true;
}

bool catalogue_print(FILE *stream, const struct catalogue *catalogue,
                     struct io_error *error) {
    if (!check(catalogue, error))
        return false;
    const int fault = catalogue_put_csv(stream, catalogue);
    return fault == 0 || io_fail(error, "cannot write the catalogue to standard output: %s",
                                 strerror(fault));
}

bool catalogue_write(const char *path, const struct catalogue *catalogue,
                     struct io_error *error) {
    const bool csv = io_ends_in(path, ".csv"), genericio = io_ends_in(path, ".gio");
    struct io_output output;
    if (!check(catalogue, error))
        return false;
    if ((csv || genericio) && catalogue->members != NULL)
        return io_fail(error, "%s is %s, which has no place for the members of halos", path,
                       csv ? "CSV" : "GenericIO");
    if (!io_output_open(&output, path, error))
        return false;
    bool good;
    if (csv) {
        const int fault = catalogue_put_csv(output.stream, catalogue);
        good = fault == 0 || io_output_fail(&output, fault, error);
    } else if (genericio) {
        good = catalogue_put_genericio(&output, catalogue, error);
    } else if (output.temporary == NULL) {
        good = io_fail(error, "%s is not a regular file, which HDF5 needs", path);
    } else {
        good = catalogue_put_hdf5(&output, catalogue, error);
    }
    return io_output_close(&output, good, error);
}
