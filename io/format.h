/* What a particle format gives, for snapshot.c. A new one is a file that fills this table,
 * and a line in the list there. */
#ifndef WEFT_IO_FORMAT_H
#define WEFT_IO_FORMAT_H

#include "io/files/numbers.h"
#include "snapshot.h"

struct snapshot_part {
    char *path;
    int64_t first, count; /* its particles in the input order */
};

/* What a unit is in cgs, NaN where it is not known, and the power of h in it. */
struct snapshot_unit {
    double cgs, h_exponent;
};

/* An array of the dark matter beside the fields: a row of numbers a particle. */
enum { SNAPSHOT_NAME = 96 };
struct snapshot_other {
    char name[SNAPSHOT_NAME];
    char kind;      /* f, i or u, as NumPy has it */
    int bytes;      /* of a number in memory: 1, 2, 4 or 8; of an f 4 or 8 */
    int components; /* numbers of a row */
};

struct snapshot {
    struct snapshot_info info;
    const struct snapshot_format *format;
    struct snapshot_part *parts;
    int type;               /* of the particles; the format may have no others than 1 */
    unsigned fields;        /* those that are looked at */
    double velocity_factor; /* from the file's velocities to peculiar km/s */
    struct snapshot_unit length, mass;
    int n_others;
    struct snapshot_other *others;
    int n_sources;
    char **sources; /* files beside the parts that numbers are read from */
    int threads;    /* that reading may use; 0 and 1: the caller's */
    void (*told)(int64_t done, int64_t total); /* how far reading is; NULL: nobody is */
    bool rehearses; /* to see whether HDF5 crashes; what is read is of no use */
    bool more;      /* there are arrays that are neither fields nor among the others */
};

enum { SNAPSHOT_HEAD = 16 };

struct snapshot_format {
    /* Some rows of a field cost their share: `read` may be asked for them by and by. */
    bool in_pieces;

    /* Types of particles that can be read; 0: of type 1 alone. */
    int types;

    /* Is this file of the format? `head` holds its first bytes, zeros past its end. */
    bool (*recognise)(const char *path, const unsigned char head[SNAPSHOT_HEAD]);

    /* Fills info, parts and velocity_factor, starting from the file `path`. */
    bool (*open)(struct snapshot *snapshot, const char *path, struct io_error *error);

    /* Reads particles first .. first + count of one part, counted from the start of the
     * part, into each values[field] that is not NULL, as the file has them in the machine's
     * byte order, in the widths of info.bytes. Ids above 2^63 come out negative. What it
     * saw of them by the way it adds to seen[field], unless `seen` is NULL. */
    bool (*read)(const struct snapshot *snapshot, const struct snapshot_part *part,
                 int64_t first, int64_t count, void *const values[SNAPSHOT_FIELDS],
                 struct io_seen *seen, struct io_error *error);

    /* Whether it is soon found that all particles of a part, at least one, have one mass.
     * NULL: never. */
    bool (*has_one_mass)(const struct snapshot *snapshot, const struct snapshot_part *part,
                         double *mass);

    /* The same as `read` for one of the others; NULL where the format never has any. */
    bool (*read_other)(const struct snapshot *snapshot, const struct snapshot_part *part,
                       const struct snapshot_other *other, int64_t first, int64_t count,
                       void *values, struct io_error *error);

    /* snapshot_list; contents is empty before. */
    bool (*list)(const struct snapshot *snapshot, struct snapshot_contents *contents,
                 struct io_error *error);
};

extern const struct snapshot_format snapshot_gadget, snapshot_genericio, snapshot_hdf5,
    snapshot_table;

/* Numbers a particle has in a field, and its name for people. */
int snapshot_components(enum snapshot_field field);

/* Widens low and high of `particles` by those of `more`; nothing encloses no particle. */
void snapshot_enclose_nothing(struct snapshot_particles *particles);
void snapshot_enclose(struct snapshot_particles *particles,
                      const struct snapshot_particles *more);

/* Refuses what no calculation can use of numbers of a field, of particles from `first` on
 * in the input; encloses coordinates in low and high of `particles`, which tells widths. */
bool snapshot_check_numbers(int threads, const char *path, int type,
                            enum snapshot_field field, const void *values, int64_t first,
                            int64_t count, struct snapshot_particles *particles,
                            struct io_error *error);

/* snapshot_read_slice, but all is as the file has it: velocities in its units, numbers that
 * are not finite, ids of 2^63 and above as negative ones. */
bool snapshot_read_raw(const struct snapshot *snapshot, int64_t first, int64_t count,
                       unsigned fields, struct snapshot_particles *particles,
                       struct io_error *error);

/* Particles first .. first + count of one of the others, [count][components] in the
 * machine's byte order. */
bool snapshot_read_other(const struct snapshot *snapshot, int other, int64_t first,
                         int64_t count, void *values, struct io_error *error);

/* For `open`: adds one of the others, or where it has a name that another format gives to a
 * field, or a type that is not listed above, says that there is more. */
bool snapshot_add_other(struct snapshot *snapshot, const struct snapshot_other *other,
                        struct io_error *error);

/* For `open`: adds a file that numbers are read from, unless it is known. */
bool snapshot_add_source(struct snapshot *snapshot, const char *path,
                         struct io_error *error);

/* For `list`: adds the array, or its rows to those of the parts before. */
bool snapshot_add_array(struct snapshot_contents *contents,
                        const struct snapshot_array *array, struct io_error *error);

/* Gives the snapshot `n` parts, all without a name and empty. */
bool snapshot_set_parts(struct snapshot *snapshot, int n, struct io_error *error);

#endif
