/* What the group Header says. */
#include "io/assumed/assumed.h"
#include "snapshot.h"

#include <math.h>
#include <string.h>

enum { MOST_FILES = 1 << 16 };

bool snapshot_hdf5_count_files(const struct snapshot_hdf5_groups *groups, int *n,
                               struct io_error *error) {
    int64_t files = 1, is_virtual = 0;
    int count;
    if (!io_hdf5_integers(groups->header, "NumFilesPerSnapshot", groups->path, &files, 1,
                          &count, NULL, error) ||
        !io_hdf5_integers(groups->header, "Virtual", groups->path, &is_virtual, 1, &count,
                          NULL, error))
        return false;
    if (files < 1 || files > MOST_FILES)
        return io_fail(error, "NumFilesPerSnapshot in %s is %lld", groups->path,
                       (long long)files);
    /* SWIFT's virtual file shows the particles of all the others */
    *n = is_virtual != 0 ? 1 : (int)files;
    return true;
}

bool snapshot_hdf5_counts(const struct snapshot_hdf5_groups *groups, int wanted,
                          int64_t in_file[SNAPSHOT_TYPES], int64_t *total,
                          struct io_error *error) {
    int64_t low[SNAPSHOT_TYPES] = {0}, high[SNAPSHOT_TYPES] = {0};
    int n_types, n_low, n_high;
    size_t width = 0;
    if (!io_hdf5_integers(groups->header, "NumPart_ThisFile", groups->path, in_file,
                          SNAPSHOT_TYPES, &n_types, NULL, error) ||
        !io_hdf5_integers(groups->header, "NumPart_Total", groups->path, low,
                          SNAPSHOT_TYPES, &n_low, &width, error) ||
        !io_hdf5_integers(groups->header, "NumPart_Total_HighWord", groups->path, high,
                          SNAPSHOT_TYPES, &n_high, NULL, error))
        return false;
    for (int type = 0; type < SNAPSHOT_TYPES; ++type) {
        if (type >= n_types)
            in_file[type] = -1;
        else if (in_file[type] < 0)
            return io_fail(error, "NumPart_ThisFile in %s is negative for type %d",
                           groups->path, type);
    }
    *total = -1;
    if (n_low > wanted)
        *total = width == 8
                     ? low[wanted]
                     : (low[wanted] & 0xffffffff) + ((high[wanted] & 0x7fffffff) << 32);
    return true;
}

static bool read_box(const struct snapshot_hdf5_groups *groups, struct snapshot_info *info,
                     struct io_error *error) {
    double box[4] = {0};
    int count;
    if (!io_hdf5_numbers(groups->header, "BoxSize", groups->path, box, 4, &count, error))
        return false;
    if (count == 2 || count == 4)
        return io_fail(error, "BoxSize in %s has %s numbers; one or three are needed",
                       groups->path, count == 2 ? "two" : "more than three");
    for (int axis = 0; axis < 3; ++axis) {
        info->box[axis] = box[count == 3 ? axis : 0];
        if (!isfinite(info->box[axis]) || info->box[axis] < 0)
            return io_fail(error, "BoxSize in %s is %g", groups->path, info->box[axis]);
    }
    return true;
}

/* Whether SWIFT's parameters say that the run was not periodic. */
static bool was_isolated(const struct snapshot_hdf5_groups *groups) {
    char text[16];
    io_hdf5_text(groups->parameters, "InitialConditions:periodic", text, sizeof text);
    return strcmp(text, "0") == 0;
}

static bool read_time(const struct snapshot_hdf5_groups *groups, struct snapshot_info *info,
                      struct io_error *error) {
    double redshift, scale_factor;
    int has_redshift, has_scale_factor;
    if (!io_hdf5_numbers(groups->header, "Redshift", groups->path, &redshift, 1,
                         &has_redshift, error) ||
        !io_hdf5_numbers(groups->header, "Scale-factor", groups->path, &scale_factor, 1,
                         &has_scale_factor, error))
        return false;
    if (has_redshift != 0 && !(isfinite(redshift) && redshift > -1))
        return io_fail(error, "Redshift in %s is %g", groups->path, redshift);
    if (has_scale_factor != 0 && !(isfinite(scale_factor) && scale_factor > 0))
        return io_fail(error, "Scale-factor in %s is %g", groups->path, scale_factor);
    if (has_redshift != 0) {
        info->redshift = redshift;
        info->scale_factor = has_scale_factor != 0 ? scale_factor : 1 / (1 + redshift);
    } else {
        info->redshift = has_scale_factor != 0 ? 1 / scale_factor - 1 : NAN;
        info->scale_factor = has_scale_factor != 0 ? scale_factor : 1;
        assumed_redshift(info);
    }
    return true;
}

/* One number, or false. */
static bool find_number(hid_t object, const char *name, double *value) {
    struct io_error ignored;
    int count;
    return io_hdf5_numbers(object, name, "", value, 1, &count, &ignored) && count == 1;
}

static bool find_cosmology(hid_t object, const char *const names[4],
                           struct snapshot_cosmology *found) {
    struct snapshot_cosmology c;
    if (!find_number(object, names[0], &c.h) || c.h == 0 ||
        !find_number(object, names[1], &c.omega_matter) ||
        !find_number(object, names[2], &c.omega_lambda))
        return false;
    if (!find_number(object, names[3], &c.omega_baryon) || !(c.omega_baryon > 0) ||
        !isfinite(c.omega_baryon))
        c.omega_baryon = 0;
    *found = c;
    return true;
}

/* SWIFT's, else that of the other codes, else GIZMO's; codes without one write h = 0. */
static void read_cosmology(const struct snapshot_hdf5_groups *groups,
                           struct snapshot_info *info) {
    static const char *const swift[] = {"h", "Omega_m", "Omega_lambda", "Omega_b"};
    static const char *const others[] = {"HubbleParam", "Omega0", "OmegaLambda",
                                         "OmegaBaryon"};
    static const char *const gizmo[] = {"HubbleParam", "Omega_Matter", "Omega_Lambda",
                                        "Omega_Baryon"};
    struct io_error ignored;
    hid_t group = -1;
    io_hdf5_find(groups->file, "Cosmology", groups->path, &group, &ignored);
    if (!find_cosmology(group, swift, &info->cosmology) &&
        !find_cosmology(groups->header, others, &info->cosmology) &&
        !find_cosmology(groups->header, gizmo, &info->cosmology))
        find_cosmology(groups->parameters, others, &info->cosmology);
    io_hdf5_close(group);
}

static bool read_mass_table(const struct snapshot_hdf5_groups *groups, int type,
                            struct snapshot_info *info, struct io_error *error) {
    double table[SNAPSHOT_TYPES] = {0};
    int count;
    if (!io_hdf5_numbers(groups->header, "MassTable", groups->path, table, SNAPSHOT_TYPES,
                         &count, error))
        return false;
    if (!isfinite(table[type]) || table[type] < 0)
        return io_fail(error, "MassTable in %s is %g for %s", groups->path, table[type],
                       groups->name);
    info->mass = table[type];
    return true;
}

bool snapshot_hdf5_header(const struct snapshot_hdf5_groups *groups, int type,
                          struct snapshot_info *info, struct io_error *error) {
    if (!read_box(groups, info, error) || !read_time(groups, info, error) ||
        !read_mass_table(groups, type, info, error))
        return false;
    const bool isolated = was_isolated(groups);
    read_cosmology(groups, info);
    for (int axis = 0; axis < 3; ++axis)
        info->periodic[axis] = info->box[axis] > 0 && !isolated;
    return true;
}
