/* Launches of registered functions. */
#include "core.h"
#include "weft/register.h"

#include <stdlib.h>

static weft_status need_given(weft_device *device, const char *call, const char *name,
                              const void *given) {
    if (!given)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: '%s' is NULL", call, name);
    return weft_check(device);
}

weft_status weft_launch(weft_device *device, i64 n, const weft_kernel *kernel,
                        const void *arguments) {
    weft_call call;
    if (weft_check(device) != WEFT_OK ||
        need_given(device, "weft_launch", "kernel", kernel) != WEFT_OK ||
        need_given(device, "weft_launch", "arguments", arguments) != WEFT_OK ||
        weft_need_call(device, n, &kernel->function, arguments, &call) != WEFT_OK || n == 0)
        return weft_check(device);
    weft_scope_open(device);
    device->backend->for_each(device, n, kernel, &call);
    weft_scope_close(device);
    return weft_check(device);
}

/* That the segments ascend and lie within the points. */
static weft_status check_offsets(weft_device *device, const char *name, const i64 *offsets,
                                 i64 segments, i64 points) {
    for (i64 s = 0; s < segments; s++)
        if (offsets[s] < 0 || offsets[s] > offsets[s + 1])
            return weft_fail(device, WEFT_E_SHAPE, "%s: segment %lld is [%lld, %lld)", name,
                             (long long)s, (long long)offsets[s],
                             (long long)offsets[s + 1]);
    if (offsets[segments] > points)
        return weft_fail(device, WEFT_E_SHAPE,
                         "%s: the segments end at %lld, beyond the %lld points", name,
                         (long long)offsets[segments], (long long)points);
    return WEFT_OK;
}

/* That what is written is none of what is read. */
static weft_status check_apart(weft_device *device, const weft_call *call, weft_span to) {
    const i64 size = (i64)WEFT_SIZE(to.type), begin = to.first * size;
    for (i32 k = 0; k < call->count; k++) {
        const weft_span from = call->argument[k].span;
        const i64 wide = (i64)WEFT_SIZE(from.type), first = from.first * wide;
        if (!call->argument[k].value && from.memory && from.memory == to.memory &&
            begin < first + from.length * wide && first < begin + to.length * size)
            return weft_fail(device, WEFT_E_ARGUMENT,
                             "%s: array 'out' overlaps array '%s', which all pairs read",
                             call->function->name, call->argument[k].parameter->name);
    }
    return WEFT_OK;
}

weft_status weft_fold_pairs(weft_device *device, weft_array offsets, weft_array out,
                            const weft_pairs_function *pairs, const void *arguments) {
    weft_call call;
    weft_span where = {0}, to = {0};
    const char *name = pairs ? pairs->function.name : "";
    if (weft_check(device) != WEFT_OK ||
        need_given(device, "weft_fold_pairs", "pairs", pairs) != WEFT_OK ||
        need_given(device, "weft_fold_pairs", "arguments", arguments) != WEFT_OK ||
        weft_need_call(device, 0, &pairs->function, arguments, &call) != WEFT_OK ||
        weft_need_memory(device, "weft_pairs.offsets", offsets, WEFT_I64, 1, &where) !=
            WEFT_OK)
        return weft_check(device);
    const i64 points = call.argument[0].span.length, segments = offsets.length - 1;
    if (weft_need_output(device, "weft_pairs.out", out, pairs->type, points, &to) !=
            WEFT_OK ||
        points == 0 || segments == 0 || check_apart(device, &call, to) != WEFT_OK)
        return weft_check(device);
    i64 *host = malloc((size_t)offsets.length * sizeof *host);
    if (!host)
        return weft_fail(device, WEFT_E_MEMORY, "out of memory: offsets of %lld segments",
                         (long long)segments);
    if (weft_read(device, offsets, host) == WEFT_OK &&
        check_offsets(device, name, host, segments, points) == WEFT_OK) {
        weft_scope_open(device);
        device->backend->pairs(device, pairs, &call, host, segments, to);
        weft_scope_close(device);
    }
    free(host);
    return weft_check(device);
}
