/* The file in yt's grid data format, too (yt.readthedocs.io, "Grid Data Format"). */
#include "io/catalogue/formats.h"
#include "io/hdf5/attribute.h"
#include "output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool put_integers(hid_t object, const char *name, hsize_t n, const int64_t *values) {
    return io_hdf5_put_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, n, values);
}

static hid_t make_group(hid_t parent, const char *name) {
    return H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

static bool put_format(hid_t file, const struct density_header *header) {
    const hid_t group = make_group(file, "gridded_data_format");
    const bool done =
        group >= 0 && io_hdf5_put_text(group, "data_software", "weft") &&
        io_hdf5_put_text(group, "data_software_version", header->weft_version);
    io_hdf5_close(group);
    return done;
}

static bool put_parameters(hid_t file, const struct density *density) {
    const struct density_header *header = &density->header;
    const double zero[3] = {0, 0, 0}, now = 0;
    const int64_t periodic[6] = {0, 0, 0, 0, 0, 0}; /* by GDF's numbers */
    const bool cosmology = !isnan(header->redshift) && header->h > 0;
    const hid_t group = make_group(file, "simulation_parameters");
    const bool done =
        group >= 0 && io_hdf5_put_integer(group, "refine_by", 2) &&
        io_hdf5_put_integer(group, "dimensionality", 3) &&
        put_integers(group, "domain_dimensions", 3, density->grid) &&
        io_hdf5_put_numbers(group, "domain_left_edge", zero, 3) &&
        io_hdf5_put_numbers(group, "domain_right_edge", header->box, 3) &&
        io_hdf5_put_numbers(group, "current_time", &now, 0) &&
        io_hdf5_put_text(group, "unique_identifier", header->source_file) &&
        io_hdf5_put_integer(group, "geometry", 0) &&
        io_hdf5_put_integer(group, "num_ghost_zones", 0) &&
        io_hdf5_put_integer(group, "field_ordering", density->patches != NULL) &&
        put_integers(group, "boundary_conditions", 6, periodic) &&
        io_hdf5_put_integer(group, "cosmological_simulation", cosmology) &&
        io_hdf5_put_numbers(group, "current_redshift", &header->redshift, 0) &&
        io_hdf5_put_numbers(group, "omega_lambda", &header->omega_lambda, 0) &&
        io_hdf5_put_numbers(group, "omega_matter", &header->omega_matter, 0) &&
        io_hdf5_put_numbers(group, "hubble_constant", &header->h, 0);
    io_hdf5_close(group);
    return done;
}

static bool put_unit(hid_t group, const char *name, double value, const char *unit) {
    const hid_t array = density_make(group, name, H5T_IEEE_F64LE, 0, NULL);
    const bool done =
        array >= 0 && io_hdf5_put_text(array, "unit", unit) &&
        H5Dwrite(array, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value) >= 0;
    io_hdf5_close(array);
    return done;
}

/* Lengths as they were then, as yt has them; nothing where the snapshot has no units. */
static bool put_units(hid_t file, const struct density_header *header) {
    double length, mass;
    const char *length_unit, *mass_unit;
    if (!(header->h > 0) || isnan(header->redshift) ||
        !catalogue_take_apart(header->length_unit, header->h, &length, &length_unit) ||
        !catalogue_take_apart(header->mass_unit, header->h, &mass, &mass_unit))
        return true;
    const hid_t group = make_group(file, "dataset_units");
    const bool done =
        group >= 0 &&
        put_unit(group, "length_unit", length / (1 + header->redshift), length_unit) &&
        put_unit(group, "mass_unit", mass, mass_unit) &&
        put_unit(group, "time_unit", 1, "s") &&
        put_unit(group, "velocity_unit", 1, "km/s") &&
        put_unit(group, "magnetic_unit", 1, "gauss");
    io_hdf5_close(group);
    return done;
}

/* One array of i64 for all grids. */
static bool put_array(hid_t file, const char *name, int64_t grids, int64_t each,
                      const int64_t *values) {
    const hsize_t shape[2] = {(hsize_t)grids, (hsize_t)each};
    const hid_t array = density_make(file, name, H5T_STD_I64LE, each > 0 ? 2 : 1, shape);
    const bool done = array >= 0 && H5Dwrite(array, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL,
                                             H5P_DEFAULT, values) >= 0;
    io_hdf5_close(array);
    return done;
}

static bool put_grids(hid_t file, const struct density *density) {
    const struct density_patch one = {.parent = -1, .whole = true},
                               *patches = density->patches ? density->patches : &one;
    const int64_t n = density->patches ? density->n_patches : 1;
    int64_t *values = calloc((size_t)(9 * n), sizeof *values);
    if (values == NULL)
        return false;
    int64_t *first = values, *size = first + 3 * n, *parent = size + 3 * n,
            *level = parent + n, *particles = level + n;
    for (int64_t p = 0; p < n; ++p) {
        for (int k = 0; k < 3; ++k) {
            first[3 * p + k] = patches[p].first[k];
            size[3 * p + k] = density->patches ? DENSITY_PATCH : density->shape[k];
        }
        parent[p] = patches[p].parent;
        level[p] = patches[p].level;
    }
    const bool done = put_array(file, "grid_left_index", n, 3, first) &&
                      put_array(file, "grid_dimensions", n, 3, size) &&
                      put_array(file, "grid_parent_id", n, 0, parent) &&
                      put_array(file, "grid_level", n, 0, level) &&
                      put_array(file, "grid_particle_count", n, 1, particles);
    free(values);
    return done;
}

/* One component of the velocities, without a copy. */
static bool look_at(hid_t file, hid_t group, const char *name, int component,
                    const struct density *density) {
    const hsize_t begin[4] = {0, 0, 0, (hsize_t)component};
    const hsize_t shape[4] = {(hsize_t)density->shape[0], (hsize_t)density->shape[1],
                              (hsize_t)density->shape[2], 1};
    const hid_t source = H5Dopen2(file, "velocity", H5P_DEFAULT);
    const hid_t from = H5Dget_space(source), space = H5Screate_simple(3, shape, NULL);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(creation, false);
    bool done = H5Sselect_hyperslab(from, H5S_SELECT_SET, begin, NULL, shape, NULL) >= 0 &&
                H5Pset_virtual(creation, space, ".", "/velocity", from) >= 0;
    const hid_t array = done ? H5Dcreate2(group, name, H5T_IEEE_F64LE, space, H5P_DEFAULT,
                                          creation, H5P_DEFAULT)
                             : -1;
    done = array >= 0;
    io_hdf5_close(array);
    H5Pclose(creation);
    H5Sclose(space);
    H5Sclose(from);
    io_hdf5_close(source);
    return done;
}

/* Texts that yt decodes have a length of their own. */
static bool put_type(hid_t types, const char *name, const char *unit) {
    const hid_t group = make_group(types, name), text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, 4);
    const bool done =
        group >= 0 &&
        (unit == NULL || io_hdf5_put_attribute(group, "field_units", text, text, 0, unit));
    H5Tclose(text);
    io_hdf5_close(group);
    return done;
}

/* Names of fields, and where there is one grid, its arrays. */
static bool put_fields(hid_t file, const struct density *density) {
    static const char *const along[3] = {"velocity_x", "velocity_y", "velocity_z"};
    const hid_t types = make_group(file, "field_types");
    const hid_t data = density->patches ? -1 : make_group(file, "data");
    const hid_t grid = density->patches ? -1 : make_group(data, "grid_0000000000");
    bool done = types >= 0;
    for (int which = 0; which < DENSITY_ARRAYS && done; ++which) {
        const char *name = density_name(which);
        const int field = which == DENSITY_UNITS ? DENSITY_MASS : which;
        if (!(density->fields >> field & 1))
            continue;
        if (which == DENSITY_VELOCITY) {
            for (int k = 0; k < 3 && done; ++k)
                done = put_type(types, along[k], "km/s") &&
                       look_at(file, grid, along[k], k, density);
            continue;
        }
        done = put_type(types, name, which == DENSITY_DISPERSION ? "km/s" : NULL) &&
               (density->patches != NULL ||
                H5Lcreate_hard(file, name, grid, name, H5P_DEFAULT, H5P_DEFAULT) >= 0);
    }
    io_hdf5_close(grid);
    io_hdf5_close(data);
    io_hdf5_close(types);
    return done;
}

bool density_put_gdf(hid_t file, const struct density *density) {
    return put_format(file, &density->header) && put_parameters(file, density) &&
           put_units(file, &density->header) && put_grids(file, density) &&
           put_fields(file, density);
}
