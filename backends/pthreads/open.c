/* How many threads, and starting and ending them. */
#include "pthreads.h"
#include "processors.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_THREADS = 1024 };

static void describe(i64 threads, char *name, size_t length) {
    snprintf(name, length, "%lld thread%s", (long long)threads, threads == 1 ? "" : "s");
}

/* $WEFT_NUM_THREADS, NULL where it is not set. */
static const char *wanted(void) {
    const char *text = getenv("WEFT_NUM_THREADS");
    return text && *text ? text : NULL;
}

/* The number that a text says, 0 where it does not say one. */
static i64 parse(const char *text) {
    char *end;
    errno = 0;
    const long count = strtol(text, &end, 10);
    return errno || end == text || *end || count < 1 || count > MOST_THREADS ? 0 : count;
}

static i64 processors(void) {
    const i64 count = team_processors();
    return count < MOST_THREADS ? count : MOST_THREADS;
}

i64 pthreads_devices(weft_device_info *info, i64 capacity) {
    if (capacity < 1)
        return 1;
    const char *text = wanted();
    i64 threads = text ? parse(text) : 0;
    threads = threads ? threads : processors();
    *info = (weft_device_info){.backend = "pthreads",
                               .number = threads,
                               .compute_units = (u32)threads,
                               .has_f64 = 1,
                               .has_u64_atomics = 1};
    describe(threads, info->name, sizeof info->name);
    return 1;
}

weft_status pthreads_open(weft_device *device, const char *which) {
    const char *text = which ? which : wanted();
    const i64 threads = text ? parse(text) : processors();
    if (threads == 0)
        return weft_fail(
            device, WEFT_E_BACKEND, "%s'%s' is not a number of threads, which is 1 to %d",
            which ? "backend 'pthreads': " : "WEFT_NUM_THREADS: ", text, MOST_THREADS);
    pthreads_state *state = calloc(1, sizeof *state);
    if (state)
        state->team = team_new(threads);
    if (!state || !state->team) {
        free(state);
        return weft_fail(device, WEFT_E_MEMORY, "out of memory: a team of %lld threads",
                         (long long)threads);
    }
    device->state = state;
    device->style = WEFT_SIMD;
    device->concurrency = team_size(state->team);
    describe(team_size(state->team), device->name, sizeof device->name);
    return WEFT_OK;
}

weft_status pthreads_open_beside(weft_device *device, weft_device *other) {
    char threads[24];
    snprintf(threads, sizeof threads, "%lld", (long long)other->concurrency);
    return pthreads_open(device, threads);
}

void pthreads_close(weft_device *device) {
    pthreads_state *state = device->state;
    team_free(state->team);
    free(state);
}
