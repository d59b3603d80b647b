#include "crew.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

enum { LEAST = 1 << 12 }; /* rows that are worth a thread */

struct member {
    crew_work *work;
    void *context;
    int64_t begin, end;
    int part;
    bool started;
    pthread_t thread;
};

/* Processes may share those that one may run on, or each have some to itself. */
int crew_share(int processes) {
    cpu_set_t sets[8]; /* 8192 processors, Linux's largest number */
    const long here = sysconf(_SC_NPROCESSORS_ONLN) / processes;
    const int mine =
        sched_getaffinity(0, sizeof sets, sets) == 0 ? CPU_COUNT_S(sizeof sets, sets) : 1;
    const int share = here < mine ? (int)here : mine;
    return share > 1 ? share : 1;
}

int crew_parts(int threads, int64_t n) {
    const int64_t worth = n / LEAST;
    return worth < 1 || threads < 1 ? 1 : worth < threads ? (int)worth : threads;
}

static void *run(void *context) {
    const struct member *member = context;
    member->work(member->context, member->begin, member->end, member->part);
    return NULL;
}

void crew_run(int threads, int64_t n, crew_work *work, void *context) {
    const int parts = crew_parts(threads, n);
    const int64_t each = n / parts, rest = n % parts;
    struct member *crew = parts > 1 ? malloc((size_t)parts * sizeof *crew) : NULL;
    for (int p = parts - 1; p >= 0; --p) {
        const int64_t begin = each * p + (p < rest ? p : rest);
        struct member member = {work, context, begin, begin + each + (p < rest),
                                p,    false,   0};
        if (crew) {
            crew[p] = member;
            crew[p].started =
                p > 0 && pthread_create(&crew[p].thread, NULL, run, &crew[p]) == 0;
        }
        if (crew == NULL || !crew[p].started)
            run(&member);
    }
    for (int p = 1; crew && p < parts; ++p) {
        if (crew[p].started)
            pthread_join(crew[p].thread, NULL);
    }
    free(crew);
}
