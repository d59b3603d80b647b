/* Reads the dark matter of a simulation snapshot, whatever the format.
 *
 *     struct io_error error;
 *     struct snapshot_particles particles;
 *     struct snapshot *snapshot = snapshot_open("snap_099.0.hdf5", &error);
 *     if (snapshot == NULL || !snapshot_read(snapshot, SNAPSHOT_ALL, &particles, &error))
 *         fprintf(stderr, "%s\n", error.text);
 *
 * Formats: Gadget, SWIFT and AREPO HDF5, one file or several; GenericIO, split or not;
 * Gadget-2 binary, format 1 and 2, one file or several.
 *
 * What is decided for GenericIO: the variables are HACC's, x y z, vx vy vz (peculiar km/s),
 * mass, id; of those only the three positions must be there. The box is the header's
 * physical scale, periodic where it is not 0. Units and redshift are not told. Every block
 * that is read has its checksum verified, and the header has.
 *
 * What is decided for Gadget-2: type 1 is read. Velocities are multiplied by sqrt(a). The
 * box is periodic where it is not 0. Units are not told. A block that the header calls for
 * and that is not there is a file that is cut off; in format 2, velocities and ids may
 * miss.
 *
 * What is decided for HDF5:
 *
 * - Read is PartType1 (or the type that is asked for), nothing else. A file without that
 * group is refused; one whose PartType1 is empty has n = 0. In a snapshot of several files
 * a part may lack the group.
 * - `Coordinates` must be there, floating-point, [n][3]; f2 and f4 are kept as f4, f8 as
 *   f8, bit for bit, whatever their byte order. `Velocities` (or `Velocity`), `Masses`
 *   (or `Mass`, or SWIFT's `DynamicalMasses`) and `ParticleIDs` may be missing; present in
 * the wrong type or shape they are refused. All parts must agree in what is there and how
 * wide it is, and in the box and the redshift where they tell them.
 * - A NaN or an infinity in what is read, and a mass that is not above 0, are refused with
 *   the index of the particle and the file. Positions outside the box are legal.
 * - Every entry of `Header` may be missing; one that is not a number, a count that is not
 *   the length of `Coordinates`, and a total that is not the sum over the parts are
 *   refused, since each is the sign of a file that is cut off or put together wrongly.
 * - Box: `BoxSize`, one number or three; 0 or missing means that there is none. Periodic on
 *   each axis with a box, unless SWIFT's parameters say that the run was not.
 * - Units: what the attributes of the data set say (SWIFT, EAGLE, AREPO, Gadget-4), else
 *   the groups Units, Header and Parameters. A length is in units of 1/h where the data set
 *   says so, or, in files that are not SWIFT's, where it is silent and `HubbleParam` is
 *   there. With nothing said the unit is `code`. Values are never converted, but for:
 * - Velocities come as peculiar km/s: times a^k and times the unit, where that is known and
 *   differs from km/s by more than 1e-4. k is what the data set's attributes say, else 1/2
 *   in Gadget-style files, 0 in SWIFT's.
 * - Virtual data sets whose sources are missing, shorter than what is shown of them or less
 *   than the whole, and external storage that is missing, cut off or outside of the file's
 *   folder, are refused (HDF5 would give zeros, or another's file).
 *
 * A snapshot belongs to one thread at a time. Nothing is printed and no file stays open
 * between calls. */
#ifndef WEFT_IO_SNAPSHOT_H
#define WEFT_IO_SNAPSHOT_H

#include "io/files/error.h"

enum snapshot_field {
    SNAPSHOT_COORDINATES, /* [n][3], f4 or f8 as in the file, the file's unit, comoving */
    SNAPSHOT_VELOCITIES,  /* [n][3], f4 or f8, peculiar km/s */
    SNAPSHOT_MASSES,      /* [n], f4 or f8, the file's unit */
    SNAPSHOT_IDS,         /* [n], int64 */
    SNAPSHOT_FIELDS,
};

/* A set of fields has bit 1 << field for each. */
enum { SNAPSHOT_ALL = (1 << SNAPSHOT_FIELDS) - 1 };

enum { SNAPSHOT_TYPES = 16, SNAPSHOT_UNIT_LENGTH = 32 };

/* What the file says of its universe; all 0 where it does not. Numbers that are none of any
 * universe, as a negative h, are an error unless others are assumed. */
struct snapshot_cosmology {
    double h, omega_matter, omega_lambda; /* H0 in 100 km/s/Mpc; today's */
    double omega_baryon;                  /* of omega_matter; 0 where it does not say */
};

/* What a snapshot says of itself, known once it is open. */
struct snapshot_info {
    const char *format;            /* in words, for people */
    int n_parts;                   /* files */
    int64_t n;                     /* particles that are read, over all parts */
    int64_t count[SNAPSHOT_TYPES]; /* particles of each type */
    int bytes[SNAPSHOT_FIELDS];    /* of one number in memory; 0 where there is none */
    double mass;                   /* of each particle where bytes[SNAPSHOT_MASSES] is 0:
                                    * the mass table's, or 1 */
    double box[3];                 /* 0 on an axis without one */
    bool periodic[3];              /* only where there is a box */
    double redshift;               /* NaN where the file has none */
    double scale_factor;           /* 1 where the file has neither it nor a redshift */
    struct snapshot_cosmology cosmology;
    char length_unit[SNAPSHOT_UNIT_LENGTH]; /* Mpc, Mpc/h, kpc, kpc/h, pc, pc/h, "X cm",
                                             * "X cm/h", or code */
    char mass_unit[SNAPSHOT_UNIT_LENGTH]; /* Msun, 1e10 Msun, each with /h, "X g", "X g/h",
                                           * code; 1 where each counts as 1 */
};

enum snapshot_ids_from { SNAPSHOT_IDS_FILE, SNAPSHOT_IDS_INDEX };

/* Particles first .. first + n of the input order, which runs through the parts in turn.
 * The arrays are aligned to 64 bytes; snapshot_free() frees them, or the caller takes one
 * over by setting its pointer to NULL and frees it with free(). */
struct snapshot_particles {
    int64_t first, n;
    void *field[SNAPSHOT_FIELDS]; /* NULL where not asked for or not in the file */
    int bytes[SNAPSHOT_FIELDS];   /* of one number of that field; 0 with NULL */
    double low[3], high[3]; /* of the coordinates, once they were read or checked: INFINITY
                             * and -INFINITY where there are none */
    double mass;            /* of each particle where field[SNAPSHOT_MASSES] is NULL */
    enum snapshot_ids_from ids_from;
    char ids_note[96]; /* why the index took the place of the ids; empty where it did not */
};

/* Reads the headers of all parts; PATH is a file, any part of several, or their common
 * stem. Returns NULL and a sentence where it cannot. Cost: opens each part, the first one
 * twice. */
struct snapshot *snapshot_open(const char *path, struct io_error *error);

/* The same for particles of another type than 1, and some fields alone: the others are as
 * if they were not there. info.n is then the number of those. */
struct snapshot *snapshot_open_type(const char *path, int type, unsigned fields,
                                    struct io_error *error);

/* The same as snapshot_open for snapshot_list alone: its particles need no positions, so
 * that tables of other things (halos in GenericIO) are told, too. */
struct snapshot *snapshot_inspect(const char *path, struct io_error *error);

/* To be called first in a process of one's own: libhdf5 then does nothing at the end of it,
 * where it may crash once it has read damaged files. All that is written has been closed.
 */
void snapshot_own_process(void);

/* From now on HDF5's external storage may lie outside of the snapshot's folder. */
void snapshot_allow_external(void);

/* From now on a snapshot that is opened is read completely first, and all its checksums are
 * verified, also those of arrays that nobody asks for. */
void snapshot_verify_all(void);
bool snapshot_verifies_all(void);

/* Valid until snapshot_close. */
const struct snapshot_info *snapshot_info(const struct snapshot *snapshot);

/* Reading may use so many threads from now on; the result is the same. */
void snapshot_set_threads(struct snapshot *snapshot, int threads);

/* Reading tells from now on how many of its numbers it has read. */
void snapshot_tell(struct snapshot *snapshot, void (*told)(int64_t done, int64_t total));

/* The file name of part 0 <= part < n_parts, valid until snapshot_close. */
const char *snapshot_part(const struct snapshot *snapshot, int part);

/* Whether `path` names one of them, or another file that they are read from, by whatever
 * name. */
bool snapshot_has_part(const struct snapshot *snapshot, const char *path);

/* A number that is the same for processes that read the same snapshot. */
uint64_t snapshot_fingerprint(const struct snapshot *snapshot);

void snapshot_close(struct snapshot *snapshot);

/* Reads the `fields` of all particles. Where ids are asked for and the file has none, or
 * one is 2^63 or above, or two are the same, the input index stands in their place, and
 * ids_from and ids_note say so. On failure nothing needs to be freed. Memory: the arrays,
 * and while ids are compared what io_ids_judge says. */
bool snapshot_read(struct snapshot *snapshot, unsigned fields,
                   struct snapshot_particles *particles, struct io_error *error);

/* The same for particles first .. first + count. The ids of a slice are not compared with
 * each other, since that tells nothing about the others: io_ids_judge does so for ids that
 * were collected. Opens only the parts that the slice touches. */
bool snapshot_read_slice(struct snapshot *snapshot, int64_t first, int64_t count,
                         unsigned fields, struct snapshot_particles *particles,
                         struct io_error *error);

/* Whether all particles are known to have this one mass, above 0, without an array of them:
 * then the masses need not be read. */
bool snapshot_has_one_mass(const struct snapshot *snapshot, double *mass);

/* What reading refuses, of arrays that were not read: a number that is not finite, a mass
 * that is not above 0, and ids of which one is below 0 or two are the same. The sentence
 * says "the mass of particle 3 in PATH". Sets low and high. */
bool snapshot_check(struct snapshot_particles *particles, int threads, const char *path,
                    struct io_error *error);

/* Frees the arrays and sets them to NULL. */
void snapshot_free(struct snapshot_particles *particles);

/* One array in the file, over all parts. */
struct snapshot_array {
    char name[96];    /* PartType1/Coordinates */
    char type[24];    /* f8, u8, i4, ...; a > in front where big-endian */
    char storage[96]; /* contiguous, or: chunked, shuffle, gzip 6, ... */
    int rank;
    int64_t shape[4];
    bool checked; /* carries a checksum, which was verified */
};

struct snapshot_contents {
    int n_arrays;
    struct snapshot_array *arrays;
};

/* Lists the arrays of all particle types, and reads those that carry checksums once
 * through. Errors: a checksum that is wrong, by file and array. Free `arrays` with free().
 */
bool snapshot_list(struct snapshot *snapshot, struct snapshot_contents *contents,
                   struct io_error *error);

#endif
