/* Sine transforms by FFTW: a thread a cube. */
#include "host.h"

#include <fftw3.h>
#include <pthread.h>

typedef struct transforms {
    fftwf_plan plan;
    weft_span cubes;
    i64 cube;
} transforms;

static void transform(void *context, i64 begin, i64 end, i64 thread) {
    (void)thread;
    const transforms *t = context;
    for (i64 k = begin; k < end; k++) {
        f32 *cube = host_at(t->cubes, k * t->cube);
        fftwf_execute_r2r(t->plan, cube, cube);
    }
}

/* Plans are estimated: measured ones would differ, and results with them, from run to run.
 * They take a millisecond. */
int host_sine_transform(weft_device *device, i64 n, weft_span cubes,
                        const host_crew *crew) {
    static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;
    const fftw_r2r_kind kind = FFTW_RODFT00;
    const int side = (int)n;
    (void)device;
    transforms t = {.cubes = cubes, .cube = n * n * n};
    f32 *first = host_at(cubes, 0);
    pthread_mutex_lock(&planner);
    t.plan = fftwf_plan_r2r_3d(side, side, side, first, first, kind, kind, kind,
                               FFTW_ESTIMATE | FFTW_UNALIGNED);
    pthread_mutex_unlock(&planner);
    if (!t.plan)
        return 0;
    crew->run(crew->team, cubes.length / t.cube, 1, 1, transform, &t);
    pthread_mutex_lock(&planner);
    fftwf_destroy_plan(t.plan);
    pthread_mutex_unlock(&planner);
    return 1;
}
