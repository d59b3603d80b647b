/* A loop begins on the caller alone. Once it has proved long, the rest is cut into portions
 * and others are called in: each thread that takes part calls two more as long as what is
 * left pays for them, so that a short loop costs no more than its chunks and a long one has
 * all threads after a few steps. Then the caller closes the door and waits for those
 * inside: never for one that has not come yet. */
#define _GNU_SOURCE
#include "team.h"
#include "portion.h"
#include "processors.h"
#include "sleeper.h"

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

/* Nanoseconds. */
enum {
    SHORT_CHUNK = 20000,   /* the next one may be longer */
    LONG_CHUNK = 100000,   /* the next one should be shorter */
    PROOF = 500,           /* how long a loop runs on the caller alone, at least, */
    LONG_PROBE = 2000,     /*   unless its first few elements take so long */
    SPIN = 50000,          /* how long to look for work before going to sleep */
    WORTH_THREAD = 200000, /* a chunk of a loop that says that each is worth a thread */
    /* What should be left for each thread, where one more is called that */
    AWAKE = 2000,    /* is looking for work */
    ASLEEP = 15000,  /* has to be woken */
    BEYOND = 1000000 /* has no processor unless another loses its own */
};
enum { CALLS = 2, STEP_ASIDE = 1 };
enum {
    MANY = 1 << 16, /* elements: with so many a loop may begin with the fewest, */
    PROBE = 8,      /*   and others with an eighth of a small chunk */
    TELLING = 4     /* elements of a portion, where there are few: what is left of one tells
                       what is left of others */
};

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

static i64 now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (i64)t.tv_sec * 1000000000 + t.tv_nsec;
}

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

/* Calls up to two more threads, where what is `left`, in nanoseconds of one thread, pays.
 */
static void call_more(thread_team *team, f64 left) {
    for (int k = 0; k < CALLS; k++) {
        u64 call = atomic_load(&team->call);
        const i64 next = CALLED(call) + 1;
        if (!(call & OPEN) || next >= team->useful)
            return;
        sleeper *s = &team->members[next].sleeper;
        const f64 each = next >= team->processors ? BEYOND
                         : sleeper_is_asleep(s)   ? ASLEEP
                                                  : AWAKE;
        if (left < each * (f64)(next + 1))
            return;
        if (atomic_compare_exchange_strong(&team->call, &call, call + 1))
            sleeper_wake(s, atomic_load(&team->home));
    }
}

/* Calls up to two that are looking for work, before anybody knows whether it pays. */
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

/* The size of small chunks, of which so many elements would fit into a longer one. */
static i64 few(const thread_team *team, f64 fits) {
    const i64 size = fits < (f64)team->least ? (i64)fits : team->least;
    return size > team->fewest ? size : team->fewest;
}

/* Takes chunks until there are none. `like`: how many portions are as this one, it seems.
 */
static void work_on(thread_team *team, portion *p, i64 like, i64 thread) {
    f64 pace = team->pace;
    i64 size = pace > 0 ? few(team, LONG_CHUNK / pace) : team->least;
    i64 least = pace > 0 ? few(team, SHORT_CHUNK / pace) : size;
    i64 begin, end, start = now();
    while ((begin = portion_take(p, least, size, &end)) < p->end) {
        team->work(team->context, begin, end, thread);
        const i64 done = now(), spent = done - start;
        pace = (f64)spent / (f64)(end - begin);
        if (team->pace <= 0)
            team->pace = pace; /* whoever comes now calls others at once */
        call_more(team, pace * (f64)(p->end - end) * (f64)like);
        if (spent < SHORT_CHUNK)
            size = size < team->most / 2 ? 2 * size : team->most;
        else if (spent > LONG_CHUNK)
            size = size / 2 >= team->least ? size / 2 : few(team, LONG_CHUNK / pace);
        least = few(team, SHORT_CHUNK / pace);
        least = least < size ? least : size;
        start = done;
    }
}

/* Works on the thread's own portion, and then on the others. */
static void share(thread_team *team, i64 thread) {
    const i64 portions = team->portions;
    portion *own = &team->portion[thread % portions];
    const i64 begin = atomic_load_explicit(&own->next, memory_order_relaxed);
    if (team->pace > 0)
        call_more(team, team->pace * (f64)(own->end - begin) * (f64)portions);
    else
        call_awake(team);
    work_on(team, own, portions, thread);
    for (i64 k = 1; k < portions; k++)
        work_on(team, &team->portion[(thread + k) % portions], portions - k, thread);
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

/* Waits to be called to another loop than `seen`, and returns which; 0: to the end. */
static u64 await_call(member *m, u64 seen) {
    thread_team *team = m->team;
    const int spin = m->number < team->processors;
    for (;;) {
        const i64 start = now();
        do {
            for (int k = 0; k < 64; k++) {
                const u64 call = atomic_load(&team->call);
                if (is_called(m, call, seen))
                    return LOOP(call);
                relax();
            }
            if (atomic_load(&team->quit))
                return 0;
        } while (spin && !crowded(team, atomic_load(&team->call)) && now() - start < SPIN);
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
            share(team, m->number);
        leave(m);
    }
    return NULL;
}

static void await_leaving(thread_team *team, member *m, int spin) {
    sleeper *self = &team->members[0].sleeper;
    const i64 start = now();
    do {
        for (int k = 0; k < 64; k++) {
            if (!atomic_load(&m->inside))
                return;
            relax();
        }
    } while (spin && now() - start < SPIN);
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

/* Lets nobody in any more and waits for those inside. */
static void finish(thread_team *team) {
    const u64 call = atomic_fetch_and(&team->call, ~OPEN);
    for (i64 k = 1; k <= CALLED(call); k++)
        if (atomic_load(&team->members[k].inside))
            await_leaving(team, &team->members[k], !crowded(team, call));
}

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
    share(team, 0);
    finish(team);
}

/* Works alone, until all is done or it is worth sharing; returns how far that is. */
static i64 run_alone(thread_team *team, i64 n) {
    const i64 probe = n < MANY ? few(team, (f64)team->least / PROBE) : team->least;
    i64 began = now(), start = began, size = n < MANY ? probe : team->fewest;
    for (i64 begin = 0, end; begin < n; begin = end) {
        const i64 left = n - begin, fair = size < left / 2 ? size : left / 2;
        const i64 least = size < team->least ? size : team->least;
        const i64 length = fair > least ? fair / least * least : least;
        const int last = begin > 0 && team->pace * (f64)left < AWAKE;
        end = left < length || last ? n : begin + length;
        team->work(team->context, begin, end, 0);
        const i64 done = now(), spent = done - start;
        team->pace = (f64)spent / (f64)(end - begin);
        if (begin == 0 && probe < team->least && spent < LONG_PROBE) {
            size = team->least; /* which tells more, from its own start on */
            began = done;
        } else if (done - began > PROOF && team->pace * (f64)(n - end) > 3 * AWAKE) {
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
        const f64 worth = team->pace * (f64)(n - begin) / AWAKE;
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
