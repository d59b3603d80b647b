/* Passes over arrays of float32 or float64 whose width is known only at run time, some by
 * several threads. */
#ifndef WEFT_IO_NUMBERS_H
#define WEFT_IO_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

/* Index of the first of the n values (`bytes` 4 or 8 each) that is NaN or infinite, or -1.
 * One pass at memory speed; looks at the bits, so it holds under any floating-point mode.
 */
int64_t io_first_not_finite(int threads, const void *values, int bytes, int64_t n);

/* Index of the first of the n values that is not above zero, or -1. */
int64_t io_first_not_positive(int threads, const void *values, int bytes, int64_t n);

/* The lowest and the highest number of each axis, 1 to 4, of n rows: INFINITY and -INFINITY
 * where there are none but NaN. Returns whether all are finite. */
bool io_extent(int threads, const void *values, int bytes, int axes, int64_t n, double *low,
               double *high);

/* The smallest and the largest of n >= 1 integers. */
void io_range(int threads, const int64_t *values, int64_t n, int64_t *smallest,
              int64_t *largest);

/* What rows of numbers are like that were looked at one after another. */
struct io_seen {
    int64_t rows;
    bool odd;                  /* of floats, which of one to three axes: some not finite, */
    double low[3], high[3];    /*   lowest and highest of each */
    int64_t smallest, largest; /* of integers */
};

/* Of none. Then with those of n more rows, of floats or of integers of 8 bytes. */
struct io_seen io_seen_none(void);
void io_see(struct io_seen *seen, const void *values, int bytes, int axes, int64_t n);
void io_see_integers(struct io_seen *seen, const int64_t *values, int64_t n);

/* With what was seen elsewhere. */
void io_seen_join(struct io_seen *seen, const struct io_seen *more);

/* Multiplies each of the n values by `factor`, in f64, rounded back to its width. */
void io_scale(int threads, void *values, int bytes, int64_t n, double factor);

/* Where number `share` of `shares` like parts of n rows begins; it ends where the next one
 * does. */
int64_t io_share(int64_t n, int share, int shares);

/* One of the values, as f64. */
double io_value(const void *values, int bytes, int64_t index);

#endif
