#include "density.h"
#include "io/hdf5/file.h"

#include <stdlib.h>

/* Whether the data set's numbers, of three axes, are read. */
static bool read_values(hid_t dataset, const char *name, const char *path,
                        struct density_grid *density, struct io_error *error) {
    hsize_t shape[3] = {0, 0, 0};
    char reason[256];
    const hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
    const bool cube = space >= 0 && H5Sget_simple_extent_ndims(space) == 3 &&
                      H5Sget_simple_extent_dims(space, shape, NULL) == 3;
    const bool numbers =
        type >= 0 && H5Tget_class(type) == (density->whole ? H5T_INTEGER : H5T_FLOAT);
    io_hdf5_close(space);
    io_hdf5_close(type);
    if (!cube || !numbers)
        return io_fail(error, "%s: %s is no grid of three axes of %s", path, name,
                       density->whole ? "integers" : "numbers");
    double cells = 1;
    for (int axis = 0; axis < 3; ++axis) {
        density->grid[axis] = (int64_t)shape[axis];
        cells *= (double)shape[axis];
    }
    if (!(cells >= 1 && cells <= 0x1p40))
        return io_fail(error, "%s: %s has %g cells", path, name, cells);
    density->values = io_allocate((int64_t)cells, 8, "the cells", error);
    if (density->values == NULL)
        return false;
    if (H5Dread(dataset, density->whole ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, H5S_ALL,
                H5S_ALL, H5P_DEFAULT, density->values) >= 0)
        return true;
    io_hdf5_reason(reason, sizeof reason);
    return io_fail(error, "%s: cannot read %s: %s", path, name, reason);
}

static bool read_header(hid_t file, const char *path, struct density_grid *density,
                        struct io_error *error) {
    hid_t header;
    int count = 0;
    if (!io_hdf5_find(file, "header", path, &header, error))
        return false;
    const bool done =
        io_hdf5_numbers(header, "box", path, density->box, 3, &count, error) &&
        (count == 3 || io_fail(error, "%s: /header has no box of three axes", path));
    if (done)
        io_hdf5_text(header, "length_unit", density->length_unit,
                     sizeof density->length_unit);
    io_hdf5_close(header);
    return done;
}

bool density_read(const char *path, struct density_grid *density, struct io_error *error) {
    *density = (struct density_grid){.values = NULL};
    hid_t dataset = -1;
    const hid_t file = io_hdf5_open(path, error);
    if (file < 0)
        return false;
    bool done = io_hdf5_find(file, "mass_units", path, &dataset, error);
    density->whole = dataset >= 0;
    if (done && !density->whole)
        done = io_hdf5_find(file, "density", path, &dataset, error);
    if (done && dataset < 0)
        done = io_fail(error, "%s has no density: neither /mass_units nor /density", path);
    done = done && read_header(file, path, density, error) &&
           read_values(dataset, density->whole ? "/mass_units" : "/density", path, density,
                       error);
    io_hdf5_close(dataset);
    io_hdf5_close(file);
    if (!done) {
        free(density->values);
        density->values = NULL;
    }
    return done;
}
