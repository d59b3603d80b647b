/* Replacing elements that have a flag. */
#include "primitives/primitives.h"
#include "replace.kernels.h"
#include "weft/in_place.h"
#include "weft/transform.h"

WEFT_KERNELS(replace, (u8, u16, u32, u64, words, bytes), (in, u32, flags),
             (in, T, value, 1), (inout, T, x), (value, u32, parts))

void weft_replace(weft_device *device, weft_array x, weft_array flags, weft_array value) {
    const weft_mover mover = weft_mover_of(x.type);
    const i64 n = x.length, step = flags.generator ? weft_tuning_of(device)->each : n + 1;
    for (i64 first = 0; first < n && weft_check(device) == WEFT_OK; first += step) {
        const i64 count = n - first < step ? n - first : step;
        weft_scope_open(device);
        const struct replace_words_arguments arguments = {
            .flags = weft_settled(device, weft_part(flags, first, count)),
            .value = weft_as(device, value, mover.type),
            .x = weft_as(device, weft_part(x, first, count), mover.type),
            .parts = mover.parts};
        weft_launch(device, count, replace_kernels[mover.kind], &arguments);
        weft_scope_close(device);
    }
}

/* As the backend itself does; returns 0 where it has no way of its own. */
static int replace_directly(weft_device *device, weft_array array, weft_array flags,
                            const void *value) {
    weft_replace_call call = {.value = value};
    if (!device->backend->replace || array.length == 0)
        return 0;
    weft_need_input(device, "weft_replace_if.flags", weft_part(flags, 0, array.length), 0,
                    0, &call.flags);
    weft_need_output(device, "weft_replace_if.array", array, 0, 0, &call.x);
    return weft_check(device) != WEFT_OK || device->backend->replace(device, &call);
}

weft_status(weft_replace_if)(weft_device *device, weft_array array, weft_array flags,
                             const void *value) {
    if (weft_check(device) != WEFT_OK ||
        weft_need_written(device, "weft_replace_if.array", array, 0, 0) != WEFT_OK ||
        weft_need_array(device, "weft_replace_if.flags", flags, WEFT_U32, array.length) !=
            WEFT_OK ||
        (flags.buffer &&
         weft_need_apart(device, "weft_replace_if.array", array, flags) != WEFT_OK))
        return weft_check(device);
    if (!value)
        return weft_fail(device, WEFT_E_ARGUMENT, "weft_replace_if: 'value' is NULL");
    weft_scope_open(device);
    if (!replace_directly(device, array, flags, value)) {
        const weft_array one = weft_scratch(device, array.type, 1);
        weft_fill(device, one, (const void *)value);
        weft_replace(device, array, flags, one);
    }
    weft_scope_close(device);
    return weft_check(device);
}
