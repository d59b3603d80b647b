#include "closing.h"

#include <stddef.h>

static void *close_device(void *device) {
    weft_close(device);
    return NULL;
}

void closing_begin(struct closing *closing, weft_device *device) {
    closing->device = device;
    closing->apart =
        device && pthread_create(&closing->thread, NULL, close_device, device) == 0;
}

void closing_end(struct closing *closing) {
    if (closing->apart)
        pthread_join(closing->thread, NULL);
    else
        weft_close(closing->device);
    *closing = (struct closing){.device = NULL};
}
