/* A job is open to workers while chunks are left. A worker enters by counting itself in,
 * and the caller closes the door and waits for those inside: it never waits for one that
 * has not yet woken up, so that a short loop costs no more than its chunks. */
#define _GNU_SOURCE
#include "team.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Nanoseconds. */
enum {
    SHORT_CHUNK = 20000, /* the next one may be longer */
    LONG_CHUNK = 100000, /* the next one should be shorter */
    WORTH_WAKING = 5000, /* what a wake-up costs the thread that calls */
    SPIN = 50000         /* how long to look for work before going to sleep */
};

/* A team's state in one word: the job's number, whether it is open, and how many workers
 * are inside. */
#define JOB(state) ((state) >> 32)
#define OPEN ((u64)1 << 31)
#define INSIDE(state) ((state) & (OPEN - 1))

typedef struct worker {
    pthread_t thread;
    thread_team *team;
    i64 number;
    int kept_off;      /* from the processor of who wakes it */
    cpu_set_t allowed; /* where it may run otherwise */
} worker;

/* Chunks of [next, end) are still to be done. */
typedef struct portion {
    _Alignas(64) _Atomic i64 next;
    i64 end;
} portion;

struct thread_team {
    i64 size, started;
    int spin; /* there is a processor for each thread */
    worker *workers;
    pthread_mutex_t mutex;
    pthread_cond_t job_opened, all_left, advanced;
    _Alignas(64) _Atomic u64 state;
    _Atomic i64 sleepers, watchers;
    _Atomic int caller_sleeps, quit;
    i64 n, least, most;
    team_work *work;
    void *context;
    i64 portions; /* 1, or one a thread */
    portion *portion;
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

void team_await(thread_team *team, _Atomic i64 *counter, i64 value) {
    const i64 start = team->spin ? now() : 0;
    do {
        for (int k = 0; k < 64; k++) {
            if (atomic_load(counter) == value)
                return;
            relax();
        }
    } while (team->spin && now() - start < SPIN);
    pthread_mutex_lock(&team->mutex);
    atomic_fetch_add(&team->watchers, 1);
    while (atomic_load(counter) != value)
        pthread_cond_wait(&team->advanced, &team->mutex);
    atomic_fetch_sub(&team->watchers, 1);
    pthread_mutex_unlock(&team->mutex);
}

void team_advance(thread_team *team, _Atomic i64 *counter, i64 value) {
    atomic_store(counter, value);
    if (atomic_load(&team->watchers) == 0)
        return;
    pthread_mutex_lock(&team->mutex);
    pthread_cond_broadcast(&team->advanced);
    pthread_mutex_unlock(&team->mutex);
}

/* Where a virtual machine's idle processors do not look idle to its kernel, it may let a
 * thread wake up behind the caller, on the caller's own. So that one is out of bounds. */
static void keep_off(worker *w, size_t processor) {
    cpu_set_t others;
    if (pthread_getaffinity_np(w->thread, sizeof w->allowed, &w->allowed) != 0)
        return;
    others = w->allowed;
    CPU_CLR(processor, &others);
    w->kept_off = CPU_COUNT(&others) > 0 &&
                  pthread_setaffinity_np(w->thread, sizeof others, &others) == 0;
}

static void let_back(worker *w) {
    if (w->kept_off)
        pthread_setaffinity_np(w->thread, sizeof w->allowed, &w->allowed);
    w->kept_off = 0;
}

static void wake(thread_team *team) {
    if (atomic_load(&team->sleepers) == 0)
        return;
    pthread_mutex_lock(&team->mutex);
    const int here = sched_getcpu();
    for (i64 k = 0; team->spin && k < team->started; k++)
        keep_off(&team->workers[k], (size_t)here);
    pthread_cond_broadcast(&team->job_opened);
    pthread_mutex_unlock(&team->mutex);
    for (i64 k = 0; team->spin && k < team->started; k++)
        let_back(&team->workers[k]);
}

/* Takes the next chunk, of at most `size` elements, and fewer as the end comes near. */
static i64 take(const thread_team *team, portion *p, i64 size, i64 *end) {
    const i64 least = team->least, chunks = 4 * team->size / team->portions;
    i64 begin = atomic_load_explicit(&p->next, memory_order_relaxed);
    do {
        const i64 left = p->end - begin, fair = left / chunks < size ? left / chunks : size;
        const i64 length = fair < least ? least : fair / least * least;
        *end = left < length ? p->end : begin + length;
    } while (begin < p->end && !atomic_compare_exchange_weak(&p->next, &begin, *end));
    return begin;
}

/* Takes chunks until there are none; `call`: for help, where it takes long since `began`,
 * and returns whether that is still to be done. */
static int work_on(thread_team *team, portion *p, i64 thread, i64 began, int call) {
    i64 size = team->least, begin, end, start = now();
    while ((begin = take(team, p, size, &end)) < p->end) {
        team->work(team->context, begin, end, thread);
        if (team->least == team->most)
            continue;
        const i64 done = now(), spent = done - start;
        if (call && done - began > WORTH_WAKING && end < team->n) {
            wake(team);
            call = 0;
        }
        if (spent < SHORT_CHUNK)
            size = size < team->most / 2 ? 2 * size : team->most;
        else if (spent > LONG_CHUNK)
            size = size / 2 > team->least ? size / 2 : team->least;
        start = done;
    }
    return call;
}

/* Works on the thread's own portion, and then on the others; the caller calls for help. */
static void share(thread_team *team, i64 thread) {
    const i64 began = now();
    int call = thread == 0;
    for (i64 k = 0; k < team->portions; k++)
        call = work_on(team, &team->portion[(thread + k) % team->portions], thread, began,
                       call);
}

static int has_news(u64 state, u64 seen) {
    return (state & OPEN) && JOB(state) != seen;
}

/* Waits for a job other than `seen`; 0 where the team ends. */
static u64 await_job(thread_team *team, u64 seen) {
    u64 state;
    const i64 start = team->spin ? now() : 0;
    do {
        for (int k = 0; k < 64; k++) {
            state = atomic_load(&team->state);
            if (has_news(state, seen))
                return JOB(state);
            relax();
        }
    } while (team->spin && !atomic_load(&team->quit) && now() - start < SPIN);
    pthread_mutex_lock(&team->mutex);
    atomic_fetch_add(&team->sleepers, 1);
    while (!has_news(state = atomic_load(&team->state), seen) && !atomic_load(&team->quit))
        pthread_cond_wait(&team->job_opened, &team->mutex);
    atomic_fetch_sub(&team->sleepers, 1);
    pthread_mutex_unlock(&team->mutex);
    return atomic_load(&team->quit) ? 0 : JOB(state);
}

static int enter(thread_team *team, u64 job) {
    u64 state = atomic_load(&team->state);
    do {
        if (JOB(state) != job || !(state & OPEN))
            return 0;
    } while (!atomic_compare_exchange_weak(&team->state, &state, state + 1));
    return 1;
}

static void leave(thread_team *team) {
    const u64 state = atomic_fetch_sub(&team->state, 1) - 1;
    if ((state & OPEN) || INSIDE(state) > 0 || !atomic_load(&team->caller_sleeps))
        return;
    pthread_mutex_lock(&team->mutex);
    pthread_cond_signal(&team->all_left);
    pthread_mutex_unlock(&team->mutex);
}

static void *serve(void *argument) {
    const worker *self = argument;
    thread_team *team = self->team;
    for (u64 job = 0; (job = await_job(team, job)) != 0;) {
        if (enter(team, job)) {
            share(team, self->number);
            leave(team);
        }
    }
    return NULL;
}

/* Lets nobody in any more and waits for those inside. */
static void finish(thread_team *team) {
    if (INSIDE(atomic_fetch_and(&team->state, ~OPEN)) == 0)
        return;
    const i64 start = team->spin ? now() : 0;
    do {
        for (int k = 0; k < 64; k++) {
            if (INSIDE(atomic_load(&team->state)) == 0)
                return;
            relax();
        }
    } while (team->spin && now() - start < SPIN);
    pthread_mutex_lock(&team->mutex);
    atomic_store(&team->caller_sleeps, 1);
    while (INSIDE(atomic_load(&team->state)) > 0)
        pthread_cond_wait(&team->all_left, &team->mutex);
    atomic_store(&team->caller_sleeps, 0);
    pthread_mutex_unlock(&team->mutex);
}

void team_run(thread_team *team, i64 n, i64 least, i64 most, team_work *work,
              void *context) {
    if (team->started == 0 || n <= least) {
        work(context, 0, n, 0);
        return;
    }
    team->n = n;
    team->least = least;
    team->most = most;
    team->work = work;
    team->context = context;
    team->portions = least == most ? 1 : team->size;
    const i64 each = n / team->portions / least * least;
    for (i64 k = 0; k < team->portions; k++) {
        atomic_store_explicit(&team->portion[k].next, k * each, memory_order_relaxed);
        team->portion[k].end = k + 1 < team->portions ? (k + 1) * each : n;
    }
    u64 job = (JOB(atomic_load(&team->state)) + 1) & 0xffffffffu;
    job = job ? job : 1;
    atomic_store(&team->state, job << 32 | OPEN);
    if (least == most)
        wake(team);
    share(team, 0);
    finish(team);
}

/* Signals are for the program's own threads. */
static i64 start_workers(thread_team *team, i64 count) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    i64 started = 0;
    for (; started < count; started++) {
        worker *w = &team->workers[started];
        w->team = team;
        w->number = started + 1;
        if (pthread_create(&w->thread, NULL, serve, w) != 0)
            break;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

thread_team *team_new(i64 threads) {
    thread_team *team = aligned_alloc(64, sizeof *team);
    worker *workers = calloc((size_t)threads, sizeof *workers);
    portion *portions = aligned_alloc(64, (size_t)threads * sizeof *portions);
    if (!team || !workers || !portions) {
        free(team);
        free(workers);
        free(portions);
        return NULL;
    }
    *team = (struct thread_team){.size = threads, .workers = workers, .portion = portions};
    team->spin = threads <= team_processors();
    pthread_mutex_init(&team->mutex, NULL);
    pthread_cond_init(&team->job_opened, NULL);
    pthread_cond_init(&team->all_left, NULL);
    pthread_cond_init(&team->advanced, NULL);
    team->started = start_workers(team, threads - 1);
    team->size = team->started + 1;
    return team;
}

void team_free(thread_team *team) {
    atomic_store(&team->quit, 1);
    pthread_mutex_lock(&team->mutex);
    pthread_cond_broadcast(&team->job_opened);
    pthread_mutex_unlock(&team->mutex);
    for (i64 k = 0; k < team->started; k++)
        pthread_join(team->workers[k].thread, NULL);
    pthread_cond_destroy(&team->advanced);
    pthread_cond_destroy(&team->all_left);
    pthread_cond_destroy(&team->job_opened);
    pthread_mutex_destroy(&team->mutex);
    free(team->workers);
    free(team->portion);
    free(team);
}

i64 team_size(const thread_team *team) {
    return team->size;
}

i64 team_processors(void) {
    cpu_set_t sets[8]; /* 8192 processors, Linux's largest number */
    if (sched_getaffinity(0, sizeof sets, sets) == 0)
        return CPU_COUNT_S(sizeof sets, sets);
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? online : 1;
}
