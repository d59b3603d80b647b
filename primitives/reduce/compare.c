/* Where two arrays differ. */
#include "primitives/primitives.h"
#include "compare.kernels.h"
#include "weft/compare.h"
#include "weft/operators.h"
#include "weft/reduce.h"

#include <stdio.h>

WEFT_GENERATORS(compare, (u8, u16, u32, u64, f32, f64), i64, (value, i64, base),
                (value, i64, length), (value, u32, size), (in, T, a, 0), (in, T, b, 0))

/* In parts: a struct is as many elements. */
static void compare_piece(weft_device *device, i64 first, weft_array a, weft_array b,
                          const void *context, weft_array out) {
    (void)context;
    const weft_mover mover = weft_mover_of(a.type);
    const weft_numbers numbers = weft_numbers_of(a.type);
    const i64 n = a.length * mover.parts, block = weft_tuning_of(device)->compare;
    const struct compare_u32_arguments arguments = {.base = first * mover.parts,
                                                    .length = n,
                                                    .size = (u32)block,
                                                    .a = weft_as(device, a, numbers.type),
                                                    .b = weft_as(device, b, numbers.type)};
    const weft_array blocks = weft_lazy_array((n + block - 1) / block,
                                              compare_generators[numbers.kind], &arguments);
    weft_reduce_into(device, blocks, weft_minimum(WEFT_I64), out);
}

static weft_status check(weft_device *device, const char *call, weft_array a,
                         weft_array b) {
    char what[2][64];
    snprintf(what[0], sizeof what[0], "%s.a", call);
    snprintf(what[1], sizeof what[1], "%s.b", call);
    if (weft_check(device) != WEFT_OK ||
        weft_need_array(device, what[0], a, 0, 0) != WEFT_OK)
        return weft_check(device);
    return weft_need_array(device, what[1], b, a.type, 0);
}

/* The first difference of checked arrays: -1 where there is none. */
static weft_status mismatch(weft_device *device, weft_array a, weft_array b, i64 *index) {
    const i64 n = a.length < b.length ? a.length : b.length;
    i64 first;
    if (weft_reduce_pieces(device, weft_part(a, 0, n), weft_part(b, 0, n), compare_piece,
                           NULL, weft_minimum(WEFT_I64), &first) != WEFT_OK)
        return weft_check(device);
    if (first != INT64_MAX)
        *index = first / weft_mover_of(a.type).parts;
    else
        *index = a.length == b.length ? -1 : n;
    return WEFT_OK;
}

weft_status weft_mismatch(weft_device *device, weft_array a, weft_array b, i64 *index) {
    if (index)
        *index = 0;
    if (check(device, "weft_mismatch", a, b) != WEFT_OK)
        return weft_check(device);
    if (!index)
        return weft_fail(device, WEFT_E_ARGUMENT, "weft_mismatch: 'index' is NULL");
    return mismatch(device, a, b, index);
}

weft_status weft_equal(weft_device *device, weft_array a, weft_array b, int *result) {
    if (result)
        *result = 0;
    if (check(device, "weft_equal", a, b) != WEFT_OK)
        return weft_check(device);
    if (!result)
        return weft_fail(device, WEFT_E_ARGUMENT, "weft_equal: 'result' is NULL");
    i64 first;
    if (a.length == b.length && mismatch(device, a, b, &first) == WEFT_OK)
        *result = first < 0;
    return weft_check(device);
}
