#include "algorithms/points/arguments.h"
#include "weft/listener.h"
#include "weft/reduce.h"
#include "lattice_parts.h"

WEFT_KERNEL(lattice_take, (value, i32, wide), (in, u32, particle, n / 3),
            (in, u32, vectors, 0), (out, f64, out))

static int check_points(weft_device *device, const char *call, const weft_points *points,
                        weft_array id) {
    if (weft_check(device) == WEFT_OK && id.type != WEFT_I64)
        weft_fail(device, WEFT_E_TYPE, "%s: array 'id' is not of type i64", call);
    arguments_array(device, call, "id", id, id.type, points->count);
    if (weft_check(device) == WEFT_OK && points->count >= (i64)lattice_nobody)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: %lld particles are 2^32 - 1 or more", call,
                  (long long)points->count);
    return weft_check(device) == WEFT_OK;
}

/* Finds the order of axes, too. */
static void find(weft_device *device, const weft_points *points, weft_array id,
                 weft_lattice_slab *whole, weft_lattice *out) {
    static const char name[] = "weft_lattice_find";
    int digit[3] = {0, 1, 2};
    i64 at_least = 0, at_most = 0, most = 0;
    const points_words words = points_view(device, name, points);
    points_bounds(device, name, &words, points->count);
    weft_task_until(device, 0.4);
    weft_minmax_element(device, id, &at_least, &at_most);
    weft_read(device, weft_slice(device, id, at_least, 1), &whole->least);
    weft_read(device, weft_slice(device, id, at_most, 1), &most);
    if (!lattice_check_ids(device, name, points->count, whole->least, most))
        return;
    const struct lattice_part part = lattice_part_of(name, whole);
    const weft_array by_id = lattice_claims(device, &part, id);
    weft_task_until(device, 0.7);
    const lattice_steps steps = lattice_sum(device, &part, &words, by_id);
    lattice_order(device, name, whole, steps.off, digit, &out->separation);
    if (weft_task_until(device, 1) == WEFT_OK)
        lattice_put(device, &part, &words, id, by_id, digit, out);
}

weft_status weft_lattice_find(weft_device *device, const weft_points *points, weft_array id,
                              const int64_t n[3], const double box[3], weft_lattice *out) {
    static const char name[] = "weft_lattice_find";
    weft_lattice_slab whole = {.digit = 0};
    if (out)
        *out = (weft_lattice){0};
    if (!arguments_given(device, name, "points", points) ||
        !arguments_given(device, name, "box", box) ||
        !arguments_given(device, name, "out", out) ||
        !lattice_whole(device, name, points->count, n, box, &whole) ||
        !check_points(device, name, points, id))
        return weft_check(device);
    weft_task_begin(device, name);
    weft_scope_open(device);
    find(device, points, weft_slice(device, id, 0, points->count), &whole, out);
    weft_scope_close(device);
    weft_task_end(device);
    if (weft_check(device) != WEFT_OK)
        weft_lattice_free(device, out);
    return weft_check(device);
}

static int check_slab(weft_device *device, const char *call, const weft_points *points,
                      weft_array id, const weft_lattice_slab *slab) {
    if (!arguments_given(device, call, "points", points) ||
        !arguments_given(device, call, "slab", slab))
        return 0;
    const i64 *n = slab->n;
    if (slab->digit < 0 || slab->digit > 2 || n[0] < 1 || n[1] < 1 || n[2] < 1 ||
        slab->first < 0 || slab->first >= n[slab->digit] || slab->count < 1 ||
        slab->count > n[slab->digit])
        weft_fail(device, WEFT_E_ARGUMENT, "%s: the slab is none of weft_lattice_whole's",
                  call);
    return check_points(device, call, points, id);
}

weft_status weft_lattice_steps(weft_device *device, const weft_points *points,
                               weft_array id, const weft_lattice_slab *slab,
                               uint64_t steps[9]) {
    static const char name[] = "weft_lattice_steps";
    lattice_steps sums = {{0}};
    if (!arguments_given(device, name, "steps", steps))
        return weft_check(device);
    if (check_slab(device, name, points, id, slab)) {
        weft_scope_open(device);
        const struct lattice_part part = lattice_part_of(name, slab);
        const points_words words = points_view(device, name, points);
        const weft_array by_id =
            lattice_claims(device, &part, weft_slice(device, id, 0, points->count));
        points_bounds(device, name, &words, points->count);
        if (weft_check(device) == WEFT_OK)
            sums = lattice_sum(device, &part, &words, by_id);
        weft_scope_close(device);
    }
    for (int k = 0; k < 9; k++)
        steps[k] = weft_check(device) == WEFT_OK ? sums.off[k] : 0;
    return weft_check(device);
}

weft_status weft_lattice_place(weft_device *device, const weft_points *points,
                               weft_array id, const weft_lattice_slab *slab,
                               const int digit[3], weft_lattice *out) {
    static const char name[] = "weft_lattice_place";
    if (out)
        *out = (weft_lattice){0};
    if (!arguments_given(device, name, "out", out) ||
        !arguments_given(device, name, "digit", digit) ||
        !check_slab(device, name, points, id, slab))
        return weft_check(device);
    const struct lattice_part part = lattice_part_of(name, slab);
    int seen[3] = {0};
    for (int k = 0; k < 3; k++)
        if (digit[k] >= 0 && digit[k] <= 2)
            seen[digit[k]] = 1;
    if (!(seen[0] && seen[1] && seen[2] && digit[0] == slab->digit))
        return weft_fail(device, WEFT_E_ARGUMENT,
                         "%s: digits %d, %d and %d are not all three, that of the slab, "
                         "%d, first",
                         name, digit[0], digit[1], digit[2], slab->digit);
    if (part.shape.n[slab->digit] < 3)
        return weft_fail(device, WEFT_E_ARGUMENT,
                         "%s: a slab of %lld planes has fewer than 3", name,
                         (long long)part.shape.n[slab->digit]);
    weft_scope_open(device);
    const points_words words = points_view(device, name, points);
    const weft_array ids = weft_slice(device, id, 0, points->count);
    const weft_array by_id = lattice_claims(device, &part, ids);
    points_bounds(device, name, &words, points->count);
    if (weft_check(device) == WEFT_OK)
        lattice_put(device, &part, &words, ids, by_id, digit, out);
    weft_scope_close(device);
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
