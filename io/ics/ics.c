#include "ics.h"
#include "io/files/output.h"
#include "io/hdf5/attribute.h"
#include "io/hdf5/output.h"

#include <stdlib.h>

/* In cgs: 1e10 Msun, Mpc, and what makes velocities km/s. */
static const double MASS = 1.98841e43, LENGTH = 3.0856775814913673e24,
                    TIME = 3.0856775814913673e19;

static hid_t make_group(hid_t file, const char *name) {
    return H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

static bool put_header(hid_t file, const struct ics *ics) {
    const double box[3] = {ics->box, ics->box, ics->box};
    const hid_t group = make_group(file, "Header");
    const bool done =
        group >= 0 && io_hdf5_put_header(group, ics->n, box, ics->redshift) &&
        io_hdf5_put_text(group, "weft_version", ics->weft_version) &&
        (ics->command == NULL || io_hdf5_put_text(group, "command", ics->command));
    io_hdf5_close(group);
    return done;
}

static bool put_notes(hid_t file, const struct ics *ics) {
    if (ics->n_notes == 0)
        return true;
    const hid_t group = make_group(file, "Weft");
    bool done = group >= 0;
    for (int k = 0; done && k < ics->n_notes; ++k)
        done = io_hdf5_put_numbers(group, ics->notes[k].name, ics->notes[k].values,
                                   (hsize_t)ics->notes[k].n);
    io_hdf5_close(group);
    return done;
}

static bool put_array(hid_t group, const char *name, const struct io_hdf5_dimension *of,
                      hid_t file_type, hid_t type, int64_t n, int components,
                      const void *values) {
    const hsize_t shape[2] = {(hsize_t)n, (hsize_t)components};
    const hid_t space = H5Screate_simple(components == 1 ? 1 : 2, shape, NULL);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(creation, false);
    H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
    const hid_t dataset =
        H5Dcreate2(group, name, file_type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    const bool done = dataset >= 0 && io_hdf5_put_dimension(dataset, of) &&
                      H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    io_hdf5_close(dataset);
    H5Pclose(creation);
    H5Sclose(space);
    return done;
}

/* `scratch` has room for a number of each particle. */
static bool put_particles(hid_t file, const struct ics *ics, void *scratch) {
    int64_t *id = scratch;
    const bool wide = ics->velocity_bytes == 8;
    double *mass = scratch;
    const struct io_hdf5_dimension coordinates = {.length = 1,
                                                  .scale_factor = 1,
                                                  .cgs = LENGTH},
                                   velocities = {.length = 1,
                                                 .time = -1,
                                                 .cgs = LENGTH / TIME},
                                   masses = {.mass = 1, .cgs = MASS}, ids = {.cgs = 1};
    const hid_t group = make_group(file, "PartType1");
    bool done =
        group >= 0 &&
        put_array(group, "Coordinates", &coordinates, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE,
                  ics->n, 3, ics->position) &&
        put_array(group, "Velocities", &velocities, wide ? H5T_IEEE_F64LE : H5T_IEEE_F32LE,
                  wide ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT, ics->n, 3, ics->velocity);
    for (int64_t i = 0; i < ics->n; ++i)
        id[i] = ics->id ? ics->id[i] : i;
    done = done && put_array(group, "ParticleIDs", &ids, H5T_STD_I64LE, H5T_NATIVE_INT64,
                             ics->n, 1, id);
    for (int64_t i = 0; i < ics->n; ++i)
        mass[i] = ics->mass;
    done = done && put_array(group, "Masses", &masses, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE,
                             ics->n, 1, mass);
    io_hdf5_close(group);
    return done;
}

bool ics_write(const char *path, const struct ics *ics, struct io_error *error) {
    const struct io_hdf5_units units = {MASS, LENGTH, TIME};
    const double cosmology[4] = {ics->h, ics->omega_matter, ics->omega_lambda,
                                 ics->omega_baryon};
    struct io_output output;
    struct io_hdf5_output hdf5;
    void *scratch = io_allocate(ics->n, 8, "ids and masses", error);
    if (scratch == NULL)
        return false;
    if (!io_output_open(&output, path, error)) {
        free(scratch);
        return false;
    }
    if (output.temporary == NULL) {
        io_fail(error, "%s: HDF5 needs a file, not a pipe or a device", path);
        io_output_close(&output, false, error);
        free(scratch);
        return false;
    }
    io_hdf5_output_open(&hdf5, fileno(output.stream));
    bool done = hdf5.file >= 0 && put_header(hdf5.file, ics) &&
                io_hdf5_put_units(hdf5.file, &units) &&
                io_hdf5_put_cosmology(hdf5.file, cosmology) && put_notes(hdf5.file, ics) &&
                put_particles(hdf5.file, ics, scratch);
    done = io_hdf5_output_close(&hdf5) && done;
    free(scratch);
    if (!done && hdf5.failure != 0)
        io_output_fail(&output, hdf5.failure, error);
    else if (!done)
        io_fail(error, "cannot write %s: HDF5 failed, perhaps for lack of memory", path);
    return io_output_close(&output, done, error) && done;
}
