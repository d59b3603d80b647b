#include "density.h"
#include "io/hdf5/file.h"

#include <stdlib.h>

static const char *name_of(const struct density_grid *density) {
    return density->whole ? "/mass_units" : "/density";
}

/* Whether the data set has numbers of three axes. */
static bool read_shape(hid_t dataset, const char *path, struct density_grid *density,
                       struct io_error *error) {
    hsize_t shape[3] = {0, 0, 0};
    const hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
    const bool cube = space >= 0 && H5Sget_simple_extent_ndims(space) == 3 &&
                      H5Sget_simple_extent_dims(space, shape, NULL) == 3;
    const bool numbers =
        type >= 0 && H5Tget_class(type) == (density->whole ? H5T_INTEGER : H5T_FLOAT);
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    if (!cube || !numbers)
        return io_fail(error, "%s: %s is no grid of three axes of %s", path,
                       name_of(density), density->whole ? "integers" : "numbers");
    double cells = 1;
    for (int axis = 0; axis < 3; ++axis) {
        density->grid[axis] = (int64_t)shape[axis];
        cells *= (double)shape[axis];
    }
    return (cells >= 1 && cells <= 0x1p40) ||
           io_fail(error, "%s: %s has %g cells", path, name_of(density), cells);
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

/* Opens what is read of the file. */
static bool find(const char *path, hid_t *file, hid_t *dataset,
                 struct density_grid *density, struct io_error *error) {
    *dataset = -1;
    *file = io_hdf5_open(path, error);
    if (*file < 0)
        return false;
    bool done = io_hdf5_find(*file, "mass_units", path, dataset, error);
    density->whole = *dataset >= 0;
    if (done && !density->whole)
        done = io_hdf5_find(*file, "density", path, dataset, error);
    if (done && *dataset < 0)
        done = io_fail(error, "%s has no density: neither /mass_units nor /density", path);
    return done;
}

bool density_inspect(const char *path, struct density_grid *density,
                     struct io_error *error) {
    hid_t file, dataset;
    *density = (struct density_grid){.values = NULL};
    const bool done = find(path, &file, &dataset, density, error) &&
                      read_header(file, path, density, error) &&
                      read_shape(dataset, path, density, error);
    io_hdf5_close(dataset);
    io_hdf5_close(file);
    return done;
}

static bool read_planes(hid_t dataset, int64_t first, const struct density_grid *density) {
    const hsize_t start[3] = {(hsize_t)first, 0, 0};
    const hsize_t count[3] = {(hsize_t)density->planes, (hsize_t)density->grid[1],
                              (hsize_t)density->grid[2]};
    const hid_t space = H5Dget_space(dataset), memory = H5Screate_simple(3, count, NULL);
    const bool done =
        space >= 0 && memory >= 0 &&
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
        H5Dread(dataset, density->whole ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, memory,
                space, H5P_DEFAULT, density->values) >= 0;
    if (space >= 0)
        H5Sclose(space);
    if (memory >= 0)
        H5Sclose(memory);
    return done;
}

bool density_read(const char *path, int64_t first, int64_t planes,
                  struct density_grid *density, struct io_error *error) {
    char reason[256];
    hid_t file = -1, dataset = -1;
    density->planes = planes;
    density->values =
        io_allocate(planes * density->grid[1] * density->grid[2], 8, "the cells", error);
    bool done = density->values != NULL;
    if (done && planes > 0) {
        done = find(path, &file, &dataset, density, error);
        if (done && !read_planes(dataset, first, density)) {
            io_hdf5_reason(reason, sizeof reason);
            done = io_fail(error, "%s: cannot read %s: %s", path, name_of(density), reason);
        }
    }
    io_hdf5_close(dataset);
    io_hdf5_close(file);
    if (!done) {
        free(density->values);
        density->values = NULL;
    }
    return done;
}
