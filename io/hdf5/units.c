/* Units, from the conventions of SWIFT, EAGLE, AREPO, Gadget-4 and GIZMO. */
#include "io/units.h"
#include "snapshot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double KM_PER_S = 1e5;

/* Codes write these constants with as few as four digits. */
static const double SAME_UNIT = 1e-3, SAME_SPEED = 1e-4;

/* What the attributes of a data set say; NaN where they do not. */
struct scaling {
    double cgs, a_exponent, h_exponent;
};

/* The first of these attributes that is there and is not 0 (a mark for "no unit"), or NaN.
 */
static bool first_number(hid_t object, const char *const *names, int n, bool zero_counts,
                         const char *path, double *value, struct io_error *error) {
    *value = NAN;
    for (int k = 0; k < n; ++k) {
        double found;
        int count;
        if (!io_hdf5_numbers(object, names[k], path, &found, 1, &count, error))
            return false;
        if (count > 0 && (found != 0 || zero_counts)) {
            *value = found;
            return true;
        }
    }
    return true;
}

static bool read_scaling(const struct snapshot_hdf5_groups *groups,
                         enum snapshot_field field, struct scaling *scaling,
                         struct io_error *error) {
    static const char *const cgs[] = {
        "Conversion factor to CGS (not including cosmological corrections)", "to_cgs",
        "CGSConversionFactor"};
    static const char *const a[] = {"a-scale exponent", "a_scaling", "aexp-scale-exponent"};
    static const char *const h[] = {"h-scale exponent", "h_scaling", "h-scale-exponent"};
    hid_t dataset;
    if (!snapshot_hdf5_find_field(groups, field, &dataset, error))
        return false;
    const bool done =
        first_number(dataset, cgs, 3, false, groups->path, &scaling->cgs, error) &&
        first_number(dataset, a, 3, true, groups->path, &scaling->a_exponent, error) &&
        first_number(dataset, h, 3, true, groups->path, &scaling->h_exponent, error);
    io_hdf5_close(dataset);
    return done;
}

/* The unit of the whole file, from the groups that hold such things; NaN where none does.
 */
static bool file_unit(const struct snapshot_hdf5_groups *groups, const char *swift_name,
                      const char *name, const char *gizmo_name, double *cgs,
                      struct io_error *error) {
    const char *const names[] = {swift_name, name, gizmo_name};
    const hid_t places[] = {groups->units, groups->header, groups->parameters};
    *cgs = NAN;
    for (int k = 0; k < 3 && isnan(*cgs); ++k) {
        if (!first_number(places[k], names, 3, false, groups->path, cgs, error))
            return false;
    }
    return true;
}

/* Whether Header or Parameters have HubbleParam, the mark of units with h in them. */
static bool mentions_h(const struct snapshot_hdf5_groups *groups) {
    return (groups->header >= 0 && H5Aexists(groups->header, "HubbleParam") > 0) ||
           (groups->parameters >= 0 && H5Aexists(groups->parameters, "HubbleParam") > 0);
}

static void name_unit(const struct io_unit *units, const char *cgs_name, double cgs,
                      double h_exponent, char text[SNAPSHOT_UNIT_LENGTH]) {
    char h[16] = "";
    if (h_exponent == -1)
        snprintf(h, sizeof h, "/h");
    else if (h_exponent != 0)
        snprintf(h, sizeof h, " h^%.3g", h_exponent);
    if (!isfinite(cgs) || cgs <= 0) {
        snprintf(text, SNAPSHOT_UNIT_LENGTH, "code");
        return;
    }
    for (size_t k = 0; units[k].name; ++k) {
        if (fabs(cgs / units[k].cgs - 1) < SAME_UNIT) {
            snprintf(text, SNAPSHOT_UNIT_LENGTH, "%s%s", units[k].name, h);
            return;
        }
    }
    snprintf(text, SNAPSHOT_UNIT_LENGTH, "%.7g %s%s", cgs, cgs_name, h);
}

/* What the data set says, else the file. */
static struct snapshot_unit settle(const struct scaling *scaling, double file_cgs,
                                   double default_h) {
    return (struct snapshot_unit){
        .cgs = isnan(scaling->cgs) ? file_cgs : scaling->cgs,
        .h_exponent = isnan(scaling->h_exponent) ? default_h : scaling->h_exponent};
}

static bool name_length(const struct snapshot_hdf5_groups *groups, double default_h,
                        struct snapshot *snapshot, struct io_error *error) {
    struct scaling scaling;
    double cgs;
    if (!read_scaling(groups, SNAPSHOT_COORDINATES, &scaling, error) ||
        !file_unit(groups, "Unit length in cgs (U_L)", "UnitLength_in_cm",
                   "UnitLength_In_CGS", &cgs, error))
        return false;
    snapshot->length = settle(&scaling, cgs, default_h);
    name_unit(io_lengths, "cm", snapshot->length.cgs, snapshot->length.h_exponent,
              snapshot->info.length_unit);
    return true;
}

static bool name_mass(const struct snapshot_hdf5_groups *groups, double default_h,
                      struct snapshot *snapshot, struct io_error *error) {
    struct snapshot_info *info = &snapshot->info;
    struct scaling scaling;
    double cgs;
    if (info->bytes[SNAPSHOT_MASSES] != 0 || info->mass == 0) {
        const bool counted = info->bytes[SNAPSHOT_MASSES] == 0;
        info->mass = 1;
        if (counted) {
            snprintf(info->mass_unit, sizeof info->mass_unit, "1");
            return true;
        }
    }
    if (!read_scaling(groups, SNAPSHOT_MASSES, &scaling, error) ||
        !file_unit(groups, "Unit mass in cgs (U_M)", "UnitMass_in_g", "UnitMass_In_CGS",
                   &cgs, error))
        return false;
    snapshot->mass = settle(&scaling, cgs, default_h);
    name_unit(io_masses, "g", snapshot->mass.cgs, snapshot->mass.h_exponent,
              info->mass_unit);
    return true;
}

/* cm/s in one unit of SWIFT's, which gives length and time. */
static bool swift_speed(const struct snapshot_hdf5_groups *groups, double *cgs,
                        struct io_error *error) {
    static const char *const length[] = {"Unit length in cgs (U_L)"};
    static const char *const time[] = {"Unit time in cgs (U_t)"};
    double cm, s;
    if (!first_number(groups->units, length, 1, false, groups->path, &cm, error) ||
        !first_number(groups->units, time, 1, false, groups->path, &s, error))
        return false;
    *cgs = cm / s;
    return true;
}

static bool find_velocity_factor(const struct snapshot_hdf5_groups *groups,
                                 struct snapshot *snapshot, struct io_error *error) {
    struct scaling scaling;
    double cgs;
    if (snapshot->info.bytes[SNAPSHOT_VELOCITIES] == 0)
        return true;
    if (!read_scaling(groups, SNAPSHOT_VELOCITIES, &scaling, error))
        return false;
    if (!(groups->swift
              ? swift_speed(groups, &cgs, error)
              : file_unit(groups, "UnitVelocity_in_cm_per_s", "UnitVelocity_in_cm_per_s",
                          "UnitVelocity_In_CGS", &cgs, error)))
        return false;
    const double unit = (isnan(scaling.cgs) ? cgs : scaling.cgs) / KM_PER_S;
    const double exponent =
        !isnan(scaling.a_exponent) ? scaling.a_exponent : (groups->swift ? 0 : 0.5);
    const bool is_unit = isnan(unit) || fabs(unit - 1) <= SAME_SPEED;
    const double a = snapshot->info.scale_factor;
    const double factor =
        (is_unit ? 1 : unit) * (exponent == 0.5 ? sqrt(a) : pow(a, exponent));
    if (!isfinite(factor) || factor <= 0)
        return io_fail(error, "the unit of Velocities in %s comes to %g km/s", groups->path,
                       factor);
    snapshot->velocity_factor = factor;
    return true;
}

bool snapshot_hdf5_units(const struct snapshot_hdf5_groups *groups,
                         struct snapshot *snapshot, struct io_error *error) {
    const double default_h = !groups->swift && mentions_h(groups) ? -1 : 0;
    return name_length(groups, default_h, snapshot, error) &&
           name_mass(groups, default_h, snapshot, error) &&
           find_velocity_factor(groups, snapshot, error);
}
