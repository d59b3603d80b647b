#include "range.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Squares, their sums over particles and products with masses stay far from the ends of
 * f64; the smallest keep all their digits. */
static const double least = 1e-150, most = 1e150;

static bool is_in_range(double length) {
    return length == 0 || (length >= least && length <= most);
}

double range_option(struct argp_state *state, const char *option, const char *text) {
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end != '\0' || !is_in_range(value))
        argp_error(state, "%s: '%s' is not a length: 0, or %g to %g", option, text, least,
                   most);
    return value;
}

void range_box(struct argp_state *state, const char *text, double box[3]) {
    const char *at = text;
    int count = 0;
    bool good = true;
    for (bool more = true; more && good && count < 3; ++count) {
        char *end;
        box[count] = strtod(at, &end);
        good = end != at && is_in_range(box[count]);
        more = *end == ',';
        at = more ? end + 1 : end;
    }
    if (!good || *at != '\0' || at[-1] == ',')
        argp_error(state, "--box: '%s' is not one to three sizes: 0, or %g to %g", text,
                   least, most);
    if (count == 1)
        box[1] = box[2] = box[0];
}

bool range_length(const char *path, const char *what, double length,
                  struct io_error *error) {
    return is_in_range(length) ||
           io_fail(error,
                   "%s of %s is %g: lengths below %g or above %g have no squares in f64, "
                   "choose another unit",
                   what, path, length, least, most);
}

static bool check_axis(const char *path, const double *values, int axes, int axis,
                       int64_t first, double low, double high, struct io_error *error) {
    if (low >= -most && high <= most)
        return true;
    int64_t i = 0;
    while (fabs(values[i * axes + axis]) <= most)
        ++i;
    return io_fail(error,
                   "%s: %c of particle %" PRId64 " is %g: lengths above %g have no squares "
                   "in f64, choose another unit",
                   path, "xyz"[axis], first + i, values[i * axes + axis], most);
}

bool range_positions(const char *path, const void *positions, int bytes, int axes,
                     int64_t first, int64_t n, const double low[3], const double high[3],
                     struct io_error *error) {
    double widest = 0;
    bool good = true;
    if (bytes == 4 || n == 0) /* all of f32 is in range */
        return true;
    for (int axis = 0; good && axis < axes; ++axis) {
        widest = high[axis] - low[axis] > widest ? high[axis] - low[axis] : widest;
        good = check_axis(path, positions, axes, axis, first, low[axis], high[axis], error);
    }
    return good && (is_in_range(widest) ||
                    io_fail(error,
                            "%s: all positions lie within %g of each other: lengths below "
                            "%g have no squares in f64, choose another unit",
                            path, widest, least));
}
