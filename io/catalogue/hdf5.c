#include "formats.h"
#include "io/hdf5/attribute.h"
#include "io/hdf5/output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool put_header(hid_t file, const struct catalogue_header *header) {
    const hid_t group = H5Gcreate2(file, "header", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    uint8_t periodic[3];
    for (int axis = 0; axis < 3; ++axis)
        periodic[axis] = header->periodic[axis];
    const bool done =
        group >= 0 && io_hdf5_put_text(group, "weft_version", header->weft_version) &&
        io_hdf5_put_text(group, "backend", header->backend) &&
        io_hdf5_put_text(group, "device", header->device) &&
        io_hdf5_put_integer(group, "n_particles", header->n_particles) &&
        io_hdf5_put_numbers(group, "box", header->box, 3) &&
        io_hdf5_put_attribute(group, "periodic", H5T_STD_U8LE, H5T_NATIVE_UINT8, 3,
                              periodic) &&
        io_hdf5_put_numbers(group, "linking_length", &header->linking_length, 0) &&
        io_hdf5_put_numbers(group, "mean_separation", &header->mean_separation, 0) &&
        io_hdf5_put_integer(group, "min_members", header->min_members) &&
        io_hdf5_put_integer(group, "min_friends", header->min_friends) &&
        io_hdf5_put_numbers(group, "redshift", &header->redshift, 0) &&
        io_hdf5_put_numbers(group, "scale_factor", &header->scale_factor, 0) &&
        io_hdf5_put_numbers(group, "h", &header->h, 0) &&
        io_hdf5_put_numbers(group, "omega_matter", &header->omega_matter, 0) &&
        io_hdf5_put_numbers(group, "omega_lambda", &header->omega_lambda, 0) &&
        io_hdf5_put_numbers(group, "softening", &header->softening, 0) &&
        io_hdf5_put_text(group, "length_unit", header->length_unit) &&
        io_hdf5_put_text(group, "length_frame", "comoving") &&
        io_hdf5_put_text(group, "mass_unit", header->mass_unit) &&
        io_hdf5_put_text(group, "velocity_unit", header->velocity_unit) &&
        io_hdf5_put_text(group, "velocity_frame", "peculiar") &&
        io_hdf5_put_text(group, "ids", header->ids) &&
        io_hdf5_put_text(group, "source_file", header->source_file) &&
        io_hdf5_put_text(group, "command", header->command) &&
        (!header->has_region ||
         (io_hdf5_put_numbers(group, "region", header->region[0], 6) &&
          io_hdf5_put_integer(group, "n_inside", header->n_inside))) &&
        io_hdf5_put_text(group, "options_hash", header->options_hash) &&
        io_hdf5_put_text(group, "source_hash", header->source_hash);
    io_hdf5_close(group);
    return done;
}

/* The data set of a column, to be written; negative where HDF5 failed. */
static hid_t open_column(hid_t group, const struct catalogue_column *column, int64_t n) {
    const bool is_i64 = column->type == CATALOGUE_I64, is_u8 = column->type == CATALOGUE_U8;
    const hid_t file_type = is_i64 ? H5T_STD_I64LE : is_u8 ? H5T_STD_U8LE : H5T_IEEE_F64LE;
    const int components = column->components;
    const hsize_t shape[] = {(hsize_t)n, (hsize_t)(components == 9 ? 3 : components), 3};
    const hid_t space = H5Screate_simple(components == 1   ? 1
                                         : components == 9 ? 3
                                                           : 2,
                                         shape, NULL);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(creation, false);
    H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
    const hid_t dataset = H5Dcreate2(group, column->name, file_type, space, H5P_DEFAULT,
                                     creation, H5P_DEFAULT);
    H5Pclose(creation);
    H5Sclose(space);
    return dataset;
}

static bool close_column(hid_t dataset, const struct catalogue_column *column) {
    const bool done =
        io_hdf5_put_text(dataset, "unit", column->unit) &&
        (column->frame == NULL ||
         (io_hdf5_put_text(dataset, "frame", column->frame) &&
          io_hdf5_put_numbers(dataset, "a_scaling", &column->a_scaling, 0) &&
          (isnan(column->h_scaling) ||
           io_hdf5_put_numbers(dataset, "h_scaling", &column->h_scaling, 0)))) &&
        io_hdf5_put_text(dataset, "description", column->description);
    io_hdf5_close(dataset);
    return done;
}

static bool put_column(hid_t group, const struct catalogue_column *column, int64_t n) {
    const hid_t memory_type = column->type == CATALOGUE_I64  ? H5T_NATIVE_INT64
                              : column->type == CATALOGUE_U8 ? H5T_NATIVE_UINT8
                                                             : H5T_NATIVE_DOUBLE;
    const hid_t dataset = open_column(group, column, n);
    const bool done =
        dataset >= 0 && (n == 0 || H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL,
                                            H5P_DEFAULT, column->data) >= 0);
    return close_column(dataset, column) && done;
}

static bool put_piece(hid_t dataset, int64_t first, int64_t n, const int64_t *values) {
    const hsize_t begin = (hsize_t)first, count = (hsize_t)n;
    const hid_t file = H5Dget_space(dataset), memory = H5Screate_simple(1, &count, NULL);
    const bool done =
        H5Sselect_hyperslab(file, H5S_SELECT_SET, &begin, NULL, &count, NULL) >= 0 &&
        H5Dwrite(dataset, H5T_NATIVE_INT64, memory, file, H5P_DEFAULT, values) >= 0;
    H5Sclose(memory);
    H5Sclose(file);
    return done;
}

static bool put_pulled(hid_t group, const struct catalogue_column *column,
                       const struct catalogue_members *members, int64_t n,
                       enum catalogue_member_column which) {
    int64_t *values = malloc(CATALOGUE_PIECE * sizeof *values);
    const hid_t dataset = open_column(group, column, n);
    bool done = values && dataset >= 0;
    for (int64_t first = 0; done && first < n; first += CATALOGUE_PIECE) {
        const int64_t count = n - first < CATALOGUE_PIECE ? n - first : CATALOGUE_PIECE;
        done = members->pull(members->context, which, first, count, values) &&
               put_piece(dataset, first, count, values);
    }
    free(values);
    return close_column(dataset, column) && done;
}

static bool put_halos(hid_t file, const struct catalogue *catalogue) {
    const hid_t group = H5Gcreate2(file, "halos", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool done = group >= 0;
    for (int k = 0; done && k < catalogue->n_columns; ++k)
        done = put_column(group, &catalogue->columns[k], catalogue->n);
    io_hdf5_close(group);
    return done;
}

static bool put_profiles(hid_t file, const struct catalogue *catalogue) {
    const struct catalogue_column edge = {
        .name = "edge",
        .type = CATALOGUE_F64,
        .components = 1,
        .unit = "1",
        .description = "where shells begin and end, in units of the sphere's radius R",
        .data = catalogue->profile_edge,
    };
    const hid_t group = H5Gcreate2(file, "profiles", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool done =
        group >= 0 && put_column(group, &edge, catalogue->profiles[0].components + 1);
    for (int k = 0; done && k < catalogue->n_profiles; ++k)
        done = put_column(group, &catalogue->profiles[k], catalogue->n);
    io_hdf5_close(group);
    return done;
}

static bool put_subhalos(hid_t file, const struct catalogue_subhalos *subhalos) {
    const struct catalogue_column offset = {
        .name = "offset",
        .type = CATALOGUE_I64,
        .components = 1,
        .unit = "1",
        .description = "subhalo i has the members offset[i] to offset[i + 1] - 1",
        .data = subhalos->offset,
    };
    const struct catalogue_column particle_id = {
        .name = "particle_id",
        .type = CATALOGUE_I64,
        .components = 1,
        .unit = "1",
        .description = "ids of the members, subhalo by subhalo, the most bound first",
        .data = subhalos->particle_id,
    };
    const hid_t group = H5Gcreate2(file, "subhalos", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool done = group >= 0;
    for (int k = 0; done && k < subhalos->n_columns; ++k)
        done = put_column(group, &subhalos->columns[k], subhalos->n);
    if (done && subhalos->particle_id)
        done = put_column(group, &offset, subhalos->n + 1) &&
               put_column(group, &particle_id, subhalos->offset[subhalos->n]);
    io_hdf5_close(group);
    return done;
}

static bool put_members(hid_t file, const struct catalogue *catalogue) {
    const struct catalogue_members *members = catalogue->members;
    const struct catalogue_column offset = {
        .name = "offset",
        .type = CATALOGUE_I64,
        .components = 1,
        .unit = "1",
        .description = "halo i has the members offset[i] to offset[i + 1] - 1",
        .data = members->offset,
    };
    const struct catalogue_column particle_id = {
        .name = "particle_id",
        .type = CATALOGUE_I64,
        .components = 1,
        .unit = "1",
        .description =
            "ids of the members, halo by halo in the order of /halos, ascending in each",
    };
    const struct catalogue_column friends = {
        .name = "friends",
        .type = CATALOGUE_I64,
        .components = 1,
        .unit = "1",
        .description = "particles within the linking length of each member",
    };
    const int64_t n = members->offset[catalogue->n];
    const hid_t group = H5Gcreate2(file, "members", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const bool done = group >= 0 && put_column(group, &offset, catalogue->n + 1) &&
                      put_pulled(group, &particle_id, members, n, CATALOGUE_MEMBER_IDS) &&
                      (!members->has_friends ||
                       put_pulled(group, &friends, members, n, CATALOGUE_MEMBER_FRIENDS));
    io_hdf5_close(group);
    return done;
}

bool catalogue_put_hdf5(struct io_output *output, const struct catalogue *catalogue,
                        struct io_error *error) {
    struct io_hdf5_output hdf5;
    io_hdf5_output_open(&hdf5, fileno(output->stream));
    const bool done =
        hdf5.file >= 0 && put_header(hdf5.file, &catalogue->header) &&
        put_halos(hdf5.file, catalogue) &&
        (catalogue->n_profiles == 0 || put_profiles(hdf5.file, catalogue)) &&
        (catalogue->members == NULL || put_members(hdf5.file, catalogue)) &&
        (catalogue->subhalos == NULL || put_subhalos(hdf5.file, catalogue->subhalos)) &&
        catalogue_put_yt(hdf5.file, catalogue);
    if (io_hdf5_output_close(&hdf5) && done)
        return true;
    if (hdf5.failure != 0)
        return io_output_fail(output, hdf5.failure, error);
    return io_fail(error, "cannot write %s: HDF5 failed, perhaps for lack of memory",
                   output->path);
}
