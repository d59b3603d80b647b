#include "hear.h"
#include "progress.h"

#include <weft/listener.h>

static int hear(void *context, const char *call, double done) {
    (void)context;
    (void)call;
    progress_inside(done);
    return progress_stopped();
}

void hear_calls(weft_device *device) {
    if (progress_is_heard())
        weft_listen(device, hear, NULL);
}

weft_device *hear_open(const struct shared_options *options, int *status) {
    weft_device *device = options_open(options, status);
    if (device)
        hear_calls(device);
    return device;
}

void hear_nothing(weft_device *device) {
    weft_listen(device, NULL, NULL);
}
