/* Thrust with OpenMP. */
#include "thrust_cpu.h"

#include <cstdio>
#include <omp.h>
#include <thrust/system/omp/execution_policy.h>

static const char *describe() {
    static char text[64];
    std::snprintf(text, sizeof text, "Thrust %d.%d, OpenMP, -march=native",
                  THRUST_MAJOR_VERSION, THRUST_MINOR_VERSION);
    return text;
}

static void *open(task *t, int threads) {
    omp_set_num_threads(threads);
    return thrust_open(t);
}

static int run(void *state) {
    return thrust_run_on(thrust::omp::par, state);
}

extern "C" const peer peer_thrust_omp = {
    "thrust-omp", "openmp",     0,           0, describe, open, thrust_reset,
    run,          thrust_fetch, thrust_close};
