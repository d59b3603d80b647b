/* Reads points in two or three dimensions: those of a table (see table/table.h), or the
 * coordinates and the box of a snapshot's dark matter (see snapshot.h). A NaN, an infinity,
 * and a file that is cut off are refused. */
#ifndef WEFT_IO_POINTS_H
#define WEFT_IO_POINTS_H

#include "snapshot.h"

struct points {
    int64_t first, n;              /* points first .. first + n of the file's */
    int64_t total;                 /*   which has so many */
    int axes;                      /* 2 or 3 */
    int bytes;                     /* of one coordinate: 4 or 8; text gives 8 */
    void *values;                  /* [n][axes] f4 or f8 */
    double low[3], high[3];        /* of each axis, as io_extent finds them */
    double box[3];                 /* the period of each axis, 0 where there is none */
    uint64_t fingerprint;          /* the same where the same file is read */
    int64_t count[SNAPSHOT_TYPES]; /* a snapshot's particles of each type, read or not */
};

/* Reads number `share` of `shares` like parts (io_share), by `threads` threads where the
 * file allows it. On failure nothing needs to be freed. */
bool points_read(const char *path, int share, int shares, int threads,
                 struct points *points, struct io_error *error);

/* Whether the points of file `path` are read from file `other`. */
bool points_has_part(const char *path, const char *other);

/* Frees the values and sets them to NULL. */
void points_free(struct points *points);

#endif
