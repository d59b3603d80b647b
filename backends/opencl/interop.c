/* Devices, buffers and queues that a program shares with the library. */
#include "entries.h"
#include "backends/opencl/program/program.h"

extern const weft_backend weft_backend_opencl;

/* What a queue is. */
typedef struct queue_facts {
    cl_context context;
    cl_device_id id;
    cl_command_queue_properties properties;
} queue_facts;

static cl_int ask_queue(cl_command_queue queue, queue_facts *facts) {
    cl_int code = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof facts->context,
                                        &facts->context, NULL);
    if (code == CL_SUCCESS)
        code = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof facts->id, &facts->id,
                                     NULL);
    if (code == CL_SUCCESS)
        code = clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof facts->properties,
                                     &facts->properties, NULL);
    return code;
}

static weft_status check_queue(weft_device *device, cl_context context,
                               cl_command_queue queue, cl_device_id *id) {
    queue_facts facts;
    const cl_int code = ask_queue(queue, &facts);
    if (code != CL_SUCCESS)
        return opencl_fail(device, "clGetCommandQueueInfo", code, "weft_open_opencl");
    if (facts.context != context)
        return weft_fail(device, WEFT_E_ARGUMENT,
                         "weft_open_opencl: 'queue' is of another context");
    if (facts.properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)
        return weft_fail(device, WEFT_E_ARGUMENT,
                         "weft_open_opencl: 'queue' runs out of order, but calls rely on "
                         "the order of their queue");
    *id = facts.id;
    return WEFT_OK;
}

static weft_status first_device(weft_device *device, cl_context context, cl_device_id *id) {
    enum { MOST = 256 };
    cl_device_id all[MOST];
    size_t bytes = 0;
    const cl_int code =
        clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof all, all, &bytes);
    if (code != CL_SUCCESS)
        return opencl_fail(device, "clGetContextInfo", code, "weft_open_opencl");
    if (bytes < sizeof *all)
        return weft_fail(device, WEFT_E_ARGUMENT,
                         "weft_open_opencl: 'context' has no device");
    *id = all[0];
    return WEFT_OK;
}

static weft_status retain(weft_device *device, cl_context context, cl_command_queue queue) {
    cl_int code = clRetainContext(context);
    if (code != CL_SUCCESS)
        return opencl_fail(device, "clRetainContext", code, "weft_open_opencl");
    code = queue ? clRetainCommandQueue(queue) : CL_SUCCESS;
    if (code == CL_SUCCESS)
        return WEFT_OK;
    clReleaseContext(context);
    return opencl_fail(device, "clRetainCommandQueue", code, "weft_open_opencl");
}

static weft_status open_on(weft_device *device, cl_context context,
                           cl_command_queue queue) {
    cl_device_id id = NULL;
    cl_platform_id platform = NULL;
    if (!context)
        return weft_fail(device, WEFT_E_ARGUMENT, "weft_open_opencl: 'context' is NULL");
    if ((queue ? check_queue(device, context, queue, &id)
               : first_device(device, context, &id)) != WEFT_OK)
        return weft_check(device);
    const cl_int code =
        clGetDeviceInfo(id, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
    if (code != CL_SUCCESS)
        return opencl_fail(device, "clGetDeviceInfo", code, "weft_open_opencl");
    opencl_describe(platform, id, device->name, sizeof device->name);
    if (retain(device, context, queue) != WEFT_OK)
        return weft_check(device);
    return opencl_open_on(device, platform, id, context, queue, NULL);
}

weft_device *weft_open_opencl(cl_context context, cl_command_queue queue) {
    weft_device *device = weft_device_new();
    if (device && open_on(device, context, queue) == WEFT_OK)
        weft_device_start(device, &weft_backend_opencl);
    return device;
}

/* That the device of `call` is one of this backend, without an error. */
static int is_ours(weft_device *device, const char *call) {
    if (weft_check(device) != WEFT_OK)
        return 0;
    if (device->backend != &weft_backend_opencl)
        weft_fail(device, WEFT_E_BACKEND, "%s: the device is of backend '%s', not 'opencl'",
                  call, device->backend->name);
    return weft_check(device) == WEFT_OK;
}

cl_command_queue weft_opencl_queue(weft_device *device) {
    return is_ours(device, "weft_opencl_queue") ? opencl_of(device)->queue : NULL;
}

cl_mem weft_opencl_memory(weft_device *device, weft_array array, size_t *offset) {
    weft_span span = {0};
    *offset = 0;
    if (!is_ours(device, "weft_opencl_memory") ||
        weft_need_memory(device, "weft_opencl_memory.array", array, 0, 0, &span) !=
            WEFT_OK ||
        !span.memory)
        return NULL;
    *offset = (size_t)span.first * WEFT_SIZE(span.type);
    return span.memory;
}

/* What a buffer is. */
typedef struct memory_facts {
    cl_mem_object_type type;
    cl_context context;
    cl_mem_flags flags;
    size_t bytes;
} memory_facts;

static cl_int ask_memory(cl_mem memory, memory_facts *facts) {
    const struct {
        cl_mem_info what;
        size_t size;
        void *to;
    } wanted[] = {{CL_MEM_TYPE, sizeof facts->type, &facts->type},
                  {CL_MEM_CONTEXT, sizeof facts->context, &facts->context},
                  {CL_MEM_FLAGS, sizeof facts->flags, &facts->flags},
                  {CL_MEM_SIZE, sizeof facts->bytes, &facts->bytes}};
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        const cl_int code =
            clGetMemObjectInfo(memory, wanted[k].what, wanted[k].size, wanted[k].to, NULL);
        if (code != CL_SUCCESS)
            return code;
    }
    return CL_SUCCESS;
}

static weft_status refuse(weft_device *device, const char *reason) {
    return weft_fail(device, WEFT_E_ARGUMENT, "weft_borrow_opencl: 'memory' %s", reason);
}

/* That these elements of a buffer can be an array. */
static weft_status check_buffer(weft_device *device, const memory_facts *facts,
                                weft_type type, i64 first, i64 length) {
    const size_t size = WEFT_SIZE(type);
    if (facts->type != CL_MEM_OBJECT_BUFFER)
        return refuse(device, "is an image or a pipe, and no buffer");
    if (facts->context != opencl_of(device)->context)
        return refuse(device, "is of another context than the device");
    if (facts->flags & CL_MEM_WRITE_ONLY)
        return refuse(device, "is CL_MEM_WRITE_ONLY");
    if (size == 0 || first < 0 || length < 0)
        return weft_fail(device, WEFT_E_ARGUMENT,
                         "weft_borrow_opencl: cannot borrow %lld elements of %zu bytes "
                         "from %lld on",
                         (long long)length, size, (long long)first);
    const u64 elements = facts->bytes / size;
    if ((u64)length > elements || (u64)first > elements - (u64)length)
        return weft_fail(device, WEFT_E_SHAPE,
                         "weft_borrow_opencl: %lld elements of %zu bytes from %lld on are "
                         "not inside a buffer of %zu bytes",
                         (long long)length, size, (long long)first, facts->bytes);
    return WEFT_OK;
}

weft_array weft_borrow_opencl(weft_device *device, weft_type type, cl_mem memory, i64 first,
                              i64 length) {
    const weft_array none = {.length = length < 0 ? 0 : length, .type = type};
    memory_facts facts = {0};
    if (!is_ours(device, "weft_borrow_opencl"))
        return none;
    if (!memory) {
        refuse(device, "is NULL");
        return none;
    }
    cl_int code = ask_memory(memory, &facts);
    if (code != CL_SUCCESS) {
        opencl_fail(device, "clGetMemObjectInfo", code, "weft_borrow_opencl");
        return none;
    }
    if (check_buffer(device, &facts, type, first, length) != WEFT_OK || length == 0)
        return none;
    code = clRetainMemObject(memory);
    if (code != CL_SUCCESS) {
        opencl_fail(device, "clRetainMemObject", code, "weft_borrow_opencl");
        return none;
    }
    const weft_array array = weft_lend(device, type, memory, first, length,
                                       (facts.flags & CL_MEM_READ_ONLY) != 0);
    if (!array.buffer)
        clReleaseMemObject(memory);
    return array;
}

cl_event weft_record_opencl(weft_device *device) {
    return is_ours(device, "weft_record_opencl") ? opencl_mark(device) : NULL;
}

weft_status weft_wait_opencl(weft_device *device, cl_event event) {
    cl_context context = NULL;
    if (!is_ours(device, "weft_wait_opencl"))
        return weft_check(device);
    if (!event)
        return weft_fail(device, WEFT_E_ARGUMENT, "weft_wait_opencl: 'event' is NULL");
    const cl_int code =
        clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof context, &context, NULL);
    if (code != CL_SUCCESS)
        return opencl_fail(device, "clGetEventInfo", code, "weft_wait_opencl");
    return context == opencl_of(device)->context ? opencl_wait_behind(device, event)
                                                 : opencl_wait_here(device, event);
}

weft_status weft_use_opencl_allocator(weft_device *device,
                                      const weft_opencl_allocator *allocator) {
    static const char call[] = "weft_use_opencl_allocator";
    const weft_opencl_allocator own = {0};
    if (!is_ours(device, call))
        return weft_check(device);
    if (allocator && (!allocator->allocate || !allocator->release))
        return weft_fail(device, WEFT_E_ARGUMENT, "%s: 'allocator' lacks a function", call);
    if ((allocator && weft_need_zeros(device, call, "allocator", allocator->reserved,
                                      sizeof allocator->reserved) != WEFT_OK) ||
        weft_need_no_memory(device, call) != WEFT_OK)
        return weft_check(device);
    opencl_free_look_back(device);
    opencl_free_sort_counts(device);
    opencl_of(device)->allocator = allocator ? *allocator : own;
    return WEFT_OK;
}
