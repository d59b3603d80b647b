/* Writes densities on a grid as HDF5, some planes at a time, and reads them.
 *
 * /mass_units, int64 [nx][ny][nz], x slowest: the mass in each cell, in units of which the
 * attribute units_per_tetrahedron tells how many a tetrahedron has and the attribute
 * tetrahedra how many of those there are; all cells together have exactly the product.
 * /density, float64 of the same shape: the same in units of the mean density. /streams
 * float64, /velocity float64 [nx][ny][nz][3] and /dispersion float64 where they are asked
 * for. All carry `unit` and `description`. /header has the attributes that a catalogue's
 * has, where they mean something, and `grid`, `lattice`, `tessellation`, `project`. Of a
 * projection the arrays lack one axis. The same densities are the same bytes, by however
 * many planes they come.
 *
 * Grids of three axes are also what yt opens (its grid data format), with these arrays by
 * other names. With `across` they are there once more, float32 with x fastest, for XDMF.
 *
 * A refined grid has patches in place of arrays, of 64^3 cells each, x fastest:
 * /data/grid_0000000000/density and mass_units, ..., and of each its level, the level's
 * first cell and its parent, again as yt has them. A patch of the next level has cells half
 * as wide. A patch with finer ones in it has eight, which cover it, and exactly their mass.
 */
#ifndef WEFT_IO_DENSITY_H
#define WEFT_IO_DENSITY_H

#include "io/files/error.h"

enum density_field {
    DENSITY_MASS,
    DENSITY_STREAMS,
    DENSITY_VELOCITY,
    DENSITY_DISPERSION,
    DENSITY_FIELDS,
};

/* Texts that are NULL are written empty. */
struct density_header {
    const char *weft_version, *backend, *device;
    int64_t n_particles;
    double box[3];
    double redshift;                      /* NaN where it is not known */
    double scale_factor;                  /* 1 where it is not known */
    double h, omega_matter, omega_lambda; /* 0 where they are not known */
    const char *length_unit, *mass_unit;
    double particle_mass;
    int64_t lattice[3];
    const char *tessellation, *project;
    const char *source_file, *command;
};

enum { DENSITY_PATCH = 64, DENSITY_PATCH_CELLS = 64 * 64 * 64 };

struct density_patch {
    int64_t first[3]; /* of its level's cells */
    int64_t parent;   /* -1: none */
    int level;
    bool whole; /* whether none is finer */
};

struct density {
    struct density_header header;
    int64_t grid[3], shape[3]; /* of a projection the shape is 1 along its axis */
    int project;               /* that axis; -1: none */
    unsigned fields;           /* 1 << field for each */
    int64_t units_per_tetrahedron, tetrahedra;
    int meshes;   /* that fill space one by one: 4 for the mean, else 1 */
    double speed; /* the unit of velocity, km/s */
    bool across;
    const struct density_patch *patches; /* NULL: one grid */
    int64_t n_patches;
};

/* Of planes of cells, all that the fields need. */
struct density_planes {
    const int64_t *mass, *streams, *momentum, *energy;
};

/* A cell with fewer units has no velocity: NaN. */
enum { DENSITY_FEWEST = 1024 };

/* The file appears as it is closed, whole or not at all. `density` must stay as it is. NULL
 * after a failure: all that can befall a file. */
struct density_output *density_open(const char *path, const struct density *density,
                                    struct io_error *error);

/* Planes first .. first + count along the first axis of the shape. Scratch for one plane.
 */
bool density_put(struct density_output *output, int64_t first, int64_t count,
                 const struct density_planes *planes);

/* A patch, cells [64 64 64], x slowest. */
bool density_put_patch(struct density_output *output, int64_t patch, const int64_t *mass);

/* One that was put. */
bool density_get_patch(struct density_output *output, int64_t patch, int64_t *mass);

/* Closes it, and removes it where `good` is false or something failed. */
bool density_close(struct density_output *output, bool good, struct io_error *error);

/* XDMF (a text) with which ParaView opens the file `hdf5_path` beside it: arrays with x
 * fastest, or all patches that have none finer in them. */
bool density_write_xdmf(const char *path, const char *hdf5_path,
                        const struct density *density, struct io_error *error);

/* What is read back; values are i64 where `whole`, else f64, for free(). */
struct density_grid {
    int64_t grid[3];
    double box[3];
    char length_unit[32];
    bool whole;
    int64_t planes; /* that were read, along the first axis */
    void *values;   /* [planes][grid[1]][grid[2]] */
};

/* Reads what there is to know of /mass_units, or of /density where there are none, and the
 * box: all but the values. Errors: the file's, by name. */
bool density_inspect(const char *path, struct density_grid *density,
                     struct io_error *error);

/* Then planes first .. first + planes, 0 or more. Errors: as above; on failure there is
 * nothing to free. */
bool density_read(const char *path, int64_t first, int64_t planes,
                  struct density_grid *density, struct io_error *error);

#endif
