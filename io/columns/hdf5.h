/* Where the columns of an HDF5 file are, and how they are read. */
#ifndef WEFT_IO_COLUMNS_HDF5_H
#define WEFT_IO_COLUMNS_HDF5_H

#include "columns.h"

#include <hdf5.h>

enum { MOST_COMPONENTS = 64, MOST_SOURCES = 4096, NAME = 80 };

/* Where a column's numbers are. */
struct source {
    char group[NAME], name[NAME]; /* group: empty for the root */
    hid_t dataset;                /* -1: not opened yet */
    int rank;
    hsize_t shape[H5S_MAX_RANK];
};

struct sources {
    hid_t file;
    int n;
    struct source *source;
    int64_t *offset; /* of /members, [n_offsets]; NULL: not read yet */
    int64_t n_offsets;
};

/* The columns of /members that say in which halo a member is. */
enum { HALO = -1 };

/* A data set of numbers, as a column; false for all others. */
bool columns_hdf5_describe(hid_t dataset, struct source *source,
                           struct columns_column *column, int64_t *components);

/* The name of link k of a group; false where it is longer than what is looked for. */
bool columns_hdf5_link(hid_t group, hsize_t k, char name[NAME]);

/* Opens the file, and finds its tables. */
bool columns_hdf5_open(struct columns_file *file, struct io_error *error);

/* The format's function `read`. */
bool columns_hdf5_read(struct columns_file *file, int table, int number, int64_t row,
                       struct columns_piece *piece, struct io_error *error);

/* What header and attributes say. */
bool columns_hdf5_notes(hid_t file, const char *path, columns_note *note, void *context,
                        struct io_error *error);
void columns_hdf5_attributes(hid_t object, const char *path, columns_note *note,
                             void *context);

#endif
