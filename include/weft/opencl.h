/* Weft in a program that uses OpenCL itself: devices on its contexts and queues, its
 * buffers as arrays, arrays as buffers. <weft/weft.h> does not include this header, which
 * needs <CL/cl.h>. A library that was built without OpenCL has these calls too: each is
 * WEFT_E_BACKEND there, as it is on devices of other backends.
 *
 * A device uses one queue, in whose order all its work runs. A program may enqueue commands
 * of its own there, between calls of the library: they see what the calls before them did,
 * and the calls after them see what they did, without waiting. */
#ifndef WEFT_OPENCL_H
#define WEFT_OPENCL_H

#include <CL/cl.h>

#include "array.h"
#include "queue.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Opens a device on the caller's context and queue.
 *   queue   of this context, in order; NULL: a new queue of the context's first device
 * Both are retained until weft_close, which waits for all that is in the queue. A queue
 * that runs out of order is refused, for it does not keep calls in order: open a queue
 * beside it (NULL), and order both by events, below. So is a queue of another context.
 * Of contexts with several devices compiled programs are not kept on disk.
 * Devices on one context can use each other's arrays, as queues of weft_open_queue do.
 * Close it with weft_close, also after an error, as a device of weft_open.
 * Errors: WEFT_E_ARGUMENT, WEFT_E_BACKEND, WEFT_E_DEVICE, WEFT_E_MEMORY. */
WEFT_API weft_device *weft_open_opencl(cl_context context, cl_command_queue queue);

/* The queue of the device, from which clGetCommandQueueInfo tells context and OpenCL
 * device. Not retained: valid until weft_close. NULL after an error. */
WEFT_API cl_command_queue weft_opencl_queue(weft_device *device);

/* Elements [first, first + length) of the caller's buffer as an array; nothing is copied.
 *   memory   a buffer or sub-buffer of the device's context, retained until weft_return
 *   first    in elements of `type`; what begins elsewhere: clCreateSubBuffer
 * Nothing can write to a CL_MEM_READ_ONLY buffer: such a launch is refused; and a
 * CL_MEM_WRITE_ONLY one is no array. weft_return does not wait, unlike for memory of the
 * host: commands that are enqueued later in the device's queue see the results.
 * Errors: WEFT_E_ARGUMENT (no buffer, or one of another context), WEFT_E_SHAPE (not all
 * inside the buffer), WEFT_E_BACKEND, WEFT_E_DEVICE, WEFT_E_MEMORY. */
WEFT_API weft_array weft_borrow_opencl(weft_device *device, weft_type type, cl_mem memory,
                                       int64_t first, int64_t length);

/* The buffer that an array lies in; *offset: the byte of it at which the array begins, 0
 * for arrays that are no slices and were not lent, each of which has a buffer of its own.
 * Not retained: it is the caller's to use, in the device's queue, until the array is freed,
 * its scope closed or its memory returned; other queues need events. A reference of the
 * caller's own keeps the buffer, but not what is in it: the pool gives it to other arrays.
 * Not to be written where array.read_only is 1. NULL and 0 for an empty array.
 * Errors: WEFT_E_ARGUMENT (lazy, gone), WEFT_E_BACKEND. */
WEFT_API cl_mem weft_opencl_memory(weft_device *device, weft_array array, size_t *offset);

/* Events between a device and the program's own queues, as weft_record and weft_wait_for
 * (queue.h): all work of the device up to now, which is the caller's to release (NULL after
 * an error); and that later work of the device begins after an event of any queue, for
 * which the host waits where it is of another context.
 * Errors: WEFT_E_ARGUMENT (NULL), WEFT_E_BACKEND, WEFT_E_DEVICE. */
WEFT_API cl_event weft_record_opencl(weft_device *device);
WEFT_API weft_status weft_wait_opencl(weft_device *device, cl_event event);

/* The caller's allocator for a device's buffers: weft_use_allocator's, with buffers in
 * place of memory. `allocate` returns a CL_MEM_READ_WRITE buffer of `context`, of at least
 * `bytes` bytes, or NULL; `release` gets it back once all commands of this queue that use
 * it are done. Errors: as weft_use_allocator; WEFT_E_BACKEND where the device is not of
 * OpenCL. */
typedef struct weft_opencl_allocator {
    cl_mem (*allocate)(void *user, cl_context context, size_t bytes);
    void (*release)(void *user, cl_mem memory, size_t bytes);
    void *user;
    uint64_t reserved[5]; /* 0 */
} weft_opencl_allocator;
WEFT_API weft_status weft_use_opencl_allocator(weft_device *device,
                                               const weft_opencl_allocator *allocator);

#ifdef __cplusplus
}
#endif
#endif
