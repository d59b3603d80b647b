/* Replacing what has a flag, whose flags are made in the first cache. Elements are written
 * whatever their flags are, so that no branch depends on one. */
#include "host.h"
#include "weft/register_macros.h"

#include <string.h>

WEFT_CLONES static void replace_1(u8 *x, const u32 *flags, u8 value, i64 n) {
    for (i64 i = 0; i < n; i++)
        x[i] = flags[i] ? value : x[i];
}
WEFT_CLONES static void replace_2(u16 *x, const u32 *flags, u16 value, i64 n) {
    for (i64 i = 0; i < n; i++)
        x[i] = flags[i] ? value : x[i];
}
WEFT_CLONES static void replace_4(u32 *x, const u32 *flags, u32 value, i64 n) {
    for (i64 i = 0; i < n; i++)
        x[i] = flags[i] ? value : x[i];
}
WEFT_CLONES static void replace_8(u64 *x, const u32 *flags, u64 value, i64 n) {
    for (i64 i = 0; i < n; i++)
        x[i] = flags[i] ? value : x[i];
}

void host_replace(const weft_replace_call *call, i64 begin, i64 end) {
    enum { STEP = HOST_TILE / sizeof(u32) };
    _Alignas(64) u32 tile[STEP];
    const size_t size = WEFT_SIZE(call->x.type);
    u64 value = 0; /* little-endian: also of the shorter types */
    memcpy(&value, call->value, size);
    for (i64 i = begin; i < end; i += STEP) {
        const i64 count = end - i < STEP ? end - i : STEP;
        const u32 *flags = host_elements(&call->flags, i, i + count, tile);
        void *x = host_at(call->x, i);
        if (size == 1)
            replace_1(x, flags, (u8)value, count);
        else if (size == 2)
            replace_2(x, flags, (u16)value, count);
        else if (size == 4)
            replace_4(x, flags, (u32)value, count);
        else
            replace_8(x, flags, value, count);
    }
}
