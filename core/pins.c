/* Memory of the caller's that a device reaches by itself. */
#include "core.h"

#include <stdlib.h>

struct weft_pins {
    char *host;
    size_t bytes;
    void *handle; /* NULL: it is used as memory that nothing was said of */
    weft_pins *next;
};

weft_status weft_pin(weft_device *device, void *host, size_t bytes) {
    if (weft_check(device) != WEFT_OK)
        return weft_check(device);
    if (!host && bytes > 0)
        return weft_fail(device, WEFT_E_ARGUMENT, "weft_pin: %zu bytes at NULL", bytes);
    weft_pins *pins = malloc(sizeof *pins);
    if (!pins)
        return weft_fail(device, WEFT_E_MEMORY, "out of memory: memory to pin");
    *pins = (weft_pins){.host = host, .bytes = bytes, .next = device->pins};
    if (device->backend->pin && bytes > 0)
        pins->handle = device->backend->pin(device, host, bytes);
    device->pins = pins;
    return WEFT_OK;
}

static void end(weft_device *device, weft_pins **place) {
    weft_pins *pins = *place;
    *place = pins->next;
    if (pins->handle)
        device->backend->unpin(device, pins->handle, pins->host);
    free(pins);
}

weft_status weft_unpin(weft_device *device, void *host) {
    weft_pins **place = device ? &device->pins : NULL;
    while (place && *place && (*place)->host != host)
        place = &(*place)->next;
    if (place && *place)
        end(device, place);
    else
        weft_fail(device, WEFT_E_ARGUMENT,
                  "weft_unpin: nothing is pinned that begins at 'host'");
    return weft_check(device);
}

int weft_is_pinned(const weft_device *device, const void *host, size_t bytes) {
    const uintptr_t first = (uintptr_t)host;
    for (const weft_pins *p = device->pins; p; p = p->next) {
        const uintptr_t begin = (uintptr_t)p->host;
        if (p->handle && first >= begin && bytes <= p->bytes &&
            first - begin <= p->bytes - bytes)
            return 1;
    }
    return 0;
}

void weft_unpin_all(weft_device *device) {
    while (device->pins)
        end(device, &device->pins);
}
