/* Who is called to a loop, and how a thread works on it. */
#define _GNU_SOURCE
#include "members.h"

/* Nanoseconds. */
enum {
    SHORT_CHUNK = 20000, /* the next one may be longer */
    LONG_CHUNK = 100000, /* the next one should be shorter */
    /* What should be left for each thread, where one more is called that */
    ASLEEP = 15000,  /* has to be woken */
    BEYOND = 1000000 /* has no processor unless another loses its own */
};
enum { CALLS = 4 }; /* threads that one wakes at a time */

/* The last thread that is called where what is `left`, in nanoseconds of one thread, pays:
 * of those after `last` all that are awake, and up to four who are not. */
static i64 last_worth(const thread_team *team, i64 last, f64 left) {
    for (int calls = 0; last + 1 < team->useful; last++) {
        const int beyond = last + 1 >= team->processors,
                  asleep = sleeper_is_asleep(&team->members[last + 1].sleeper);
        const f64 each = beyond ? BEYOND : asleep ? ASLEEP : TEAM_AWAKE;
        if (left < each * (f64)(last + 2) || ((beyond || asleep) && calls++ == CALLS))
            break;
    }
    return last;
}

/* Calls more threads, all at once: who is awake sees it by itself. */
static void call_more(thread_team *team, f64 left) {
    u64 call = atomic_load(&team->call);
    i64 before, last;
    do {
        before = CALLED(call);
        last = call & OPEN ? last_worth(team, before, left) : before;
        if (last == before)
            return;
    } while (
        !atomic_compare_exchange_weak(&team->call, &call, call + (u64)(last - before)));
    for (i64 k = before + 1; k <= last; k++)
        sleeper_wake(&team->members[k].sleeper, atomic_load(&team->home));
}

/* Calls up to four that are looking for work, before anybody knows whether it pays. */
static void call_awake(thread_team *team) {
    for (int k = 0; k < CALLS; k++) {
        u64 call = atomic_load(&team->call);
        const i64 next = CALLED(call) + 1;
        if (!(call & OPEN) || next >= team->useful || next >= team->processors ||
            sleeper_is_asleep(&team->members[next].sleeper))
            return;
        atomic_compare_exchange_strong(&team->call, &call, call + 1);
    }
}

/* The size of long ones. */
static i64 many(const thread_team *team, f64 fits) {
    return fits < (f64)team->most ? (i64)fits : team->most;
}

/* Takes chunks until there are none. `like`: how many portions are as this one, it seems.
 * Takes and returns how long an element took the thread, at last; 0: it is not known. */
static f64 work_on(thread_team *team, portion *p, i64 like, i64 thread, f64 pace) {
    const i64 sharers = team->size > 4 ? team->size : 4;
    pace = pace > team->pace ? pace : team->pace;
    i64 size = pace > 0 ? team_few(team, LONG_CHUNK / pace) : team->least;
    i64 least = pace > 0 ? team_few(team, SHORT_CHUNK / pace) : size;
    i64 worth = pace > 0 ? many(team, SHORT_CHUNK / pace) : least;
    i64 begin, end, start = team_now();
    while ((begin = portion_take(p, least, size, worth, sharers, &end)) < p->end) {
        team->work(team->context, begin, end, thread);
        const i64 done = team_now(), spent = done - start;
        pace = (f64)spent / (f64)(end - begin);
        if (team->pace <= 0)
            team->pace = pace; /* whoever comes now calls others at once */
        call_more(team, pace * (f64)(p->end - end) * (f64)like);
        if (spent < SHORT_CHUNK)
            size = size < team->most / 2 ? 2 * size : team->most;
        else if (spent > LONG_CHUNK)
            size = size / 2 >= team->least ? size / 2 : team_few(team, LONG_CHUNK / pace);
        worth = many(team, SHORT_CHUNK / pace);
        least = team_few(team, SHORT_CHUNK / pace);
        least = least < size ? least : size;
        start = done;
    }
    return pace;
}

/* Works on the thread's own portion, and then on the others. */
void team_share(thread_team *team, i64 thread) {
    const i64 portions = team->portions;
    portion *own = &team->portion[thread % portions];
    const i64 begin = atomic_load_explicit(&own->next, memory_order_relaxed);
    if (team->pace > 0)
        call_more(team, team->pace * (f64)(own->end - begin) * (f64)portions);
    else
        call_awake(team);
    f64 pace = work_on(team, own, portions, thread, team->pace);
    for (i64 k = 1; k < portions; k++)
        pace = work_on(team, &team->portion[(thread + k) % portions], portions - k, thread,
                       pace);
}
