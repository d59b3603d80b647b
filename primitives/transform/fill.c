/* Filling with a value of any type. */
#include "primitives/primitives.h"
#include "fill.kernel.h"
#include "weft/transform.h"

WEFT_GENERATOR(fill_u8, u8, (value, u8, value))
WEFT_GENERATOR(fill_u16, u16, (value, u16, value))
WEFT_GENERATOR(fill_u32, u32, (value, u32, value))
WEFT_GENERATOR(fill_u64, u64, (value, u64, value))
WEFT_KERNEL(fill_words, (value, fill_block, block), (value, u32, first),
            (value, u32, count), (value, u32, parts), (inout, u32, out, 0))
WEFT_KERNEL(fill_bytes, (value, fill_block, block), (value, u32, first),
            (value, u32, count), (value, u32, parts), (inout, u8, out, 0))

/* Values travel in the launch itself, so that nothing waits for a copy from the host. */
static void fill_structs(weft_device *device, weft_array out, weft_mover mover,
                         const char *value) {
    const u32 part = (u32)WEFT_SIZE(mover.type), room = (u32)sizeof(fill_block) / part;
    const weft_array parts = weft_as(device, out, mover.type);
    for (u32 first = 0; first < mover.parts; first += room) {
        const u32 count = mover.parts - first < room ? mover.parts - first : room;
        fill_block block = {{0}};
        memcpy(&block, value + (size_t)first * part, (size_t)count * part);
        if (mover.kind == MOVES_WORDS)
            weft_for_each(device, out.length, fill_words, .block = block, .first = first,
                          .count = count, .parts = mover.parts, .out = parts);
        else
            weft_for_each(device, out.length, fill_bytes, .block = block, .first = first,
                          .count = count, .parts = mover.parts, .out = parts);
    }
}

weft_status weft_fill(weft_device *device, weft_array out, const void *value) {
    if (weft_check(device) != WEFT_OK ||
        weft_need_written(device, "weft_fill.out", out, 0, 0) != WEFT_OK)
        return weft_check(device);
    if (!value)
        return weft_fail(device, WEFT_E_ARGUMENT, "weft_fill: 'value' is NULL");
    const weft_mover mover = weft_mover_of(out.type);
    const weft_array numbers =
        mover.parts == 1 ? weft_as(device, out, mover.type) : (weft_array){0};
    u64 bits = 0;
    if (mover.parts == 1)
        memcpy(&bits, value, WEFT_SIZE(out.type));
    switch (mover.kind) {
    case MOVES_U8:
        return weft_transform(device, out.length, numbers, fill_u8, .value = (u8)bits);
    case MOVES_U16:
        return weft_transform(device, out.length, numbers, fill_u16, .value = (u16)bits);
    case MOVES_U32:
        return weft_transform(device, out.length, numbers, fill_u32, .value = (u32)bits);
    case MOVES_U64:
        return weft_transform(device, out.length, numbers, fill_u64, .value = bits);
    default:
        fill_structs(device, out, mover, value);
        return weft_check(device);
    }
}
