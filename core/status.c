/* A device's sticky error. */
#include "core.h"

#include <stdarg.h>
#include <stdio.h>

weft_status weft_check(const weft_device *device) {
    return device ? device->status : WEFT_E_MEMORY;
}

const char *weft_error(const weft_device *device) {
    return device ? device->message : "out of memory while opening a device";
}

void weft_clear(weft_device *device) {
    if (!device || !device->backend)
        return;
    device->status = WEFT_OK;
    device->message[0] = '\0';
}

weft_status weft_fail(weft_device *device, weft_status status, const char *format, ...) {
    if (!device)
        return WEFT_E_MEMORY;
    if (device->status == WEFT_OK) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(device->message, sizeof device->message, format, arguments);
        va_end(arguments);
        device->status = status;
    }
    return device->status;
}
