/* Large transfers between the host's memory and a GPU. What is not pinned the driver copies
 * by one thread to memory that is; here several do. A program apart, on an H100, 1 GiB: the
 * driver writes 7.6 GB/s, four threads by pieces of 4 MiB 12 and of 16 MiB 20; pinned
 * memory 52, which the caller's is as well once the driver has a buffer there (four H100 of
 * one host at once, from memory that their processes share: 31 GB/s each to it, 36 from
 * it). */
#include "opencl.h"
#include "tuning.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 2 }; /* of a thread: one is copied while the other travels */

struct opencl_staging {
    cl_mem pinned;
    char *at; /* [OPENCL_STAGE_THREADS][SLOTS][OPENCL_STAGE_PIECE] */
};

typedef struct transfer {
    opencl_state *state;
    cl_mem memory;
    size_t offset, bytes;
    char *to;         /* read into; NULL: it is written */
    const char *from; /* written from */
    atomic_size_t next;
    atomic_int code;
} transfer;

typedef struct slot {
    char *at;
    size_t first, bytes; /* 0: nothing travels */
    cl_event end;
} slot;

typedef struct stager {
    transfer *t;
    slot slots[SLOTS];
    pthread_t thread;
} stager;

/* As tests have it, on any device and of any length. */
static int is_forced(void) {
    const char *wanted = getenv("WEFT_OPENCL_STAGE");
    return wanted && strcmp(wanted, "yes") == 0;
}

/* Mapped for good; a device that has no memory of its own needs none of this. */
void *opencl_pin(weft_device *device, void *host, size_t bytes) {
    opencl_state *state = opencl_of(device);
    cl_int code;
    if (state->is_cpu && !is_forced())
        return NULL;
    cl_mem memory = clCreateBuffer(state->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                   bytes, host, &code);
    void *at = memory ? clEnqueueMapBuffer(state->queue, memory, CL_TRUE,
                                           CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL,
                                           NULL, &code)
                      : NULL;
    if (at)
        return memory;
    if (memory)
        clReleaseMemObject(memory);
    return NULL;
}

void opencl_unpin(weft_device *device, void *handle, void *host) {
    opencl_state *state = opencl_of(device);
    clEnqueueUnmapMemObject(state->queue, handle, host, 0, NULL, NULL);
    clFinish(state->queue);
    clReleaseMemObject(handle);
}

static struct opencl_staging *staging_of(opencl_state *state) {
    const size_t bytes = (size_t)OPENCL_STAGE_THREADS * SLOTS * OPENCL_STAGE_PIECE;
    cl_int code;
    if (state->staging)
        return state->staging;
    struct opencl_staging *staging = malloc(sizeof *staging);
    cl_mem pinned =
        staging ? clCreateBuffer(state->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
                                 bytes, NULL, &code)
                : NULL;
    char *at = pinned ? clEnqueueMapBuffer(state->queue, pinned, CL_TRUE,
                                           CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL,
                                           NULL, &code)
                      : NULL;
    if (!at) {
        if (pinned)
            clReleaseMemObject(pinned);
        free(staging);
        return NULL;
    }
    *staging = (struct opencl_staging){pinned, at};
    return state->staging = staging;
}

void opencl_free_staging(opencl_state *state) {
    struct opencl_staging *staging = state->staging;
    if (!staging)
        return;
    clEnqueueUnmapMemObject(state->queue, staging->pinned, staging->at, 0, NULL, NULL);
    clFinish(state->queue);
    clReleaseMemObject(staging->pinned);
    free(staging);
    state->staging = NULL;
}

int opencl_is_staged(weft_device *device, const void *host, size_t bytes) {
    opencl_state *state = opencl_of(device);
    const int large = !state->is_cpu && bytes >= OPENCL_STAGE_LEAST;
    return bytes > 0 && (large || is_forced()) && !weft_is_pinned(device, host, bytes) &&
           staging_of(state) != NULL;
}

static void note(transfer *t, cl_int code) {
    int none = CL_SUCCESS;
    if (code != CL_SUCCESS)
        atomic_compare_exchange_strong(&t->code, &none, code);
}

static void end(transfer *t, slot *s) {
    if (s->bytes == 0)
        return;
    note(t, clWaitForEvents(1, &s->end));
    clReleaseEvent(s->end);
    if (t->to)
        memcpy(t->to + s->first, s->at, s->bytes);
    s->bytes = 0;
}

static void begin(transfer *t, slot *s, size_t first) {
    const size_t left = t->bytes - first;
    const size_t bytes = left < OPENCL_STAGE_PIECE ? left : OPENCL_STAGE_PIECE;
    const size_t offset = t->offset + first;
    cl_command_queue queue = t->state->queue;
    cl_int code;
    if (t->from)
        memcpy(s->at, t->from + first, bytes);
    if (t->to)
        code = clEnqueueReadBuffer(queue, t->memory, CL_FALSE, offset, bytes, s->at, 0,
                                   NULL, &s->end);
    else
        code = clEnqueueWriteBuffer(queue, t->memory, CL_FALSE, offset, bytes, s->at, 0,
                                    NULL, &s->end);
    note(t, code);
    if (code != CL_SUCCESS)
        return;
    s->first = first;
    s->bytes = bytes;
    note(t, clFlush(queue));
}

static void *serve(void *context) {
    stager *me = context;
    transfer *t = me->t;
    for (int k = 0; atomic_load(&t->code) == CL_SUCCESS; k = (k + 1) % SLOTS) {
        end(t, &me->slots[k]);
        const size_t first = atomic_fetch_add(&t->next, OPENCL_STAGE_PIECE);
        if (first >= t->bytes)
            break;
        begin(t, &me->slots[k], first);
    }
    for (int k = 0; k < SLOTS; k++)
        end(t, &me->slots[k]);
    return NULL;
}

/* The caller is one of the threads, and does what those that could not be made would. */
static weft_status move(weft_device *device, transfer *t, const char *call) {
    stager stagers[OPENCL_STAGE_THREADS];
    int made = 1;
    t->state = opencl_of(device);
    for (int k = 0; k < OPENCL_STAGE_THREADS; k++) {
        stagers[k] = (stager){.t = t};
        for (int s = 0; s < SLOTS; s++)
            stagers[k].slots[s].at =
                t->state->staging->at + (size_t)(k * SLOTS + s) * OPENCL_STAGE_PIECE;
    }
    while (made < OPENCL_STAGE_THREADS && t->bytes > (size_t)made * OPENCL_STAGE_PIECE &&
           pthread_create(&stagers[made].thread, NULL, serve, &stagers[made]) == 0)
        made++;
    serve(&stagers[0]);
    for (int k = 1; k < made; k++)
        pthread_join(stagers[k].thread, NULL);
    const cl_int code = atomic_load(&t->code);
    if (code == CL_SUCCESS)
        return WEFT_OK;
    clFinish(t->state->queue); /* slots are free again */
    return opencl_fail(device, call, code, NULL);
}

weft_status opencl_stage_write(weft_device *device, void *memory, size_t offset,
                               const void *host, size_t bytes) {
    transfer t = {.memory = memory, .offset = offset, .bytes = bytes, .from = host};
    return move(device, &t, "clEnqueueWriteBuffer");
}

weft_status opencl_stage_read(weft_device *device, void *memory, size_t offset, void *host,
                              size_t bytes) {
    transfer t = {.memory = memory, .offset = offset, .bytes = bytes, .to = host};
    return move(device, &t, "clEnqueueReadBuffer");
}
