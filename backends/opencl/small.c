/* Small writes, for which nobody waits: a blocking one would wait for all that the queue
 * was given before. What is written is copied to a slot of the queue's first, and each slot
 * is used again in turn, once what it had has gone. */
#include "opencl.h"
#include "tuning.h"

#include <stdlib.h>
#include <string.h>

struct opencl_small {
    int next;
    cl_event end[OPENCL_SMALL_SLOTS]; /* NULL: nothing is under way */
    char slot[OPENCL_SMALL_SLOTS][OPENCL_SMALL_BYTES];
};

/* A slot that is free, or an error. */
static cl_int take(struct opencl_small *small, int k) {
    cl_int code = CL_SUCCESS;
    if (small->end[k]) {
        code = clWaitForEvents(1, &small->end[k]);
        clReleaseEvent(small->end[k]);
        small->end[k] = NULL;
    }
    return code;
}

int opencl_is_small(weft_device *device, size_t bytes) {
    opencl_state *state = opencl_of(device);
    if (bytes > OPENCL_SMALL_BYTES)
        return 0;
    if (!state->small)
        state->small = calloc(1, sizeof *state->small);
    return state->small != NULL;
}

weft_status opencl_write_small(weft_device *device, void *memory, size_t offset,
                               const void *host, size_t bytes) {
    opencl_state *state = opencl_of(device);
    struct opencl_small *small = state->small;
    const int k = small->next;
    cl_int code = take(small, k);
    if (code != CL_SUCCESS)
        return opencl_fail(device, "clWaitForEvents", code, NULL);
    memcpy(small->slot[k], host, bytes);
    code = clEnqueueWriteBuffer(state->queue, memory, CL_FALSE, offset, bytes,
                                small->slot[k], 0, NULL, &small->end[k]);
    if (code != CL_SUCCESS) {
        small->end[k] = NULL;
        return opencl_fail(device, "clEnqueueWriteBuffer", code, NULL);
    }
    small->next = (k + 1) % OPENCL_SMALL_SLOTS;
    return WEFT_OK;
}

void opencl_free_small(opencl_state *state) {
    for (int k = 0; state->small && k < OPENCL_SMALL_SLOTS; k++)
        take(state->small, k);
    free(state->small);
    state->small = NULL;
}
