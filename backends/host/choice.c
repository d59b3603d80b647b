#include "choice.h"
#include "tuning.h"

#include <math.h>
#include <stddef.h>
#include <time.h>

/* A trial's stretches, in calls: the other way's is [OTHER, AGAIN). */
enum { OTHER = 3, AGAIN = 6, CALLS = 8, GAP_LEAST = 8, GAP_MOST = 1024 };

/* Times of the other way that are worth a change, of the least of the kept. */
static const f64 better = 0.95;
/* And such that end the trial, once the first call is over, of the least of the kept. */
static const f64 hopeless = 1.5;

static int tries_other(const host_choice *choice) {
    return choice->rest == 0 && choice->call >= OTHER && choice->call < AGAIN;
}

int host_choose(const host_choice *choice) {
    return choice->kept ^ tries_other(choice);
}

static void begin_trial(host_choice *choice) {
    choice->least[0] = choice->least[1] = INFINITY;
}

static void begin_rest(host_choice *choice) {
    choice->gap = choice->gap == 0         ? GAP_LEAST
                  : choice->gap < GAP_MOST ? 2 * choice->gap
                                           : GAP_MOST;
    choice->rest = choice->gap;
    choice->call = 0;
}

static void end_trial(host_choice *choice) {
    if (choice->least[1] < better * choice->least[0])
        choice->kept = !choice->kept;
    begin_rest(choice);
}

void host_learn(host_choice *choice, f64 time) {
    if (choice->rest > 0) {
        choice->rest--;
        return;
    }
    const i32 call = choice->call;
    const int other = tries_other(choice);
    if (other && call != OTHER && time > hopeless * choice->least[0]) {
        begin_rest(choice);
        return;
    }
    if (call == 0)
        begin_trial(choice);
    else if (call != OTHER && call != AGAIN && time < choice->least[other])
        choice->least[other] = time;
    choice->call++;
    if (choice->call == CALLS)
        end_trial(choice);
}

f64 host_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (f64)time.tv_sec + 1e-9 * (f64)time.tv_nsec;
}

host_choice *host_choice_for(host_choice *choices, u64 bytes) {
    if (!choices || bytes < HOST_STREAM_BYTES)
        return NULL;
    i32 k = 0;
    while (k + 1 < HOST_CHOICE_SIZES && bytes >> (k + 1) >= HOST_STREAM_BYTES)
        k++;
    return &choices[k];
}

host_choice *host_choice_of(host_choices *choices, const weft_generator *by, u64 bytes) {
    if (bytes < HOST_STREAM_BYTES)
        return NULL;
    struct host_generated *generated = choices->generated;
    i32 k = 0;
    while (k < HOST_CHOICE_GENERATORS && generated[k].by != by)
        k++;
    if (k == HOST_CHOICE_GENERATORS) {
        k = (i32)(choices->generators++ % HOST_CHOICE_GENERATORS);
        generated[k] = (struct host_generated){.by = by};
    }
    return host_choice_for(generated[k].size, bytes);
}
