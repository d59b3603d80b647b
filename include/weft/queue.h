/* Several queues of one device, and events between queues.
 *
 * What weft_open returns is one queue: calls on it run in order. On OpenCL they return
 * before their work is done, so that queues work at the same time; on the other backends a
 * call's work is done when it returns, and queues of several threads work at the same time.
 * Programs that order queues by events are right on both. */
#ifndef WEFT_QUEUE_H
#define WEFT_QUEUE_H

#include "device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Opens another queue of the device that `device` is on: a weft_device of its own, with its
 * own pool, scopes and error, for a thread of its own if wanted. Arrays of either may be
 * used on both; each is freed on the one that made it, and ends with that one. Work of
 * different queues that touches one array, one of them writing, is ordered by events (or
 * weft_synchronize). So is the end of an array that another queue uses: freed memory goes
 * to the next array of the queue that freed it.
 * Kernels that one of them compiled are there for the others. The allocator is not taken
 * over. Close it with weft_close, before or after `device`.
 * Returns NULL only if the host is out of memory, otherwise, after an error, a device on
 * which every call returns it.
 * Errors: that of `device`, WEFT_E_DEVICE, WEFT_E_MEMORY. */
WEFT_API weft_device *weft_open_queue(weft_device *device);

/* All work that was given to a device up to a point. It outlives its device. */
typedef struct weft_event weft_event;

/* The work up to now; does not wait. After an error of the device the event has that error,
 * and hands it on. NULL: out of memory, which is then the device's error, or no device.
 * Free it with weft_event_free. Cost: a marker in the queue, which is flushed. */
WEFT_API weft_event *weft_record(weft_device *device);

/* What is given to `device` from now on begins after the event. It does not wait on the
 * host where both are queues of one OpenCL context, and waits where they are not. Of a
 * device with an error when the event was recorded, `device` gets the same error and
 * sentence. Errors: those of the event, WEFT_E_MEMORY (NULL), WEFT_E_DEVICE. */
WEFT_API weft_status weft_wait_for(weft_device *device, const weft_event *event);

/* Whether the work is done, or failed; does not wait. */
WEFT_API int weft_event_done(const weft_event *event);

/* NULL does nothing. Queues that were told to wait still do. */
WEFT_API void weft_event_free(weft_event *event);

#ifdef __cplusplus
}
#endif
#endif
