/* Writes the halo catalogue, as HDF5, CSV or GenericIO.
 *
 * The caller lists the columns, so that a new center or mass is a new column and nothing
 * here. HDF5: /halos/NAME, one data set a column; /members/offset and /members/particle_id;
 * /profiles/edge and /profiles/NAME [n][shells];
 * /subhalos/NAME, offset and particle_id likewise; the attributes of /header. Data sets
 * carry the attributes `unit` and `description`; text is UTF-8 of variable length. The same
 * catalogue is the same bytes. The root shows the same data as yt's halo catalogues have
 * them, where box, redshift, cosmology and units are known (see catalogue_yt.c); yt opens
 * files named NAME.0.h5. CSV: a header line with the names, NAME_x,NAME_y,NAME_z for a
 * column of three, NAME_0,NAME_1,... of more, then one halo a line; f64 with the 17 digits
 * that give the same number back. GenericIO: HACC's columns of halo properties,
 * fof_halo_count, _tag, _mass, _center_x, ... in their widths (f4 but for counts and the
 * tag), from the columns that say so, and sod_halo_count,
 * ... where a column is sod_halo_count; -101 stands for what is not known. */
#ifndef WEFT_IO_CATALOGUE_H
#define WEFT_IO_CATALOGUE_H

#include "io/files/output.h"

#include <stdio.h>

/* Rows of the file that other processes have, before and after those that are here. */
struct catalogue_rest {
    int64_t before, after;
};

enum catalogue_type { CATALOGUE_I64, CATALOGUE_U8, CATALOGUE_F64 };

struct catalogue_column {
    const char *name;
    enum catalogue_type type;
    int components;   /* 1: data is [n]; 3: [n][3]; 6: [n][6]; 9: [n][3][3] */
    const char *unit; /* 1 where there is none */
    const char *description;
    const void *data;  /* borrowed; may be NULL where n is 0 */
    const char *hacc;  /* HACC's column of halo properties, without _x, x; NULL: none */
    const char *frame; /* comoving, peculiar, ...; NULL: it has none, nor powers */
    double a_scaling;  /* numbers times a to this power are physical, */
    double h_scaling;  /*   times h to this without h; NaN: not known */
};

/* The attributes of /header, of these names; texts that are NULL are written empty. */
struct catalogue_header {
    const char *weft_version, *backend, *device;
    int64_t n_particles;
    double box[3];
    bool periodic[3];
    double linking_length; /* absolute */
    double mean_separation;
    int64_t min_members, min_friends;
    double redshift;                      /* NaN where it is not known */
    double scale_factor;                  /* 1 where it is not known */
    double h, omega_matter, omega_lambda; /* 0 where they are not known */
    double softening;                     /* Plummer's, of potentials */
    const char *length_unit, *mass_unit, *velocity_unit;
    const char *ids; /* file or index */
    const char *source_file, *command;
    bool has_region; /* only particles there were looked at: from region[axis][0] on to */
    double region[3][2]; /*   before [1], infinite where there is no bound, */
    int64_t n_inside;    /*   so many of n_particles */
    const char *options_hash, *source_hash; /* of what decides on the contents */
};

/* Who is in which halo: the members of halo i are offset[i] .. offset[i + 1] of all. */
enum catalogue_member_column { CATALOGUE_MEMBER_IDS, CATALOGUE_MEMBER_FRIENDS };
enum { CATALOGUE_PIECE = 1 << 18 };
struct catalogue_members {
    const int64_t *offset; /* [n + 1], from rest.before, never descending */
    bool has_friends;      /* beside the ids */
    /* Gives members first .. first + n, CATALOGUE_PIECE at most: all that are here in
     * ascending order, the ids and then the friends. False: the reason is told elsewhere.
     */
    bool (*pull)(void *context, enum catalogue_member_column column, int64_t first,
                 int64_t n, int64_t *out);
    void *context;
    struct catalogue_rest rest;
};

/* Rows of their own group. */
struct catalogue_subhalos {
    int64_t n;
    int n_columns;
    const struct catalogue_column *columns;
    const int64_t *offset;      /* [n + 1], from members.before, */
    const int64_t *particle_id; /*   and those of these; NULL: not written */
    struct catalogue_rest rest, members;
};

struct catalogue {
    struct catalogue_header header;
    int64_t n; /* halos, in the order in which they are written */
    struct catalogue_rest rest;
    int n_columns;
    const struct catalogue_column *columns;
    const struct catalogue_members *members; /* NULL: none are written */
    int n_profiles; /* columns of shells around each halo, of their own group, */
    const struct catalogue_column *profiles;
    const double *profile_edge; /* and one number more than the shells that they have */
    const struct catalogue_subhalos *subhalos; /* NULL: none are looked for */
    bool comments; /* CSV begins with lines of # that tell units and the header */
    int threads;   /* that make text of numbers; 0: one */
};

/* Halos of all processes. */
static inline int64_t catalogue_rows(const struct catalogue *catalogue) {
    return catalogue->rest.before + catalogue->n + catalogue->rest.after;
}

/* Writes CSV where the name ends in .csv, GenericIO where it ends in .gio, otherwise HDF5.
 * The file appears whole or not at all; an older one of that name is replaced only by a
 * whole one. Pipes and devices take CSV alone. Nothing is copied: scratch memory does not
 * grow with n. All rows are here. Errors: a column without a name or data, of another
 * number of components, or named twice; members in a CSV or GenericIO file; offsets that
 * descend; all that can befall a file. */
bool catalogue_write(const char *path, const struct catalogue *catalogue,
                     struct io_error *error);

/* The same by several processes, in regular files alone: the first of them opens the file
 * and lays it out, all but the rows; then each writes its rows, whichever come first; and
 * the first seals it. The same bytes as one process writes.
 *
 * What each has, and what the first one tells the others; all have the same columns. */
struct catalogue_place {
    int64_t n, *at; /* where what is written begins, as catalogue_lay_out finds it */
};
bool catalogue_is_shared(const char *path);
bool catalogue_place_new(const struct catalogue *catalogue, struct catalogue_place *place,
                         struct io_error *error);
void catalogue_place_free(struct catalogue_place *place);
bool catalogue_lay_out(struct io_output *output, const struct catalogue *catalogue,
                       struct catalogue_place *place, struct io_error *error);

/* Bytes of the text of the rows here, which takes as long to find as to write; 0 where no
 * other's place depends on it. */
bool catalogue_measure(const char *path, const struct catalogue *catalogue, int64_t *bytes,
                       struct io_error *error);

/* Checksums of the columns of GenericIO, of the rows that a process has. */
enum { CATALOGUE_CHECKS = 64 };
struct catalogue_check {
    int64_t n;                      /* rows */
    uint64_t crc[CATALOGUE_CHECKS]; /* 0 where the file has none */
};

/* Writes the rows here; `bytes` of text of other processes come before them. */
bool catalogue_put(const char *path, int descriptor, const struct catalogue *catalogue,
                   const struct catalogue_place *place, int64_t bytes,
                   struct catalogue_check *check, struct io_error *error);

/* Where the file has checksums of rows: writes those of all.
 *   all   [n]   of each process, in the order of their rows */
bool catalogue_is_checked(const char *path);
bool catalogue_seal(const char *path, int descriptor, const struct catalogue *catalogue,
                    const struct catalogue_place *place, const struct catalogue_check *all,
                    int n, struct io_error *error);

/* Writes a description (XDMF) of the HDF5 catalogue at `hdf5_path`, which lies in the same
 * folder and holds this catalogue: ParaView opens it, the halos at their centers of mass.
 * Columns of six and nine are left out. */
bool catalogue_write_xdmf(const char *path, const char *hdf5_path,
                          const struct catalogue *catalogue, struct io_error *error);

/* The same as CSV into an open stream, which is flushed and stays open; members are not
 * written. */
bool catalogue_print(FILE *stream, const struct catalogue *catalogue,
                     struct io_error *error);

/* What an HDF5 catalogue says of how it was made; empty where it does not. */
struct catalogue_record {
    char options_hash[20], source_hash[20];
    int64_t n; /* halos */
};

/* Errors: it cannot be opened, is cut off, or is no catalogue. */
bool catalogue_read_record(const char *path, struct catalogue_record *record,
                           struct io_error *error);

/* What a number of this unit is in HACC's, Mpc/h or Msun/h, into which the .gio catalogue
 * puts lengths and masses, and products of them and of km/s ("Msun * Mpc * km/s"). False,
 * and they stay as they are, where the unit or the h that it takes is not known. */
bool catalogue_in_hacc(const char *unit, double h, double *factor);

#endif
