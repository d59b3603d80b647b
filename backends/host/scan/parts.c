/* Parts of an output whose lengths only their making tells: made in the cache, they learn
 * where they go. */
#include "backends/host/host.h"

#include <string.h>

typedef struct making {
    const weft_parts_call *call;
    void *arguments[WEFT_MAX_PARAMETERS];
    size_t counts; /* bytes of a work-item's, before its slots */
} making;

static void within(void *context, i64 b, void *memory, void *total) {
    const making *m = context;
    const i32 last = m->call->call.count;
    i64 *counts = memory, sum = 0;
    void *arguments[WEFT_MAX_PARAMETERS];
    memcpy(arguments, m->arguments, (size_t)last * sizeof *arguments);
    arguments[last - 3] = &b;
    arguments[last - 2] = (char *)memory + m->counts;
    arguments[last - 1] = counts;
    memset(counts, 0, m->counts);
    m->call->kernel->loop(arguments, b, b + 1);
    for (i64 s = 0; s < m->call->each; s++)
        sum += counts[s];
    *(i64 *)total = sum;
}

static void join(void *context, void *sum, const void *total) {
    (void)context;
    *(i64 *)sum += *(const i64 *)total;
}

static void finish(void *context, i64 b, void *memory, const void *sum, i64 next) {
    const making *m = context;
    const size_t slot = (size_t)m->call->slot * WEFT_SIZE(m->call->out.type);
    const i64 *counts = memory;
    i64 place = *(const i64 *)sum;
    (void)b, (void)next;
    for (i64 s = 0; s < m->call->each; place += counts[s++])
        host_put(m->call->out, place, (char *)memory + m->counts + (size_t)s * slot,
                 counts[s], host_bypasses(m->call->out));
}

weft_status host_parts(weft_device *device, const weft_parts_call *call,
                       const host_crew *crew) {
    making m = {.call = call, .counts = ((size_t)call->each * sizeof(i64) + 63) / 64 * 64};
    const size_t slots = (size_t)(call->each * call->slot) * WEFT_SIZE(call->out.type);
    const host_chain chain = {.blocks = call->items,
                              .memory = m.counts + (slots + 63) / 64 * 64,
                              .total = sizeof(i64),
                              .within = within,
                              .join = join,
                              .finish = finish};
    i64 *count = host_at(call->count, 0);
    host_arguments(&call->call, m.arguments);
    *count = 0;
    return host_run_chain(device, crew, &chain, &m, count);
}
