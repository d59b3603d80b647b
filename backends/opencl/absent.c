/* The calls of <weft/opencl.h> in a library that is built without OpenCL. */
#include "core/backend.h"

struct _cl_context;
struct _cl_command_queue;
struct _cl_mem;
struct _cl_event;
struct weft_opencl_allocator;

WEFT_API weft_device *weft_open_opencl(struct _cl_context *context,
                                       struct _cl_command_queue *queue);
WEFT_API struct _cl_command_queue *weft_opencl_queue(weft_device *device);
WEFT_API weft_array weft_borrow_opencl(weft_device *device, weft_type type,
                                       struct _cl_mem *memory, i64 first, i64 length);
WEFT_API struct _cl_mem *weft_opencl_memory(weft_device *device, weft_array array,
                                            size_t *offset);
WEFT_API struct _cl_event *weft_record_opencl(weft_device *device);
WEFT_API weft_status weft_wait_opencl(weft_device *device, struct _cl_event *event);
WEFT_API weft_status weft_use_opencl_allocator(
    weft_device *device, const struct weft_opencl_allocator *allocator);

static weft_status refuse(weft_device *device, const char *call) {
    return weft_fail(device, WEFT_E_BACKEND, "%s: this library was built without OpenCL",
                     call);
}

weft_device *weft_open_opencl(struct _cl_context *context,
                              struct _cl_command_queue *queue) {
    (void)context, (void)queue;
    weft_device *device = weft_device_new();
    refuse(device, "weft_open_opencl");
    return device;
}

struct _cl_command_queue *weft_opencl_queue(weft_device *device) {
    refuse(device, "weft_opencl_queue");
    return NULL;
}

weft_array weft_borrow_opencl(weft_device *device, weft_type type, struct _cl_mem *memory,
                              i64 first, i64 length) {
    (void)memory, (void)first;
    refuse(device, "weft_borrow_opencl");
    return (weft_array){.length = length < 0 ? 0 : length, .type = type};
}

struct _cl_mem *weft_opencl_memory(weft_device *device, weft_array array, size_t *offset) {
    (void)array;
    *offset = 0;
    refuse(device, "weft_opencl_memory");
    return NULL;
}

weft_status weft_use_opencl_allocator(weft_device *device,
                                      const struct weft_opencl_allocator *allocator) {
    (void)allocator;
    return refuse(device, "weft_use_opencl_allocator");
}

struct _cl_event *weft_record_opencl(weft_device *device) {
    refuse(device, "weft_record_opencl");
    return NULL;
}

weft_status weft_wait_opencl(weft_device *device, struct _cl_event *event) {
    (void)event;
    return refuse(device, "weft_wait_opencl");
}
