/* Reads points in two or three dimensions, whatever the format:
 *
 * - a snapshot (see snapshot.h): the coordinates of its dark matter, and its box;
 * - NumPy's .npy: shape (n, 2) or (n, 3), f4 or f8 of either byte order, in C order;
 * - text, where the name ends in .csv or .txt: two or three numbers a line, between them
 *   commas, semicolons or white space; the first line may be a header; empty lines, and
 *   those that begin with #, are skipped;
 * - raw float32, where the name ends in .f32: little-endian x, y, z of each point in turn.
 *
 * A NaN, an infinity, and a file that is cut off are refused. */
#ifndef WEFT_IO_POINTS_H
#define WEFT_IO_POINTS_H

#include "error.h"

struct points {
    int64_t n;
    int axes;      /* 2 or 3 */
    int bytes;     /* of one coordinate: 4 or 8; text gives 8 */
    void *values;  /* [n][axes] f4 or f8 */
    double box[3]; /* the period of each axis, 0 where there is none */
};

/* On failure nothing needs to be freed. */
bool points_read(const char *path, struct points *points, struct io_error *error);

/* Frees the values and sets them to NULL. */
void points_free(struct points *points);

/* The formats: each reads its own, and leaves `box` alone. */
bool points_read_npy(const char *path, struct points *points, struct io_error *error);
bool points_read_text(const char *path, struct points *points, struct io_error *error);
bool points_read_f32(const char *path, struct points *points, struct io_error *error);

#endif
