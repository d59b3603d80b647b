/* What a team's threads share: the loop at hand, and who may come to it. */
#ifndef WEFT_BACKENDS_PTHREADS_MEMBERS_H
#define WEFT_BACKENDS_PTHREADS_MEMBERS_H

#include "portion.h"
#include "sleeper.h"
#include "team.h"

#include <stdatomic.h>
#include <time.h>

/* Nanoseconds of a loop that should be left for each thread, where one more is called that
 * is awake. */
enum { TEAM_AWAKE = 2000 };

/* Who may come, in one word: the loop's number, whether it is open, and the last thread
 * that is called. */
#define LOOP(call) ((call) >> 32)
#define OPEN ((u64)1 << 31)
#define CALLED(call) ((i64)((call) & (OPEN - 1)))

typedef struct member {
    _Alignas(64) _Atomic int inside;
    sleeper sleeper;
    pthread_t thread;
    thread_team *team;
    i64 number;
} member;

struct thread_team {
    i64 size, processors;
    member *members; /* the first is the caller */
    portion *portion;
    i64 portions, least, most;
    i64 fewest;       /* in a chunk of elements that take long: least, or 1 */
    i64 useful;       /* threads: there is a chunk for each */
    _Atomic f64 pace; /* nanoseconds for an element, at first; 0: not known */
    team_work *work;
    void *context;
    _Alignas(64) _Atomic u64 call;
    _Atomic i64 awaited;    /* whom the caller waits for */
    _Atomic int quit, home; /* the caller's processor */
};

static inline i64 team_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (i64)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The size of small chunks, of which so many elements would fit into a longer one. */
static inline i64 team_few(const thread_team *team, f64 fits) {
    const i64 size = fits < (f64)team->least ? (i64)fits : team->least;
    return size > team->fewest ? size : team->fewest;
}

/* Works on the loop that is open, which the thread was called to. */
void team_share(thread_team *team, i64 thread);

/* Lets nobody in any more and waits for those inside. */
void team_finish(thread_team *team);

#endif
