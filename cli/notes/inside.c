#include "inside.h"
#include "cli/progress.h"

#include "io/files/numbers.h"

#include <inttypes.h>
#include <math.h>

static const double rounding = 1e-6, far = 1e-3;

struct found {
    int64_t outside, total;
    double low[3], high[3];
};

static bool is_outside(double x, double box) {
    const double slack = rounding * box;
    return box > 0 && (x < -slack || x > box + slack);
}

static struct found look(const void *positions, int bytes, int axes, int64_t n,
                         const double box[3], const double low[3], const double high[3]) {
    struct found found = {.total = n};
    bool any = false;
    for (int axis = 0; axis < axes; ++axis) {
        found.low[axis] = low[axis];
        found.high[axis] = high[axis];
    }
    for (int axis = 0; axis < axes; ++axis)
        any |= is_outside(found.low[axis], box[axis]) ||
               is_outside(found.high[axis], box[axis]);
    for (int64_t i = 0; any && i < n; ++i) {
        bool outside = false;
        for (int axis = 0; axis < axes; ++axis)
            outside |= is_outside(io_value(positions, bytes, i * axes + axis), box[axis]);
        found.outside += outside;
    }
    return found;
}

/* Whether on each axis with a box all positions lie within a thousandth of it, or it is a
 * thousandth of where they lie. */
static bool is_other_unit(const struct found *found, const double box[3], int axes) {
    bool near = found->total > 1, wide = found->total > 1, any = false;
    for (int axis = 0; axis < axes; ++axis) {
        if (!(box[axis] > 0))
            continue;
        const double extent = found->high[axis] - found->low[axis];
        near = near && extent < far * box[axis];
        wide = wide && extent > box[axis] / far / 2;
        any = true;
    }
    return any && (near || wide);
}

bool inside_tell(struct comm *comm, const char *path, const void *positions, int bytes,
                 int axes, int64_t n, const double low[3], const double high[3],
                 const double box[3], const char *unit) {
    struct found found = look(positions, bytes, axes, n, box, low, high);
    if (!comm_reduce_i64(comm, &found.outside, 1, COMM_SUM) ||
        !comm_reduce_i64(comm, &found.total, 1, COMM_SUM) ||
        !comm_reduce_f64(comm, found.low, axes, COMM_MIN) ||
        !comm_reduce_f64(comm, found.high, axes, COMM_MAX))
        return false;
    const char *blank = *unit ? " " : "";
    if (found.outside > 0)
        progress_note(
            "%s: %" PRId64 " of %" PRId64
            " particles lie outside of the box of %.9g x %.9g x %.9g%s%s (x is %.9g "
            "to %.9g)",
            path, found.outside, found.total, box[0], box[1], box[2], blank, unit,
            found.low[0], found.high[0]);
    if (is_other_unit(&found, box, axes))
        progress_note(
            "%s: positions (x is %.9g to %.9g) and the box of %.9g%s%s do not seem "
            "to have the same unit",
            path, found.low[0], found.high[0], box[0], blank, unit);
    return true;
}
