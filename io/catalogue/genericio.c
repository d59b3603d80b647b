/* The catalogue as HACC's halo properties: GenericIO with the columns fof_halo_..., and
 * where there are spheres of 200c sod_halo_..., in HACC's units. */
#include "formats.h"
#include "io/genericio/write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* HACC's mark of a value that was not computed. */
static const float NOT_COMPUTED = -101;

/* HACC's columns: of which column of ours, and which axis of that. */
static const struct column {
    const char *name, *hacc;
    int axis;
} columns[] = {
    {"fof_halo_count", "fof_halo_count", 0},
    {"fof_halo_tag", "fof_halo_tag", 0},
    {"fof_halo_mass", "fof_halo_mass", 0},
    {"fof_halo_ke", "fof_halo_ke", 0},
    {"fof_halo_center_x", "fof_halo_center", 0},
    {"fof_halo_center_y", "fof_halo_center", 1},
    {"fof_halo_center_z", "fof_halo_center", 2},
    {"fof_halo_angmom_x", "fof_halo_angmom", 0},
    {"fof_halo_angmom_y", "fof_halo_angmom", 1},
    {"fof_halo_angmom_z", "fof_halo_angmom", 2},
    {"fof_halo_max_cir_vel", "fof_halo_max_cir_vel", 0},
    {"fof_halo_com_x", "fof_halo_com", 0},
    {"fof_halo_com_y", "fof_halo_com", 1},
    {"fof_halo_com_z", "fof_halo_com", 2},
    {"fof_halo_mean_vx", "fof_halo_mean_v", 0},
    {"fof_halo_mean_vy", "fof_halo_mean_v", 1},
    {"fof_halo_mean_vz", "fof_halo_mean_v", 2},
    {"fof_halo_vel_disp", "fof_halo_vel_disp", 0},
    {"fof_halo_1D_vel_disp", "fof_halo_1D_vel_disp", 0},
    {"sod_halo_count", "sod_halo_count", 0},
    {"sod_halo_radius", "sod_halo_radius", 0},
    {"sod_halo_mass", "sod_halo_mass", 0},
    {"sod_halo_ke", "sod_halo_ke", 0},
    {"sod_halo_1D_vel_disp", "sod_halo_1D_vel_disp", 0},
    {"sod_halo_max_cir_vel", "sod_halo_max_cir_vel", 0},
    {"sod_halo_min_pot_x", "fof_halo_center", 0},
    {"sod_halo_min_pot_y", "fof_halo_center", 1},
    {"sod_halo_min_pot_z", "fof_halo_center", 2},
    {"sod_halo_angmom_x", "sod_halo_angmom", 0},
    {"sod_halo_angmom_y", "sod_halo_angmom", 1},
    {"sod_halo_angmom_z", "sod_halo_angmom", 2},
    {"sod_halo_com_x", "sod_halo_com", 0},
    {"sod_halo_com_y", "sod_halo_com", 1},
    {"sod_halo_com_z", "sod_halo_com", 2},
    {"sod_halo_mean_vx", "sod_halo_mean_v", 0},
    {"sod_halo_mean_vy", "sod_halo_mean_v", 1},
    {"sod_halo_mean_vz", "sod_halo_mean_v", 2},
    {"sod_halo_cdelta", "sod_halo_cdelta", 0},
    {"sod_halo_cdelta_error", "sod_halo_cdelta_error", 0},
    {"sod_halo_eigS1X", "sod_halo_eigS", 0},
    {"sod_halo_eigS1Y", "sod_halo_eigS", 1},
    {"sod_halo_eigS1Z", "sod_halo_eigS", 2},
    {"sod_halo_eigS2X", "sod_halo_eigS", 3},
    {"sod_halo_eigS2Y", "sod_halo_eigS", 4},
    {"sod_halo_eigS2Z", "sod_halo_eigS", 5},
    {"sod_halo_eigS3X", "sod_halo_eigS", 6},
    {"sod_halo_eigS3Y", "sod_halo_eigS", 7},
    {"sod_halo_eigS3Z", "sod_halo_eigS", 8},
    {"sod_halo_eigR1X", "sod_halo_eigR", 0},
    {"sod_halo_eigR1Y", "sod_halo_eigR", 1},
    {"sod_halo_eigR1Z", "sod_halo_eigR", 2},
    {"sod_halo_eigR2X", "sod_halo_eigR", 3},
    {"sod_halo_eigR2Y", "sod_halo_eigR", 4},
    {"sod_halo_eigR2Z", "sod_halo_eigR", 5},
    {"sod_halo_eigR3X", "sod_halo_eigR", 6},
    {"sod_halo_eigR3Y", "sod_halo_eigR", 7},
    {"sod_halo_eigR3Z", "sod_halo_eigR", 8},
    {"sod_halo_M500c", "sod_halo_M500c", 0},
    {"sod_halo_R500c", "sod_halo_R500c", 0},
    {"sod_halo_M2500c", "sod_halo_M2500c", 0},
    {"sod_halo_R2500c", "sod_halo_R2500c", 0},
    {"sod_halo_MVir", "sod_halo_MVir", 0},
    {"sod_halo_RVir", "sod_halo_RVir", 0},
};
enum { COLUMNS = sizeof columns / sizeof *columns, COUNT = 0, TAG = 1, SPHERES = 19 };

/* Bytes of a column of whole numbers, which must be there; 0 of others. */
static int whole_width(int k) {
    return k == TAG || k == SPHERES ? 8 : k == COUNT ? 4 : 0;
}

static int width(int k) {
    return whole_width(k) ? whole_width(k) : 4;
}

static const struct catalogue_column *find(const struct catalogue *catalogue,
                                           const struct column *column) {
    for (int k = 0; k < catalogue->n_columns; ++k) {
        const char *hacc = catalogue->columns[k].hacc;
        if (hacc && strcmp(hacc, column->hacc) == 0)
            return &catalogue->columns[k];
    }
    return NULL;
}

static bool put_float(const struct io_output *output, const struct column *column,
                      double value, float *to, struct io_error *error) {
    *to = (float)value;
    return isfinite(*to) || io_fail(error, "cannot write %s: %s is %g, beyond float32",
                                    output->path, column->name, value);
}

static bool put_column(struct io_output *output, const struct catalogue *catalogue, int k,
                       struct io_error *error) {
    const struct catalogue_column *ours = find(catalogue, &columns[k]);
    void *values = io_allocate(catalogue->n, (size_t)width(k), columns[k].name, error);
    double factor = 1;
    if (ours == NULL || !catalogue_in_hacc(ours->unit, catalogue->header.h, &factor))
        factor = 1;
    bool done = values != NULL;
    for (int64_t i = 0; done && i < catalogue->n; ++i) {
        const int64_t at = ours == NULL ? 0 : i * ours->components + columns[k].axis;
        const int64_t whole = whole_width(k) ? ((const int64_t *)ours->data)[at] : 0;
        if (whole_width(k) == 8)
            ((int64_t *)values)[i] = whole;
        else if (k == COUNT && whole > INT32_MAX)
            done = io_fail(error,
                           "cannot write %s: a halo has %lld particles, more than "
                           "fof_halo_count can tell",
                           output->path, (long long)whole);
        else if (k == COUNT)
            ((int32_t *)values)[i] = (int32_t)whole;
        else
            done = put_float(output, &columns[k],
                             ours == NULL ? NOT_COMPUTED
                                          : factor * ((const double *)ours->data)[at],
                             (float *)values + i, error);
    }
    done = done && genericio_put_block(output, values, width(k), catalogue->n, error);
    free(values);
    return done;
}

bool catalogue_put_genericio(struct io_output *output, const struct catalogue *catalogue,
                             struct io_error *error) {
    const int n = find(catalogue, &columns[SPHERES]) ? COLUMNS : SPHERES;
    struct genericio_column written[COLUMNS];
    struct genericio_table table = {.n = catalogue->n,
                                    .piece = catalogue->n,
                                    .n_ranks = 1,
                                    .n_columns = n,
                                    .columns = written};
    double factor;
    if (!catalogue_in_hacc(catalogue->header.length_unit, catalogue->header.h, &factor))
        factor = 1;
    for (int axis = 0; axis < 3; ++axis)
        table.box[axis] = factor * catalogue->header.box[axis];
    for (int k = 0; k < n; ++k)
        written[k] =
            (struct genericio_column){columns[k].name,
                                      whole_width(k) ? (uint64_t)GENERICIO_SIGNED
                                                     : GENERICIO_FLOAT | GENERICIO_SIGNED,
                                      width(k), 1};
    for (int k = 0; k < n; ++k) {
        const struct catalogue_column *ours = find(catalogue, &columns[k]);
        if (whole_width(k) && ours == NULL)
            return io_fail(error, "the catalogue has no column for %s", columns[k].name);
        if (ours && (ours->type != (whole_width(k) ? CATALOGUE_I64 : CATALOGUE_F64) ||
                     columns[k].axis >= ours->components))
            return io_fail(error, "column %s of the catalogue is not of the type of %s",
                           ours->name, columns[k].name);
    }
    bool done = genericio_put_header(output, &table, error);
    for (int k = 0; done && k < n; ++k)
        done = put_column(output, catalogue, k, error);
    return done;
}
