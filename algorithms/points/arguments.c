#include "arguments.h"
#include "weft/version.h"

int arguments_given(weft_device *device, const char *call, const char *name,
                    const void *argument) {
    if (!argument && weft_check(device) == WEFT_OK)
        weft_fail(device, WEFT_E_ARGUMENT, "%s: '%s' is NULL", call, name);
    return weft_check(device) == WEFT_OK;
}

int arguments_known(weft_device *device, const char *call, const char *name,
                    const void *reserved, size_t bytes) {
    const unsigned char *byte = reserved;
    for (size_t k = 0; k < bytes && weft_check(device) == WEFT_OK; k++)
        if (byte[k] != 0)
            weft_fail(device, WEFT_E_ARGUMENT,
                      "%s: '%s' has members that version %s does not know: initialise it "
                      "by the names of its members, or use a newer library",
                      call, name, weft_version());
    return weft_check(device) == WEFT_OK;
}

int arguments_bodies(weft_device *device, const char *call, const weft_bodies *bodies) {
    return arguments_given(device, call, "bodies", bodies) &&
           arguments_known(device, call, "bodies", bodies->reserved,
                           sizeof bodies->reserved);
}
