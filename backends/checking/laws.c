/* The laws of operators, which every backend relies on and none can see broken. */
#include "checking.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TRIED = 1024 };

static u64 apply(const weft_operator *op, u64 a, u64 b) {
    u64 result = 0;
    op->combine(&a, &b, &result, 1);
    return result;
}

static f64 real_of(weft_type type, u64 bits) {
    f32 narrow;
    f64 wide;
    if (type == WEFT_F64) {
        memcpy(&wide, &bits, sizeof wide);
        return wide;
    }
    const u32 low = (u32)bits;
    memcpy(&narrow, &low, sizeof narrow);
    return narrow;
}

static int is_real(weft_type type) {
    return type == WEFT_F32 || type == WEFT_F64;
}

/* Integers by their bits; of floats, 0 is -0 and every NaN is one (which an operator may
 * leave out, as minima do: the identity need not keep it). */
static int same(weft_type type, u64 a, u64 b) {
    if (!is_real(type))
        return a == b;
    const f64 x = real_of(type, a), y = real_of(type, b);
    return x == y || (isnan(x) && isnan(y));
}

/* Up to rounding: by a part of the largest number that was met on the way. What overflows
 * one way alone is forgiven. */
static int near(weft_type type, const u64 *met, int count, u64 a, u64 b) {
    if (same(type, a, b) || !is_real(type))
        return same(type, a, b);
    const f64 x = real_of(type, a), y = real_of(type, b);
    f64 largest = fmax(fabs(x), fabs(y));
    for (int k = 0; k < count; k++)
        largest = fmax(largest, fabs(real_of(type, met[k])));
    return !isfinite(x) || !isfinite(y) || !isfinite(largest) ||
           fabs(x - y) <= (type == WEFT_F32 ? 1e-4 : 1e-10) * largest;
}

static weft_status broken(weft_device *device, const weft_operator *op, const char *law,
                          const u64 *value, int count) {
    char text[3 * 32] = "";
    size_t used = 0;
    for (int k = 0; k < count; k++) {
        const char *comma = k ? ", " : "";
        const size_t room = sizeof text - used;
        const int more = is_real(op->type) ? snprintf(text + used, room, "%s%.9g", comma,
                                                      real_of(op->type, value[k]))
                                           : snprintf(text + used, room, "%s%llu", comma,
                                                      (unsigned long long)value[k]);
        used += (size_t)more;
    }
    return weft_fail(device, WEFT_E_CHECK, "%s: operator %s (tried with %s%s)", op->name,
                     law, is_real(op->type) ? "" : "the bits of ", text);
}

weft_status checking_laws(weft_device *device, const weft_input *in,
                          const weft_operator *op, int commutes) {
    u64 tile[TRIED + 1], identity = 0;
    const size_t size = WEFT_SIZE(op->type);
    const weft_type type = op->type;
    const i64 n = in->span.length < TRIED ? in->span.length : TRIED;
    if (type >= WEFT_STRUCTS || type != in->span.type)
        return WEFT_OK;
    memcpy(&identity, op->identity, size);
    const char *elements = host_elements(in, 0, n, tile);
    u64 value[3] = {0}; /* the latest first */
    for (i64 i = 0; i < n; i++) {
        value[2] = value[1], value[1] = value[0], value[0] = 0;
        memcpy(value, elements + (size_t)i * size, size);
        const int is_nan = is_real(type) && isnan(real_of(type, value[0]));
        if (!is_nan && (!same(type, apply(op, identity, value[0]), value[0]) ||
                        !same(type, apply(op, value[0], identity), value[0])))
            return broken(device, op, "changes a value that meets its identity", value, 1);
        const u64 late = apply(op, value[0], value[1]);
        if (commutes && i > 0 && !near(type, value, 2, late, apply(op, value[1], value[0])))
            return broken(device, op, "does not commute", value, 2);
        const u64 early = apply(op, value[1], value[2]);
        const u64 met[5] = {value[0], value[1], value[2], late, early};
        if (i > 1 &&
            !near(type, met, 5, apply(op, late, value[2]), apply(op, value[0], early)))
            return broken(device, op, "is not associative", value, 3);
    }
    return WEFT_OK;
}
