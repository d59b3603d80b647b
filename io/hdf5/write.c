/* Writes Gadget's HDF5: Header, and PartType1 with the attributes of AREPO that tell units;
 * and SWIFT's, with groups for units and cosmology. */
#include "attribute.h"
#include "output.h"
#include "io/particles.h"
#include "snapshot.h"

#include <math.h>
#include <stdlib.h>

enum { TYPES = 6 };

static const double KM_PER_S = 1e5;

static bool put_counts(hid_t header, int64_t n) {
    const int64_t here[TYPES] = {0, n}, low[TYPES] = {0, n & 0xffffffff},
                  high[TYPES] = {0, n >> 32};
    const hid_t type = n > INT32_MAX ? H5T_STD_I64LE : H5T_STD_I32LE;
    return io_hdf5_put_attribute(header, "NumPart_ThisFile", type, H5T_NATIVE_INT64, TYPES,
                                 here) &&
           io_hdf5_put_attribute(header, "NumPart_Total", H5T_STD_U32LE, H5T_NATIVE_INT64,
                                 TYPES, low) &&
           io_hdf5_put_attribute(header, "NumPart_Total_HighWord", H5T_STD_U32LE,
                                 H5T_NATIVE_INT64, TYPES, high);
}

static bool put_cosmology(hid_t header, const struct snapshot_cosmology *cosmology) {
    return cosmology->h == 0 ||
           (io_hdf5_put_numbers(header, "HubbleParam", &cosmology->h, 0) &&
            io_hdf5_put_numbers(header, "Omega0", &cosmology->omega_matter, 0) &&
            io_hdf5_put_numbers(header, "OmegaLambda", &cosmology->omega_lambda, 0));
}

static bool put_header(hid_t file, const struct particles *particles) {
    const struct snapshot_info *info = &particles->snapshot->info;
    const double *box = info->box, mass[TYPES] = {0, particles->table_mass};
    const bool cube = box[0] == box[1] && box[1] == box[2];
    const double a = 1 / (1 + info->redshift);
    const int64_t one = 1;
    const hid_t header = H5Gcreate2(file, "Header", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const bool done =
        header >= 0 && put_counts(header, particles->n) &&
        io_hdf5_put_numbers(header, "MassTable", mass, TYPES) &&
        io_hdf5_put_numbers(header, "BoxSize", box, cube ? 0 : 3) &&
        put_cosmology(header, &info->cosmology) &&
        (!particles_tell_mass_unit(particles) ||
         io_hdf5_put_numbers(header, "UnitMass_in_g", &particles->snapshot->mass.cgs, 0)) &&
        (isnan(info->redshift) ||
         (io_hdf5_put_numbers(header, "Redshift", &info->redshift, 0) &&
          io_hdf5_put_numbers(header, "Time", &a, 0))) &&
        io_hdf5_put_attribute(header, "NumFilesPerSnapshot", H5T_STD_I32LE,
                              H5T_NATIVE_INT64, 0, &one);
    io_hdf5_close(header);
    return done;
}

/* The units of a file without h; false where one is not known. Of masses that are not
 * there any will do. */
static bool find_units(const struct particles *particles, struct io_hdf5_units *units) {
    const struct snapshot *snapshot = particles->snapshot;
    const struct snapshot_unit length = snapshot->length,
                               mass = particles->bytes[SNAPSHOT_MASSES] > 0
                                          ? snapshot->mass
                                          : (struct snapshot_unit){.cgs = 1.98841e43};
    const double h = snapshot->info.cosmology.h;
    if (h == 0 && (length.h_exponent != 0 || mass.h_exponent != 0))
        return false;
    units->length = length.cgs * pow(h, length.h_exponent);
    units->mass = mass.cgs * pow(h, mass.h_exponent);
    units->time = units->length / KM_PER_S;
    return isfinite(units->length) && units->length > 0 && isfinite(units->mass) &&
           units->mass > 0;
}

static bool put_swift(hid_t file, const struct particles *particles,
                      const struct io_hdf5_units *units) {
    const struct snapshot_info *info = &particles->snapshot->info;
    const struct snapshot_cosmology *c = &info->cosmology;
    const double values[4] = {c->h, c->omega_matter, c->omega_lambda, c->omega_baryon};
    const hid_t header = H5Gcreate2(file, "Header", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const bool done = header >= 0 &&
                      io_hdf5_put_header(header, particles->n, info->box, info->redshift) &&
                      io_hdf5_put_units(file, units) &&
                      (c->h == 0 || io_hdf5_put_cosmology(file, values));
    io_hdf5_close(header);
    return done;
}

static bool put_dimension(hid_t dataset, const struct snapshot *snapshot,
                          enum snapshot_field field) {
    const struct io_hdf5_dimension dimensions[SNAPSHOT_FIELDS] = {
        [SNAPSHOT_COORDINATES] = {.length = 1,
                                  .scale_factor = 1,
                                  .h = snapshot->length.h_exponent,
                                  .cgs = snapshot->length.cgs},
        [SNAPSHOT_VELOCITIES] = {.length = 1, .time = -1, .cgs = KM_PER_S},
        [SNAPSHOT_MASSES] = {.mass = 1,
                             .h = snapshot->mass.h_exponent,
                             .cgs = snapshot->mass.cgs},
        [SNAPSHOT_IDS] = {.cgs = 1},
    };
    return field == SNAPSHOT_FIELDS || io_hdf5_put_dimension(dataset, &dimensions[field]);
}

/* Powers of a and h in the numbers, and their unit in cgs. */
static bool put_unit(hid_t dataset, double cgs, double a_exponent, double h_exponent) {
    return isnan(cgs) || (io_hdf5_put_numbers(dataset, "to_cgs", &cgs, 0) &&
                          io_hdf5_put_numbers(dataset, "a_scaling", &a_exponent, 0) &&
                          io_hdf5_put_numbers(dataset, "h_scaling", &h_exponent, 0));
}

static bool describe(hid_t dataset, const struct snapshot *snapshot,
                     enum snapshot_field field) {
    if (field == SNAPSHOT_COORDINATES)
        return put_unit(dataset, snapshot->length.cgs, 1, snapshot->length.h_exponent);
    if (field == SNAPSHOT_VELOCITIES)
        return put_unit(dataset, KM_PER_S, 0.5, 0);
    return field != SNAPSHOT_MASSES ||
           put_unit(dataset, snapshot->mass.cgs, 0, snapshot->mass.h_exponent);
}

/* An array to be written: a field, or one of the others where `field` is none. */
struct array {
    enum snapshot_field field;
    int other;
    const char *name;
    int components;
    hid_t type, memory_type;
};

static struct array field_array(const struct particles *particles, enum snapshot_field f) {
    const bool narrow = particles->bytes[f] == 4;
    return (struct array){
        .field = f,
        .name = snapshot_hdf5_field_name(f),
        .components = snapshot_components(f),
        .type = f == SNAPSHOT_IDS ? H5T_STD_U64LE
                : narrow          ? H5T_IEEE_F32LE
                                  : H5T_IEEE_F64LE,
        .memory_type = f == SNAPSHOT_IDS ? H5T_NATIVE_UINT64
                       : narrow          ? H5T_NATIVE_FLOAT
                                         : H5T_NATIVE_DOUBLE,
    };
}

/* Others are written in the machine's byte order. */
static struct array other_array(const struct particles *particles, int k) {
    const struct snapshot_other *other = &particles->snapshot->others[k];
    return (struct array){
        .field = SNAPSHOT_FIELDS,
        .other = k,
        .name = other->name,
        .components = other->components,
        .type = snapshot_hdf5_native(other),
        .memory_type = snapshot_hdf5_native(other),
    };
}

/* The next rows of the array; `failed` where it was HDF5 that could not. */
static bool put_rows(hid_t dataset, hid_t space, const struct particles *particles,
                     const struct array *array, int64_t first, bool *failed,
                     struct io_error *error) {
    const int64_t count = particles_piece(particles, first);
    const int rank = array->components == 1 ? 1 : 2;
    const hsize_t start[2] = {(hsize_t)first},
                  shape[2] = {(hsize_t)count, (hsize_t)array->components};
    void *values = array->field == SNAPSHOT_FIELDS
                       ? particles_pull_other(particles, array->other, first, count, error)
                       : particles_pull(particles, array->field, first, count, error);
    if (values == NULL)
        return false;
    const hid_t memory = H5Screate_simple(rank, shape, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, shape, NULL);
    *failed = H5Dwrite(dataset, array->memory_type, memory, space, H5P_DEFAULT, values) < 0;
    H5Sclose(memory);
    free(values);
    return !*failed;
}

static bool put_array(hid_t group, const struct particles *particles,
                      const struct array *array, bool swift, bool *failed,
                      struct io_error *error) {
    const hsize_t shape[2] = {(hsize_t)particles->n, (hsize_t)array->components};
    const hid_t space = H5Screate_simple(array->components == 1 ? 1 : 2, shape, NULL);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(creation, false);
    H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
    const hid_t dataset = H5Dcreate2(group, array->name, array->type, space, H5P_DEFAULT,
                                     creation, H5P_DEFAULT);
    bool done = dataset >= 0 && (swift ? put_dimension : describe)(
                                    dataset, particles->snapshot, array->field);
    *failed = !done;
    for (int64_t first = 0; done && first < particles->n; first += PARTICLES_PIECE)
        done = put_rows(dataset, space, particles, array, first, failed, error);
    io_hdf5_close(dataset);
    H5Pclose(creation);
    H5Sclose(space);
    return done;
}

static bool put_arrays(hid_t group, const struct particles *particles, bool swift,
                       bool *failed, struct io_error *error) {
    bool done = true;
    for (enum snapshot_field f = 0; done && f < SNAPSHOT_FIELDS; ++f) {
        const struct array array = field_array(particles, f);
        done = particles->bytes[f] == 0 ||
               put_array(group, particles, &array, swift, failed, error);
    }
    for (int k = 0; done && k < particles->snapshot->n_others; ++k) {
        const struct array array = other_array(particles, k);
        done = put_array(group, particles, &array, swift, failed, error);
    }
    return done;
}

/* SWIFT's, where there are `units`. */
static bool write_file(struct io_output *output, const struct particles *particles,
                       const struct io_hdf5_units *units, struct io_error *error) {
    struct io_hdf5_output hdf5;
    if (output->temporary == NULL)
        return io_fail(error, "%s is not a regular file, which HDF5 needs", output->path);
    io_hdf5_output_open(&hdf5, fileno(output->stream));
    bool done = hdf5.file >= 0 && (units ? put_swift(hdf5.file, particles, units)
                                         : put_header(hdf5.file, particles)),
         failed = !done;
    const hid_t group =
        done ? H5Gcreate2(hdf5.file, "PartType1", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)
             : -1;
    done = done && put_arrays(group, particles, units != NULL, &failed, error);
    io_hdf5_close(group);
    const bool closed = io_hdf5_output_close(&hdf5);
    if (hdf5.failure != 0)
        return io_output_fail(output, hdf5.failure, error);
    if (failed || (done && !closed))
        return io_fail(error, "cannot write %s: HDF5 failed, perhaps for lack of memory",
                       output->path);
    return done;
}

bool hdf5_write_particles(struct io_output *output, const struct particles *particles,
                          struct io_error *error) {
    return write_file(output, particles, NULL, error);
}

bool hdf5_write_swift(struct io_output *output, const struct particles *particles,
                      struct io_error *error) {
    struct io_hdf5_units units;
    if (!find_units(particles, &units))
        return io_fail(error,
                       "cannot write %s: SWIFT's format needs units of length and mass, "
                       "which the input does not tell",
                       output->path);
    return write_file(output, particles, &units, error);
}
