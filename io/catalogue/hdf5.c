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

/* The data set of a column; negative where HDF5 failed. */
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

static hid_t memory_type(const struct catalogue_column *column) {
    return column->type == CATALOGUE_I64  ? H5T_NATIVE_INT64
           : column->type == CATALOGUE_U8 ? H5T_NATIVE_UINT8
                                          : H5T_NATIVE_DOUBLE;
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

/* One number is written, which gives the whole set its place; rows come over it. */
static bool lay_rows(hid_t dataset, const struct catalogue_column *column, int64_t *at) {
    static const double number = 0;
    const hsize_t one[3] = {1, 1, 1}, first[3] = {0};
    const hid_t file = H5Dget_space(dataset), memory = H5Screate_simple(1, one, NULL);
    const bool done =
        H5Sselect_hyperslab(file, H5S_SELECT_SET, first, NULL, one, NULL) >= 0 &&
        H5Dwrite(dataset, memory_type(column), memory, file, H5P_DEFAULT, &number) >= 0;
    const haddr_t offset = done ? H5Dget_offset(dataset) : HADDR_UNDEF;
    H5Sclose(memory);
    H5Sclose(file);
    *at = (int64_t)offset;
    return offset != HADDR_UNDEF;
}

static bool lay_set(hid_t group, const struct catalogue_set *set, int64_t *at) {
    const hid_t dataset = open_column(group, &set->column, set->all);
    *at = 0;
    const bool done =
        dataset >= 0 && (set->all == 0 || lay_rows(dataset, &set->column, at));
    return close_column(dataset, &set->column) && done;
}

static bool lay_sets(hid_t file, const struct catalogue_set *sets, int n, int64_t *at) {
    hid_t group = -1;
    bool done = true;
    for (int k = 0; done && k < n; ++k) {
        if (k == 0 || strcmp(sets[k].group, sets[k - 1].group) != 0) {
            io_hdf5_close(group);
            group = H5Gcreate2(file, sets[k].group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        }
        done = group >= 0 && lay_set(group, &sets[k], &at[k]);
    }
    io_hdf5_close(group);
    return done;
}

/* The most bound particle of subhalos by the names that it has among halos, too. */
static bool link_names(hid_t file, const struct catalogue *catalogue) {
    static const char *const names[][2] = {
        {"/subhalos/tag", "/subhalos/mbp_id"},
        {"/subhalos/position", "/subhalos/mbp_position"}};
    bool done = true;
    for (int k = 0; done && catalogue->subhalos && k < 2; ++k)
        done = H5Lexists(file, names[k][0], H5P_DEFAULT) <= 0 ||
               H5Lcreate_hard(file, names[k][0], file, names[k][1], H5P_DEFAULT,
                              H5P_DEFAULT) >= 0;
    return done;
}

bool catalogue_lay_out_hdf5(struct io_output *output, const struct catalogue *catalogue,
                            int64_t *at, struct io_error *error) {
    struct io_hdf5_output hdf5;
    int n;
    if (output->temporary == NULL)
        return io_fail(error, "%s is not a regular file, which HDF5 needs", output->path);
    struct catalogue_set *sets = catalogue_list_sets(catalogue, &n, error);
    if (sets == NULL)
        return false;
    io_hdf5_output_open(&hdf5, fileno(output->stream));
    const bool done = hdf5.file >= 0 && put_header(hdf5.file, &catalogue->header) &&
                      lay_sets(hdf5.file, sets, n, at) &&
                      link_names(hdf5.file, catalogue) &&
                      catalogue_put_yt(hdf5.file, catalogue);
    free(sets);
    if (io_hdf5_output_close(&hdf5) && done)
        return true;
    if (hdf5.failure != 0)
        return io_output_fail(output, hdf5.failure, error);
    return io_fail(error, "cannot write %s: HDF5 failed, perhaps for lack of memory",
                   output->path);
}
