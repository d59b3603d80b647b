/* Owners of many rows, in vectors: between few domains, and within their periods. */
#include "domains.h"
#include "domains.kernel.h"

#include <math.h>
#include <string.h>
#include <weft/register.h>

enum { LANES = 48, SOME = 1024 };

/* The least f32 that is not below: what is below it is what is below the bound. */
static float bound_of(double bound) {
    const float near = (float)bound;
    return (double)near < bound ? nextafterf(near, INFINITY) : near;
}

/* The cuts of n domains from `first` on, each before those of its left and its right. */
static void list_cuts(const struct domains_plane *cut, int n, int first,
                      struct domains_side *side) {
    const int left = n / 2;
    if (n < 2)
        return;
    *side = (struct domains_side){.axis = cut->axis,
                                  .first = first,
                                  .left = left,
                                  .at = bound_of(cut->at),
                                  .at_wide = cut->at};
    list_cuts(cut + 1, left, first, side + 1);
    list_cuts(cut + left, n - left, first + left, side + left);
}

bool domains_find_sides(const struct domains *domains, struct domains_sides *sides) {
    bool all = domains->n <= DOMAINS_FEW;
    *sides = (struct domains_sides){.cuts = domains->n - 1};
    for (int axis = 0; axis < 3; ++axis) {
        const float end = bound_of(domains->period[axis]);
        all = all && domains->period[axis] > 0;
        memcpy(&sides->end[axis], &end, sizeof end);
        memcpy(&sides->end_wide[axis], &domains->period[axis], sizeof(double));
    }
    if (all)
        list_cuts(domains->cuts, domains->n, 0, sides->cut);
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

/* Of rows in the first of the domains that are cut, those that are not below the cut go to
 * the first of its right. */
WEFT_CLONES static void pass_cut(const float *x, int n, float at, int32_t first,
                                 int32_t left, int32_t *owner) {
    for (int i = 0; i < n; ++i)
        owner[i] += ((owner[i] == first) & (x[i] >= at)) ? left : 0;
}

WEFT_CLONES static void part_axes(const float *at, int n, float *x, float *y, float *z) {
    for (int i = 0; i < n; ++i) {
        x[i] = at[3 * i];
        y[i] = at[3 * i + 1];
        z[i] = at[3 * i + 2];
    }
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

WEFT_CLONES static void pass_cut_wide(const double *x, int n, double at, int32_t first,
                                      int32_t left, int32_t *owner) {
    for (int i = 0; i < n; ++i)
        owner[i] += ((owner[i] == first) & (x[i] >= at)) ? left : 0;
}

WEFT_CLONES static void part_axes_wide(const double *at, int n, double *x, double *y,
                                       double *z) {
    for (int i = 0; i < n; ++i) {
        x[i] = at[3 * i];
        y[i] = at[3 * i + 1];
        z[i] = at[3 * i + 2];
    }
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

static void find_owners(const struct domains_sides *sides, const float *at, int n,
                        int32_t *owner) {
    float place[3][SOME];
    part_axes(at, n, place[0], place[1], place[2]);
    for (int c = 0; c < sides->cuts; ++c) {
        const struct domains_side *cut = &sides->cut[c];
        pass_cut(place[cut->axis], n, cut->at, cut->first, cut->left, owner);
    }
}

static void find_owners_wide(const struct domains_sides *sides, const double *at, int n,
                             int32_t *owner) {
    double place[3][SOME];
    part_axes_wide(at, n, place[0], place[1], place[2]);
    for (int c = 0; c < sides->cuts; ++c) {
        const struct domains_side *cut = &sides->cut[c];
        pass_cut_wide(place[cut->axis], n, cut->at_wide, cut->first, cut->left, owner);
    }
}

bool domains_owners_within(const struct domains_sides *sides, const void *at, int bytes,
                           int64_t n, uint16_t *owner, double farthest[3]) {
    int32_t found[SOME];
    if (!are_within(sides, at, bytes, n, farthest))
        return false;
    for (int64_t k = 0; k < n; k += SOME) {
        const int some = n - k < SOME ? (int)(n - k) : SOME;
        memset(found, 0, sizeof found);
        if (bytes == sizeof(double))
            find_owners_wide(sides, (const double *)at + 3 * k, some, found);
        else
            find_owners(sides, (const float *)at + 3 * k, some, found);
        for (int i = 0; i < some; ++i)
            owner[k + i] = (uint16_t)found[i];
    }
    return true;
}
