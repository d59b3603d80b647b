/* Scans: each element is read from memory once and written once. */
#include "scan_block.h"

#include <string.h>

typedef struct scanning {
    scan_call call;
    _Alignas(64) char carry[HOST_ELEMENT]; /* the fold of all before the next block */
} scanning;

/* What a block hands on, and what it gets; its own memory follows. */
typedef struct block {
    _Alignas(64) char total[HOST_ELEMENT], prefix[HOST_ELEMENT];
    _Alignas(64) int cut;
} block;

static void within(void *context, i64 b, void *memory) {
    const scanning *s = context;
    block *m = memory;
    m->cut = scan_block_within(&s->call, b, m + 1, m->total);
}

static void link(void *context, i64 b, void *memory) {
    scanning *s = context;
    block *m = memory;
    const size_t size = WEFT_SIZE(s->call.op->type);
    (void)b;
    memcpy(m->prefix, s->carry, size);
    if (m->cut)
        memcpy(s->carry, m->total, size);
    else
        s->call.op->combine(m->prefix, m->total, s->carry, 1);
}

static void finish(void *context, i64 b, void *memory) {
    const scanning *s = context;
    const block *m = memory;
    (void)b;
    scan_block_finish(&s->call, m + 1, m->prefix);
}

size_t host_scan_memory(weft_type type) {
    return sizeof(block) + scan_block_memory(type);
}

static host_chain chain_of(scanning *s) {
    const weft_type type = s->call.op->type;
    const i64 length = scan_block_length(type), n = s->call.in->span.length;
    memcpy(s->carry, s->call.op->identity, WEFT_SIZE(type));
    return (host_chain){(n + length - 1) / length, host_scan_memory(type), within, link,
                        finish};
}

weft_status host_scan(weft_device *device, const weft_input *in, const weft_input *heads,
                      const weft_operator *op, int exclusive, weft_span out,
                      const host_crew *crew) {
    scanning s = {.call = {in, heads, op, exclusive, out}};
    if (host_check_operator(device, op) != WEFT_OK)
        return weft_check(device);
    const host_chain chain = chain_of(&s);
    return host_run_chain(device, crew, &chain, &s);
}

void host_scan_alone(const weft_input *in, const weft_input *heads, const weft_operator *op,
                     int exclusive, weft_span out, void *memory) {
    scanning s = {.call = {in, heads, op, exclusive, out}};
    const host_chain chain = chain_of(&s);
    host_run_chain_alone(&chain, &s, memory);
}
