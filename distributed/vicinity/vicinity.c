#include "vicinity.h"
#include "vicinity.kernel.h"

#include <math.h>
#include <string.h>

bool vicinity_settle(struct comm *comm, const struct positions *positions,
                     const double lowest[3], const double highest[3],
                     const double period[3], struct vicinity *space) {
    double low[3], high[3], farthest[3] = {0, 0, 0};
    *space = (struct vicinity){.positions = positions};
    memcpy(space->period, period, sizeof space->period);
    memcpy(low, lowest, sizeof low);
    memcpy(high, highest, sizeof high);
    if (!comm_reduce_f64(comm, low, 3, COMM_MIN) ||
        !comm_reduce_f64(comm, high, 3, COMM_MAX))
        return false;
    for (int axis = 0; axis < 3; ++axis) {
        const bool some = low[axis] <= high[axis], wraps = period[axis] > 0;
        farthest[axis] = some ? fmax(fabs(low[axis]), fabs(high[axis])) : 0;
        const double extent = wraps ? period[axis] : some ? high[axis] - low[axis] : 0;
        space->low[axis] = wraps || !some ? 0 : low[axis];
        space->side[axis] = extent > 0 ? extent / VICINITY_SIDE : 1;
        space->slack[axis] = 1e-9 * (extent + farthest[axis]) + 1e-6 * space->side[axis];
    }
    return true;
}

/* The floor of it: a call of that name for each particle would take longer than all else.
 */
static int64_t along(const struct vicinity *space, int axis, double x) {
    const double cells = (x - space->low[axis]) / space->side[axis];
    const int64_t whole = (int64_t)cells;
    return whole - (cells < (double)whole);
}

int vicinity_cell(const void *context, int64_t row, int *cell) {
    const struct vicinity *space = context;
    double place[3];
    domains_place(space->period, space->positions, row, place);
    cell[0] = 0;
    for (int axis = 0; axis < 3; ++axis)
        cell[0] =
            cell[0] * VICINITY_SIDE + (int)vicinity_along(place[axis], space->low[axis],
                                                          space->side[axis], VICINITY_SIDE);
    return 1;
}

/* Cells along an axis, which run on beyond a period, and at most how near each comes. */
struct stretch {
    int64_t first, n;
    double gap[VICINITY_SIDE];
};

static void stretch_along(const struct vicinity *space, int axis, double x, double reach,
                          struct stretch *s) {
    const double side = space->side[axis], slack = space->slack[axis];
    const bool wraps = space->period[axis] > 0;
    const double most = VICINITY_SIDE * side;
    const double far = fmin(reach + slack, 2 * most);
    int64_t first = along(space, axis, x - far), last = along(space, axis, x + far);
    if (!wraps) {
        first = first < 0 ? 0 : first;
        last = last < VICINITY_SIDE ? last : VICINITY_SIDE - 1;
        first = first < VICINITY_SIDE ? first : VICINITY_SIDE - 1;
        last = last < first ? first : last;
    }
    const bool all = last - first + 1 >= VICINITY_SIDE;
    s->first = all ? 0 : first;
    s->n = all ? VICINITY_SIDE : last - first + 1;
    for (int64_t k = 0; k < s->n; ++k) {
        const double begin = space->low[axis] + (double)(s->first + k) * side;
        const double gap = fmax(begin - x, x - (begin + side)) - slack;
        s->gap[k] = all || gap < 0 ? 0 : gap;
    }
}

static uint32_t wrap(int64_t cell) {
    return (uint32_t)((cell + VICINITY_SIDE) % VICINITY_SIDE);
}

int vicinity_around(const struct vicinity *space, const double place[3], double reach,
                    uint32_t *cells) {
    const struct positions one = {.at = place, .bytes = sizeof *place, .n = 1};
    struct stretch s[3];
    double at[3];
    int n = 0;
    domains_place(space->period, &one, 0, at);
    for (int axis = 0; axis < 3; ++axis)
        stretch_along(space, axis, at[axis], reach, &s[axis]);
    for (int64_t x = 0; x < s[0].n; ++x)
        for (int64_t y = 0; y < s[1].n; ++y)
            for (int64_t z = 0; z < s[2].n; ++z) {
                const double gap2 = s[0].gap[x] * s[0].gap[x] + s[1].gap[y] * s[1].gap[y] +
                                    s[2].gap[z] * s[2].gap[z];
                if (gap2 <= reach * reach * (1 + 1e-9))
                    cells[n++] =
                        (wrap(s[0].first + x) * VICINITY_SIDE + wrap(s[1].first + y)) *
                            VICINITY_SIDE +
                        wrap(s[2].first + z);
            }
    return n;
}
