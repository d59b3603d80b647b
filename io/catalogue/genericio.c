/* The catalogue as HACC's halo properties: GenericIO with the columns fof_halo_..., and
 * where there are spheres of 200c sod_halo_..., in HACC's units. */
#include "formats.h"
#include "io/files/bytes.h"
#include "io/files/place.h"
#include "io/genericio/crc64.h"
#include "io/genericio/write.h"

#include <errno.h>
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
enum { CRC = 8 };
_Static_assert(sizeof columns / sizeof *columns <= CATALOGUE_CHECKS, "one for each");

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

static bool put_float(const char *path, const struct column *column, double value,
                      float *to, struct io_error *error) {
    *to = (float)value;
    return isfinite(*to) || io_fail(error, "cannot write %s: %s is %g, beyond float32",
                                    path, column->name, value);
}

/* Where rows go: on in a stream, or to a place. */
struct target {
    struct io_output *output; /* NULL: to a place */
    const char *path;
    int descriptor;
    int64_t at;
};

static bool put(struct target *target, const void *bytes, size_t n,
                struct io_error *error) {
    if (target->output)
        return particles_put(target->output, bytes, n, error);
    const bool done =
        io_put_at(target->path, target->descriptor, bytes, n, target->at, error);
    target->at += (int64_t)n;
    return done;
}

/* How a column of HACC's is made. */
struct source {
    const struct column *column;
    const struct catalogue_column *ours; /* NULL: it is not known */
    int whole, width;                    /* bytes, the first 0 of floating-point numbers */
    double factor;
    const char *path;
};

static struct source source_of(const char *path, const struct catalogue *catalogue, int k) {
    struct source source = {.column = &columns[k],
                            .ours = find(catalogue, &columns[k]),
                            .whole = whole_width(k),
                            .width = width(k),
                            .path = path};
    if (source.ours == NULL ||
        !catalogue_in_hacc(source.ours->unit, catalogue->header.h, &source.factor))
        source.factor = 1;
    return source;
}

static bool fill(const struct source *source, int64_t first, int64_t n, void *values,
                 struct io_error *error) {
    const struct catalogue_column *ours = source->ours;
    bool done = true;
    for (int64_t i = 0; done && i < n; ++i) {
        const int64_t at =
            ours == NULL ? 0 : (first + i) * ours->components + source->column->axis;
        const int64_t whole = source->whole ? ((const int64_t *)ours->data)[at] : 0;
        if (source->whole == 8)
            ((int64_t *)values)[i] = whole;
        else if (source->whole == 4 && whole > INT32_MAX)
            done = io_fail(error,
                           "cannot write %s: a halo has %lld particles, more than "
                           "fof_halo_count can tell",
                           source->path, (long long)whole);
        else if (source->whole == 4)
            ((int32_t *)values)[i] = (int32_t)whole;
        else
            done =
                put_float(source->path, source->column,
                          ours == NULL ? NOT_COMPUTED
                                       : source->factor * ((const double *)ours->data)[at],
                          (float *)values + i, error);
    }
    return done;
}

static bool put_piece(struct target *target, void *values, int width, int64_t n,
                      uint64_t *crc, struct io_error *error) {
    const size_t bytes = (size_t)(n * width);
    io_swap(values, width, n, IO_LITTLE);
    *crc = crc64(*crc, values, bytes);
    return put(target, values, bytes, error);
}

/* Rows of a column, and their checksum. */
static bool put_rows(struct target *target, const struct source *source, int64_t n,
                     uint64_t *crc, struct io_error *error) {
    enum { PIECE = 1 << 15 };
    void *values = io_allocate(PIECE, 8, source->column->name, error);
    bool done = values != NULL;
    *crc = 0;
    for (int64_t first = 0; done && first < n; first += PIECE) {
        const int64_t count = n - first < PIECE ? n - first : PIECE;
        done = fill(source, first, count, values, error) &&
               put_piece(target, values, source->width, count, crc, error);
    }
    free(values);
    return done;
}

static bool put_crc(struct target *target, uint64_t crc, struct io_error *error) {
    unsigned char bytes[CRC];
    io_put_u64(bytes, ~crc, IO_LITTLE);
    return put(target, bytes, CRC, error);
}

static int count_columns(const struct catalogue *catalogue) {
    return find(catalogue, &columns[SPHERES]) ? COLUMNS : SPHERES;
}

static bool check(const struct catalogue *catalogue, struct io_error *error) {
    for (int k = 0; k < count_columns(catalogue); ++k) {
        const struct catalogue_column *ours = find(catalogue, &columns[k]);
        if (whole_width(k) && ours == NULL)
            return io_fail(error, "the catalogue has no column for %s", columns[k].name);
        if (ours && (ours->type != (whole_width(k) ? CATALOGUE_I64 : CATALOGUE_F64) ||
                     columns[k].axis >= ours->components))
            return io_fail(error, "column %s of the catalogue is not of the type of %s",
                           ours->name, columns[k].name);
    }
    return true;
}

static bool put_header(struct io_output *output, const struct catalogue *catalogue,
                       struct io_error *error) {
    struct genericio_column written[COLUMNS];
    struct genericio_table table = {.n = catalogue_rows(catalogue),
                                    .piece = catalogue_rows(catalogue),
                                    .n_ranks = 1,
                                    .n_columns = count_columns(catalogue),
                                    .columns = written};
    double factor;
    if (!catalogue_in_hacc(catalogue->header.length_unit, catalogue->header.h, &factor))
        factor = 1;
    for (int axis = 0; axis < 3; ++axis)
        table.box[axis] = factor * catalogue->header.box[axis];
    for (int k = 0; k < table.n_columns; ++k)
        written[k] =
            (struct genericio_column){columns[k].name,
                                      whole_width(k) ? (uint64_t)GENERICIO_SIGNED
                                                     : GENERICIO_FLOAT | GENERICIO_SIGNED,
                                      width(k), 1};
    return check(catalogue, error) && genericio_put_header(output, &table, error);
}

bool catalogue_write_genericio(struct io_output *output, const struct catalogue *catalogue,
                               struct io_error *error) {
    struct target target = {.output = output};
    bool done = put_header(output, catalogue, error);
    for (int k = 0; done && k < count_columns(catalogue); ++k) {
        const struct source source = source_of(output->path, catalogue, k);
        uint64_t crc;
        done = put_rows(&target, &source, catalogue->n, &crc, error) &&
               put_crc(&target, crc, error);
    }
    return done;
}

bool catalogue_lay_out_genericio(struct io_output *output,
                                 const struct catalogue *catalogue, int64_t *at,
                                 struct io_error *error) {
    if (!put_header(output, catalogue, error))
        return false;
    if (fflush(output->stream) != 0)
        return io_output_fail(output, errno, error);
    *at = ftello(output->stream);
    return true;
}

/* A column after the other: its rows, and their checksum. */
static int64_t next(int64_t at, const struct catalogue *catalogue, int k) {
    return at + catalogue_rows(catalogue) * width(k) + CRC;
}

bool catalogue_put_genericio(const char *path, int descriptor,
                             const struct catalogue *catalogue, int64_t at,
                             struct catalogue_check *mine, struct io_error *error) {
    bool done = true;
    mine->n = catalogue->n;
    for (int k = 0; done && k < count_columns(catalogue); ++k) {
        const struct source source = source_of(path, catalogue, k);
        struct target target = {NULL, path, descriptor,
                                at + catalogue->rest.before * width(k)};
        done = put_rows(&target, &source, catalogue->n, &mine->crc[k], error);
        at = next(at, catalogue, k);
    }
    return done;
}

bool catalogue_seal_genericio(const char *path, int descriptor,
                              const struct catalogue *catalogue, int64_t at,
                              const struct catalogue_check *all, int n,
                              struct io_error *error) {
    bool done = true;
    for (int k = 0; done && k < count_columns(catalogue); ++k) {
        uint64_t crc = 0;
        at = next(at, catalogue, k);
        for (int process = 0; process < n; ++process)
            crc =
                crc64_join(crc, all[process].crc[k], (uint64_t)(all[process].n * width(k)));
        struct target target = {NULL, path, descriptor, at - CRC};
        done = put_crc(&target, crc, error);
    }
    return done;
}
