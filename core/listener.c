/* Listeners: how far calls have come. */
#include "core.h"
#include "weft/listener.h"

weft_status weft_listen(weft_device *device, weft_listener *listener, void *context) {
    if (!device)
        return weft_check(device);
    weft_hearing *h = &device->hearing;
    if (h->depth > 0)
        return weft_fail(device, WEFT_E_ARGUMENT,
                         "weft_listen: within a call (%s), whose listener is at work",
                         h->call);
    h->listener = listener;
    h->context = context;
    return weft_check(device);
}

/* Tells what is more than before; at 1 nobody is asked whether to go on. */
static void tell(weft_device *device, double done) {
    weft_hearing *h = &device->hearing;
    if (!h->listener || weft_check(device) != WEFT_OK || !(done > h->done))
        return;
    h->done = done;
    if (h->listener(h->context, h->call, done) != 0 && done < 1)
        weft_fail(device, WEFT_E_STOPPED, "%s: ended by its listener at %.0f %%", h->call,
                  100 * done);
}

void weft_task_begin(weft_device *device, const char *name) {
    if (!device)
        return;
    weft_hearing *h = &device->hearing;
    h->launch = 0;
    if (h->depth == 0) {
        h->task[0] = (weft_heard_task){.end = 1};
        h->call = name;
        h->done = -1;
    } else if (h->depth < WEFT_TASKS) {
        const weft_heard_task *outer = &h->task[h->depth - 1];
        h->task[h->depth] =
            (weft_heard_task){outer->from, outer->to, outer->from, outer->from};
    }
    if (h->depth++ == 0)
        tell(device, 0);
}

weft_status weft_task_until(weft_device *device, double part) {
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    weft_hearing *h = &device->hearing;
    if (h->depth < 1 || h->depth > WEFT_TASKS)
        return WEFT_OK;
    weft_heard_task *t = &h->task[h->depth - 1];
    const double to = t->begin + (t->end - t->begin) * (part < 1 ? part : 1);
    t->from = t->to;
    t->to = to > t->from ? to : t->from;
    h->launch = t->to > t->from;
    if (t->from < 1)
        tell(device, t->from);
    return weft_check(device);
}

void weft_task_end(weft_device *device) {
    if (!device || device->hearing.depth == 0)
        return;
    device->hearing.launch = 0;
    if (--device->hearing.depth == 0)
        tell(device, 1);
}

int weft_hears_launch(weft_device *device) {
    weft_hearing *h = &device->hearing;
    const int hears = h->launch && h->listener;
    h->launch = 0;
    return hears;
}

int weft_tell_launch(weft_device *device, double part) {
    const weft_hearing *h = &device->hearing;
    const weft_heard_task *t = &h->task[h->depth - 1];
    if (part < 1)
        tell(device, t->from + (t->to - t->from) * part);
    return weft_check(device) == WEFT_OK;
}
