/* Calls on two arrays in order, alone or with values: what they are given. */
#ifndef WEFT_PRIMITIVES_SET_CALL_H
#define WEFT_PRIMITIVES_SET_CALL_H

#include "primitives/primitives.h"
#include "weft/order.h"

/* What is kept: pairs (once), elements of a, elements of b without a partner. */
typedef enum set_operation {
    SET_INTERSECTION = 1,
    SET_DIFFERENCE = 2,
    SET_SYMMETRIC_DIFFERENCE = 6,
    SET_UNION = 7
} set_operation;

/* A call: its name, and its arguments, of which the keys are always there. */
typedef struct set_call {
    const char *name;
    set_operation kept;
    int compares; /* by `order`, and not as numbers */
    const weft_comparison *order;
    weft_array a, b, out;
    int by_key;
    weft_array a_values, b_values, values_out;
} set_call;

static inline set_call set_call_of(const char *name, set_operation kept, weft_array a,
                                   weft_array b, weft_array out) {
    return (set_call){name, kept, .a = a, .b = b, .out = out};
}

static inline set_call set_call_by_key(const char *name, set_operation kept, weft_array a,
                                       weft_array a_values, weft_array b,
                                       weft_array b_values, weft_array out,
                                       weft_array values_out) {
    set_call call = set_call_of(name, kept, a, b, out);
    call.by_key = 1;
    call.a_values = a_values;
    call.b_values = b_values;
    call.values_out = values_out;
    return call;
}

static inline set_call set_call_with(set_call call, const weft_comparison *order) {
    call.compares = 1;
    call.order = order;
    return call;
}

/* Elements that there may be. */
i64 weft_set_most(const set_call *call);

/* That all that must be is there, and that outputs have room and share no memory with what
 * else there is. */
weft_status weft_set_check(weft_device *device, const set_call *call);

/* That there is a comparison, of the array's elements. */
weft_status weft_need_order(weft_device *device, const char *call,
                            const weft_comparison *order, const char *name,
                            weft_array array);

#endif
