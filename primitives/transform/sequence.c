/* Arithmetic sequences of each type. */
#include "primitives/primitives.h"
#include "sequence.kernel.h"
#include "sequence_f64.kernel.h"
#include "weft/transform.h"

WEFT_GENERATOR(sequence_u8, u8, (value, u8, start), (value, u8, step))
WEFT_GENERATOR(sequence_u16, u16, (value, u16, start), (value, u16, step))
WEFT_GENERATOR(sequence_u32, u32, (value, u32, start), (value, u32, step))
WEFT_GENERATOR(sequence_u64, u64, (value, u64, start), (value, u64, step))
WEFT_GENERATOR(sequence_f32, f32, (value, f32, start), (value, f32, step))
WEFT_GENERATOR(sequence_f64, f64, (value, f64, start), (value, f64, step))

weft_status weft_sequence(weft_device *device, weft_array out, const void *start,
                          const void *step) {
    if (weft_check(device) != WEFT_OK ||
        weft_need_written(device, "weft_sequence.out", out, 0, 0) != WEFT_OK ||
        weft_need_numbers(device, "weft_sequence.out", out, 0) != WEFT_OK)
        return weft_check(device);
    if (!start || !step)
        return weft_fail(device, WEFT_E_ARGUMENT, "weft_sequence: '%s' is NULL",
                         start ? "step" : "start");
    const i64 n = out.length;
    const size_t size = WEFT_SIZE(out.type);
    if (out.type == WEFT_F32) {
        struct sequence_f32_arguments a;
        memcpy(&a.start, start, size);
        memcpy(&a.step, step, size);
        return weft_transform(device, n, out, sequence_f32, .start = a.start,
                              .step = a.step);
    }
    if (out.type == WEFT_F64) {
        struct sequence_f64_arguments a;
        memcpy(&a.start, start, size);
        memcpy(&a.step, step, size);
        return weft_transform(device, n, out, sequence_f64, .start = a.start,
                              .step = a.step);
    }
    u64 from = 0, by = 0;
    memcpy(&from, start, size);
    memcpy(&by, step, size);
    out = weft_as(device, out, weft_mover_of(out.type).type);
    if (size == 1)
        return weft_transform(device, n, out, sequence_u8, .start = (u8)from,
                              .step = (u8)by);
    if (size == 2)
        return weft_transform(device, n, out, sequence_u16, .start = (u16)from,
                              .step = (u16)by);
    if (size == 4)
        return weft_transform(device, n, out, sequence_u32, .start = (u32)from,
                              .step = (u32)by);
    return weft_transform(device, n, out, sequence_u64, .start = from, .step = by);
}
