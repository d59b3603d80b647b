#include "algorithms/points/arguments.h"
#include "algorithms/points/points.h"
#include "weft/find.h"
#include "weft/lattice.h"
#include "weft/listener.h"
#include "weft/reduce.h"
#include "weft/transform.h"
#include "lattice.kernel.h"
#include "sheet_frame.h"

#include <float.h>

WEFT_KERNEL(lattice_claim, (value, i64, least), (value, i64, sites), (in, i64, id),
            (shared, u32, particle))
WEFT_GENERATOR(lattice_is_free, u32, (in, u32, particle))
WEFT_GENERATOR(lattice_step, lattice_steps, (value, lattice_shape, s),
               (bundle, points_coordinates, at), (in, u32, particle))
WEFT_OPERATOR(lattice_add, lattice_steps, {{0}})
WEFT_KERNEL(lattice_place, (value, lattice_shape, s), (bundle, points_coordinates, at),
            (in, u32, by_id), (out, u32, particle), (out, f64, position, 3 * n))
WEFT_KERNEL(lattice_take, (value, i32, wide), (in, u32, particle, n / 3),
            (in, u32, vectors, 0), (out, f64, out))
WEFT_GENERATOR(lattice_is_wide, u32, (value, lattice_shape, s), (in, f64, position, 3 * n))

static const char NAME[] = "weft_lattice_find";
enum { FEWEST = 3 };

/* How many of each digit, from the sides that are given or the cube root. */
static int settle_sides(weft_device *device, i64 count, const i64 given[3], i64 n[3]) {
    i64 side = 1;
    while (!given && (side + 1) * (side + 1) * (side + 1) <= count)
        side++;
    i64 sites = 1;
    for (int k = 0; k < 3; k++) {
        n[k] = given ? given[k] : side;
        if (given && n[k] < FEWEST)
            weft_fail(device, WEFT_E_ARGUMENT, "%s: n[%d] is %lld, below %d", NAME, k,
                      (long long)n[k], FEWEST);
        sites = n[k] > 0 && sites <= count ? sites * n[k] : sites;
    }
    if (weft_check(device) == WEFT_OK && !given && (sites != count || side < FEWEST))
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: %lld particles are no cube of %d or more a side", NAME,
                  (long long)count, FEWEST);
    if (weft_check(device) == WEFT_OK && sites != count)
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: %lld particles are no lattice of %lld by %lld by %lld", NAME,
                  (long long)count, (long long)n[0], (long long)n[1], (long long)n[2]);
    if (weft_check(device) == WEFT_OK && count >= (i64)lattice_nobody)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: %lld particles are 2^32 - 1 or more", NAME,
                  (long long)count);
    return weft_check(device) == WEFT_OK;
}

/* Who has the id that is least + place; each has one. */
static void find_places(weft_device *device, weft_array id, weft_array particle) {
    const i64 count = particle.length;
    i64 at_least = 0, at_most = 0, least = 0, most = 0, unused = -1;
    weft_minmax_element(device, id, &at_least, &at_most);
    weft_read(device, weft_slice(device, id, at_least, 1), &least);
    weft_read(device, weft_slice(device, id, at_most, 1), &most);
    if (weft_check(device) == WEFT_OK && (u64)most - (u64)least != (u64)count - 1) {
        weft_fail(
            device, WEFT_E_ARGUMENT,
            "%s: the ids of %lld particles run from %lld to %lld, so they do not tell "
            "places on a lattice",
            NAME, (long long)count, (long long)least, (long long)most);
        return;
    }
    weft_fill(device, particle, &lattice_nobody);
    weft_for_each(device, count, lattice_claim, .least = least, .sites = count, .id = id,
                  .particle = particle);
    weft_find_if(device, weft_lazy(count, lattice_is_free, .particle = particle), &unused);
    if (weft_check(device) == WEFT_OK && unused >= 0)
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: no particle has the id %lld, so another id is there twice", NAME,
                  (long long)(least + unused));
}

/* Takes the order of axes in which neighbours are nearest to where they began. */
static lattice_shape choose_axes(weft_device *device, const i64 digits[3],
                                 const double box[3], const points_words *words,
                                 weft_array by_id, double *separation) {
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const i64 stride[3] = {digits[1] * digits[2], digits[2], 1};
    lattice_shape shape = {.n = {digits[0], digits[1], digits[2]},
                           .stride = {stride[0], stride[1], stride[2]},
                           .box = {box[0], box[1], box[2]}};
    lattice_steps steps = {{0}};
    const weft_array each =
        weft_lazy(by_id.length, lattice_step, .s = shape, .at = *words, .particle = by_id);
    weft_reduce(device, each, weft_op(lattice_add), &steps);
    u64 least = UINT64_MAX;
    for (int o = 0; o < 6; o++) {
        const int *axis = orders[o]; /* of each digit */
        u64 sum = 0;
        for (int k = 0; k < 3; k++)
            sum += steps.off[3 * k + axis[k]];
        if (sum >= least)
            continue;
        least = sum;
        for (int k = 0; k < 3; k++) {
            shape.n[axis[k]] = digits[k];
            shape.stride[axis[k]] = stride[k];
        }
    }
    *separation = (double)least * 0x1p-30 / 3 / (double)by_id.length;
    /* Anywhere, each axis is a quarter of the box off in the mean. */
    if (weft_check(device) == WEFT_OK && *separation > 0.5 * 0.75)
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: particles of neighbouring ids are %.3g boxes off in the mean, as "
                  "particles anywhere are (0.75): the ids do not tell places on a lattice",
                  NAME, *separation);
    return shape;
}

static void place(weft_device *device, const points_words *words, lattice_shape shape,
                  weft_array by_id, weft_lattice *out) {
    const i64 count = by_id.length;
    i64 wide = -1;
    for (int k = 0; k < 3; k++) {
        out->n[k] = shape.n[k];
        out->box[k] = shape.box[k];
    }
    out->particle = weft_array_new(device, WEFT_U32, count);
    out->position = weft_array_new(device, WEFT_F64, 3 * count);
    weft_for_each(device, count, lattice_place, .s = shape, .at = *words, .by_id = by_id,
                  .particle = out->particle, .position = out->position);
    out->boxes = weft_array_new(device, WEFT_F64, 6 * sheet_blocks(out->n));
    sheet_bound(device, out->n, out->box, out->position, out->boxes);
    shape.stride[0] = shape.n[1] * shape.n[2];
    shape.stride[1] = shape.n[2];
    shape.stride[2] = 1;
    weft_find_if(device,
                 weft_lazy(count, lattice_is_wide, .s = shape, .position = out->position),
                 &wide);
    if (weft_check(device) != WEFT_OK || wide < 0)
        return;
    u32 who = 0;
    weft_read(device, weft_slice(device, out->particle, wide, 1), &who);
    weft_fail(device, WEFT_E_ARGUMENT,
              "%s: the cube of the lattice at particle %lld is wider than half the box, so "
              "it cannot be told how it lies",
              NAME, (long long)who);
}

weft_status weft_lattice_find(weft_device *device, const weft_points *points, weft_array id,
                              const int64_t n[3], const double box[3], weft_lattice *out) {
    i64 digits[3];
    if (out)
        *out = (weft_lattice){0};
    if (!arguments_given(device, NAME, "points", points) ||
        !arguments_given(device, NAME, "box", box) ||
        !arguments_given(device, NAME, "out", out))
        return weft_check(device);
    for (int k = 0; k < 3; k++)
        if (!(box[k] > 0 && box[k] <= DBL_MAX) && weft_check(device) == WEFT_OK)
            weft_fail(device, WEFT_E_ARGUMENT, "%s: box[%d] is %g, not above 0", NAME, k,
                      box[k]);
    if (weft_check(device) == WEFT_OK && id.type != WEFT_I64)
        weft_fail(device, WEFT_E_TYPE, "%s: array 'id' is not of type i64", NAME);
    arguments_array(device, NAME, "id", id, id.type, points->count);
    weft_task_begin(device, NAME);
    weft_scope_open(device);
    const points_words words = points_view(device, NAME, points);
    if (weft_check(device) == WEFT_OK && settle_sides(device, points->count, n, digits)) {
        points_bounds(device, NAME, &words, points->count);
        weft_task_until(device, 0.4);
        const weft_array by_id = weft_scratch(device, WEFT_U32, points->count);
        find_places(device, weft_slice(device, id, 0, points->count), by_id);
        weft_task_until(device, 0.7);
        const lattice_shape shape =
            choose_axes(device, digits, box, &words, by_id, &out->separation);
        if (weft_task_until(device, 1) == WEFT_OK)
            place(device, &words, shape, by_id, out);
    }
    weft_scope_close(device);
    weft_task_end(device);
    if (weft_check(device) != WEFT_OK)
        weft_lattice_free(device, out);
    return weft_check(device);
}

weft_status weft_lattice_take(weft_device *device, const weft_lattice *lattice,
                              weft_array vectors, weft_array out) {
    static const char name[] = "weft_lattice_take";
    if (!arguments_given(device, name, "lattice", lattice))
        return weft_check(device);
    const i64 sites = lattice->n[0] * lattice->n[1] * lattice->n[2];
    arguments_array(device, name, "lattice.particle", lattice->particle, WEFT_U32, sites);
    arguments_array(device, name, "vectors", vectors, 0, 3 * sites);
    arguments_array(device, name, "out", out, WEFT_F64, 3 * sites);
    if (weft_check(device) == WEFT_OK)
        weft_for_each(device, 3 * sites, lattice_take, .wide = vectors.type == WEFT_F64,
                      .particle = lattice->particle,
                      .vectors = weft_as(device, vectors, WEFT_U32), .out = out);
    return weft_check(device);
}

void weft_lattice_free(weft_device *device, weft_lattice *lattice) {
    if (!lattice)
        return;
    weft_array_free(device, lattice->particle);
    weft_array_free(device, lattice->position);
    weft_array_free(device, lattice->boxes);
    *lattice = (weft_lattice){0};
}
