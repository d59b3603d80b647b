/* Replacing what has a flag, in one launch. */
#include "entries.h"
#include "backends/opencl/program/program.h"

extern const weft_source weft_text_replace;

/* Work-items of one enqueued launch, which stay below what any driver counts to; elements
 * of each. */
enum { LAUNCH = 1 << 30, EACH = 4 };

static const opencl_program *replace_of(weft_device *device,
                                        const weft_replace_call *call) {
    const weft_generator *flags = call->flags.generator;
    const size_t size = WEFT_SIZE(call->x.type);
    const opencl_key key = {OPENCL_REPLACE,
                            (u32)(opencl_is_wide_input(&call->flags) ? OPENCL_WIDE : 0) |
                                (u32)size << 4,
                            {flags}};
    const opencl_program *found = opencl_find(device, &key);
    if (found)
        return found;
    static const char *const names[OPENCL_KERNELS] = {"weft_replace"};
    opencl_called called = {0};
    if (flags)
        called = opencl_calls(&flags->function);
    opencl_text text = {0};
    opencl_begin_text(opencl_of(device), &text, &called, flags != NULL);
    opencl_append_bits(&text, "weft_flags", &call->flags);
    opencl_append(&text, "typedef %s weft_element;\n#define EACH %d\n",
                  opencl_unsigned(size), EACH);
    opencl_append_bytes(&text, weft_text_replace.text, weft_text_replace.length);
    return opencl_build(device, &key, flags ? flags->function.name : "weft_replace", &text,
                        names);
}

int opencl_replace(weft_device *device, const weft_replace_call *call) {
    const i64 n = call->flags.span.length, group = opencl_of(device)->group,
              tile = group * EACH;
    if (call->x.type >= WEFT_STRUCTS)
        return 0;
    const opencl_program *program = replace_of(device, call);
    if (program && !program->program)
        return 0; /* it takes f64 */
    for (i64 begin = 0; program && begin < n; begin += LAUNCH) {
        const i64 end = n - begin < LAUNCH ? n : begin + LAUNCH;
        opencl_launch launch = opencl_begin(device, program, 0);
        opencl_give(&launch, &begin, sizeof begin);
        opencl_give(&launch, &end, sizeof end);
        opencl_give_span(&launch, call->x);
        opencl_give(&launch, call->value, WEFT_SIZE(call->x.type));
        opencl_give_input(&launch, &call->flags);
        if (opencl_run(&launch, (end - begin + tile - 1) / tile, group) != WEFT_OK)
            break;
    }
    return 1;
}
