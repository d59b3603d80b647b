#define _GNU_SOURCE
#include "emulate.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stddef.h>
#include <string.h>
#include <stdlib.h>
#include <ucontext.h>

enum { MOST = 512, STACK = 1 << 16, THREADS = 5, WARP = 32 };

/* Those who meet: they wait until all have arrived, and then see what each has brought. */
typedef struct meeting {
    u32 brought[2][WARP];
    i32 arrived;
    u32 round;
} meeting;

/* A context has a stack of its own, but to switch contexts asks the kernel twice: from its
 * first switch on a work-item goes back and forth by jumps. */
typedef struct group_run {
    ucontext_t fresh[MOST];
    jmp_buf scheduler, item[MOST];
    char started[MOST], done[MOST];
    meeting whole, warp[MOST / WARP];
    i32 id, current;
} group_run;

static struct {
    void (*kernel)(void *);
    void *arguments;
    i32 groups, group, next;
    int unfair;
} launch;

static group_run runs[THREADS];
static char stacks[THREADS][MOST][STACK];
static _Thread_local group_run *run;

u64 get_local_id(int dimension) {
    (void)dimension;
    return (u64)run->current;
}

u64 get_group_id(int dimension) {
    (void)dimension;
    return (u64)run->id;
}

u64 get_num_groups(int dimension) {
    (void)dimension;
    return (u64)launch.groups;
}

static void let_others_run(void) {
    if (_setjmp(run->item[run->current]) == 0)
        _longjmp(run->scheduler, 1);
}

/* Runs work-item i until it waits. */
static void run_on(i32 i) {
    run->current = i;
    if (_setjmp(run->scheduler) != 0)
        return;
    if (run->started[i])
        _longjmp(run->item[i], 1);
    run->started[i] = 1;
    setcontext(&run->fresh[i]);
}

/* Returns which half of `brought` holds what was brought. */
static u32 meet(meeting *m, i32 members, u32 x) {
    const u32 round = m->round, half = round % 2;
    m->brought[half][run->current % WARP] = x;
    if (++m->arrived == members) {
        m->arrived = 0;
        m->round++;
    }
    while (m->round == round)
        let_others_run();
    return half;
}

void barrier(int what) {
    (void)what;
    meet(&run->whole, launch.group, 0);
}

static const u32 *meet_warp(u32 x) {
    meeting *m = &run->warp[run->current / WARP];
    return m->brought[meet(m, WARP, x)];
}

u32 weft_ballot(int yes) {
    const u32 *brought = meet_warp(yes != 0);
    u32 lanes = 0;
    for (int k = 0; k < WARP; k++)
        lanes |= brought[k] << k;
    return lanes;
}

u32 weft_alike(u32 lanes, u32 x, u32 bit) {
    const u32 set = weft_ballot((x & bit) != 0);
    return lanes & (x & bit ? set : ~set);
}

u32 weft_from_lane(u32 x, int lane) {
    return meet_warp(x)[lane & (WARP - 1)];
}

u32 weft_from_lower(u32 x, int by) {
    const i32 lane = run->current % WARP;
    const u32 *brought = meet_warp(x);
    return brought[lane >= by ? lane - by : lane];
}

u32 weft_from_higher(u32 x, int by) {
    const i32 lane = run->current % WARP;
    const u32 *brought = meet_warp(x);
    return brought[lane + by < WARP ? lane + by : lane];
}

void weft_meet_warp(void) {
    meet_warp(0);
}

static void run_item(void) {
    launch.kernel(launch.arguments);
    run->done[run->current] = 1;
    for (;;)
        let_others_run();
}

static void run_group(i32 id, char (*stack)[STACK]) {
    memset(&run->started, 0, sizeof *run - offsetof(group_run, started));
    run->id = id;
    for (i32 i = 0; i < launch.group; i++) {
        getcontext(&run->fresh[i]);
        run->fresh[i].uc_stack.ss_sp = stack[i];
        run->fresh[i].uc_stack.ss_size = STACK;
        run->fresh[i].uc_link = NULL;
        makecontext(&run->fresh[i], run_item, 0);
    }
    for (i32 left = launch.group; left > 0;) {
        left = 0;
        for (i32 k = 0; k < launch.group; k++) {
            const i32 i = launch.unfair ? launch.group - 1 - k : k;
            if (run->done[i])
                continue;
            run_on(i);
            left += !run->done[i];
        }
        sched_yield(); /* they may wait for another group */
    }
}

static void *run_groups(void *own) {
    run = own;
    for (;;) {
        const i32 next = __atomic_fetch_add(&launch.next, 1, __ATOMIC_RELAXED);
        if (next >= launch.groups)
            return NULL;
        run_group(launch.unfair ? launch.groups - 1 - next : next, stacks[run - runs]);
    }
}

void emulate(i32 groups, i32 group, void (*kernel)(void *), void *arguments, int unfair) {
    pthread_t threads[THREADS];
    launch.kernel = kernel;
    launch.arguments = arguments;
    launch.groups = groups;
    launch.group = group;
    launch.next = 0;
    launch.unfair = unfair;
    for (int t = 0; t < THREADS; t++)
        pthread_create(&threads[t], NULL, run_groups, &runs[t]);
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
}

u64 random_bits(void) {
    static u64 state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 20 ^ state << 40;
}

u64 *told_before(i32 tiles, i32 words) {
    const i32 all = 2 + (tiles + tiles / 32 + tiles / 1024) * words;
    u64 *memory = malloc((size_t)all * sizeof *memory);
    memory[0] = TAKEN_BEFORE;
    for (i32 w = 1; w < all; w++)
        memory[w] = random_bits() % THIS_ROUND << 32 | (u32)random_bits();
    return memory;
}
