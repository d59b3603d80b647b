/* An array of densities by itself: its name and units, its place in a file, its values. */
#include "io/hdf5/attribute.h"
#include "output.h"

#include <math.h>

static const struct {
    const char *name, *unit, *description;
} arrays[DENSITY_ARRAYS] = {
    {"density", "mean density", "density in each cell"},
    {"streams", "1", "streams of the sheet, the mean over each cell"},
    {"velocity", "km/s", "mean velocity of the mass in each cell, peculiar"},
    {"dispersion", "km/s", "one-dimensional dispersion of velocities in each cell"},
    {"mass_units", "mass of a tetrahedron / units_per_tetrahedron",
     "mass in each cell; all together units_per_tetrahedron times tetrahedra"},
};

const char *density_name(int which) {
    return arrays[which].name;
}

bool density_tell(hid_t array, int which) {
    return io_hdf5_put_text(array, "unit", arrays[which].unit) &&
           io_hdf5_put_text(array, "description", arrays[which].description);
}

hid_t density_make(hid_t parent, const char *name, hid_t type, int axes,
                   const hsize_t *shape) {
    const hid_t space = H5Screate_simple(axes, shape, NULL);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(creation, false);
    H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
    H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
    const hid_t array =
        H5Dcreate2(parent, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Pclose(creation);
    H5Sclose(space);
    return array;
}

bool density_tell_units(hid_t array, const struct density *density) {
    return io_hdf5_put_integer(array, "units_per_tetrahedron",
                               density->units_per_tetrahedron) &&
           io_hdf5_put_integer(array, "tetrahedra", density->tetrahedra);
}

bool density_write(hid_t array, hid_t type, const hsize_t *begin, const hsize_t *count,
                   const void *values) {
    const hid_t space = H5Dget_space(array);
    const int axes = H5Sget_simple_extent_ndims(space);
    const hid_t memory = H5Screate_simple(axes, count, NULL);
    const bool done =
        H5Sselect_hyperslab(space, H5S_SELECT_SET, begin, NULL, count, NULL) >= 0 &&
        H5Dwrite(array, type, memory, space, H5P_DEFAULT, values) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return done;
}

void density_value(const struct density *density, int field,
                   const struct density_planes *planes, int64_t i, double *to) {
    const double one = (double)density->units_per_tetrahedron;
    if (field == DENSITY_MASS) {
        const double cells = (double)density->shape[0] * (double)density->shape[1] *
                             (double)density->shape[2];
        *to = (double)planes->mass[i] / ((double)density->tetrahedra * one / cells);
        return;
    }
    if (field == DENSITY_STREAMS) {
        *to = (double)planes->streams[i] / (one * density->meshes);
        return;
    }
    const double mass =
        planes->mass[i] >= DENSITY_FEWEST ? (double)planes->mass[i] : (double)NAN;
    double v[3];
    for (int k = 0; k < 3; ++k)
        v[k] = (double)planes->momentum[3 * i + k] / mass;
    if (field == DENSITY_VELOCITY) {
        for (int k = 0; k < 3; ++k)
            to[k] = v[k] * density->speed;
        return;
    }
    const double square =
        (double)planes->energy[i] / mass - (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 3;
    *to = sqrt(square < 0 ? 0 : square) * density->speed;
}
