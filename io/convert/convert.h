/* Writes the particles of a snapshot in another format.
 *
 * Positions, velocities, masses and ids are written as they lie in the input: in its order,
 * its units, and where the options say nothing else in its width, bit for bit. Velocities
 * alone are multiplied where the formats differ in what they mean by them: Gadget's, in
 * HDF5 and binary, are peculiar km/s over sqrt(a). */
#ifndef WEFT_IO_CONVERT_H
#define WEFT_IO_CONVERT_H

#include "io/snapshot.h"

struct particles;

enum convert_format {
    CONVERT_HDF5,      /* Gadget's HDF5 */
    CONVERT_GENERICIO, /* a rank for each 2^20 particles; plain */
    CONVERT_GADGET1,   /* Gadget-2 binary, format 1 */
    CONVERT_GADGET2,   /* the same, format 2, whose blocks have names */
    CONVERT_NPY,       /* positions alone */
    CONVERT_TEXT,      /* a header line, then a particle a line */
    CONVERT_F32,       /* positions alone, in float32 */
    CONVERT_SWIFT,     /* SWIFT's HDF5; needs units; no path's ending tells it */
    CONVERT_FORMATS,
};

struct convert_options {
    enum convert_format format;
    int bytes; /* of positions, velocities and masses, 4 or 8; 0: the input's, and 4 in
                * Gadget-2 binary, where other programs expect it */
    int files; /* of GenericIO, and one that tells of them (split.h); 0 and 1: one alone */
};

/* The format of that name (hdf5, genericio, gadget1, gadget2, npy, csv, f32,
 * swift), or that the
 * ending of a path tells; CONVERT_FORMATS where there is none. */
enum convert_format convert_named(const char *name);
enum convert_format convert_by_path(const char *path);

/* The endings of names that formats have, ".hdf5 .h5, .gio, ...", or the formats' names
 * with what they are. */
enum { CONVERT_LIST = 512 };
void convert_list_endings(char text[CONVERT_LIST]);
void convert_list_names(char text[CONVERT_LIST]);

/* The ending by which a path tells its format; NULL where there is none. */
const char *convert_ending(const char *path);

/* What the output will lack, in words with commas between: "velocities, the box". Empty
 * where it has all that the input has. */
enum { CONVERT_LOSSES = 512 };
void convert_losses(const struct snapshot *snapshot, const struct convert_options *options,
                    char text[CONVERT_LOSSES]);

/* What is written of a snapshot. */
struct particles convert_lay_out(struct snapshot *snapshot,
                                 const struct convert_options *options);

/* The file appears whole or not at all. Memory: 2^20 particles. Errors: reading's and
 * writing's; more particles than the format can hold. */
bool convert_write(const char *path, struct snapshot *snapshot,
                   const struct convert_options *options, struct io_error *error);

#endif
