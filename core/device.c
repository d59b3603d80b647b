/* Opening and closing devices, and what they are. */
#include "pool.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* `variable`: the name is that of the environment. */
static const weft_backend *find_backend(weft_device *device, int variable, const char *name,
                                        size_t length) {
    for (i64 k = 0; k < weft_backend_count; k++)
        if (strlen(weft_backends[k]->name) == length &&
            strncmp(weft_backends[k]->name, name, length) == 0)
            return weft_backends[k];
    char list[128] = "";
    for (i64 k = 0; k < weft_backend_count; k++) {
        strcat(list, k ? ", " : "");
        strcat(list, weft_backends[k]->name);
    }
    weft_fail(device, WEFT_E_BACKEND, "%sno backend '%.*s' is built in (there is %s)",
              variable ? "WEFT_BACKEND: " : "", (int)length, name, list);
    return NULL;
}

/* $WEFT_STYLE takes the place of what the backend says of the device. */
static weft_status force_style(weft_device *device) {
    const char *wanted = getenv("WEFT_STYLE");
    if (!wanted || !*wanted)
        return WEFT_OK;
    if (strcmp(wanted, "simd") == 0)
        device->style = WEFT_SIMD;
    else if (strcmp(wanted, "simt") == 0)
        device->style = WEFT_SIMT;
    else
        weft_fail(device, WEFT_E_BACKEND, "WEFT_STYLE: '%s' is neither simd nor simt",
                  wanted);
    return weft_check(device);
}

weft_device *weft_device_new(void) {
    weft_device *device = calloc(1, sizeof *device);
    if (!device)
        return NULL;
    device->pool = weft_pool_new();
    if (!device->pool) {
        free(device);
        return NULL;
    }
    return device;
}

/* A number that no other device has. */
static u64 new_family(void) {
    static atomic_uint_fast64_t families;
    return atomic_fetch_add(&families, 1) + 1;
}

void weft_device_start(weft_device *device, const weft_backend *backend) {
    device->family = device->family ? device->family : new_family();
    device->pool->family = device->family;
    if (force_style(device) == WEFT_OK)
        device->backend = backend;
    else
        backend->close(device);
}

weft_device *weft_open(const char *name) {
    weft_device *device = weft_device_new();
    if (!device)
        return NULL;
    const int variable = !name || !*name;
    if (variable)
        name = getenv("WEFT_BACKEND");
    if (!name || !*name)
        name = weft_backends[0]->name;
    const char *colon = strchr(name, ':');
    const size_t length = colon ? (size_t)(colon - name) : strlen(name);
    const weft_backend *backend = find_backend(device, variable, name, length);
    if (backend && backend->open(device, colon ? colon + 1 : NULL) == WEFT_OK)
        weft_device_start(device, backend);
    return device;
}

void weft_close(weft_device *device) {
    if (!device)
        return;
    if (device->backend)
        device->backend->synchronize(device);
    weft_unpin_all(device);
    weft_pool_free(device);
    if (device->backend)
        device->backend->close(device);
    free(device);
}

weft_status weft_load_ahead(weft_device *device, const char *task) {
    if (weft_check(device) == WEFT_OK && !task)
        weft_fail(device, WEFT_E_ARGUMENT, "weft_load_ahead: 'task' is NULL");
    if (weft_check(device) == WEFT_OK && device->backend->load_ahead &&
        device->style == WEFT_SIMT)
        device->backend->load_ahead(device, task);
    return weft_check(device);
}

weft_status weft_synchronize(weft_device *device) {
    if (weft_check(device) == WEFT_OK)
        device->backend->synchronize(device);
    return weft_check(device);
}

const char *weft_backend_name(const weft_device *device) {
    return device && device->backend ? device->backend->name : "none";
}

const char *weft_device_name(const weft_device *device) {
    return device ? device->name : "";
}

weft_style weft_device_style(const weft_device *device) {
    return device ? device->style : WEFT_SIMD;
}

i64 weft_concurrency(const weft_device *device) {
    return device && device->concurrency > 0 ? device->concurrency : 1;
}

i64 weft_devices(weft_device_info *info, i64 capacity) {
    i64 count = 0;
    for (i64 k = 0; k < weft_backend_count; k++) {
        const i64 room = count < capacity ? capacity - count : 0;
        count += weft_backends[k]->devices(room ? info + count : NULL, room);
    }
    return count;
}

const char *weft_backend_built_in(i64 k) {
    return k >= 0 && k < weft_backend_count ? weft_backends[k]->name : NULL;
}

const char *weft_version(void) {
    return WEFT_LIBRARY_VERSION;
}
