#include "density.h"
#include "io/hdf5/attribute.h"
#include "output.h"

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
        io_hdf5_put_text(group, "project", header->project) &&
        io_hdf5_put_text(group, "source_file", header->source_file) &&
        io_hdf5_put_text(group, "command", header->command);
    io_hdf5_close(group);
    return done;
}

/* The shape without the axis of a projection; the number of axes. */
static int shape_of(const struct density *density, hsize_t shape[4]) {
    int axes = 0;
    for (int k = 0; k < 3; ++k)
        if (k != density->project)
            shape[axes++] = (hsize_t)density->shape[k];
    return axes;
}

static hid_t make_array(struct density_output *output, int which) {
    hsize_t shape[4];
    int axes = shape_of(output->density, shape);
    if (which == DENSITY_VELOCITY)
        shape[axes++] = 3;
    const hid_t array =
        density_make(output->hdf5.file, density_name(which),
                     which == DENSITY_UNITS ? H5T_STD_I64LE : H5T_IEEE_F64LE, axes, shape);
    output->good = output->good && array >= 0 && density_tell(array, which);
    return array;
}

static void make_arrays(struct density_output *output) {
    const struct density *density = output->density;
    const hid_t file = output->hdf5.file;
    output->good = file >= 0 && put_header(file, density);
    if (density->patches) {
        output->good = output->good && density_make_patches(file, density);
        return;
    }
    for (int k = 0; k < DENSITY_FIELDS && output->good; ++k)
        if (density->fields >> k & 1)
            output->array[k] = make_array(output, k);
    if (density->fields & 1 << DENSITY_MASS && output->good) {
        const hid_t units = output->array[DENSITY_UNITS] =
            make_array(output, DENSITY_UNITS);
        output->good = output->good && density_tell_units(units, density);
    }
    if (density->across && output->good)
        density_make_across(output);
    if (density->project < 0)
        output->good = output->good && density_put_gdf(file, density);
}

static bool take_room(struct density_output *output, const struct density *density) {
    const int64_t *shape = density->shape;
    const int64_t plane = density->patches ? DENSITY_PATCH_CELLS : 3 * shape[1] * shape[2];
    const int64_t row = density->across ? 3 * shape[0] * shape[1] : 1;
    output->density = density;
    for (int k = 0; k < DENSITY_ARRAYS; ++k)
        output->array[k] = -1;
    for (int k = 0; k < DENSITY_FIELDS; ++k)
        output->across[k] = -1;
    output->plane = malloc((size_t)plane * sizeof *output->plane);
    output->row = malloc((size_t)row * sizeof *output->row);
    return output->plane != NULL && output->row != NULL;
}

static void free_room(struct density_output *output) {
    if (output == NULL)
        return;
    free(output->plane);
    free(output->row);
    free(output);
}

struct density_output *density_open(const char *path, const struct density *density,
                                    struct io_error *error) {
    struct density_output *output = calloc(1, sizeof *output);
    if (output == NULL || !take_room(output, density)) {
        free_room(output);
        io_fail(error, "out of memory: a plane of cells");
        return NULL;
    }
    bool done = io_output_open(&output->file, path, error);
    if (done && output->file.temporary == NULL) {
        io_fail(error, "%s: HDF5 needs a file, not a pipe or a device", path);
        io_output_close(&output->file, false, error);
        done = false;
    }
    if (!done) {
        free_room(output);
        return NULL;
    }
    io_hdf5_output_open(&output->hdf5, fileno(output->file.stream));
    make_arrays(output);
    return output;
}

static void put_plane(struct density_output *output, int which, int64_t x,
                      const void *values) {
    hsize_t begin[4] = {(hsize_t)x}, count[4] = {0};
    if (!output->good || output->array[which] < 0)
        return;
    const int axes = shape_of(output->density, count);
    count[axes] = 3; /* of velocities, the last axis */
    count[0] = 1;
    output->good = density_write(
        output->array[which], which == DENSITY_UNITS ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE,
        begin, count, values);
}

bool density_put(struct density_output *output, int64_t first, int64_t count,
                 const struct density_planes *planes) {
    const struct density *density = output->density;
    const int slow = density->project == 0;
    const int64_t plane =
        density->shape[0] * density->shape[1] * density->shape[2] / density->shape[slow];
    for (int64_t x = 0; x < count; ++x) {
        for (int field = 0; field < DENSITY_FIELDS; ++field) {
            const int each = field == DENSITY_VELOCITY ? 3 : 1;
            if (output->array[field] < 0)
                continue;
            for (int64_t k = 0; k < plane; ++k)
                density_value(density, field, planes, x * plane + k,
                              output->plane + each * k);
            put_plane(output, field, first + x, output->plane);
        }
        if (planes->mass)
            put_plane(output, DENSITY_UNITS, first + x, planes->mass + x * plane);
    }
    if (density->across)
        density_put_across(output, first, count, planes);
    return output->good;
}

bool density_close(struct density_output *output, bool good, struct io_error *error) {
    for (int k = 0; k < DENSITY_ARRAYS; ++k)
        io_hdf5_close(output->array[k]);
    for (int k = 0; k < DENSITY_FIELDS; ++k)
        io_hdf5_close(output->across[k]);
    bool done = io_hdf5_output_close(&output->hdf5) && output->good;
    if (good && !done && output->hdf5.failure != 0)
        io_output_fail(&output->file, output->hdf5.failure, error);
    else if (good && !done)
        io_fail(error, "cannot write %s: HDF5 failed, perhaps for lack of memory",
                output->file.path);
    done = io_output_close(&output->file, good && done, error) && good && done;
    free_room(output);
    return done;
}
