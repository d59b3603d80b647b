#include "crew.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

enum { LEAST = 1 << 12 }; /* rows that are worth a thread */

/* A pass over rows, on the stack of whoever waits for it. */
struct job {
    crew_work *work;
    void *context;
    int64_t n;
    int parts, next, done; /* parts are taken, and done, in turn */
    pthread_cond_t end;
    struct job *other;
};

/* Threads that stay, since each pass is short: to make one, and to give its stack back,
 * takes as long as some MiB of rows. They take parts of the jobs that there are. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t begin;
    struct job *jobs; /* with parts that nobody took */
    int threads;
} crew = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, 0};

int crew_parts(int threads, int64_t n) {
    const int64_t worth = n / LEAST;
    return worth < 1 || threads < 1 ? 1 : worth < threads ? (int)worth : threads;
}

static void leave_list(const struct job *job) {
    struct job **at = &crew.jobs;
    while (*at != job)
        at = &(*at)->other;
    *at = job->other;
}

/* Takes the next part of a job and does it; called, and returns, with the lock. */
static void do_part(struct job *job) {
    const int p = job->next++;
    const int64_t each = job->n / job->parts, rest = job->n % job->parts;
    const int64_t begin = each * p + (p < rest ? p : rest);
    if (job->next == job->parts)
        leave_list(job);
    pthread_mutex_unlock(&crew.lock);
    job->work(job->context, begin, begin + each + (p < rest), p);
    pthread_mutex_lock(&crew.lock);
    if (++job->done == job->parts)
        pthread_cond_signal(&job->end);
}

static void *serve(void *unused) {
    (void)unused;
    pthread_mutex_lock(&crew.lock);
    for (;;) {
        while (crew.jobs == NULL)
            pthread_cond_wait(&crew.begin, &crew.lock);
        do_part(crew.jobs);
    }
    return NULL;
}

/* What is wanted of a thread that there is no room for others do. */
static void recruit(int threads) {
    pthread_t thread;
    while (crew.threads < threads && pthread_create(&thread, NULL, serve, NULL) == 0) {
        pthread_detach(thread);
        ++crew.threads;
    }
}

void crew_run(int threads, int64_t n, crew_work *work, void *context) {
    struct job job = {.work = work, .context = context, .n = n};
    job.parts = crew_parts(threads, n);
    if (job.parts == 1) {
        work(context, 0, n, 0);
        return;
    }
    pthread_cond_init(&job.end, NULL);
    pthread_mutex_lock(&crew.lock);
    recruit(job.parts - 1);
    job.other = crew.jobs;
    crew.jobs = &job;
    pthread_cond_broadcast(&crew.begin);
    while (job.next < job.parts)
        do_part(&job);
    while (job.done < job.parts)
        pthread_cond_wait(&job.end, &crew.lock);
    pthread_mutex_unlock(&crew.lock);
    pthread_cond_destroy(&job.end);
}
