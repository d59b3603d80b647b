/* Sides of a lattice and the order of its axes, without its particles. */
#include "lattice_parts.h"
#include "algorithms/points/arguments.h"

#include <float.h>

enum { FEWEST = 3 };

static void check_box(weft_device *device, const char *call, const double box[3]) {
    for (int k = 0; k < 3; k++)
        if (!(box[k] > 0 && box[k] <= DBL_MAX) && weft_check(device) == WEFT_OK)
            weft_fail(device, WEFT_E_ARGUMENT, "%s: box[%d] is %g, not above 0", call, k,
                      box[k]);
}

/* How many of each digit, from the sides that are given or the cube root. */
static void settle_sides(weft_device *device, const char *call, i64 count,
                         const i64 given[3], i64 n[3]) {
    i64 side = 1;
    while (!given && (side + 1) * (side + 1) * (side + 1) <= count)
        side++;
    i64 sites = 1;
    for (int k = 0; k < 3; k++) {
        n[k] = given ? given[k] : side;
        if (given && n[k] < FEWEST)
            weft_fail(device, WEFT_E_ARGUMENT, "%s: n[%d] is %lld, below %d", call, k,
                      (long long)n[k], FEWEST);
        sites = n[k] > 0 && sites <= count ? sites * n[k] : sites;
    }
    if (weft_check(device) == WEFT_OK && !given && (sites != count || side < FEWEST))
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: %lld particles are no cube of %d or more a side", call,
                  (long long)count, FEWEST);
    if (weft_check(device) == WEFT_OK && sites != count)
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: %lld particles are no lattice of %lld by %lld by %lld", call,
                  (long long)count, (long long)n[0], (long long)n[1], (long long)n[2]);
}

int lattice_whole(weft_device *device, const char *call, i64 count, const i64 n[3],
                  const double box[3], weft_lattice_slab *out) {
    if (weft_check(device) != WEFT_OK)
        return 0;
    check_box(device, call, box);
    settle_sides(device, call, count, n, out->n);
    out->count = out->n[0];
    for (int k = 0; k < 3; k++)
        out->box[k] = box[k];
    return weft_check(device) == WEFT_OK;
}

int lattice_check_ids(weft_device *device, const char *call, i64 count, i64 least,
                      i64 most) {
    if (weft_check(device) == WEFT_OK && (u64)most - (u64)least != (u64)count - 1)
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: the ids of %lld particles run from %lld to %lld, so they do not "
                  "tell places on a lattice",
                  call, (long long)count, (long long)least, (long long)most);
    return weft_check(device) == WEFT_OK;
}

weft_status weft_lattice_whole(weft_device *device, int64_t count, int64_t least,
                               int64_t most, const int64_t n[3], const double box[3],
                               weft_lattice_slab *out) {
    static const char name[] = "weft_lattice_whole";
    if (out)
        *out = (weft_lattice_slab){.least = 0};
    if (!arguments_given(device, name, "box", box) ||
        !arguments_given(device, name, "out", out))
        return weft_check(device);
    out->least = least;
    if (!lattice_whole(device, name, count, n, box, out) ||
        !lattice_check_ids(device, name, count, least, most))
        *out = (weft_lattice_slab){.least = 0};
    return weft_check(device);
}

void lattice_order(weft_device *device, const char *call, const weft_lattice_slab *slab,
                   const u64 steps[9], int digit[3], double *separation) {
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    u64 least = UINT64_MAX;
    for (int o = 0; o < 6; o++) {
        const int *axis = orders[o]; /* of each digit */
        u64 sum = 0;
        for (int k = 0; k < 3; k++)
            sum += steps[3 * k + axis[k]];
        if (sum >= least)
            continue;
        least = sum;
        for (int k = 0; k < 3; k++)
            digit[axis[k]] = k;
    }
    const double sites = (double)(slab->n[0] * slab->n[1] * slab->n[2]);
    *separation = (double)least * 0x1p-30 / 3 / sites;
    /* Anywhere, each axis is a quarter of the box off in the mean. */
    if (weft_check(device) == WEFT_OK && *separation > 0.5 * 0.75)
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: particles of neighbouring ids are %.3g boxes off in the mean, as "
                  "particles anywhere are (0.75): the ids do not tell places on a lattice",
                  call, *separation);
}

weft_status weft_lattice_order(weft_device *device, const weft_lattice_slab *slab,
                               const uint64_t steps[9], int digit[3], double *separation) {
    static const char name[] = "weft_lattice_order";
    double unused;
    if (!arguments_given(device, name, "slab", slab) ||
        !arguments_given(device, name, "steps", steps) ||
        !arguments_given(device, name, "digit", digit))
        return weft_check(device);
    lattice_order(device, name, slab, steps, digit, separation ? separation : &unused);
    return weft_check(device);
}
