#include "ics.h"
#include "io/hdf5/attribute.h"
#include "io/hdf5/output.h"

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

/* An array that has its place in the file, and no numbers yet; tells where. */
static bool lay_array(hid_t group, const char *name, const struct io_hdf5_dimension *of,
                      hid_t type, int64_t n, int components, int64_t *at) {
    const hsize_t shape[2] = {(hsize_t)n, (hsize_t)components};
    const hid_t space = H5Screate_simple(components == 1 ? 1 : 2, shape, NULL);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(creation, false);
    H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
    H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
    const hid_t dataset =
        H5Dcreate2(group, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    const haddr_t offset = dataset >= 0 ? H5Dget_offset(dataset) : HADDR_UNDEF;
    const bool done = offset != HADDR_UNDEF && io_hdf5_put_dimension(dataset, of);
    *at = (int64_t)offset;
    io_hdf5_close(dataset);
    H5Pclose(creation);
    H5Sclose(space);
    return done;
}

static bool lay_particles(hid_t file, const struct ics *ics, int64_t at[ICS_ARRAYS]) {
    const struct io_hdf5_dimension coordinates = {.length = 1,
                                                  .scale_factor = 1,
                                                  .cgs = LENGTH},
                                   velocities = {.length = 1,
                                                 .time = -1,
                                                 .cgs = LENGTH / TIME},
                                   masses = {.mass = 1, .cgs = MASS}, ids = {.cgs = 1};
    const hid_t speed = ics->velocity_bytes == 8 ? H5T_IEEE_F64LE : H5T_IEEE_F32LE;
    const hid_t group = make_group(file, "PartType1");
    const bool done =
        group >= 0 &&
        lay_array(group, "Coordinates", &coordinates, H5T_IEEE_F64LE, ics->n, 3,
                  &at[ICS_POSITIONS]) &&
        lay_array(group, "Velocities", &velocities, speed, ics->n, 3,
                  &at[ICS_VELOCITIES]) &&
        lay_array(group, "ParticleIDs", &ids, H5T_STD_I64LE, ics->n, 1, &at[ICS_IDS]) &&
        lay_array(group, "Masses", &masses, H5T_IEEE_F64LE, ics->n, 1, &at[ICS_MASSES]);
    io_hdf5_close(group);
    return done;
}

bool ics_lay_out(struct io_output *output, const struct ics *ics, struct ics_place *place,
                 struct io_error *error) {
    const struct io_hdf5_units units = {MASS, LENGTH, TIME};
    const double cosmology[4] = {ics->h, ics->omega_matter, ics->omega_lambda,
                                 ics->omega_baryon};
    struct io_hdf5_output hdf5;
    if (output->temporary == NULL)
        return io_fail(error, "%s: HDF5 needs a file, not a pipe or a device",
                       output->path);
    place->descriptor = fileno(output->stream);
    io_hdf5_output_open(&hdf5, place->descriptor);
    bool done = hdf5.file >= 0 && put_header(hdf5.file, ics) &&
                io_hdf5_put_units(hdf5.file, &units) &&
                io_hdf5_put_cosmology(hdf5.file, cosmology) && put_notes(hdf5.file, ics) &&
                lay_particles(hdf5.file, ics, place->at);
    done = io_hdf5_output_close(&hdf5) && done;
    if (!done && hdf5.failure != 0)
        return io_output_fail(output, hdf5.failure, error);
    return done ||
           io_fail(error, "cannot write %s: HDF5 failed, perhaps for lack of memory",
                   output->path);
}
