/* Tables of points: NumPy's .npy, text, raw float32.
 *
 * - .npy: shape (n, 2) or (n, 3), f4 or f8 of either byte order, in C order;
 * - text, where the name ends in .csv, .txt, .tsv, .dat or .asc, or is -, standard input: a
 * row of numbers a line, between them commas, semicolons, quotes or white space; empty
 * lines, and those that begin with
 *   #, are skipped. A header line, of no number, may come first: one that names x and y
 *   (and z) says which columns are read, and vx vy vz, mass and id where they are there,
 *   too; without such names there are two or three columns, x y or x y z;
 * - raw float32, where the name ends in .f32: little-endian x, y, z of each point in turn.
 */
#ifndef WEFT_IO_TABLE_TABLE_H
#define WEFT_IO_TABLE_TABLE_H

#include "io/files/bytes.h"
#include "io/files/input.h"
#include "io/snapshot.h"

enum table_kind { TABLE_NONE, TABLE_NPY, TABLE_TEXT, TABLE_F32 };

struct table {
    enum table_kind kind;
    int64_t n;
    int axes;                   /* 2 or 3 */
    int bytes[SNAPSHOT_FIELDS]; /* of a number in memory; 0: not there; ids: 8 */
    enum io_order order;        /* of .npy and .f32, with where their numbers begin */
    uint64_t start;
    bool fortran;                   /* of .npy: [axes][n] in the file */
    char integer;                   /* i or u where its numbers are; 0: floats */
    int width;                      /* bytes of a number in the file */
    int column[SNAPSHOT_FIELDS][3]; /* of text: from 0; -1: not there */
    int n_columns;                  /* of text */
    int threads;                    /* that reading may use; 0: one */
};

/* What the first six bytes or, failing that, the name says. */
enum table_kind table_kind(const char *path, const unsigned char head[6]);

/* Counts the points, and finds what there is of them. Cost: text is read once through.
 * Errors: a file that is cut off, a line or a header that is none. */
bool table_open(struct table *table, const char *path, struct io_error *error);

/* Reads points first .. first + count into each values[field] that is not NULL, positions
 * as [count][axes]. Cost: text is read from its beginning. */
bool table_read(const struct table *table, const char *path, int64_t first, int64_t count,
                void *const values[SNAPSHOT_FIELDS], struct io_error *error);

/* The kinds. `open` fills in all but `kind`. */
bool table_open_npy(struct table *table, const struct io_input *input,
                    struct io_error *error);
bool table_read_npy(const struct table *table, const struct io_input *input, int64_t first,
                    int64_t count, void *values, struct io_error *error);
bool table_open_text(struct table *table, const char *path, struct io_error *error);
bool table_open_f32(struct table *table, const struct io_input *input,
                    struct io_error *error);
bool table_read_text(const struct table *table, const char *path, int64_t first,
                     int64_t count, void *const values[SNAPSHOT_FIELDS],
                     struct io_error *error);

#endif
