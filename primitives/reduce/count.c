/* Counting flags, and asking whether all, any or none are set. */
#include "primitives/select/select.h"
#include "count.kernel.h"
#include "weft/reduce.h"

#include <stdio.h>

WEFT_GENERATOR(count_block, i64, (value, i64, length), (value, u32, block),
               (in, u32, flags, 0))

static void count_piece(weft_device *device, i64 first, weft_array flags, weft_array none,
                        const void *context, weft_array out) {
    (void)first, (void)none, (void)context;
    const i64 n = flags.length, block = weft_tuning_of(device)->count;
    const i64 blocks = (n + block - 1) / block;
    weft_reduce_into(
        device,
        weft_lazy(blocks, count_block, .length = n, .block = (u32)block, .flags = flags),
        weft_plus(WEFT_I64), out);
}

weft_status weft_count_if(weft_device *device, weft_array flags, i64 *count) {
    if (count)
        *count = 0;
    if (weft_check(device) != WEFT_OK ||
        weft_need_array(device, "weft_count_if.flags", flags, WEFT_U32, 0) != WEFT_OK)
        return weft_check(device);
    if (!count)
        return weft_fail(device, WEFT_E_ARGUMENT, "weft_count_if: 'count' is NULL");
    weft_scope_open(device);
    const weft_array none = {0};
    const int counted = weft_select_directly(device, none, flags, 1, 0, none, count);
    weft_scope_close(device);
    if (counted)
        return weft_check(device);
    return weft_reduce_pieces(device, flags, (weft_array){0}, count_piece, NULL,
                              weft_plus(WEFT_I64), count);
}

/* The extreme flag tells: all are set where the smallest is, some where the largest is. */
static weft_status extreme(weft_device *device, const char *call, weft_array flags,
                           const weft_operator *op, u32 *flag, int *result) {
    char what[64];
    snprintf(what, sizeof what, "%s.flags", call);
    if (result)
        *result = 0;
    if (weft_check(device) != WEFT_OK ||
        weft_need_array(device, what, flags, WEFT_U32, 0) != WEFT_OK)
        return weft_check(device);
    if (!result)
        return weft_fail(device, WEFT_E_ARGUMENT, "%s: 'result' is NULL", call);
    return weft_reduce(device, flags, op, flag);
}

weft_status weft_all(weft_device *device, weft_array flags, int *result) {
    u32 least = 0;
    if (extreme(device, "weft_all", flags, weft_minimum(WEFT_U32), &least, result) ==
        WEFT_OK)
        *result = least != 0;
    return weft_check(device);
}

weft_status weft_any(weft_device *device, weft_array flags, int *result) {
    u32 greatest = 0;
    if (extreme(device, "weft_any", flags, weft_maximum(WEFT_U32), &greatest, result) ==
        WEFT_OK)
        *result = greatest != 0;
    return weft_check(device);
}

weft_status weft_none(weft_device *device, weft_array flags, int *result) {
    u32 greatest = 0;
    if (extreme(device, "weft_none", flags, weft_maximum(WEFT_U32), &greatest, result) ==
        WEFT_OK)
        *result = greatest == 0;
    return weft_check(device);
}
