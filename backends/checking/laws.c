/* The laws of operators, which every backend relies on and none can see broken. */
#include "checking.h"
#include "fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TRIED = 1024, LARGEST = 512, TILE = 8192 };

/* Elements lie one behind the other: element k of `v` begins at byte k * fields->bytes. */
static const char *at(const checking_fields *fields, const char *v, int k) {
    return v + (size_t)k * fields->bytes;
}

static f64 real_of(checking_field f, const char *element) {
    f32 narrow = 0;
    f64 wide = 0;
    if (f.type == WEFT_F64)
        memcpy(&wide, element + f.offset, sizeof wide);
    else
        memcpy(&narrow, element + f.offset, sizeof narrow);
    return f.type == WEFT_F64 ? wide : (f64)narrow;
}

static u64 bits_of(checking_field f, const char *element) {
    u64 bits = 0;
    memcpy(&bits, element + f.offset, WEFT_SIZE(f.type));
    return bits;
}

static int is_real(checking_field f) {
    return f.type == WEFT_F32 || f.type == WEFT_F64;
}

static int has_nan(const checking_fields *fields, const char *element) {
    for (int k = 0; k < fields->count; k++)
        if (is_real(fields->field[k]) && isnan(real_of(fields->field[k], element)))
            return 1;
    return 0;
}

/* Integers by their bits; of floats, 0 is -0 and every NaN is one. */
static int same_field(checking_field f, const char *a, const char *b) {
    if (!is_real(f))
        return bits_of(f, a) == bits_of(f, b);
    const f64 x = real_of(f, a), y = real_of(f, b);
    return x == y || (isnan(x) && isnan(y));
}

static int same(const checking_fields *fields, const char *a, const char *b) {
    int all = 1;
    for (int k = 0; k < fields->count; k++)
        all &= same_field(fields->field[k], a, b);
    return all;
}

/* The largest float that was met on the way, in whichever member. */
static f64 largest_of(const checking_fields *fields, const char *met, int count) {
    f64 largest = 0;
    for (int m = 0; m < count; m++)
        for (int k = 0; k < fields->count; k++)
            if (is_real(fields->field[k]))
                largest =
                    fmax(largest, fabs(real_of(fields->field[k], at(fields, met, m))));
    return largest;
}

/* Whether the last two of what was met agree: floats up to rounding, by a part of the
 * largest; what overflows one way alone is forgiven. */
static int near(const checking_fields *fields, const char *met, int count) {
    const char *a = at(fields, met, count - 2), *b = at(fields, met, count - 1);
    if (same(fields, a, b))
        return 1;
    const f64 largest = largest_of(fields, met, count);
    for (int k = 0; k < fields->count; k++) {
        const checking_field f = fields->field[k];
        if (!is_real(f)) {
            if (!same_field(f, a, b))
                return 0;
            continue;
        }
        const f64 x = real_of(f, a), y = real_of(f, b);
        if (isfinite(x) && isfinite(y) && isfinite(largest) &&
            fabs(x - y) > (f.type == WEFT_F32 ? 1e-4 : 1e-10) * largest)
            return 0;
    }
    return 1;
}

/* "7, 8" or "{0.5, 1}, {0.25, 2}". */
static void describe(const checking_fields *fields, const char *values, int count,
                     char *text, size_t size) {
    const int last = fields->count - 1;
    size_t used = 0;
    for (int v = 0; v < count; v++)
        for (int k = 0; k <= last && used + 1 < size; k++) {
            const checking_field f = fields->field[k];
            const char *element = at(fields, values, v), *before = k || !last ? "" : "{",
                       *after = k == last && last ? "}" : "", *comma = v || k ? ", " : "";
            const int more =
                is_real(f) ? snprintf(text + used, size - used, "%s%s%.9g%s", comma, before,
                                      real_of(f, element), after)
                           : snprintf(text + used, size - used, "%s%s%llu%s", comma, before,
                                      (unsigned long long)bits_of(f, element), after);
            used += (size_t)more;
        }
}

static weft_status broken(weft_device *device, const weft_operator *op,
                          const checking_fields *fields, const char *law,
                          const char *values, int count) {
    char text[240] = "";
    int integers = 0;
    for (int k = 0; k < fields->count; k++)
        integers |= !is_real(fields->field[k]);
    describe(fields, values, count, text, sizeof text);
    return weft_fail(device, WEFT_E_CHECK, "%s: operator %s (tried with %s%s)", op->name,
                     law, integers ? "the bits of " : "", text);
}

/* The laws for elements 0, 1 and 2 of `met`, of which `known` are there; there is room for
 * four more. */
static weft_status try_laws(weft_device *device, const weft_operator *op,
                            const checking_fields *fields, char *met, int known,
                            int commutes) {
    const size_t size = fields->bytes;
    char *const a = met, *const b = a + size, *const c = b + size, *const ab = c + size,
                *const bc = ab + size, *const left = bc + size, *const right = left + size;
    op->combine(op->identity, a, left, 1);
    op->combine(a, op->identity, right, 1);
    if (!same(fields, left, a) || !same(fields, right, a))
        return broken(device, op, fields, "changes a value that meets its identity", a, 1);
    if (known < 2)
        return WEFT_OK;
    if (known < 3)
        memcpy(c, b, size);
    op->combine(a, b, ab, 1);
    op->combine(b, c, bc, 1);
    memcpy(left, ab, size);
    op->combine(b, a, right, 1);
    if (commutes && !near(fields, met, 7))
        return broken(device, op, fields, "does not commute", a, 2);
    if (known < 3)
        return WEFT_OK;
    op->combine(ab, c, left, 1);
    op->combine(a, bc, right, 1);
    if (!near(fields, met, 7))
        return broken(device, op, fields, "is not associative", a, 3);
    return WEFT_OK;
}

static weft_status try_elements(weft_device *device, const weft_input *in,
                                const weft_operator *op, int commutes) {
    _Alignas(64) char tile[TILE], met[7 * LARGEST];
    const size_t size = WEFT_SIZE(op->type);
    const i64 room = TILE / (i64)size < TRIED ? TILE / (i64)size : TRIED,
              n = in->span.length < room ? in->span.length : room;
    checking_fields fields;
    if (op->type != in->span.type || size > LARGEST ||
        !checking_fields_of(op->source->text, op->type_name, op->type, &fields))
        return WEFT_OK;
    const char *elements = host_elements(in, 0, n, tile);
    int known = 0;
    for (i64 i = 0; i < n && weft_check(device) == WEFT_OK; i++) {
        memmove(met + size, met, 2 * size); /* the latest first */
        memcpy(met, elements + (size_t)i * size, size);
        known = known < 3 ? known + 1 : 3;
        if (has_nan(&fields, met)) /* which some leave out, as minima do */
            known = 0;
        if (known)
            try_laws(device, op, &fields, met, known, commutes);
    }
    return weft_check(device);
}

weft_status checking_laws(weft_device *device, const weft_input *in,
                          const weft_operator *op, int commutes) {
    checking_lock(device);
    const weft_status status = try_elements(device, in, op, commutes);
    checking_unlock(device);
    return status;
}
