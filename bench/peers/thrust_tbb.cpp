/* Thrust with TBB. */
#include "thrust_cpu.h"

#include <cstdio>
#include <tbb/global_control.h>
#include <thrust/system/tbb/execution_policy.h>

static const char *describe() {
    static char text[64];
    std::snprintf(text, sizeof text, "Thrust %d.%d, TBB, -march=native",
                  THRUST_MAJOR_VERSION, THRUST_MINOR_VERSION);
    return text;
}

static void *open(task *t, int threads) {
    static tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                     static_cast<std::size_t>(threads));
    return thrust_open(t);
}

static int run(void *state) {
    return thrust_run_on(thrust::tbb::par, state);
}

extern "C" const peer peer_thrust_tbb = {
    "thrust-tbb", "tbb",        0,           0, describe, open, thrust_reset,
    run,          thrust_fetch, thrust_close};
