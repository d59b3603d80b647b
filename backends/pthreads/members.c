/* A team's threads: how they wait for loops, and the caller for them. */
#define _GNU_SOURCE
#include "members.h"
#include "processors.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>

/* Nanoseconds. */
enum {
    SPIN = 50000,     /* how long to look for work without pause, */
    PATIENCE = 150000 /*   and, letting others go first, before going to sleep */
};
enum { STEP_ASIDE = 1 };

static void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static int crowded(const thread_team *team, u64 call) {
    return CALLED(call) >= team->processors;
}

static int is_called(const member *m, u64 call, u64 seen) {
    return (call & OPEN) && LOOP(call) != seen && m->number <= CALLED(call);
}

/* Goes to sleep unless there is something to do. */
static void sleep_until_called(member *m, u64 seen) {
    thread_team *team = m->team;
    sleeper *s = &m->sleeper;
    if (STEP_ASIDE && m->number < team->processors)
        sleeper_step_aside(s, atomic_load(&team->home));
    sleeper_lie_down(s);
    if (is_called(m, atomic_load(&team->call), seen) || atomic_load(&team->quit))
        sleeper_get_up(s);
    else
        sleeper_sleep(s);
    sleeper_come_back(s);
}

/* Whether to go on looking, since `start`. */
static int is_patient(i64 start) {
    const i64 spent = team_now() - start;
    if (spent >= SPIN && spent < PATIENCE)
        sched_yield();
    return spent < PATIENCE;
}

/* Waits to be called to another loop than `seen`, and returns which; 0: to the end. */
static u64 await_call(member *m, u64 seen) {
    thread_team *team = m->team;
    const int spin = m->number < team->processors;
    for (;;) {
        const i64 start = team_now();
        do {
            for (int k = 0; k < 64; k++) {
                const u64 call = atomic_load(&team->call);
                if (is_called(m, call, seen))
                    return LOOP(call);
                relax();
            }
            if (atomic_load(&team->quit))
                return 0;
        } while (spin && !crowded(team, atomic_load(&team->call)) && is_patient(start));
        sleep_until_called(m, seen);
    }
}

static void leave(member *m) {
    thread_team *team = m->team;
    atomic_store(&m->inside, 0);
    if (atomic_load(&team->awaited) == m->number)
        sleeper_wake(&team->members[0].sleeper, -1);
}

static void *serve(void *argument) {
    member *m = argument;
    thread_team *team = m->team;
    for (u64 loop = 0; (loop = await_call(m, loop)) != 0;) {
        atomic_store(&m->inside, 1);
        const u64 call = atomic_load(&team->call);
        if ((call & OPEN) && LOOP(call) == loop)
            team_share(team, m->number);
        leave(m);
    }
    return NULL;
}

static void await_leaving(thread_team *team, member *m, int spin) {
    sleeper *self = &team->members[0].sleeper;
    const i64 start = team_now();
    do {
        for (int k = 0; k < 64; k++) {
            if (!atomic_load(&m->inside))
                return;
            relax();
        }
    } while (spin && is_patient(start));
    atomic_store(&team->awaited, m->number);
    while (atomic_load(&m->inside)) {
        sleeper_lie_down(self);
        if (atomic_load(&m->inside))
            sleeper_sleep(self);
        else
            sleeper_get_up(self);
    }
    atomic_store(&team->awaited, 0);
}

void team_finish(thread_team *team) {
    const u64 call = atomic_fetch_and(&team->call, ~OPEN);
    for (i64 k = 1; k <= CALLED(call); k++)
        if (atomic_load(&team->members[k].inside))
            await_leaving(team, &team->members[k], !crowded(team, call));
}

static member *new_member(thread_team *team, i64 number) {
    member *m = &team->members[number];
    *m = (member){.team = team, .number = number};
    sleeper_init(&m->sleeper);
    return m;
}

/* Signals are for the program's own threads. */
static i64 start_members(thread_team *team, i64 size) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    i64 started = 1;
    for (; started < size; started++) {
        member *m = new_member(team, started);
        if (pthread_create(&m->thread, NULL, serve, m) != 0) {
            sleeper_destroy(&m->sleeper);
            break;
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

thread_team *team_new(i64 threads) {
    thread_team *team = aligned_alloc(64, sizeof *team);
    member *members = aligned_alloc(64, (size_t)threads * sizeof *members);
    portion *portions = aligned_alloc(64, (size_t)threads * sizeof *portions);
    if (!team || !members || !portions) {
        free(team);
        free(members);
        free(portions);
        return NULL;
    }
    *team = (struct thread_team){.size = threads,
                                 .processors = team_processors(),
                                 .members = members,
                                 .portion = portions,
                                 .home = sched_getcpu()};
    new_member(team, 0);
    team->size = start_members(team, threads);
    return team;
}

void team_free(thread_team *team) {
    atomic_store(&team->quit, 1);
    for (i64 k = 1; k < team->size; k++)
        sleeper_wake(&team->members[k].sleeper, -1);
    for (i64 k = 1; k < team->size; k++)
        pthread_join(team->members[k].thread, NULL);
    for (i64 k = 0; k < team->size; k++)
        sleeper_destroy(&team->members[k].sleeper);
    free(team->members);
    free(team->portion);
    free(team);
}

i64 team_size(const thread_team *team) {
    return team->size;
}
