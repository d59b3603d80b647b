/* Several arrays treated alike, by the calls for one array: moved in pieces of a map that
 * stay in the cache; selected by flags that are evaluated once. */
#include "weft/each.h"
#include "primitives/primitives.h"
#include "weft/select.h"
#include "weft/transform.h"

#include <stdio.h>

typedef struct each {
    const char *call;
    i32 count;
    const weft_array *in, *out;
} each;

static const char *name_of(char what[64], const each *e, const char *name, i32 k) {
    snprintf(what, 64, "%s.%s[%d]", e->call, name, (int)k);
    return what;
}

/* That no output overlaps an array of another number, or `shared`, which all go by. */
static weft_status check_apart(weft_device *device, const each *e, weft_array shared) {
    char what[64];
    for (i32 k = 0; k < e->count; k++) {
        name_of(what, e, "out", k);
        if (!shared.generator &&
            weft_need_apart(device, what, e->out[k], shared) != WEFT_OK)
            return weft_check(device);
        for (i32 j = 0; j < e->count; j++)
            if (j != k &&
                (weft_need_apart(device, what, e->out[k], e->in[j]) != WEFT_OK ||
                 (j < k && weft_need_apart(device, what, e->out[k], e->out[j]) != WEFT_OK)))
                return weft_check(device);
    }
    return WEFT_OK;
}

/* Arrays of at least so many elements, of the same types; in place or not. */
static weft_status check(weft_device *device, const each *e, i64 in_least, i64 out_least,
                         int in_place) {
    char what[64];
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    if (e->count < 1 || !e->in || !e->out)
        return weft_fail(device, WEFT_E_ARGUMENT, "%s: '%s' is %s", e->call,
                         e->count < 1 ? "count"
                         : e->in      ? "out"
                                      : "in",
                         e->count < 1 ? "below 1" : "NULL");
    for (i32 k = 0; k < e->count; k++) {
        const weft_array in = e->in[k], out = e->out[k];
        if (weft_need_array(device, name_of(what, e, "in", k), in, 0, in_least) !=
                WEFT_OK ||
            weft_need_written(device, name_of(what, e, "out", k), out, in.type,
                              out_least) != WEFT_OK ||
            (in_place ? weft_need_apart_or_same : weft_need_apart)(device, what, out, in) !=
                WEFT_OK)
            return weft_check(device);
    }
    return WEFT_OK;
}

/* The piece of the map that elements [first, first + n) go by lies in memory. */
static void move_piece(weft_device *device, const each *e, weft_array map, i64 first,
                       int scatters) {
    const i64 n = map.length;
    for (i32 k = 0; k < e->count; k++) {
        if (scatters)
            weft_scatter(device, weft_part(e->in[k], first, n), map, e->out[k]);
        else
            weft_gather(device, e->in[k], map, weft_part(e->out[k], first, n));
    }
}

static weft_status move_each(weft_device *device, const each *e, weft_array map,
                             int scatters) {
    const i64 n = map.length, step = weft_tuning_of(device)->each;
    for (i64 first = 0; first < n && weft_check(device) == WEFT_OK; first += step) {
        const i64 count = n - first < step ? n - first : step;
        weft_scope_open(device);
        move_piece(device, e, weft_settled(device, weft_part(map, first, count)), first,
                   scatters);
        weft_scope_close(device);
    }
    return weft_check(device);
}

weft_status weft_gather_each(weft_device *device, i32 count, const weft_array *in,
                             weft_array map, const weft_array *out) {
    const each e = {"weft_gather_each", count, in, out};
    if (weft_check(device) != WEFT_OK ||
        weft_need_indices(device, "weft_gather_each.map", map, 0) != WEFT_OK ||
        check(device, &e, 0, map.length, 0) != WEFT_OK ||
        check_apart(device, &e, map) != WEFT_OK)
        return weft_check(device);
    return move_each(device, &e, map, 0);
}

weft_status weft_scatter_each(weft_device *device, i32 count, const weft_array *in,
                              weft_array map, const weft_array *out) {
    const each e = {"weft_scatter_each", count, in, out};
    if (weft_check(device) != WEFT_OK ||
        weft_need_indices(device, "weft_scatter_each.map", map, 0) != WEFT_OK ||
        check(device, &e, map.length, 0, 0) != WEFT_OK ||
        check_apart(device, &e, map) != WEFT_OK)
        return weft_check(device);
    return move_each(device, &e, map, 1);
}

static weft_status select_each(weft_device *device, const each *e, weft_array flags,
                               int partition, i64 *selected) {
    char what[64];
    if (selected)
        *selected = 0;
    const i64 n = e->count > 0 && e->in ? e->in[0].length : 0;
    snprintf(what, sizeof what, "%s.flags", e->call);
    if (weft_check(device) != WEFT_OK ||
        weft_need_array(device, what, flags, WEFT_U32, n) != WEFT_OK ||
        check(device, e, n, partition ? n : 0, 1) != WEFT_OK ||
        check_apart(device, e, flags) != WEFT_OK)
        return weft_check(device);
    weft_scope_open(device);
    flags = weft_settled(device, weft_part(flags, 0, n));
    for (i32 k = 0; k < e->count; k++) {
        i64 *count = k == e->count - 1 ? selected : NULL;
        const weft_array in = weft_part(e->in[k], 0, n);
        if (partition)
            weft_partition(device, in, flags, e->out[k], count);
        else
            weft_copy_if(device, in, flags, e->out[k], count);
    }
    weft_scope_close(device);
    return weft_check(device);
}

weft_status weft_copy_if_each(weft_device *device, i32 count, const weft_array *in,
                              weft_array flags, const weft_array *out, i64 *selected) {
    const each e = {"weft_copy_if_each", count, in, out};
    return select_each(device, &e, flags, 0, selected);
}

weft_status weft_partition_each(weft_device *device, i32 count, const weft_array *in,
                                weft_array flags, const weft_array *out, i64 *selected) {
    const each e = {"weft_partition_each", count, in, out};
    return select_each(device, &e, flags, 1, selected);
}
