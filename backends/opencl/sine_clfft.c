/* Sine transforms by clFFT: an axis at a time, complex transforms of odd lines (sine.cl).
 */
#include "entries.h"
#include "backends/opencl/program/program.h"
#include "tuning.h"
#include "weft/array.h"

#include <clFFT.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

extern const weft_source weft_text_sine;

/* Complex elements of a transform, at most, and lines at least. */
enum { MOST = 1 << 22, LEAST_LINES = 64 };

struct opencl_transform {
    i64 length, lines;
    clfftPlanHandle handle;
    int works; /* clFFT has no transforms of some lengths */
    struct opencl_transform *next;
};

/* clFFT is set up once for the process, while a device needs it. */
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static i64 users;

static int set_up(void) {
    /* (clfftInitSetupData is an inline function that nothing defines.) */
    const clfftSetupData data = {clfftVersionMajor, clfftVersionMinor, clfftVersionPatch,
                                 0};
    int good = 1;
    pthread_mutex_lock(&guard);
    if (users == 0)
        good = clfftSetup(&data) == CLFFT_SUCCESS;
    users += good;
    pthread_mutex_unlock(&guard);
    return good;
}

void opencl_free_transforms(opencl_state *state) {
    if (!state->transforms)
        return;
    pthread_mutex_lock(&guard);
    while (state->transforms) {
        struct opencl_transform *t = state->transforms;
        state->transforms = t->next;
        if (t->handle)
            clfftDestroyPlan(&t->handle);
        free(t);
    }
    if (--users == 0)
        clfftTeardown();
    pthread_mutex_unlock(&guard);
}

static int plan(opencl_state *state, struct opencl_transform *t) {
    const size_t length = (size_t)t->length, apart = (size_t)t->lines;
    size_t stride[1] = {apart};
    return clfftCreateDefaultPlan(&t->handle, state->context, CLFFT_1D, &length) ==
               CLFFT_SUCCESS &&
           clfftSetPlanPrecision(t->handle, CLFFT_SINGLE) == CLFFT_SUCCESS &&
           clfftSetLayout(t->handle, CLFFT_COMPLEX_INTERLEAVED,
                          CLFFT_COMPLEX_INTERLEAVED) == CLFFT_SUCCESS &&
           clfftSetResultLocation(t->handle, CLFFT_INPLACE) == CLFFT_SUCCESS &&
           clfftSetPlanInStride(t->handle, CLFFT_1D, stride) == CLFFT_SUCCESS &&
           clfftSetPlanOutStride(t->handle, CLFFT_1D, stride) == CLFFT_SUCCESS &&
           clfftSetPlanDistance(t->handle, 1, 1) == CLFFT_SUCCESS &&
           clfftSetPlanBatchSize(t->handle, apart) == CLFFT_SUCCESS &&
           clfftBakePlan(t->handle, 1, &state->queue, NULL, NULL) == CLFFT_SUCCESS;
}

/* The transform of `lines` complex lines; NULL where clFFT has none. */
static const struct opencl_transform *find(opencl_state *state, i64 length, i64 lines) {
    struct opencl_transform *t = state->transforms;
    while (t && (t->length != length || t->lines != lines))
        t = t->next;
    if (!t && (state->transforms || set_up())) {
        t = calloc(1, sizeof *t);
        if (!t)
            return NULL;
        *t = (struct opencl_transform){
            .length = length, .lines = lines, .next = state->transforms};
        state->transforms = t;
        pthread_mutex_lock(&guard);
        t->works = plan(state, t);
        pthread_mutex_unlock(&guard);
    }
    return t && t->works ? t : NULL;
}

static const opencl_program *packing(weft_device *device) {
    static const char *const names[OPENCL_KERNELS] = {"weft_sine_pack", "weft_sine_unpack"};
    const opencl_key key = {OPENCL_SINE, OPENCL_WIDE, {NULL}};
    const opencl_program *found = opencl_find(device, &key);
    if (found)
        return found;
    opencl_text text = {0};
    opencl_begin_text(opencl_of(device), &text, NULL, 0);
    opencl_append_bytes(&text, weft_text_sine.text, weft_text_sine.length);
    return opencl_build(device, &key, "weft_sine_transform", &text, names);
}

typedef struct lines {
    const struct opencl_transform *transform;
    const opencl_program *program;
    i64 n, count;
    void *work;
} lines;

static void move(weft_device *device, const lines *l, int kernel, i64 first, i64 pairs,
                 weft_span cubes) {
    const i64 group = opencl_of(device)->group, most = l->transform->lines;
    const i64 items = kernel == 0 ? l->transform->length * most : pairs * l->n;
    opencl_launch launch = opencl_begin(device, l->program, kernel);
    opencl_give_i32(&launch, (i32)l->n);
    opencl_give(&launch, &first, sizeof first);
    opencl_give(&launch, &pairs, sizeof pairs);
    opencl_give(&launch, &most, sizeof most);
    opencl_give(&launch, &l->count, sizeof l->count);
    opencl_give_span(&launch, cubes);
    opencl_give_memory(&launch, l->work);
    opencl_run(&launch, (items + group - 1) / group, group);
}

/* Transforms along the first axis, which becomes the last. */
static void axis(weft_device *device, const lines *l, weft_span in, weft_span out) {
    opencl_state *state = opencl_of(device);
    const i64 all = (l->count + 1) / 2, most = l->transform->lines;
    for (i64 first = 0; first < all && weft_check(device) == WEFT_OK; first += most) {
        const i64 pairs = all - first < most ? all - first : most;
        cl_mem buffer = l->work;
        move(device, l, 0, first, pairs, in);
        const clfftStatus code =
            clfftEnqueueTransform(l->transform->handle, CLFFT_FORWARD, 1, &state->queue, 0,
                                  NULL, NULL, &buffer, NULL, NULL);
        if (code != CLFFT_SUCCESS)
            opencl_fail(device, "clfftEnqueueTransform", (cl_int)code,
                        "weft_sine_transform");
        else
            move(device, l, 1, first, pairs, out);
    }
}

/* On CPUs and for short lines products with matrices are faster, by as much as six times,
 * and clFFT takes 0.1 to 2 s to compile. */
static int is_wanted(const opencl_state *state, i64 n) {
    const char *wanted = getenv("WEFT_OPENCL_CLFFT");
    return wanted ? strcmp(wanted, "no") != 0
                  : !state->is_cpu && n >= OPENCL_GPU_SINE_LEAST;
}

int opencl_sine_transform(weft_device *device, i64 n, weft_span cubes) {
    const i64 length = 2 * n + 2;
    lines l = {.n = n, .count = cubes.length / n};
    i64 together = LEAST_LINES;
    while (2 * together < l.count && 2 * together * length <= MOST)
        together *= 2;
    if (is_wanted(opencl_of(device), n))
        l.transform = find(opencl_of(device), length, together);
    if (!l.transform)
        return 0;
    l.program = packing(device);
    const weft_array work = weft_scratch(device, WEFT_F32, 2 * length * together);
    const weft_array other = weft_scratch(device, WEFT_F32, cubes.length);
    if (weft_check(device) != WEFT_OK)
        return 1;
    l.work = weft_buffer_memory(work.buffer);
    const weft_span beside = {weft_buffer_memory(other.buffer), other.first, other.length,
                              WEFT_F32};
    axis(device, &l, cubes, beside);
    axis(device, &l, beside, cubes);
    axis(device, &l, cubes, beside);
    if (weft_check(device) == WEFT_OK)
        opencl_copy_memory(device, beside, cubes);
    return 1;
}
