/* Buffers. On a CPU they are host memory in huge pages, which the device uses as it lies.
 */
#include "opencl.h"
#include "backends/host/host.h"

#include <stdlib.h>

/* OpenCL calls this once nothing uses the buffer any more. */
static void CL_CALLBACK free_host(cl_mem memory, void *host) {
    (void)memory;
    host_release(NULL, host, 0);
}

/* Some drivers put allocation off until the first use; the pool must know now. */
static int touch(opencl_state *state, cl_mem memory) {
    const cl_uint zero = 0;
    return state->is_cpu || clEnqueueFillBuffer(state->queue, memory, &zero, sizeof zero, 0,
                                                sizeof zero, 0, NULL, NULL) == CL_SUCCESS;
}

/* What the caller's allocator gives must be a buffer of so many bytes. */
static void *allocate_by(weft_device *device, size_t bytes) {
    opencl_state *state = opencl_of(device);
    const weft_opencl_allocator *from = &state->allocator;
    cl_mem memory = from->allocate(from->user, state->context, bytes);
    size_t given = 0;
    if (!memory)
        return NULL;
    const cl_int code = clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof given, &given, NULL);
    if (code == CL_SUCCESS && given >= bytes && touch(state, memory))
        return memory;
    from->release(from->user, memory, bytes);
    if (code != CL_SUCCESS)
        opencl_fail(device, "clGetMemObjectInfo", code, "weft_use_opencl_allocator");
    else if (given < bytes)
        weft_fail(
            device, WEFT_E_ARGUMENT,
            "weft_use_opencl_allocator: a buffer of 'allocate' has %zu bytes, not the "
            "%zu that were asked for",
            given, bytes);
    return NULL;
}

void *opencl_allocate(weft_device *device, size_t bytes) {
    opencl_state *state = opencl_of(device);
    cl_int code;
    if (state->allocator.allocate)
        return allocate_by(device, bytes);
    if (!state->is_cpu) {
        cl_mem memory =
            clCreateBuffer(state->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
        if (!memory || code != CL_SUCCESS || touch(state, memory))
            return code == CL_SUCCESS ? memory : NULL;
        clReleaseMemObject(memory);
        return NULL;
    }
    void *host = host_allocate(NULL, bytes);
    cl_mem memory =
        host ? clCreateBuffer(state->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                              bytes, host, &code)
             : NULL;
    if (!memory) {
        host_release(NULL, host, bytes);
        return NULL;
    }
    if (clSetMemObjectDestructorCallback(memory, free_host, host) != CL_SUCCESS) {
        clReleaseMemObject(memory);
        host_release(NULL, host, bytes);
        return NULL;
    }
    return memory;
}

void *opencl_allocate_kept(weft_device *device, size_t bytes) {
    void *memory = opencl_allocate(device, bytes);
    if (!memory && weft_check(device) == WEFT_OK) {
        weft_memory_trim(device);
        memory = opencl_allocate(device, bytes);
    }
    if (!memory)
        weft_fail(device, WEFT_E_MEMORY, "out of device memory: %zu bytes", bytes);
    return memory;
}

void opencl_release(weft_device *device, void *memory, size_t bytes) {
    opencl_state *state = opencl_of(device);
    const weft_opencl_allocator *from = &state->allocator;
    if (!from->allocate) {
        clReleaseMemObject(memory);
        return;
    }
    clFinish(state->queue); /* the caller's may be used at once */
    from->release(from->user, memory, bytes);
}

void *opencl_borrow(weft_device *device, void *host, size_t bytes, int read_only) {
    opencl_state *state = opencl_of(device);
    const cl_mem_flags access = read_only ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE;
    const cl_mem_flags place = state->is_cpu ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR;
    const int staged = opencl_is_staged(device, host, bytes) && !state->is_cpu;
    cl_int code;
    cl_mem memory = clCreateBuffer(state->context, access | (staged ? 0 : place), bytes,
                                   staged ? NULL : host, &code);
    if (code != CL_SUCCESS)
        return NULL;
    if (!staged || opencl_stage_write(device, memory, 0, host, bytes) == WEFT_OK)
        return memory;
    clReleaseMemObject(memory);
    return NULL;
}

/* A mapped buffer is what makes the caller's memory current, and costs nothing on a CPU. */
static cl_int bring_up_to_date(opencl_state *state, cl_mem memory, size_t bytes) {
    cl_int code;
    void *mapped = clEnqueueMapBuffer(state->queue, memory, CL_TRUE, CL_MAP_READ, 0, bytes,
                                      0, NULL, NULL, &code);
    if (code == CL_SUCCESS)
        code = clEnqueueUnmapMemObject(state->queue, memory, mapped, 0, NULL, NULL);
    return code;
}

weft_status opencl_give_back(weft_device *device, void *memory, void *host, size_t bytes,
                             int read_only) {
    opencl_state *state = opencl_of(device);
    cl_int code = CL_SUCCESS;
    weft_status read = WEFT_OK;
    if (!host) {
        code = clReleaseMemObject(memory);
        return code == CL_SUCCESS ? WEFT_OK
                                  : opencl_fail(device, "clReleaseMemObject", code, NULL);
    }
    if (!read_only && state->is_cpu)
        code = bring_up_to_date(state, memory, bytes);
    else if (!read_only)
        read = opencl_read(device, memory, 0, host, bytes);
    const cl_int finished = clFinish(state->queue);
    clReleaseMemObject(memory);
    if (code != CL_SUCCESS)
        return opencl_fail(device, "clEnqueueMapBuffer", code, NULL);
    if (finished != CL_SUCCESS)
        return opencl_fail(device, "clFinish", finished, NULL);
    return read;
}

/* Copies that wait, or are only begun. */
static weft_status write_to(weft_device *device, cl_bool waits, void *memory, size_t offset,
                            const void *host, size_t bytes) {
    const cl_command_queue queue = opencl_of(device)->queue;
    cl_int code =
        clEnqueueWriteBuffer(queue, memory, waits, offset, bytes, host, 0, NULL, NULL);
    if (code == CL_SUCCESS && !waits)
        code = clFlush(queue);
    return code == CL_SUCCESS ? WEFT_OK
                              : opencl_fail(device, "clEnqueueWriteBuffer", code, NULL);
}

static weft_status read_from(weft_device *device, cl_bool waits, void *memory,
                             size_t offset, void *host, size_t bytes) {
    const cl_command_queue queue = opencl_of(device)->queue;
    cl_int code =
        clEnqueueReadBuffer(queue, memory, waits, offset, bytes, host, 0, NULL, NULL);
    if (code == CL_SUCCESS && !waits)
        code = clFlush(queue);
    return code == CL_SUCCESS ? WEFT_OK
                              : opencl_fail(device, "clEnqueueReadBuffer", code, NULL);
}

weft_status opencl_write(weft_device *device, void *memory, size_t offset, const void *host,
                         size_t bytes) {
    if (opencl_is_staged(device, host, bytes))
        return opencl_stage_write(device, memory, offset, host, bytes);
    if (opencl_is_small(device, bytes))
        return opencl_write_small(device, memory, offset, host, bytes);
    return write_to(device, CL_TRUE, memory, offset, host, bytes);
}

weft_status opencl_read(weft_device *device, void *memory, size_t offset, void *host,
                        size_t bytes) {
    if (opencl_is_staged(device, host, bytes))
        return opencl_stage_read(device, memory, offset, host, bytes);
    return read_from(device, CL_TRUE, memory, offset, host, bytes);
}

weft_status opencl_write_later(weft_device *device, void *memory, size_t offset,
                               const void *host, size_t bytes) {
    return write_to(device, CL_FALSE, memory, offset, host, bytes);
}

weft_status opencl_read_later(weft_device *device, void *memory, size_t offset, void *host,
                              size_t bytes) {
    return read_from(device, CL_FALSE, memory, offset, host, bytes);
}

weft_status opencl_synchronize(weft_device *device) {
    const cl_int code = clFinish(opencl_of(device)->queue);
    return code == CL_SUCCESS ? WEFT_OK : opencl_fail(device, "clFinish", code, NULL);
}

static weft_status copy_apart(weft_device *device, void *from, size_t from_byte, void *to,
                              size_t to_byte, size_t bytes) {
    const cl_int code = clEnqueueCopyBuffer(opencl_of(device)->queue, from, to, from_byte,
                                            to_byte, bytes, 0, NULL, NULL);
    return code == CL_SUCCESS ? WEFT_OK
                              : opencl_fail(device, "clEnqueueCopyBuffer", code, NULL);
}

weft_status opencl_copy_memory(weft_device *device, weft_span from, weft_span to) {
    const size_t size = WEFT_SIZE(to.type), bytes = (size_t)to.length * size;
    const size_t from_byte = (size_t)from.first * size, to_byte = (size_t)to.first * size;
    const int same = from.memory == to.memory;
    if (same && from_byte == to_byte)
        return WEFT_OK;
    if (!same || from_byte + bytes <= to_byte || to_byte + bytes <= from_byte)
        return copy_apart(device, from.memory, from_byte, to.memory, to_byte, bytes);
    const weft_array between = weft_scratch(device, to.type, to.length);
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    void *memory = weft_buffer_memory(between.buffer);
    if (copy_apart(device, from.memory, from_byte, memory, 0, bytes) != WEFT_OK)
        return weft_check(device);
    return copy_apart(device, memory, 0, to.memory, to_byte, bytes);
}

weft_span opencl_span(weft_array scratch) {
    return (weft_span){scratch.buffer ? weft_buffer_memory(scratch.buffer) : NULL, 0,
                       scratch.length, scratch.type};
}

weft_status opencl_zero(weft_device *device, weft_span span) {
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    const size_t size = WEFT_SIZE(span.type);
    const cl_uint zero = 0;
    const cl_int code = clEnqueueFillBuffer(opencl_of(device)->queue, span.memory, &zero,
                                            sizeof zero, (size_t)span.first * size,
                                            (size_t)span.length * size, 0, NULL, NULL);
    return code == CL_SUCCESS ? WEFT_OK
                              : opencl_fail(device, "clEnqueueFillBuffer", code, NULL);
}
