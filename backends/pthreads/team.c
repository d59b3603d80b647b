/* A loop begins on the caller alone. Once it has proved long, the rest is cut into portions
 * and others are called in: all that are awake, as far as what is left pays for them, and
 * each thread that takes part wakes a few more, so that a short loop costs no more than its
 * chunks and a long one has all threads after a few steps. Then the caller closes the door
 * and waits for those inside: never for one that has not come yet. */
#define _GNU_SOURCE
#include "members.h"

#include <sched.h>

/* Nanoseconds. */
enum {
    PROOF = 500,          /* how long a loop runs on the caller alone, at least, */
    LONG_PROBE = 2000,    /*   unless its first few elements take so long */
    WORTH_THREAD = 200000 /* a chunk of a loop that says that each is worth a thread */
};
enum {
    MANY = 1 << 16, /* elements: with so many a loop may begin with the fewest, */
    PROBE = 8,      /*   and others with an eighth of a small chunk */
    TELLING = 4     /* elements of a portion, where there are few: what is left of one tells
                       what is left of others */
};

/* Opens what is left of [0, n) from `begin` on. Portions do not depend on `begin`, so that
 * a thread finds what it wrote in an earlier loop in its own cache. */
static void run_together(thread_team *team, i64 begin, i64 n, i64 portions) {
    const i64 each = n / portions / team->least * team->least;
    const i64 chunks = (n - begin + team->least - 1) / team->least;
    team->useful = chunks < team->size ? chunks : team->size;
    team->portions = portions;
    for (i64 k = 0; k < portions; k++) {
        portion *p = &team->portion[k];
        const i64 first = k * each;
        p->end = k + 1 < portions ? first + each : n;
        atomic_store_explicit(&p->next, first > begin ? first : begin,
                              memory_order_relaxed);
    }
    atomic_store(&team->home, sched_getcpu());
    const u64 loop = (LOOP(atomic_load(&team->call)) + 1) & 0xffffffffu;
    atomic_store(&team->call, (loop ? loop : 1) << 32 | OPEN);
    team_share(team, 0);
    team_finish(team);
}

/* Works alone, until all is done or it is worth sharing; returns how far that is. */
static i64 run_alone(thread_team *team, i64 n) {
    const i64 probe = n < MANY ? team_few(team, (f64)team->least / PROBE) : team->least;
    i64 began = team_now(), start = began, size = n < MANY ? probe : team->fewest;
    for (i64 begin = 0, end; begin < n; begin = end) {
        const i64 left = n - begin, fair = size < left / 2 ? size : left / 2;
        const i64 least = size < team->least ? size : team->least;
        const i64 length = fair > least ? fair / least * least : least;
        const int last = begin > 0 && team->pace * (f64)left < TEAM_AWAKE;
        end = left < length || last ? n : begin + length;
        team->work(team->context, begin, end, 0);
        const i64 done = team_now(), spent = done - start;
        team->pace = (f64)spent / (f64)(end - begin);
        if (begin == 0 && probe < team->least && spent < LONG_PROBE) {
            size = team->least; /* which tells more, from its own start on */
            began = done;
        } else if (done - began > PROOF && team->pace * (f64)(n - end) > 3 * TEAM_AWAKE) {
            return end;
        } else if (spent < PROOF / 4 || done - began > PROOF) {
            size = 2 * size < team->most ? 2 * size : team->most;
        }
        start = done;
    }
    return n;
}

static void run(thread_team *team, i64 n, i64 fewest, i64 least, i64 most, team_work *work,
                void *context) {
    if (team->size == 1 || n <= least) {
        work(context, 0, n, 0);
        return;
    }
    team->fewest = fewest;
    team->least = least;
    team->most = most;
    team->work = work;
    team->context = context;
    if (least == most) {
        team->pace = (f64)WORTH_THREAD / (f64)least;
        run_together(team, 0, n, 1);
        return;
    }
    if (least == 1) { /* few elements, of which each may be much work */
        team->pace = 0;
        const i64 portions = n < TELLING ? 1 : n / TELLING;
        run_together(team, 0, n, portions < team->size ? portions : team->size);
        return;
    }
    const i64 begin = run_alone(team, n);
    if (begin < n) {
        const f64 worth = team->pace * (f64)(n - begin) / TEAM_AWAKE;
        run_together(team, begin, n, worth < (f64)team->size ? (i64)worth + 1 : team->size);
    }
}

void team_run(thread_team *team, i64 n, i64 least, i64 most, team_work *work,
              void *context) {
    run(team, n, least, least, most, work, context);
}

void team_run_each(thread_team *team, i64 n, i64 least, i64 most, team_work *work,
                   void *context) {
    run(team, n, 1, least, most, work, context);
}
