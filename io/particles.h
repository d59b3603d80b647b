/* What a writer of a particle format is given: arrays that it pulls, a piece at a time. */
#ifndef WEFT_IO_PARTICLES_H
#define WEFT_IO_PARTICLES_H

#include "format.h"
#include "io/files/output.h"

enum { PARTICLES_PIECE = 1 << 20 };

struct particles {
    struct snapshot *snapshot;
    int64_t n;
    int bytes[SNAPSHOT_FIELDS]; /* of a number to be written, ids 8; 0: none is */
    double velocity_factor;     /* from the input's numbers to the output's */
    double table_mass;          /* of each, where the format has a place for it; or 0 */
};

/* The numbers of particles first .. first + count in the width to be written, in the
 * machine's byte order, for free(); NULL and a sentence where they cannot be read. */
void *particles_pull(const struct particles *particles, enum snapshot_field field,
                     int64_t first, int64_t count, struct io_error *error);

/* The same of one of the snapshot's others. */
void *particles_pull_other(const struct particles *particles, int other, int64_t first,
                           int64_t count, struct io_error *error);

/* Whether Gadget's HDF5 can tell the unit of the table's mass: it has a place for the unit
 * of all masses, which readers take to be of 1/h where the file tells h. */
bool particles_tell_mass_unit(const struct particles *particles);

/* How many from `first` on are in a piece. */
int64_t particles_piece(const struct particles *particles, int64_t first);

/* Writes into the open output. Returns false and a sentence; io_output_close tells of what
 * a stream keeps to itself. */
typedef bool particles_writer(struct io_output *output, const struct particles *particles,
                              struct io_error *error);
particles_writer hdf5_write_particles, hdf5_write_swift, genericio_write_particles,
    gadget1_write_particles, gadget2_write_particles, npy_write_particles,
    text_write_particles, f32_write_particles;

/* What of n particles is in one of the files of GenericIO: its ranks, of PARTICLES_PIECE
 * but for the last, and how many are in the files before and beyond it. */
struct genericio_share {
    int64_t first, n;
    int64_t ranks, before, beyond;
};
struct genericio_share genericio_share(int64_t n, int files, int file);

/* Such a file: its header, then ranks first .. first + count one after the other, or from
 * one on, where the stream can be moved there. */
bool genericio_begin(struct io_output *output, const struct particles *particles,
                     const struct genericio_share *share, struct io_error *error);
bool genericio_seek(struct io_output *output, const struct particles *particles,
                    const struct genericio_share *share, int64_t rank,
                    struct io_error *error);
bool genericio_put_ranks(struct io_output *output, const struct particles *particles,
                         const struct genericio_share *share, int64_t first, int64_t count,
                         struct io_error *error);

/* The file beside them, which tells which ranks are in which. */
bool genericio_put_map(struct io_output *output, const struct particles *particles,
                       int files, struct io_error *error);

/* One above the highest that such a file names; 0: it is none, or cannot be read. */
int genericio_partitions(const char *path);

/* Writes n bytes, or says why not. */
bool particles_put(struct io_output *output, const void *bytes, size_t n,
                   struct io_error *error);

/* The same for n numbers of `width` bytes, little-endian; swaps them in place. */
bool particles_put_little(struct io_output *output, void *values, int width, int64_t n,
                          struct io_error *error);

#endif
