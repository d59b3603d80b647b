#include "density.h"
#include "io/files/output.h"
#include "io/hdf5/attribute.h"
#include "io/hdf5/output.h"

#include <stdlib.h>

static bool put_header(hid_t file, const struct density *density) {
    const struct density_header *header = &density->header;
    const uint8_t periodic[3] = {1, 1, 1};
    const hid_t group = H5Gcreate2(file, "header", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const bool done =
        group >= 0 && io_hdf5_put_text(group, "weft_version", header->weft_version) &&
        io_hdf5_put_text(group, "backend", header->backend) &&
        io_hdf5_put_text(group, "device", header->device) &&
        io_hdf5_put_integer(group, "n_particles", header->n_particles) &&
        io_hdf5_put_numbers(group, "box", header->box, 3) &&
        io_hdf5_put_attribute(group, "periodic", H5T_STD_U8LE, H5T_NATIVE_UINT8, 3,
                              periodic) &&
        io_hdf5_put_numbers(group, "redshift", &header->redshift, 0) &&
        io_hdf5_put_numbers(group, "scale_factor", &header->scale_factor, 0) &&
        io_hdf5_put_numbers(group, "h", &header->h, 0) &&
        io_hdf5_put_numbers(group, "omega_matter", &header->omega_matter, 0) &&
        io_hdf5_put_numbers(group, "omega_lambda", &header->omega_lambda, 0) &&
        io_hdf5_put_text(group, "length_unit", header->length_unit) &&
        io_hdf5_put_text(group, "length_frame", "comoving") &&
        io_hdf5_put_text(group, "mass_unit", header->mass_unit) &&
        io_hdf5_put_numbers(group, "particle_mass", &header->particle_mass, 0) &&
        io_hdf5_put_attribute(group, "grid", H5T_STD_I64LE, H5T_NATIVE_INT64, 3,
                              density->grid) &&
        io_hdf5_put_attribute(group, "lattice", H5T_STD_I64LE, H5T_NATIVE_INT64, 3,
                              header->lattice) &&
        io_hdf5_put_text(group, "tessellation", header->tessellation) &&
        io_hdf5_put_text(group, "source_file", header->source_file) &&
        io_hdf5_put_text(group, "command", header->command);
    io_hdf5_close(group);
    return done;
}

static hid_t make_dataset(hid_t file, const char *name, hid_t type,
                          const struct density *density) {
    const hsize_t shape[3] = {(hsize_t)density->grid[0], (hsize_t)density->grid[1],
                              (hsize_t)density->grid[2]};
    const hid_t space = H5Screate_simple(3, shape, NULL);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(creation, false);
    H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
    const hid_t dataset =
        H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Pclose(creation);
    H5Sclose(space);
    return dataset;
}

static bool describe(hid_t dataset, const char *unit, const char *description) {
    return io_hdf5_put_text(dataset, "unit", unit) &&
           io_hdf5_put_text(dataset, "description", description);
}

static bool put_units(hid_t file, const struct density *density) {
    const hid_t dataset = make_dataset(file, "mass_units", H5T_STD_I64LE, density);
    const bool done =
        dataset >= 0 &&
        H5Dwrite(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                 density->units) >= 0 &&
        describe(
            dataset, "mass of a tetrahedron / units_per_tetrahedron",
            "mass in each cell; all together units_per_tetrahedron times tetrahedra") &&
        io_hdf5_put_integer(dataset, "units_per_tetrahedron",
                            density->units_per_tetrahedron) &&
        io_hdf5_put_integer(dataset, "tetrahedra", density->tetrahedra);
    io_hdf5_close(dataset);
    return done;
}

static bool put_plane(hid_t dataset, const struct density *density, int64_t x,
                      const double *plane) {
    const hsize_t begin[3] = {(hsize_t)x, 0, 0};
    const hsize_t count[3] = {1, (hsize_t)density->grid[1], (hsize_t)density->grid[2]};
    const hid_t space = H5Dget_space(dataset), memory = H5Screate_simple(3, count, NULL);
    const bool done =
        H5Sselect_hyperslab(space, H5S_SELECT_SET, begin, NULL, count, NULL) >= 0 &&
        H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, plane) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return done;
}

static bool put_density(hid_t file, const struct density *density) {
    const int64_t plane = density->grid[1] * density->grid[2];
    const double cells = (double)density->grid[0] * (double)plane;
    const double mean =
        (double)density->tetrahedra * (double)density->units_per_tetrahedron / cells;
    double *values = malloc((size_t)plane * sizeof *values);
    const hid_t dataset = make_dataset(file, "density", H5T_IEEE_F64LE, density);
    bool done = values && dataset >= 0;
    for (int64_t x = 0; done && x < density->grid[0]; ++x) {
        for (int64_t k = 0; k < plane; ++k)
            values[k] = (double)density->units[x * plane + k] / mean;
        done = put_plane(dataset, density, x, values);
    }
    done = done && describe(dataset, "mean density", "density in each cell");
    io_hdf5_close(dataset);
    free(values);
    return done;
}

bool density_write(const char *path, const struct density *density,
                   struct io_error *error) {
    struct io_output output;
    struct io_hdf5_output hdf5;
    if (!io_output_open(&output, path, error))
        return false;
    if (output.temporary == NULL) {
        io_fail(error, "%s: HDF5 needs a file, not a pipe or a device", path);
        io_output_close(&output, false, error);
        return false;
    }
    io_hdf5_output_open(&hdf5, fileno(output.stream));
    bool done = hdf5.file >= 0 && put_header(hdf5.file, density) &&
                put_density(hdf5.file, density) && put_units(hdf5.file, density);
    done = io_hdf5_output_close(&hdf5) && done;
    if (!done && hdf5.failure != 0)
        io_output_fail(&output, hdf5.failure, error);
    else if (!done)
        io_fail(error, "cannot write %s: HDF5 failed, perhaps for lack of memory", path);
    return io_output_close(&output, done, error) && done;
}
