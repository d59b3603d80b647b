/* Blocks that depend on one another: they are taken in ascending order, so that whoever has
 * the block before is at work. */
#include "host.h"
#include "weft/array.h"

#include <stdatomic.h>

enum { LEAST_SHARED = 3 }; /* blocks that are worth a second thread */

typedef struct chaining {
    const host_crew *crew;
    const host_chain *chain;
    void *context;
    char *memory;
    _Atomic i64 next; /* the block that may link */
} chaining;

static void take_blocks(void *context, i64 begin, i64 end, i64 thread) {
    chaining *c = context;
    void *memory = c->memory + (size_t)thread * c->chain->memory;
    for (i64 b = begin; b < end; b++) {
        c->chain->within(c->context, b, memory);
        c->crew->await(c->crew->team, &c->next, b);
        c->chain->link(c->context, b, memory);
        c->crew->advance(c->crew->team, &c->next, b + 1);
        c->chain->finish(c->context, b, memory);
    }
}

void host_run_chain_alone(const host_chain *chain, void *context, void *memory) {
    for (i64 b = 0; b < chain->blocks; b++) {
        chain->within(context, b, memory);
        chain->link(context, b, memory);
        chain->finish(context, b, memory);
    }
}

weft_status host_run_chain(weft_device *device, const host_crew *crew,
                           const host_chain *chain, void *context) {
    const int alone = chain->blocks < LEAST_SHARED || crew->threads == 1;
    const i64 threads = alone ? 1 : crew->threads;
    const weft_array memory = weft_scratch(device, WEFT_U8, (i64)chain->memory * threads);
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    chaining c = {crew, chain, context, weft_buffer_memory(memory.buffer), 0};
    if (alone)
        host_run_chain_alone(chain, context, c.memory);
    else
        crew->run(crew->team, chain->blocks, 1, 1, take_blocks, &c);
    return WEFT_OK;
}

static void run(void *team, i64 n, i64 least, i64 most, host_work *work, void *context) {
    (void)team, (void)least, (void)most;
    work(context, 0, n, 0);
}

static void await(void *team, _Atomic i64 *counter, i64 value) {
    (void)team, (void)counter, (void)value;
}

const host_crew host_alone = {1, NULL, run, await, await};
