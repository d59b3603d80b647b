/* That the indices of a map are inside the array that they index. */
#include "checking.h"

#include <stdio.h>
#include <string.h>

/* As a signed number and as an unsigned one. */
static void index_at(weft_span map, i64 i, i64 *index, u64 *bits) {
    const size_t size = WEFT_SIZE(map.type);
    *bits = 0;
    memcpy(bits, host_at(map, i), size);
    const int is_signed = map.type == WEFT_I32 || map.type == WEFT_I64;
    *index = size == 4 && is_signed ? (i32)(u32)*bits : (i64)*bits;
    if (!is_signed && *index < 0)
        *index = INT64_MAX;
}

static weft_status look_at_map(weft_device *device, const weft_map_call *call) {
    const weft_span map = call->map, flags = call->flags;
    for (i64 i = 0; i < map.length; i++) {
        i64 index;
        u64 bits;
        if (flags.memory && *(const u32 *)host_at(flags, i) == 0)
            continue;
        index_at(map, i, &index, &bits);
        if (index >= 0 && index < call->length)
            continue;
        char number[24];
        if (index < 0)
            snprintf(number, sizeof number, "%lld", (long long)index);
        else
            snprintf(number, sizeof number, "%llu", (unsigned long long)bits);
        return weft_fail(device, WEFT_E_CHECK,
                         "%s: element %lld of 'map' is %s, but '%s' has %lld elements",
                         call->what, (long long)(call->first + i), number, call->of,
                         (long long)call->length);
    }
    return WEFT_OK;
}

weft_status checking_map(weft_device *device, const weft_map_call *call) {
    checking_lock(device);
    const weft_status status = look_at_map(device, call);
    checking_unlock(device);
    return status;
}
