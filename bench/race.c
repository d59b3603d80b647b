#include "race.h"

#include <stdlib.h>
#include <time.h>

enum { MOST_RUNS = 1000, FEW_RUNS = 3 };

/* Seconds from which a run is one of few, the only one, and not one of a batch. */
static const double slow = 1, slowest = 5, lasting = 0.01;

static double read_clock(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* What one run took: on the wall, and of processors. */
struct took {
    double wall, processor;
};

/* Threads of the one before may still spin for work: they get time to fall asleep (but in a
 * single round, which measures nothing). */
static void rest(void) {
    nanosleep(&(struct timespec){.tv_nsec = 3000000}, NULL);
}

static struct took turn(struct runner *runner, int batch, bool rests) {
    if (runner->failed || (runner->reset && !runner->reset(runner->state))) {
        runner->failed = true;
        return (struct took){0};
    }
    if (rests)
        rest();
    const double processor = read_clock(CLOCK_PROCESS_CPUTIME_ID);
    const double wall = read_clock(CLOCK_MONOTONIC);
    for (int k = 0; k < batch && !runner->failed; ++k)
        runner->failed = !runner->run(runner->state);
    const double runs = batch;
    return (struct took){
        .wall = (read_clock(CLOCK_MONOTONIC) - wall) / runs,
        .processor = (read_clock(CLOCK_PROCESS_CPUTIME_ID) - processor) / runs,
    };
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *sorted, int n) {
    qsort(sorted, (size_t)n, sizeof *sorted, ascending);
    return 0.5 * (sorted[(n - 1) / 2] + sorted[n / 2]);
}

static void settle(struct timing *timing, double *wall, double *processor) {
    const int n = timing->runs;
    timing->median = median(wall, n);
    timing->processor = median(processor, n);
    timing->fastest = wall[0];
    timing->slowest = wall[n - 1];
    timing->spread = (timing->slowest - timing->fastest) / timing->median;
    for (int k = 0; k < n; ++k)
        timing->slow_runs += wall[k] > 3 * timing->median;
}

static int turns_of(const struct runner *runner, int repeat) {
    const double first = runner->may_be_few ? runner->timing.first : 0;
    return first > slowest ? 1 : first > slow ? FEW_RUNS : repeat;
}

static void take_turns(struct runner *runners, int count, int repeat, int batch, bool prime,
                       double *wall, double *processor) {
    for (int round = 0; round < repeat; ++round) {
        for (int k = 0; k < count; ++k) {
            struct runner *runner = &runners[k];
            if (runner->failed || runner->timing.runs >= turns_of(runner, repeat))
                continue;
            if (prime)
                turn(runner, 1, repeat > 1);
            const struct took took =
                turn(runner, runner->warm > lasting ? 1 : batch, !prime && repeat > 1);
            const int at = k * repeat + runner->timing.runs;
            wall[at] = took.wall;
            processor[at] = took.processor;
            runner->timing.runs += !runner->failed;
        }
    }
}

bool race(struct runner *runners, int count, int repeat, int batch, bool prime) {
    if (repeat > MOST_RUNS)
        repeat = MOST_RUNS;
    const int room = count * repeat;
    const bool rests = repeat > 1;
    double *wall = calloc((size_t)room * 2, sizeof *wall);
    if (wall == NULL)
        return false;
    double *processor = wall + room;
    for (int k = 0; k < count; ++k) {
        struct runner *runner = &runners[k];
        const struct took first = turn(runner, 1, rests);
        runner->timing = (struct timing){.first = first.wall};
        runner->warm = first.wall < 2 ? turn(runner, 1, rests).wall : first.wall;
        if (turns_of(runner, repeat) == 1 && !runner->failed) {
            wall[k * repeat] = first.wall;
            processor[k * repeat] = first.processor;
            runner->timing.runs = 1;
        }
    }
    take_turns(runners, count, repeat, batch, prime, wall, processor);
    for (int k = 0; k < count; ++k) {
        if (!runners[k].failed)
            settle(&runners[k].timing, wall + k * repeat, processor + k * repeat);
    }
    free(wall);
    return true;
}
