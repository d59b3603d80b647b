/* Owners of many rows, in vectors: between few domains, and within their periods. */
#include "domains.h"
#include "domains.kernel.h"

#include <math.h>
#include <string.h>
#include <weft/register.h>

enum { FEW = DOMAINS_FEW, LANES = 48, SOME = 2048 };

/* The least f32 that is not below: what is below it is what is below the bound. */
static float bound_of(double bound) {
    const float near = (float)bound;
    return (double)near < bound ? nextafterf(near, INFINITY) : near;
}

static uint16_t owner_of(int n, int sides) {
    int cut = 0, first = 0;
    while (n > 1) {
        const int left = n / 2, right = sides >> cut & 1;
        cut += right ? left : 1;
        first += right ? left : 0;
        n = right ? n - left : left;
    }
    return (uint16_t)first;
}

bool domains_find_sides(const struct domains *domains, struct domains_sides *sides) {
    bool all = domains->n <= FEW;
    *sides = (struct domains_sides){.cuts = domains->n - 1};
    for (int axis = 0; axis < 3; ++axis) {
        const float end = bound_of(domains->period[axis]);
        all = all && domains->period[axis] > 0;
        memcpy(&sides->end[axis], &end, sizeof end);
        memcpy(&sides->end_wide[axis], &domains->period[axis], sizeof(double));
    }
    for (int c = 0; all && c < sides->cuts; ++c) {
        sides->at[c] = bound_of(domains->cuts[c].at);
        sides->at_wide[c] = domains->cuts[c].at;
        sides->axis[c] = domains->cuts[c].axis;
    }
    for (int s = 0; all && s < 1 << sides->cuts; ++s)
        sides->owner[s] = owner_of(domains->n, s);
    return all;
}

/* Numbers not below 0 are in the order of their bits, and others are above them. */
WEFT_CLONES static void find_most(const float *at, int64_t n, uint32_t *of_axis) {
    uint32_t most[LANES] = {0}, bits[LANES];
    int64_t k = 0;
    for (; k + LANES <= 3 * n; k += LANES) {
        memcpy(bits, at + k, sizeof bits);
        for (int l = 0; l < LANES; ++l)
            most[l] = bits[l] > most[l] ? bits[l] : most[l];
    }
    for (; k < 3 * n; ++k) {
        memcpy(bits, at + k, sizeof *bits);
        most[k % LANES] = bits[0] > most[k % LANES] ? bits[0] : most[k % LANES];
    }
    for (int l = 0; l < LANES; ++l)
        of_axis[l % 3] = most[l] > of_axis[l % 3] ? most[l] : of_axis[l % 3];
}

WEFT_CLONES static void find_side(const float *at, int64_t n, float bound, int cut,
                                  uint8_t *side) {
    for (int64_t i = 0; i < n; ++i)
        side[i] |= (uint8_t)((at[3 * i] >= bound) << cut);
}

/* The same of f64. */
WEFT_CLONES static void find_most_wide(const double *at, int64_t n, uint64_t *of_axis) {
    uint64_t most[LANES] = {0}, bits[LANES];
    int64_t k = 0;
    for (; k + LANES <= 3 * n; k += LANES) {
        memcpy(bits, at + k, sizeof bits);
        for (int l = 0; l < LANES; ++l)
            most[l] = bits[l] > most[l] ? bits[l] : most[l];
    }
    for (; k < 3 * n; ++k) {
        memcpy(bits, at + k, sizeof *bits);
        most[k % LANES] = bits[0] > most[k % LANES] ? bits[0] : most[k % LANES];
    }
    for (int l = 0; l < LANES; ++l)
        of_axis[l % 3] = most[l] > of_axis[l % 3] ? most[l] : of_axis[l % 3];
}

WEFT_CLONES static void find_side_wide(const double *at, int64_t n, double bound, int cut,
                                       uint8_t *side) {
    for (int64_t i = 0; i < n; ++i)
        side[i] |= (uint8_t)((at[3 * i] >= bound) << cut);
}

/* False where some of n rows are outside of the periods; else raises `farthest`. */
static bool are_within(const struct domains_sides *sides, const void *at, int bytes,
                       int64_t n, double farthest[3]) {
    double far[3];
    if (bytes == sizeof(double)) {
        uint64_t most[3] = {0, 0, 0};
        find_most_wide(at, n, most);
        for (int axis = 0; axis < 3; ++axis) {
            if (most[axis] >= sides->end_wide[axis])
                return false;
        }
        memcpy(far, most, sizeof far);
    } else {
        uint32_t most[3] = {0, 0, 0};
        float sizes[3];
        find_most(at, n, most);
        memcpy(sizes, most, sizeof sizes);
        for (int axis = 0; axis < 3; ++axis) {
            if (most[axis] >= sides->end[axis])
                return false;
            far[axis] = (double)sizes[axis];
        }
    }
    for (int axis = 0; axis < 3; ++axis)
        farthest[axis] = fmax(farthest[axis], far[axis]);
    return true;
}

bool domains_owners_within(const struct domains_sides *sides, const void *at, int bytes,
                           int64_t n, uint16_t *owner, double farthest[3]) {
    uint8_t side[SOME];
    if (!are_within(sides, at, bytes, n, farthest))
        return false;
    for (int64_t k = 0; k < n; k += SOME) {
        const int64_t some = n - k < SOME ? n - k : SOME;
        memset(side, 0, sizeof side);
        for (int c = 0; c < sides->cuts; ++c) {
            const int64_t first = 3 * k + sides->axis[c];
            if (bytes == sizeof(double))
                find_side_wide((const double *)at + first, some, sides->at_wide[c], c,
                               side);
            else
                find_side((const float *)at + first, some, sides->at[c], c, side);
        }
        for (int64_t i = 0; i < some; ++i)
            owner[k + i] = sides->owner[side[i]];
    }
    return true;
}
