/* The laws of operators, which every backend relies on and none can see broken. */
#include "checking.h"

#include <stdio.h>
#include <string.h>

enum { TRIED = 1024 };

static int integer(weft_type type) {
    return type < WEFT_F32;
}

static weft_status broken(weft_device *device, const weft_operator *op, const char *law,
                          const u64 *value, int count) {
    char text[3 * 24] = "";
    size_t used = 0;
    for (int k = 0; k < count; k++)
        used += (size_t)snprintf(text + used, sizeof text - used, k ? ", %llu" : "%llu",
                                 (unsigned long long)value[k]);
    return weft_fail(device, WEFT_E_CHECK, "%s: operator %s (tried with the bits of %s)",
                     op->name, law, text);
}

static u64 apply(const weft_operator *op, u64 a, u64 b) {
    u64 result = 0;
    op->combine(&a, &b, &result, 1);
    return result;
}

weft_status checking_laws(weft_device *device, const weft_input *in,
                          const weft_operator *op, int commutes) {
    u64 tile[TRIED + 1], identity = 0;
    const size_t size = WEFT_SIZE(op->type);
    const i64 n = in->span.length < TRIED ? in->span.length : TRIED;
    if (!integer(op->type) || op->type != in->span.type)
        return WEFT_OK;
    memcpy(&identity, op->identity, size);
    const char *elements = host_elements(in, 0, n, tile);
    u64 value[3] = {0};
    for (i64 i = 0; i < n; i++) {
        value[2] = value[1], value[1] = value[0], value[0] = 0;
        memcpy(value, elements + (size_t)i * size, size);
        if (apply(op, identity, value[0]) != value[0] ||
            apply(op, value[0], identity) != value[0])
            return broken(device, op, "changes a value that meets its identity", value, 1);
        if (commutes && i > 0 &&
            apply(op, value[0], value[1]) != apply(op, value[1], value[0]))
            return broken(device, op, "does not commute", value, 2);
        if (i > 1 && apply(op, apply(op, value[0], value[1]), value[2]) !=
                         apply(op, value[0], apply(op, value[1], value[2])))
            return broken(device, op, "is not associative", value, 3);
    }
    return WEFT_OK;
}
