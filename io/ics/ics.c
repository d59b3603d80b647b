#include "ics.h"
#include "io/files/output.h"
#include "io/hdf5/attribute.h"
#include "io/hdf5/output.h"

#include <stdlib.h>

enum { TYPES = 7 };

/* In cgs: 1e10 Msun, Mpc, and what makes velocities km/s. */
static const double MASS = 1.98841e43, LENGTH = 3.0856775814913673e24,
                    TIME = 3.0856775814913673e19;

static hid_t make_group(hid_t file, const char *name) {
    return H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

/* SWIFT, and what reads its files, have arrays of one in place of scalars. */
static bool put_number(hid_t object, const char *name, double value) {
    return io_hdf5_put_numbers(object, name, &value, 1);
}

static bool put_integer(hid_t object, const char *name, int64_t value) {
    return io_hdf5_put_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, 1, &value);
}

static bool put_header(hid_t file, const struct ics *ics) {
    const double box[3] = {ics->box, ics->box, ics->box}, none[TYPES] = {0};
    const double a = 1 / (1 + ics->redshift);
    const int64_t count[TYPES] = {0, ics->n}, low[TYPES] = {0, ics->n & 0xffffffff};
    const int64_t high[TYPES] = {0, ics->n >> 32};
    const hid_t group = make_group(file, "Header");
    const bool done =
        group >= 0 && io_hdf5_put_numbers(group, "BoxSize", box, 3) &&
        io_hdf5_put_attribute(group, "NumPart_ThisFile", H5T_STD_I64LE, H5T_NATIVE_INT64,
                              TYPES, count) &&
        io_hdf5_put_attribute(group, "NumPart_Total", H5T_STD_U32LE, H5T_NATIVE_INT64,
                              TYPES, low) &&
        io_hdf5_put_attribute(group, "NumPart_Total_HighWord", H5T_STD_U32LE,
                              H5T_NATIVE_INT64, TYPES, high) &&
        io_hdf5_put_numbers(group, "MassTable", none, TYPES) &&
        put_integer(group, "NumFilesPerSnapshot", 1) &&
        put_integer(group, "Flag_Entropy_ICs", 0) && put_integer(group, "Dimension", 3) &&
        put_number(group, "Redshift", ics->redshift) &&
        put_number(group, "Scale-factor", a) &&
        io_hdf5_put_text(group, "weft_version", ics->weft_version) &&
        (ics->command == NULL || io_hdf5_put_text(group, "command", ics->command));
    io_hdf5_close(group);
    return done;
}

static bool put_units(hid_t file) {
    const hid_t group = make_group(file, "Units");
    const bool done = group >= 0 && put_number(group, "Unit mass in cgs (U_M)", MASS) &&
                      put_number(group, "Unit length in cgs (U_L)", LENGTH) &&
                      put_number(group, "Unit time in cgs (U_t)", TIME) &&
                      put_number(group, "Unit current in cgs (U_I)", 1) &&
                      put_number(group, "Unit temperature in cgs (U_T)", 1);
    io_hdf5_close(group);
    return done;
}

static bool put_cosmology(hid_t file, const struct ics *ics) {
    const hid_t group = make_group(file, "Cosmology");
    const bool done = group >= 0 && put_number(group, "h", ics->h) &&
                      put_number(group, "Omega_m", ics->omega_matter) &&
                      put_number(group, "Omega_lambda", ics->omega_lambda) &&
                      put_number(group, "Omega_b", ics->omega_baryon);
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

/* What an array is in: powers of the units and of the scale factor, and a unit in cgs. */
struct dimension {
    const char *name;
    double mass, length, time, scale_factor, cgs;
};

static bool put_dimension(hid_t dataset, const struct dimension *of) {
    return put_number(dataset, "U_M exponent", of->mass) &&
           put_number(dataset, "U_L exponent", of->length) &&
           put_number(dataset, "U_t exponent", of->time) &&
           put_number(dataset, "U_I exponent", 0) &&
           put_number(dataset, "U_T exponent", 0) &&
           put_number(dataset, "a-scale exponent", of->scale_factor) &&
           put_number(dataset, "h-scale exponent", 0) &&
           put_number(dataset,
                      "Conversion factor to CGS (not including cosmological corrections)",
                      of->cgs);
}

static bool put_array(hid_t group, const struct dimension *of, hid_t file_type, hid_t type,
                      int64_t n, int components, const void *values) {
    const hsize_t shape[2] = {(hsize_t)n, (hsize_t)components};
    const hid_t space = H5Screate_simple(components == 1 ? 1 : 2, shape, NULL);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(creation, false);
    H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
    const hid_t dataset =
        H5Dcreate2(group, of->name, file_type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    const bool done = dataset >= 0 && put_dimension(dataset, of) &&
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
    const struct dimension coordinates = {"Coordinates", 0, 1, 0, 1, LENGTH},
                           velocities = {"Velocities", 0, 1, -1, 0, LENGTH / TIME},
                           masses = {"Masses", 1, 0, 0, 0, MASS},
                           ids = {"ParticleIDs", 0, 0, 0, 0, 1};
    const hid_t group = make_group(file, "PartType1");
    bool done =
        group >= 0 &&
        put_array(group, &coordinates, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, ics->n, 3,
                  ics->position) &&
        put_array(group, &velocities, wide ? H5T_IEEE_F64LE : H5T_IEEE_F32LE,
                  wide ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT, ics->n, 3, ics->velocity);
    for (int64_t i = 0; i < ics->n; ++i)
        id[i] = ics->id ? ics->id[i] : i;
    done = done && put_array(group, &ids, H5T_STD_I64LE, H5T_NATIVE_INT64, ics->n, 1, id);
    for (int64_t i = 0; i < ics->n; ++i)
        mass[i] = ics->mass;
    done = done &&
           put_array(group, &masses, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, ics->n, 1, mass);
    io_hdf5_close(group);
    return done;
}

bool ics_write(const char *path, const struct ics *ics, struct io_error *error) {
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
    bool done = hdf5.file >= 0 && put_header(hdf5.file, ics) && put_units(hdf5.file) &&
                put_cosmology(hdf5.file, ics) && put_notes(hdf5.file, ics) &&
                put_particles(hdf5.file, ics, scratch);
    done = io_hdf5_output_close(&hdf5) && done;
    free(scratch);
    if (!done && hdf5.failure != 0)
        io_output_fail(&output, hdf5.failure, error);
    else if (!done)
        io_fail(error, "cannot write %s: HDF5 failed, perhaps for lack of memory", path);
    return io_output_close(&output, done, error) && done;
}
