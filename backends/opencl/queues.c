/* Queues beside each other, and events between them: a mark is a cl_event. */
#include "entries.h"
#include "backends/opencl/program/program.h"

#include <stdio.h>

weft_status opencl_open_beside(weft_device *device, weft_device *other) {
    const opencl_state *state = opencl_of(other);
    cl_platform_id platform = NULL;
    snprintf(device->name, sizeof device->name, "%s", other->name);
    cl_int code =
        clGetDeviceInfo(state->id, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
    if (code != CL_SUCCESS)
        return opencl_fail(device, "clGetDeviceInfo", code, "weft_open_queue");
    code = clRetainContext(state->context);
    if (code != CL_SUCCESS)
        return opencl_fail(device, "clRetainContext", code, "weft_open_queue");
    return opencl_open_on(device, platform, state->id, state->context, NULL, other);
}

void *opencl_mark(weft_device *device) {
    const cl_command_queue queue = opencl_of(device)->queue;
    cl_event event = NULL;
    cl_int code = clEnqueueMarkerWithWaitList(queue, 0, NULL, &event);
    if (code != CL_SUCCESS) {
        opencl_fail(device, "clEnqueueMarkerWithWaitList", code, NULL);
        return NULL;
    }
    code = clFlush(queue); /* who waits for it may not be able to */
    if (code == CL_SUCCESS)
        return event;
    clReleaseEvent(event);
    opencl_fail(device, "clFlush", code, NULL);
    return NULL;
}

weft_status opencl_wait_behind(weft_device *device, void *mark) {
    const cl_event event = mark;
    const cl_int code =
        clEnqueueBarrierWithWaitList(opencl_of(device)->queue, 1, &event, NULL);
    return code == CL_SUCCESS
               ? WEFT_OK
               : opencl_fail(device, "clEnqueueBarrierWithWaitList", code, NULL);
}

weft_status opencl_wait_here(weft_device *device, void *mark) {
    const cl_event event = mark;
    cl_int code = clWaitForEvents(1, &event), status = CL_COMPLETE;
    if (code == CL_SUCCESS) /* NVIDIA's says so of those that failed, too */
        code = clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                              &status, NULL);
    if (code == CL_SUCCESS && status < 0)
        code = status;
    return code == CL_SUCCESS ? WEFT_OK
                              : opencl_fail(device, "clWaitForEvents", code, NULL);
}

int opencl_is_past(void *mark) {
    cl_int status = CL_COMPLETE;
    return clGetEventInfo(mark, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                          NULL) != CL_SUCCESS ||
           status <= CL_COMPLETE; /* below: it failed */
}

void opencl_forget(void *mark) {
    clReleaseEvent(mark);
}
