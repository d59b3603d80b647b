/* Arithmetic sequences of each type. */
#include "primitives/primitives.h"
#include "sequence.kernels.h"
#include "weft/transform.h"

WEFT_GENERATORS(sequence, (u8, u16, u32, u64, f32, f64), T, (value, T, start),
                (value, T, step))

weft_status(weft_sequence)(weft_device *device, weft_array out, const void *start,
                           const void *step) {
    if (weft_check(device) != WEFT_OK ||
        weft_need_written(device, "weft_sequence.out", out, 0, 0) != WEFT_OK ||
        weft_need_numbers(device, "weft_sequence.out", out, 0) != WEFT_OK)
        return weft_check(device);
    if (!start || !step)
        return weft_fail(device, WEFT_E_ARGUMENT, "weft_sequence: '%s' is NULL",
                         start ? "step" : "start");
    const size_t size = WEFT_SIZE(out.type);
    const weft_numbers numbers = weft_numbers_of(out.type);
    u64 arguments[2]; /* of any type: its start and then its step */
    memcpy(arguments, start, size);
    memcpy((char *)arguments + size, step, size);
    return weft_copy(
        device, weft_lazy_array(out.length, sequence_generators[numbers.kind], arguments),
        weft_as(device, out, numbers.type));
}
