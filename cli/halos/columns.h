/* The columns of the catalogue: what each is, and how its numbers get there. */
#ifndef WEFT_CLI_HALOS_COLUMNS_H
#define WEFT_CLI_HALOS_COLUMNS_H

#include "io/catalogue/catalogue.h"

#include <weft/array.h>

struct halos_run;

enum halos_unit {
    HALOS_NO_UNIT,
    HALOS_LENGTH, /* the snapshot's, as are masses */
    HALOS_MASS,
    HALOS_VELOCITY,  /* km/s */
    HALOS_POTENTIAL, /* mass / length */
    HALOS_VELOCITY2, /* km^2/s^2 */
    HALOS_DENSITY,   /* mass / length^3 */
    HALOS_ENERGY,    /* mass km^2/s^2 */
    HALOS_SPIN,      /* mass length km/s */
};

/* What a column is. Its type is that of its numbers. */
struct halos_column {
    const char *name;
    int components; /* 1, 3, 6 or 9; of profiles others */
    enum halos_unit unit;
    const char *description;
    const char *hacc; /* its name among HACC's halo properties; NULL: none */
};

/* Columns as they are written, which own their data. */
struct halos_columns {
    int n;
    struct catalogue_column *column;
};
void halos_columns_free(struct halos_columns *columns);

/* Adds a column and takes its data. False where memory is out; the data are then freed. */
bool halos_columns_add(struct halos_columns *columns,
                       const struct catalogue_column *column);

/* The data of a column; NULL: it is not there. */
const void *halos_columns_find(const struct halos_columns *columns, const char *name);

/* Adds a column of the run, whose numbers are read from the device: f64, i64, u8, or u32,
 * which becomes i64. Does nothing where the device has an error, which the caller finds. */
void halos_add_column(struct halos_run *run, const struct halos_column *column,
                      weft_array numbers);

/* The same, of host memory that the run takes over. */
void halos_keep_column(struct halos_run *run, const struct halos_column *column,
                       enum catalogue_type type, void *data);

/* The same of a column of the run. */
const void *halos_column(const struct halos_run *run, const char *name);

/* An array of u32 on the host, as int64, for free(); NULL where memory is out or the device
 * failed. */
int64_t *halos_read_numbers(struct halos_run *run, weft_array array);

/* Host memory for `count` elements and one more, for free(); NULL, and an error of the
 * device, where there is none. */
void *halos_allocate(struct halos_run *run, int64_t count, size_t bytes_each);

#endif
