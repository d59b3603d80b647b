/* Patches of a refined grid. */
#include "io/hdf5/attribute.h"
#include "output.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = DENSITY_PATCH, CELLS = DENSITY_PATCH_CELLS };

static hid_t make(hid_t group, int which) {
    const hsize_t shape[3] = {SIDE, SIDE, SIDE};
    return density_make(group, density_name(which),
                        which == DENSITY_UNITS ? H5T_STD_I64LE : H5T_IEEE_F64LE, 3, shape);
}

bool density_make_patches(hid_t file, const struct density *density) {
    const hid_t data = H5Gcreate2(file, "data", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool done = data >= 0 && density_tell_units(data, density);
    for (int64_t p = 0; p < density->n_patches && done; ++p) {
        char name[32];
        snprintf(name, sizeof name, "grid_%010" PRId64, p);
        const hid_t group = H5Gcreate2(data, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        const hid_t values = make(group, DENSITY_MASS), units = make(group, DENSITY_UNITS);
        done = values >= 0 && units >= 0 && density_tell(values, DENSITY_MASS) &&
               density_tell(units, DENSITY_UNITS);
        io_hdf5_close(values);
        io_hdf5_close(units);
        io_hdf5_close(group);
    }
    io_hdf5_close(data);
    return done && density_put_gdf(file, density);
}

static bool put(const struct density_output *output, int64_t patch, int which, hid_t type,
                const void *values) {
    const hsize_t begin[3] = {0, 0, 0}, size[3] = {SIDE, SIDE, SIDE};
    char name[64];
    snprintf(name, sizeof name, "data/grid_%010" PRId64 "/%s", patch, density_name(which));
    const hid_t array = H5Dopen2(output->hdf5.file, name, H5P_DEFAULT);
    const bool done = array >= 0 && density_write(array, type, begin, size, values);
    io_hdf5_close(array);
    return done;
}

bool density_put_patch(struct density_output *output, int64_t patch, const int64_t *mass) {
    const struct density *density = output->density;
    const int level = density->patches[patch].level;
    double mean = (double)density->tetrahedra * (double)density->units_per_tetrahedron;
    int64_t *units = malloc(CELLS * sizeof *units);
    for (int k = 0; k < 3; ++k)
        mean /= (double)(density->grid[k] << level);
    for (int i = 0; units && i < CELLS; ++i) {
        const int x = i % SIDE, y = i / SIDE % SIDE, z = i / (SIDE * SIDE);
        units[i] = mass[(x * SIDE + y) * SIDE + z];
        output->plane[i] = (double)units[i] / mean;
    }
    output->good = output->good && units &&
                   put(output, patch, DENSITY_MASS, H5T_NATIVE_DOUBLE, output->plane) &&
                   put(output, patch, DENSITY_UNITS, H5T_NATIVE_INT64, units);
    free(units);
    return output->good;
}

bool density_get_patch(struct density_output *output, int64_t patch, int64_t *mass) {
    char name[64];
    int64_t *units = malloc(CELLS * sizeof *units);
    snprintf(name, sizeof name, "data/grid_%010" PRId64 "/%s", patch,
             density_name(DENSITY_UNITS));
    const hid_t array = H5Dopen2(output->hdf5.file, name, H5P_DEFAULT);
    output->good =
        output->good && units && array >= 0 &&
        H5Dread(array, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, units) >= 0;
    for (int i = 0; output->good && i < CELLS; ++i) {
        const int x = i % SIDE, y = i / SIDE % SIDE, z = i / (SIDE * SIDE);
        mass[(x * SIDE + y) * SIDE + z] = units[i];
    }
    io_hdf5_close(array);
    free(units);
    return output->good;
}
