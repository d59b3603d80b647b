/* What the tests of io/ share: a folder for their files, HDF5 files of any shape, and main.
 */
#ifndef WEFT_TESTS_IO_SUPPORT_H
#define WEFT_TESTS_IO_SUPPORT_H

#include "../assertions.h"
#include "io/snapshot.h"

#include <hdf5.h>

/* Runs the tests, each with a fresh empty folder. */
int io_test_main(const char *name, const TTest *const *tests, int count);

/* The name of a file in that folder; valid for the next few calls. */
const char *scratch(const char *name);

/* How many files are in it. */
int scratch_count(void);

/* The bytes of a file, for free(). */
char *slurp(const char *path, size_t *n);
void spill(const char *path, const void *bytes, size_t n);

/* That `text` contains each of the words, up to a NULL. */
void expect_words(const char *text, const char *const *words);

/* Small HDF5 files. `values` are of the native type of the same class and 8 bytes a number,
 * but for H5T_NATIVE_FLOAT, converted to `type` in the file. */
hid_t make_file(const char *path);
hid_t make_group(hid_t parent, const char *name);
void make_array(hid_t group, const char *name, hid_t type, hid_t memory_type, int rank,
                hsize_t n, hsize_t components, const void *values);
void make_numbers(hid_t object, const char *name, hid_t type, hsize_t n,
                  const double *values);
void make_text(hid_t object, const char *name, const char *text, bool fixed);

/* The coordinate of particle i on an axis in the files below, exact in f4. */
double made_position(int64_t i, int axis);
int64_t made_id(int64_t i);

/* What goes into a made snapshot; a type of 0 leaves the array out. */
struct recipe {
    int64_t first, n;                           /* particles in this file */
    hid_t coordinates, velocities, masses, ids; /* types in the file */
    double box;                                 /* 0: no BoxSize */
    double redshift;                            /* NAN: no Redshift */
    double table_mass;                          /* 0: no MassTable */
    int n_files;                                /* 0: no NumFilesPerSnapshot */
    int64_t total; /* 0: neither count nor total in the header */
};

/* A recipe for n particles with everything: f4 Gadget file in a box of 64. */
struct recipe full_recipe(int64_t n);

/* Makes it: positions as above, velocities 100 times them, masses 1 + i, ids as above. */
void make_snapshot(const char *path, const struct recipe *recipe);

/* A bare file with n particles, nothing but f8 positions, stored as `creation` says. */
void make_stored(const char *path, hsize_t n, hid_t creation);

/* Opens, or fails the test with the sentence. */
struct snapshot *open_snapshot(const char *path);
void read_snapshot(struct snapshot *snapshot, struct snapshot_particles *particles);

/* That the file cannot be opened, or else cannot be read, with these words in the sentence.
 */
void expect_refused(const char *path, const char *const *words);

/* That the particles first .. first + n are those of a made snapshot, from the whole of it.
 */
void expect_made(const struct snapshot_particles *particles, double velocity_factor);

#endif
