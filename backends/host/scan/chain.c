/* Blocks that hand something on to those after them, where no thread waits for another,
 * which may not be running. Blocks are taken in ascending order. What they hand on is
 * summed up in that order by whoever finds nobody else at it; a thread keeps its block
 * until all before it are summed up, and takes others meanwhile. One that it can keep no
 * longer is left for the end, when all sums are known, and begun anew then; where that
 * cannot be, it waits: whoever has the first block that is not known waits for nobody. */
#include "backends/host/host.h"
#include "weft/array.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

enum {
    LEAST_SHARED = 3, /* blocks that are worth a second thread */
    KEPT = 4,         /* blocks that a thread keeps: all of them stay in its cache */
    AHEAD = 4,        /* blocks a thread that are left where each takes one ahead */
    LOOKS = 64        /* for the sums of a thread's last blocks before these are left */
};

/* The blocks that a thread keeps, [first, last), each at its number modulo KEPT. */
typedef struct keeper {
    _Alignas(64) i64 first, last, block[KEPT];
} keeper;

typedef struct chaining {
    const host_chain *chain;
    void *context;
    i64 threads;
    char *sum;       /* of all totals so far */
    keeper *keepers; /* [threads] */
    char *memory;    /* [threads][KEPT] of blocks, */
    char *slots;     /* [blocks] for totals, then the sums before them, and spare ones */
    i64 *left;       /* [blocks]: those that were left */
    _Atomic i64 left_count;
    _Alignas(64) _Atomic i64 next;   /* block to take */
    _Alignas(64) _Atomic i64 summed; /* blocks */
    _Atomic int summing;
} chaining;

static char *memory_of(const chaining *c, i64 thread, i64 kept) {
    return c->memory + (size_t)(thread * KEPT + kept % KEPT) * c->chain->memory;
}

/* A slot is for one thread at a time, and so are its cache lines: whether the total is
 * known, and the total. */
static size_t slot_bytes(const host_chain *chain) {
    return (sizeof(i64) + chain->total + 63) / 64 * 64;
}

static _Atomic i64 *known(const chaining *c, i64 block) {
    return (_Atomic i64 *)(void *)(c->slots + (size_t)block * slot_bytes(c->chain));
}

static char *total_of(const chaining *c, i64 block) {
    return (char *)known(c, block) + sizeof(i64);
}

/* The total of block b joins the sum, and what was before takes its place. */
static void add_total(const chaining *c, i64 b) {
    const size_t bytes = c->chain->total;
    char *total = total_of(c, c->chain->blocks);
    memcpy(total, total_of(c, b), bytes);
    memcpy(total_of(c, b), c->sum, bytes);
    c->chain->join(c->context, c->sum, total);
}

static int is_next(const chaining *c, i64 b) {
    return b < c->chain->blocks && atomic_load(known(c, b));
}

/* Sums up what is known, unless somebody else is at it; who looks again after that. */
static void sum_up(chaining *c) {
    while (is_next(c, atomic_load(&c->summed)) && !atomic_exchange(&c->summing, 1)) {
        for (i64 b = atomic_load(&c->summed); is_next(c, b); b++) {
            add_total(c, b);
            atomic_store(&c->summed, b + 1);
        }
        atomic_store(&c->summing, 0);
    }
}

/* A thread's next block, for as long as others do not run short of them; or -1. */
static i64 take_ahead(chaining *c) {
    const i64 enough = AHEAD * c->threads;
    return c->chain->blocks - atomic_load(&c->next) < enough
               ? -1
               : atomic_fetch_add(&c->next, 1);
}

/* Finishes what is kept as far as all before it is known. `ahead`: whether the thread takes
 * its next block meanwhile, which is returned, or -1. (Taken any earlier, a block waits for
 * the one before it, and all others wait for that.) */
static i64 finish_kept(chaining *c, keeper *k, i64 thread, int ahead) {
    i64 next = -1;
    sum_up(c);
    for (const i64 summed = atomic_load(&c->summed); k->first < k->last; k->first++) {
        const i64 b = k->block[k->first % KEPT];
        if (b >= summed)
            return next;
        if (ahead && next < 0)
            next = take_ahead(c);
        c->chain->finish(c->context, b, memory_of(c, thread, k->first), total_of(c, b),
                         next);
    }
    k->first = k->last = 0; /* the next one's memory is the nearest */
    return next;
}

static i64 kept(const keeper *k) {
    return k->last - k->first;
}

/* Leaves the first block that is kept, unless whoever it needs was only out of a processor
 * or it cannot be begun anew. */
static void leave_first(chaining *c, keeper *k, i64 thread) {
    const i64 before = kept(k);
    do {
        sched_yield();
        finish_kept(c, k, thread, 0);
    } while (c->chain->once && kept(k) == before);
    if (kept(k) == before)
        c->left[atomic_fetch_add(&c->left_count, 1)] = k->block[k->first++ % KEPT];
}

static void take_blocks(void *context, i64 begin, i64 end, i64 thread) {
    chaining *c = context;
    keeper *k = &c->keepers[thread];
    i64 b, next = -1;
    (void)begin, (void)end;
    while ((b = next < 0 ? atomic_fetch_add(&c->next, 1) : next) < c->chain->blocks) {
        if (kept(k) == KEPT)
            leave_first(c, k, thread);
        k->block[k->last % KEPT] = b;
        c->chain->within(c->context, b, memory_of(c, thread, k->last++), total_of(c, b));
        atomic_store(known(c, b), 1);
        next = finish_kept(c, k, thread, 1);
    }
    for (int look = 0; look < LOOKS && kept(k) > 0; look++) {
        sched_yield();
        finish_kept(c, k, thread, 0);
    }
    while (kept(k) > 0)
        leave_first(c, k, thread);
    host_stream_end(); /* once a thread: it waits for all stores */
}

static void take_left(void *context, i64 begin, i64 end, i64 thread) {
    chaining *c = context;
    for (i64 i = begin; i < end; i++) {
        const i64 b = c->left[i];
        char *memory = memory_of(c, thread, 0);
        c->chain->within(c->context, b, memory, total_of(c, c->chain->blocks + 1 + thread));
        c->chain->finish(c->context, b, memory, total_of(c, b), -1);
    }
    host_stream_end();
}

size_t host_chain_memory(const host_chain *chain) {
    return chain->memory + chain->total;
}

void host_run_chain_alone(const host_chain *chain, void *context, void *memory, void *sum) {
    char *total = (char *)memory + chain->memory;
    for (i64 b = 0; b < chain->blocks; b++) {
        chain->within(context, b, memory, total);
        chain->finish(context, b, memory, sum, b + 1 < chain->blocks ? b + 1 : -1);
        chain->join(context, sum, total);
    }
    host_stream_end();
}

static void *take(weft_device *device, i64 count, size_t bytes) {
    const weft_array a = weft_scratch(device, WEFT_U8, count * (i64)bytes);
    return weft_check(device) == WEFT_OK ? weft_buffer_memory(a.buffer) : NULL;
}

weft_status host_run_chain(weft_device *device, const host_crew *crew,
                           const host_chain *chain, void *context, void *sum) {
    const i64 blocks = chain->blocks, threads = crew->threads;
    if (blocks < LEAST_SHARED || threads == 1) {
        void *memory = take(device, 1, host_chain_memory(chain));
        if (memory)
            host_run_chain_alone(chain, context, memory, sum);
        return weft_check(device);
    }
    chaining c = {.chain = chain,
                  .context = context,
                  .threads = threads,
                  .sum = sum,
                  .keepers = take(device, threads, sizeof(keeper)),
                  .memory = take(device, threads * KEPT, chain->memory),
                  .slots = take(device, blocks + 1 + threads, slot_bytes(chain)),
                  .left = take(device, blocks, sizeof(i64))};
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    memset(c.keepers, 0, (size_t)threads * sizeof *c.keepers);
    for (i64 b = 0; b < blocks; b++)
        atomic_init(known(&c, b), 0);
    crew->run(crew->team, threads < blocks ? threads : blocks, 1, 1, take_blocks, &c);
    if (c.left_count > 0)
        crew->run(crew->team, c.left_count, 1, 1, take_left, &c);
    return WEFT_OK;
}

weft_status host_run_chain_either(weft_device *device, const host_crew *crew,
                                  const host_chain *chain, void *context, void *sum,
                                  host_choice *choice, u64 bytes, int *way) {
    *way = choice ? host_choose(choice) : 0;
    const f64 begin = choice ? host_seconds() : 0;
    const weft_status status = host_run_chain(device, crew, chain, context, sum);
    if (choice && status == WEFT_OK)
        host_learn(choice, (host_seconds() - begin) / (f64)bytes);
    return status;
}

static void run(void *team, i64 n, i64 least, i64 most, host_work *work, void *context) {
    (void)team, (void)least, (void)most;
    work(context, 0, n, 0);
}

const host_crew host_alone = {1, NULL, run, NULL};
