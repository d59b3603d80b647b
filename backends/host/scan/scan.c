/* Scans: each element is read from memory once and written once. */
#include "scan_block.h"

#include <string.h>

enum {
    FOLD = 8
}; /* where the fold begins in a block's total; before it, whether it is cut */

static void within(void *context, i64 b, void *memory, void *total) {
    char *t = total;
    t[0] = scan_block_within(context, b, memory, t + FOLD) != 0;
}

static void join(void *context, void *sum, const void *total) {
    const weft_operator *op = ((const scan_call *)context)->op;
    char *s = sum;
    const char *t = total;
    if (t[0])
        memcpy(s + FOLD, t + FOLD, WEFT_SIZE(op->type));
    else
        op->combine(s + FOLD, t + FOLD, s + FOLD, 1);
}

static void finish(void *context, i64 b, void *memory, const void *sum, i64 next) {
    scan_block_finish(context, b, memory, (const char *)sum + FOLD, next);
}

static host_chain chain_of(i64 n, i64 length, weft_type type) {
    const size_t total = FOLD + (WEFT_SIZE(type) + 7) / 8 * 8;
    return (host_chain){.blocks = (n + length - 1) / length,
                        .memory = scan_block_memory(type),
                        .total = total,
                        .within = within,
                        .join = join,
                        .finish = finish};
}

/* Of scans that are bound by memory: whether they are done plainly. */
static host_choice *choice_of(const scan_call *call, const host_crew *crew, u64 bytes) {
    return !crew->choices || !call->lanes || call->heads || call->in->generator
               ? NULL
               : host_choice_for(crew->choices->scan, bytes);
}

static weft_status scan(weft_device *device, const weft_input *in, const weft_input *heads,
                        const weft_operator *op, int exclusive, const void *start,
                        weft_span out, const host_crew *crew) {
    scan_call call = scan_call_of(in, heads, op, exclusive, out);
    _Alignas(64) char sum[FOLD + HOST_ELEMENT];
    if (host_check_operator(device, op) != WEFT_OK)
        return weft_check(device);
    memcpy(sum + FOLD, start, WEFT_SIZE(op->type));
    const host_chain chain = chain_of(in->span.length, call.length, op->type);
    const u64 bytes = (u64)out.length * WEFT_SIZE(out.type);
    return host_run_chain_either(device, crew, &chain, &call, sum,
                                 choice_of(&call, crew, bytes), bytes, &call.plainly);
}

weft_status host_scan(weft_device *device, const weft_input *in, const weft_input *heads,
                      const weft_operator *op, int exclusive, weft_span out,
                      const host_crew *crew) {
    return scan(device, in, heads, op, exclusive, op->identity, out, crew);
}

weft_status host_scan_from(weft_device *device, const weft_input *in,
                           const weft_operator *op, int exclusive, const void *start,
                           weft_span out, const host_crew *crew) {
    return scan(device, in, NULL, op, exclusive, start, out, crew);
}

size_t host_scan_memory(weft_type type) {
    const host_chain chain = chain_of(0, 1, type);
    return host_chain_memory(&chain);
}

void host_scan_alone(const weft_input *in, const weft_input *heads, const weft_operator *op,
                     int exclusive, weft_span out, void *memory) {
    scan_call call = scan_call_of(in, heads, op, exclusive, out);
    const host_chain chain = chain_of(in->span.length, call.length, op->type);
    _Alignas(64) char sum[FOLD + HOST_ELEMENT];
    memcpy(sum + FOLD, op->identity, WEFT_SIZE(op->type));
    host_run_chain_alone(&chain, &call, memory, sum);
}
