#include "race.h"

#include <stdlib.h>
#include <time.h>

enum { MOST_RUNS = 1000, FEW_RUNS = 3 };

double race_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Threads of the one before may still spin for work: they get time to fall asleep. */
static void rest(void) {
    nanosleep(&(struct timespec){.tv_nsec = 3000000}, NULL);
}

static double once(struct runner *runner) {
    if (runner->failed || (runner->reset && !runner->reset(runner->state))) {
        runner->failed = true;
        return 0;
    }
    rest();
    const double begin = race_now();
    runner->failed = !runner->run(runner->state);
    return race_now() - begin;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void settle(struct timing *timing, double *seconds) {
    const int n = timing->runs;
    qsort(seconds, (size_t)n, sizeof *seconds, ascending);
    timing->fastest = seconds[0];
    timing->median = 0.5 * (seconds[(n - 1) / 2] + seconds[n / 2]);
    timing->spread = (seconds[n - 1] - seconds[0]) / timing->median;
}

bool race(struct runner *runners, int count, int repeat) {
    if (repeat > MOST_RUNS)
        repeat = MOST_RUNS;
    double *seconds = calloc((size_t)count * (size_t)repeat, sizeof *seconds);
    if (seconds == NULL)
        return false;
    for (int k = 0; k < count; ++k) {
        runners[k].timing = (struct timing){.first = once(&runners[k])};
        if (runners[k].timing.first < 2)
            once(&runners[k]);
    }
    for (int round = 0; round < repeat; ++round) {
        for (int k = 0; k < count; ++k) {
            struct runner *runner = &runners[k];
            const bool slow = runner->may_be_few && runner->timing.first > 1;
            if (runner->failed || (slow && runner->timing.runs == FEW_RUNS))
                continue;
            const double took = once(runner);
            if (!runner->failed)
                seconds[k * repeat + runner->timing.runs++] = took;
        }
    }
    for (int k = 0; k < count; ++k) {
        if (!runners[k].failed)
            settle(&runners[k].timing, seconds + k * repeat);
    }
    free(seconds);
    return true;
}
