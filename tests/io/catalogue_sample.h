/* A small catalogue with everything in it, and what it is as CSV. */
#ifndef WEFT_TESTS_IO_CATALOGUE_SAMPLE_H
#define WEFT_TESTS_IO_CATALOGUE_SAMPLE_H

#include "support.h"

#include "io/catalogue/catalogue.h"

#include <math.h>
#include <string.h>

enum { N = 3 };

static const int64_t tags[N] = {0, INT64_MAX, -1}, counts[N] = {30, 20, 20};
static const uint8_t wraps[N] = {0, 1, 255};
static const double masses[N] = {0.1, 1e300, -0.0};
static const double centers[N][3] = {
    {1, 2, 3}, {0.1, 1.0 / 3, NAN}, {INFINITY, 5e-324, -7}};
static const int64_t offsets[N + 1] = {0, 2, 2, 5}, members[5] = {4, 9, 1, 2, 3};

static const struct catalogue_column columns[] = {
    {"tag", CATALOGUE_I64, 1, "1", "smallest particle id in the halo", tags, "fof_halo_tag",
     NULL, 0, 0},
    {"wraps", CATALOGUE_U8, 1, "1", "reaches half the box", wraps, NULL, NULL, 0, 0},
    {"count", CATALOGUE_I64, 1, "1", "particles", counts, "fof_halo_count", NULL, 0, 0},
    {"mass", CATALOGUE_F64, 1, "1e10 Msun/h", "mass", masses, "fof_halo_mass", NULL, 0, 0},
    {"center_of_mass", CATALOGUE_F64, 3, "Mpc/h", "µ, wrapped into the box", centers,
     "fof_halo_com", "comoving", 1, -1},
};

static inline bool pull(void *context, enum catalogue_member_column column, int64_t first,
                        int64_t n, int64_t *out) {
    (void)context;
    ck_assert_int_eq(column, CATALOGUE_MEMBER_IDS);
    ck_assert(first >= 0 && n <= CATALOGUE_PIECE && first + n <= offsets[N]);
    memcpy(out, members + first, (size_t)n * sizeof *out);
    return true;
}

static inline struct catalogue whole(void) {
    static const struct catalogue_members all = {offsets, false, pull, NULL, {0, 0}};
    return (struct catalogue){
        .header =
            {
                .weft_version = "0.1.0",
                .backend = "serial",
                .n_particles = 1234567890123,
                .box = {1, 2, 0.1},
                .periodic = {true, false, true},
                .linking_length = 0.1,
                .mean_separation = 0.5,
                .min_members = 20,
                .redshift = NAN,
                .scale_factor = 0.25,
                .h = 0.7,
                .omega_matter = 0.3,
                .omega_lambda = 0.6,
                .softening = 0.01,
                .length_unit = "kpc",
                .mass_unit = "1e10 Msun/h",
                .velocity_unit = "km/s",
                .ids = "file",
                .source_file = "Größe.hdf5",
                .command = "weft halos Größe.hdf5",
            },
        .n = N,
        .n_columns = 5,
        .columns = columns,
        .members = &all,
    };
}

static inline void write_whole(const char *path, const struct catalogue *catalogue) {
    struct io_error error;
    ck_assert_msg(catalogue_write(path, catalogue, &error), "%s", error.text);
    ck_assert_int_eq(scratch_count(), 1);
}

static const char *const csv =
    "tag,wraps,count,mass,center_of_mass_x,center_of_mass_y,center_of_mass_z\n"
    "0,0,30,0.10000000000000001,1,2,3\n"
    "9223372036854775807,1,20,1.0000000000000001e+300,0.10000000000000001,"
    "0.33333333333333331,nan\n"
    "-1,255,20,-0,inf,4.9406564584124654e-324,-7\n";

#endif
