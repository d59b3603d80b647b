/* Several queues of one device, and events between queues. */
#include "core.h"
#include "weft/queue.h"

#include <stdlib.h>
#include <string.h>

weft_device *weft_open_queue(weft_device *device) {
    weft_device *other = weft_device_new();
    if (!other)
        return NULL;
    if (weft_check(device) != WEFT_OK) {
        weft_fail(other, weft_check(device), "%s", weft_error(device));
    } else if (device->backend->open_beside(other, device) == WEFT_OK) {
        other->family = device->family;
        weft_device_start(other, device->backend);
    }
    return other;
}

/* An event of a device with an error has no mark. */
struct weft_event {
    const weft_backend *backend;
    u64 family;
    void *mark; /* NULL: nothing is under way */
    weft_status status;
    char message[sizeof((weft_device *)0)->message];
};

weft_event *weft_record(weft_device *device) {
    weft_event *event = device ? calloc(1, sizeof *event) : NULL;
    if (!event) {
        weft_fail(device, WEFT_E_MEMORY, "out of memory: an event");
        return NULL;
    }
    event->backend = device->backend;
    event->family = device->family;
    if (device->status == WEFT_OK && device->backend->mark)
        event->mark = device->backend->mark(device);
    event->status = device->status;
    memcpy(event->message, device->message, sizeof event->message);
    return event;
}

weft_status weft_wait_for(weft_device *device, const weft_event *event) {
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    if (!event)
        return weft_fail(device, WEFT_E_MEMORY,
                         "weft_wait_for: 'event' is NULL: out of memory when it was "
                         "recorded");
    if (event->status != WEFT_OK)
        return weft_fail(device, event->status, "%s", event->message);
    if (!event->mark)
        return WEFT_OK;
    const int beside = device->backend == event->backend && device->family == event->family;
    return beside ? event->backend->wait_behind(device, event->mark)
                  : event->backend->wait_here(device, event->mark);
}

int weft_event_done(const weft_event *event) {
    return !event || !event->mark || event->backend->is_past(event->mark);
}

void weft_event_free(weft_event *event) {
    if (event && event->mark)
        event->backend->forget(event->mark);
    free(event);
}
