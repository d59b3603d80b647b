#include "set_call.h"

#include <stdio.h>

i64 weft_set_most(const set_call *call) {
    const i64 n = call->a.length, m = call->b.length;
    return call->kept & 4 ? n + m : call->kept & 2 ? n : n < m ? n : m;
}

weft_status weft_need_order(weft_device *device, const char *call,
                            const weft_comparison *order, const char *name,
                            weft_array array) {
    char wanted[32], given[32];
    if (!order)
        return weft_fail(device, WEFT_E_ARGUMENT, "%s: 'order' is NULL", call);
    if (order->type != array.type)
        return weft_fail(device, WEFT_E_TYPE, "%s: '%s' compares %s, but '%s' has %s", call,
                         order->name, weft_type_name(order->type, wanted), name,
                         weft_type_name(array.type, given));
    return WEFT_OK;
}

static weft_status need(weft_device *device, const set_call *call, const char *name,
                        weft_array array, weft_type type, i64 least) {
    char what[96];
    snprintf(what, sizeof what, "%s.%s", call->name, name);
    return weft_need_array(device, what, array, type, least);
}

/* That an output is there, if it must be, has room, and shares no memory with an input. */
static weft_status need_out(weft_device *device, const set_call *call, const char *name,
                            weft_array out, weft_type type) {
    char what[96];
    const weft_array others[] = {call->a, call->b, call->a_values, call->b_values};
    if (call->by_key && !out.type)
        return WEFT_OK;
    snprintf(what, sizeof what, "%s.%s", call->name, name);
    if (weft_need_written(device, what, out, type, weft_set_most(call)) != WEFT_OK)
        return weft_check(device);
    for (int k = 0; k < 4; k++)
        if (others[k].type && weft_need_apart(device, what, out, others[k]) != WEFT_OK)
            return weft_check(device);
    return WEFT_OK;
}

/* The arrays in order, by their names. */
static weft_status check_keys(weft_device *device, const set_call *call,
                              const char *const *names) {
    const long long n = call->a.length + call->b.length;
    char what[96];
    snprintf(what, sizeof what, "%s.%s", call->name, names[0]);
    if (!call->compares && weft_need_numbers(device, what, call->a, 0) == WEFT_OK)
        return need(device, call, names[1], call->b, call->a.type, 0);
    if (!call->compares || weft_need_array(device, what, call->a, 0, 0) != WEFT_OK ||
        weft_need_order(device, call->name, call->order, names[0], call->a) != WEFT_OK ||
        need(device, call, names[1], call->b, call->a.type, 0) != WEFT_OK)
        return weft_check(device);
    return n <= UINT32_MAX
               ? WEFT_OK
               : weft_fail(device, WEFT_E_SHAPE, "%s: %lld elements are more than 2^32 - 1",
                           call->name, n);
}

weft_status weft_set_check(weft_device *device, const set_call *call) {
    const char *key_names[2][3] = {{"a", "b", "out"}, {"a_keys", "b_keys", "keys_out"}};
    const char *const *names = key_names[call->by_key];
    char what[96];
    if (weft_check(device) != WEFT_OK || check_keys(device, call, names) != WEFT_OK)
        return weft_check(device);
    if (call->by_key &&
        (need(device, call, "a_values", call->a_values, 0, call->a.length) != WEFT_OK ||
         (call->kept & 4 && need(device, call, "b_values", call->b_values,
                                 call->a_values.type, call->b.length) != WEFT_OK)))
        return weft_check(device);
    if (need_out(device, call, names[2], call->out, call->a.type) != WEFT_OK ||
        !call->by_key ||
        need_out(device, call, "values_out", call->values_out, call->a_values.type) !=
            WEFT_OK)
        return weft_check(device);
    snprintf(what, sizeof what, "%s.values_out", call->name);
    return weft_need_apart(device, what, call->values_out, call->out);
}
