/* Filling with a value of any type. */
#include "primitives/primitives.h"
#include "fill.kernels.h"
#include "weft/transform.h"

WEFT_GENERATORS(fill, (u8, u16, u32, u64), T, (value, T, value))
WEFT_GENERATORS(fill_whole, (words3, words4, words6, words8, words12), T, (value, T, value))
WEFT_KERNEL(fill_words, (value, fill_block, block), (value, u32, first),
            (value, u32, count), (value, u32, parts), (inout, u32, out, 0))
WEFT_KERNEL(fill_bytes, (value, fill_block, block), (value, u32, first),
            (value, u32, count), (value, u32, parts), (inout, u8, out, 0))

/* Structs of some sizes, as they are; returns 0 of others. */
static int fill_whole(weft_device *device, weft_array out, const void *value) {
    const i32 count = sizeof fill_whole_generators / sizeof *fill_whole_generators;
    for (i32 k = 0; k < count; k++)
        if (fill_whole_generators[k]->type == out.type) {
            words12 arguments = {{0}}; /* of any of them: the value */
            memcpy(&arguments, value, WEFT_SIZE(out.type));
            weft_copy(device,
                      weft_lazy_array(out.length, fill_whole_generators[k], &arguments),
                      out);
            return 1;
        }
    return 0;
}

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

weft_status(weft_fill)(weft_device *device, weft_array out, const void *value) {
    if (weft_check(device) != WEFT_OK ||
        weft_need_written(device, "weft_fill.out", out, 0, 0) != WEFT_OK)
        return weft_check(device);
    if (!value)
        return weft_fail(device, WEFT_E_ARGUMENT, "weft_fill: 'value' is NULL");
    const weft_mover mover = weft_mover_of(out.type);
    if (mover.kind >= MOVES_WORDS) {
        if (!fill_whole(device, out, value))
            fill_structs(device, out, mover, value);
        return weft_check(device);
    }
    u64 arguments = 0; /* of any type: the value */
    memcpy(&arguments, value, WEFT_SIZE(out.type));
    return weft_copy(device,
                     weft_lazy_array(out.length, fill_generators[mover.kind], &arguments),
                     weft_as(device, out, mover.type));
}
