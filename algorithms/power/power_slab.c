/* What of the mesh is this process's: all of it, or a slab. */
#include "power.h"
#include "algorithms/points/arguments.h"

weft_power_slab power_slab(const weft_power_options *o) {
    return o->slab ? *o->slab
                   : (weft_power_slab){
                         .planes = o->n[0], .rows = o->n[1], .columns = o->n[2] / 2 + 1};
}

static int is_part(i64 first, i64 count, i64 all) {
    return first >= 0 && count >= 0 && first <= all - count;
}

void power_check_slab(weft_device *device, const char *call, const weft_power_options *o) {
    const weft_power_slab *s = o->slab;
    if (!s ||
        !arguments_known(device, call, "options.slab", s->reserved, sizeof s->reserved))
        return;
    const i64 half = o->n[2] / 2 + 1;
    if (!is_part(s->first_plane, s->planes, o->n[0]) ||
        !is_part(s->first_row, s->rows, o->n[1]) ||
        !is_part(s->first_column, s->columns, half))
        weft_fail(
            device, WEFT_E_ARGUMENT,
            "%s: a slab has %lld planes from %lld on, %lld rows from %lld on and %lld "
            "columns from %lld on: not all are of %lld, %lld and %lld",
            call, (long long)s->planes, (long long)s->first_plane, (long long)s->rows,
            (long long)s->first_row, (long long)s->columns, (long long)s->first_column,
            (long long)o->n[0], (long long)o->n[1], (long long)half);
    else if (!s->in_turn || !s->deposit || !s->transform || !s->to_planes)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: a slab lacks a function", call);
}

void power_in_turn(weft_device *device, const weft_power_options *o, weft_power_add *add,
                   void *context, void *sum, i64 bytes) {
    if (weft_check(device) != WEFT_OK)
        return;
    if (o->slab)
        o->slab->in_turn(o->slab->user, device, add, context, sum, bytes);
    else
        add(context, sum);
}
