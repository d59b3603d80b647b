/* Units, box, time and velocities, in the ways that the codes write them. */
#include "io/assumed/assumed.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double MPC = 3.08567758e24, MSUN = 1.98841e33, KM = 1e5;

/* A bare file of two particles with masses and velocities, left open to be added to. */
struct made {
    hid_t file, header, coordinates, velocities, masses;
};

static struct made begin(void) {
    struct made made;
    struct recipe recipe = full_recipe(2);
    recipe.redshift = NAN;
    recipe.box = 0;
    make_snapshot(scratch("u.hdf5"), &recipe);
    made.file = H5Fopen(scratch("u.hdf5"), H5F_ACC_RDWR, H5P_DEFAULT);
    made.header = H5Gopen2(made.file, "Header", H5P_DEFAULT);
    made.coordinates = H5Dopen2(made.file, "PartType1/Coordinates", H5P_DEFAULT);
    made.velocities = H5Dopen2(made.file, "PartType1/Velocities", H5P_DEFAULT);
    made.masses = H5Dopen2(made.file, "PartType1/Masses", H5P_DEFAULT);
    return made;
}

static void number(hid_t object, const char *name, double value) {
    make_numbers(object, name, H5T_IEEE_F64LE, 1, &value);
}

/* Closes the file and reads it; expects these units, and velocities times `factor`. */
static void finish(const struct made *made, const char *length, const char *mass,
                   double factor) {
    struct snapshot_particles particles;
    H5Gclose(made->header);
    H5Dclose(made->coordinates);
    H5Dclose(made->velocities);
    H5Dclose(made->masses);
    H5Fclose(made->file);
    struct snapshot *snapshot = open_snapshot(scratch("u.hdf5"));
    ck_assert_str_eq(snapshot_info(snapshot)->length_unit, length);
    ck_assert_str_eq(snapshot_info(snapshot)->mass_unit, mass);
    read_snapshot(snapshot, &particles);
    expect_made(&particles, factor);
    snapshot_free(&particles);
    snapshot_close(snapshot);
}

static struct snapshot_cosmology cosmology(void) {
    struct snapshot *snapshot = open_snapshot(scratch("u.hdf5"));
    const struct snapshot_cosmology found = snapshot_info(snapshot)->cosmology;
    snapshot_close(snapshot);
    return found;
}

START_TEST(cosmologies) {
    struct made made = begin();
    number(made.header, "HubbleParam", 0.7);
    number(made.header, "Omega0", 0.25);
    finish(&made, "code", "code", 1);
    ck_assert(cosmology().h == 0 && cosmology().omega_matter == 0);
    made = begin();
    number(made.header, "HubbleParam", 0.7);
    number(made.header, "Omega0", 0.25);
    number(made.header, "OmegaLambda", 0.75);
    finish(&made, "code", "code", 1);
    ck_assert(cosmology().h == 0.7 && cosmology().omega_matter == 0.25);
    made = begin();
    const hid_t group = make_group(made.file, "Cosmology");
    number(group, "h", 0.5);
    number(group, "Omega_m", 0.5);
    number(group, "Omega_lambda", 0.125);
    H5Gclose(group);
    finish(&made, "code", "code", 1);
    ck_assert(cosmology().h == 0.5 && cosmology().omega_lambda == 0.125);
    made = begin(); /* GIZMO's */
    number(made.header, "HubbleParam", 0.7);
    number(made.header, "Omega_Matter", 0.25);
    number(made.header, "Omega_Lambda", 0.75);
    number(made.header, "Omega_Baryon", 0.0625);
    number(made.header, "UnitLength_In_CGS", 3.085678e21);
    number(made.header, "UnitMass_In_CGS", 1.989e43);
    finish(&made, "kpc/h", "1e10 Msun/h", 1);
    ck_assert(cosmology().h == 0.7 && cosmology().omega_matter == 0.25 &&
              cosmology().omega_lambda == 0.75 && cosmology().omega_baryon == 0.0625);
}
END_TEST

/* Numbers that are no universe's are told, and give way to those that are assumed. */
START_TEST(no_cosmologies) {
    static const double told[][3] = {{-0.7, 0.25, 0.75},     {NAN, 0.25, 0.75},
                                     {INFINITY, 0.25, 0.75}, {0.7, NAN, 0.75},
                                     {0.7, -0.25, 0.75},     {0.7, 0.25, INFINITY}};
    struct io_error error;
    for (size_t k = 0; k < sizeof told / sizeof *told; ++k) {
        const struct made made = begin();
        number(made.header, "HubbleParam", told[k][0]);
        number(made.header, "Omega0", told[k][1]);
        number(made.header, "OmegaLambda", told[k][2]);
        ck_assert(snapshot_assume("h=0.7", &error));
        ck_assert(snapshot_assume("omega_m=0.25,omega_lambda=0.75", &error));
        finish(&made, "code", "code", 1);
        ck_assert(cosmology().h == 0.7 && cosmology().omega_matter == 0.25 &&
                  cosmology().omega_lambda == 0.75);
        ck_assert(!snapshot_assume("h=0.8", &error)); /* and nothing is assumed then */
        ck_assert_str_eq(error.text, "'h' comes twice");
        ck_assert(!snapshot_assume("length=Mpc,length=Mpc", &error));
        ck_assert_str_eq(error.text, "'length' comes twice");
        expect_refused(scratch("u.hdf5"),
                       (const char *[]){"u.hdf5: h ", "are no cosmology", NULL});
    }
    struct made made = begin();
    number(made.header, "HubbleParam", 0);
    number(made.header, "Omega0", NAN);
    number(made.header, "OmegaLambda", 0);
    finish(&made, "code", "code", 1);
    ck_assert(cosmology().h == 0 && cosmology().omega_matter == 0);
}
END_TEST

START_TEST(swift) {
    const struct made made = begin();
    const hid_t units = make_group(made.file, "Units");
    number(units, "Unit length in cgs (U_L)", MPC);
    number(units, "Unit mass in cgs (U_M)", 1e10 * MSUN);
    number(units, "Unit time in cgs (U_t)", MPC / KM);
    number(made.header, "Scale-factor", 0.25);
    number(made.header, "Redshift", 3);
    H5Gclose(units);
    finish(&made, "Mpc", "1e10 Msun", 1);
}
END_TEST

/* SWIFT in other units: named by their size, and velocities converted. */
START_TEST(swift_in_other_units) {
    const struct made made = begin();
    const hid_t units = make_group(made.file, "InternalCodeUnits");
    make_text(made.header, "Code", "SWIFT", true);
    number(units, "Unit length in cgs (U_L)", 2 * MPC);
    number(units, "Unit mass in cgs (U_M)", 3e40);
    number(units, "Unit time in cgs (U_t)", MPC / KM);
    H5Gclose(units);
    finish(&made, "6.171355e+24 cm", "3e+40 g", 2);
}
END_TEST

START_TEST(gadget_header) {
    const struct made made = begin();
    number(made.header, "Redshift", 3);
    number(made.header, "HubbleParam", 0.7);
    number(made.header, "UnitLength_in_cm", 3.085678e21);
    number(made.header, "UnitMass_in_g", 1.989e43);
    number(made.header, "UnitVelocity_in_cm_per_s", 1e5);
    finish(&made, "kpc/h", "1e10 Msun/h", 0.5);
}
END_TEST

START_TEST(gadget_parameters) {
    const struct made made = begin();
    const hid_t parameters = make_group(made.file, "Parameters");
    number(parameters, "HubbleParam", 0.7);
    number(parameters, "UnitLength_in_cm", 3.085678e24);
    number(parameters, "UnitMass_in_g", 1.989e33);
    number(parameters, "UnitVelocity_in_cm_per_s", 1e6);
    H5Gclose(parameters);
    finish(&made, "Mpc/h", "Msun/h", 10);
}
END_TEST

/* The attributes of a data set come before everything else. */
START_TEST(arepo_arrays) {
    const struct made made = begin();
    number(made.header, "Redshift", 1);
    number(made.header, "HubbleParam", 0.7);
    number(made.header, "UnitLength_in_cm", 1);
    number(made.coordinates, "to_cgs", 3.085678e21);
    number(made.coordinates, "h_scaling", -1);
    number(made.coordinates, "a_scaling", 1);
    number(made.masses, "to_cgs", 1.989e43);
    number(made.masses, "h_scaling", 0);
    number(made.velocities, "to_cgs", 1e5);
    number(made.velocities, "a_scaling", 0.5);
    finish(&made, "kpc/h", "1e10 Msun", sqrt(0.5));
}
END_TEST

START_TEST(eagle_arrays) {
    const struct made made = begin();
    number(made.header, "Redshift", 1);
    number(made.coordinates, "CGSConversionFactor", 3.085678e24);
    number(made.coordinates, "h-scale-exponent", -1);
    number(made.masses, "CGSConversionFactor", 1.989e43);
    number(made.masses, "h-scale-exponent", -1);
    number(made.velocities, "CGSConversionFactor", 1e5);
    number(made.velocities, "aexp-scale-exponent", 0);
    finish(&made, "Mpc/h", "1e10 Msun/h", 1);
}
END_TEST

START_TEST(nothing_said) {
    const struct made made = begin();
    number(made.header, "HubbleParam", 0.7);
    finish(&made, "code", "code", 1);
}
END_TEST

START_TEST(bad_units) {
    struct io_error error;
    const struct made made = begin();
    number(made.velocities, "to_cgs", NAN);
    number(made.velocities, "a_scaling", NAN);
    finish(&made, "code", "code", 1);
    const struct made again = begin();
    number(again.velocities, "to_cgs", -1);
    H5Gclose(again.header);
    H5Dclose(again.coordinates);
    H5Dclose(again.velocities);
    H5Dclose(again.masses);
    H5Fclose(again.file);
    ck_assert_ptr_null(snapshot_open(scratch("u.hdf5"), &error));
    expect_words(error.text, (const char *[]){"Velocities in", "u.hdf5", NULL});
}
END_TEST

/* The speed of a particle that would no longer be a number. */
START_TEST(overflow) {
    const struct made made = begin();
    number(made.velocities, "to_cgs", 1e300);
    H5Gclose(made.header);
    H5Dclose(made.coordinates);
    H5Dclose(made.velocities);
    H5Dclose(made.masses);
    H5Fclose(made.file);
    expect_refused(scratch("u.hdf5"),
                   (const char *[]){"velocity of particle 0", "u.hdf5", NULL});
}
END_TEST

static void check_time(double redshift, double scale_factor, double want_redshift,
                       double want_scale_factor) {
    const struct made made = begin();
    if (!isnan(redshift))
        number(made.header, "Redshift", redshift);
    if (!isnan(scale_factor))
        number(made.header, "Scale-factor", scale_factor);
    H5Gclose(made.header);
    H5Dclose(made.coordinates);
    H5Dclose(made.velocities);
    H5Dclose(made.masses);
    H5Fclose(made.file);
    struct snapshot *snapshot = open_snapshot(scratch("u.hdf5"));
    const struct snapshot_info *info = snapshot_info(snapshot);
    ck_assert(info->redshift == want_redshift ||
              (isnan(info->redshift) && isnan(want_redshift)));
    ck_assert(info->scale_factor == want_scale_factor);
    snapshot_close(snapshot);
}

START_TEST(time) {
    check_time(NAN, NAN, NAN, 1);
    check_time(3, NAN, 3, 0.25);
    check_time(NAN, 0.25, 3, 0.25);
    check_time(-0.5, NAN, -0.5, 2);
    check_time(2.22e-16, 1, 2.22e-16, 1);
}
END_TEST

static void check_box(hsize_t n, const double *box, hid_t type, const char *periodic,
                      const double *want, bool want_periodic) {
    const struct made made = begin();
    if (box != NULL)
        make_numbers(made.header, "BoxSize", type, n, box);
    if (periodic != NULL) {
        const hid_t parameters = make_group(made.file, "Parameters");
        make_text(parameters, "InitialConditions:periodic", periodic, want_periodic);
        H5Gclose(parameters);
    }
    H5Gclose(made.header);
    H5Dclose(made.coordinates);
    H5Dclose(made.velocities);
    H5Dclose(made.masses);
    H5Fclose(made.file);
    struct snapshot *snapshot = open_snapshot(scratch("u.hdf5"));
    const struct snapshot_info *info = snapshot_info(snapshot);
    for (int axis = 0; axis < 3; ++axis) {
        ck_assert(info->box[axis] == want[axis]);
        ck_assert(info->periodic[axis] == (want_periodic && want[axis] > 0));
    }
    snapshot_close(snapshot);
}

START_TEST(boxes) {
    const double five[3] = {5, 5, 5}, three[3] = {1, 2, 3}, flat[3] = {1, 2, 0},
                 none[3] = {0};
    check_box(0, five, H5T_IEEE_F64LE, NULL, five, true);
    check_box(1, five, H5T_IEEE_F32BE, NULL, five, true);
    check_box(0, five, H5T_STD_I32LE, "1", five, true);
    check_box(3, three, H5T_IEEE_F64LE, NULL, three, true);
    check_box(3, three, H5T_IEEE_F64LE, "1", three, true);
    check_box(3, three, H5T_IEEE_F64LE, "0", three, false);
    check_box(3, flat, H5T_IEEE_F64LE, NULL, flat, true);
    check_box(0, none, H5T_IEEE_F64LE, NULL, none, true);
    check_box(0, NULL, 0, NULL, none, true);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {
        cosmologies,   no_cosmologies,    swift,        swift_in_other_units,
        gadget_header, gadget_parameters, arepo_arrays, eagle_arrays,
        nothing_said,  bad_units,         overflow,     time,
        boxes};
    return io_test_main("snapshot_units", tests, sizeof tests / sizeof *tests);
}
