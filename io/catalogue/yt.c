/* What yt's frontend for halo catalogues looks for, at the root of an HDF5 catalogue: links
 * to columns, and virtual data sets of their components, so that nothing is there twice.
 *
 * Lengths are in yt's code_length and masses in code_mass, whose sizes the attributes of
 * the root tell: physical ones, without h. yt wants a periodic box and a cosmology. */
#include "formats.h"
#include "io/hdf5/attribute.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct catalogue_column *find(const struct catalogue *catalogue,
                                           const char *name) {
    for (int k = 0; k < catalogue->n_columns; ++k) {
        if (strcmp(catalogue->columns[k].name, name) == 0)
            return &catalogue->columns[k];
    }
    return NULL;
}

/* A column, or one of its components, or its first n, under the name that yt has for it. */
struct view {
    const char *name, *path, *units;
    int component, components; /* components = 0: the data set itself */
};

static bool link_to(hid_t file, const struct view *view) {
    if (H5Lcreate_hard(file, view->path, file, view->name, H5P_DEFAULT, H5P_DEFAULT) < 0)
        return false;
    const hid_t dataset = H5Dopen2(file, view->name, H5P_DEFAULT);
    const bool done = dataset >= 0 && io_hdf5_put_text(dataset, "units", view->units);
    io_hdf5_close(dataset);
    return done;
}

static bool look_at(hid_t file, const struct view *view, int64_t n) {
    const hid_t source = H5Dopen2(file, view->path, H5P_DEFAULT);
    if (source < 0)
        return false;
    const hsize_t start[2] = {0, (hsize_t)view->component}, count[2] = {(hsize_t)n, 1};
    const hid_t type = H5Dget_type(source), from = H5Dget_space(source);
    const hid_t space = H5Screate_simple(1, count, NULL);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(creation, false);
    bool done = H5Sselect_hyperslab(from, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                H5Pset_virtual(creation, space, ".", view->path, from) >= 0;
    const hid_t dataset =
        done ? H5Dcreate2(file, view->name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT)
             : -1;
    done = dataset >= 0 && io_hdf5_put_text(dataset, "units", view->units);
    io_hdf5_close(dataset);
    H5Pclose(creation);
    H5Sclose(space);
    H5Sclose(from);
    H5Tclose(type);
    io_hdf5_close(source);
    return done;
}

static bool put_views(hid_t file, const struct view *views, size_t count, int64_t n) {
    bool done = true;
    for (size_t k = 0; done && k < count; ++k)
        done = views[k].components ? look_at(file, &views[k], n) : link_to(file, &views[k]);
    return done;
}

static bool put_halos(hid_t file, const struct catalogue *catalogue) {
    static const struct view views[] = {
        {"particle_identifier", "/halos/tag", "", 0, 0},
        {"particle_mass", "/halos/mass", "code_mass", 0, 0},
        {"particle_position_x", "/halos/center_of_mass", "code_length", 0, 3},
        {"particle_position_y", "/halos/center_of_mass", "code_length", 1, 3},
        {"particle_position_z", "/halos/center_of_mass", "code_length", 2, 3},
        {"particle_velocity_x", "/halos/velocity", "km/s", 0, 3},
        {"particle_velocity_y", "/halos/velocity", "km/s", 1, 3},
        {"particle_velocity_z", "/halos/velocity", "km/s", 2, 3},
    };
    return put_views(file, views, find(catalogue, "velocity") ? 8 : 5,
                     catalogue_rows(catalogue));
}

static bool put_members(hid_t file, const struct catalogue *catalogue) {
    static const struct view views[] = {
        {"particle_number", "/halos/count", "", 0, 0},
        {"particle_index_start", "/members/offset", "", 0, 1},
        {"particles/ids", "/members/particle_id", "", 0, 0},
    };
    const hid_t group =
        H5Gcreate2(file, "particles", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    io_hdf5_close(group);
    return group >= 0 && put_views(file, views, 3, catalogue_rows(catalogue));
}

static bool put_header(hid_t file, const struct catalogue *catalogue, double length,
                       const char *length_unit, double mass, const char *mass_unit) {
    const struct catalogue_header *header = &catalogue->header;
    const double zero[3] = {0, 0, 0};
    length /= 1 + header->redshift;
    return io_hdf5_put_text(file, "data_type", "halo_catalog") &&
           io_hdf5_put_integer(file, "num_halos", catalogue_rows(catalogue)) &&
           io_hdf5_put_integer(file, "cosmological_simulation", 1) &&
           io_hdf5_put_numbers(file, "current_redshift", &header->redshift, 0) &&
           io_hdf5_put_numbers(file, "current_time", zero, 0) &&
           io_hdf5_put_numbers(file, "hubble_constant", &header->h, 0) &&
           io_hdf5_put_numbers(file, "omega_matter", &header->omega_matter, 0) &&
           io_hdf5_put_numbers(file, "omega_lambda", &header->omega_lambda, 0) &&
           io_hdf5_put_numbers(file, "domain_left_edge", zero, 3) &&
           io_hdf5_put_numbers(file, "domain_right_edge", header->box, 3) &&
           io_hdf5_put_numbers(file, "length_unit", &length, 0) &&
           io_hdf5_put_text(file, "length_unit_units", length_unit) &&
           io_hdf5_put_numbers(file, "mass_unit", &mass, 0) &&
           io_hdf5_put_text(file, "mass_unit_units", mass_unit);
}

bool catalogue_put_yt(hid_t file, const struct catalogue *catalogue) {
    const struct catalogue_header *header = &catalogue->header;
    const struct catalogue_column *center = find(catalogue, "center_of_mass");
    const struct catalogue_column *mass = find(catalogue, "mass");
    const char *length_unit, *mass_unit;
    double length, weight;
    if (catalogue_rows(catalogue) == 0 || !center || !mass || !find(catalogue, "tag") ||
        !(header->box[0] > 0 && header->box[1] > 0 && header->box[2] > 0) ||
        isnan(header->redshift) || !(header->h > 0) ||
        !catalogue_take_apart(center->unit, header->h, &length, &length_unit) ||
        !catalogue_take_apart(mass->unit, header->h, &weight, &mass_unit))
        return true;
    return put_header(file, catalogue, length, length_unit, weight, mass_unit) &&
           put_halos(file, catalogue) &&
           (catalogue->members == NULL || put_members(file, catalogue));
}
