/* Tables in HDF5 and GenericIO files, read a column and a few rows at a time.
 *
 * HDF5: each group at the root is a table of that name, its columns the data sets of
 * numbers in it, which have as many rows as the first axis is long; those of another length
 * than the first data set of the group are a table GROUP_NAME. Of /members, as catalogues
 * have it, the offsets become a column `halo`, the row of /halos. A file without groups has
 * the table `data`, of those in the root with one or two axes. GenericIO: the table `data`,
 * over all ranks and parts.
 *
 * More than one number a row is as many columns: NAME_x, _y, _z where there are three, else
 * NAME_0, NAME_1, ...; at most 64. Names that are the same but for their case get _2, ...
 * Numbers come as f64, or as i64 where they are integers; u64 of 2^63 and above are an
 * error. */
#ifndef WEFT_IO_COLUMNS_H
#define WEFT_IO_COLUMNS_H

#include "io/files/error.h"

enum { COLUMNS_NAME = 96, COLUMNS_UNIT = 48, COLUMNS_ABOUT = 192 };

struct columns_column {
    char name[COLUMNS_NAME];
    char type[24]; /* f4, i8, ... as in the file */
    bool integer;
    char unit[COLUMNS_UNIT], frame[24], about[COLUMNS_ABOUT]; /* empty: not told */
    int source, component;                                    /* the reader's */
};

struct columns_table {
    char name[COLUMNS_NAME];
    int64_t n; /* rows */
    int n_columns;
    struct columns_column *columns;
};

struct columns_file {
    char *path;
    int n_tables;
    struct columns_table *tables;
    const struct columns_format *format;
    void *context;
};

/* A column's rows first .. first + count, eight bytes each. */
struct columns_piece {
    int64_t first, count, room; /* room: rows that `values` can hold */
    void *values;               /* i64 or f64 */
};

/* NULL and a sentence where it is neither, or damaged. Files without tables have none. */
struct columns_file *columns_open(const char *path, struct io_error *error);
void columns_close(struct columns_file *file);

/* The number of a table; -1 where there is none of that name. */
int columns_find(const struct columns_file *file, const char *name);

/* Reads the piece in which a row is, and which is read at once (some thousand rows of HDF5,
 * a block of GenericIO); its values grow as they need to, and are freed by columns_forget.
 * Nothing of other columns is read. Errors: those of the file, by name. */
bool columns_read(struct columns_file *file, int table, int column, int64_t row,
                  struct columns_piece *piece, struct io_error *error);
void columns_forget(struct columns_piece *piece);

/* Reads all columns of all tables, and so verifies the checksums that they have. */
bool columns_verify(struct columns_file *file, struct io_error *error);

/* What /header of a catalogue says, or an HDF5 file's Header: name and value, numbers in 17
 * digits with blanks between. */
typedef void columns_note(void *context, const char *name, const char *value);
bool columns_notes(struct columns_file *file, columns_note *note, void *context,
                   struct io_error *error);

/* Arrays of an HDF5 file that are no columns, as grids are: name, type and shape in words,
 * and what their attributes say, called before the next array. */
typedef void columns_array(void *context, const char *name, const char *type,
                           const char *shape);
bool columns_arrays(struct columns_file *file, columns_array *array, columns_note *note,
                    void *context, struct io_error *error);

/* For the formats. */

struct columns_format {
    bool (*open)(struct columns_file *file, struct io_error *error);
    void (*close)(struct columns_file *file);
    bool (*read)(struct columns_file *file, int table, int column, int64_t row,
                 struct columns_piece *piece, struct io_error *error);
    bool (*notes)(struct columns_file *file, columns_note *note, void *context,
                  struct io_error *error);
    bool (*arrays)(struct columns_file *file, columns_array *array, columns_note *note,
                   void *context, struct io_error *error);
};
extern const struct columns_format columns_hdf5, columns_genericio;

/* Adds a table to the file, and the columns of an array to a table. */
bool columns_add_table(struct columns_file *file, const char *name, int64_t n,
                       struct io_error *error);
bool columns_add(struct columns_file *file, int table, const struct columns_column *like,
                 int components, struct io_error *error);

/* Room for so many rows. */
bool columns_make_room(struct columns_piece *piece, int64_t count, struct io_error *error);

#endif
