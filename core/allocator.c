/* The caller's allocator. */
#include "pool.h"

weft_status weft_need_zeros(weft_device *device, const char *call, const char *what,
                            const u64 *reserved, size_t bytes) {
    for (size_t k = 0; k < bytes / sizeof *reserved; k++)
        if (reserved[k] != 0)
            return weft_fail(device, WEFT_E_ARGUMENT,
                             "%s: '%s' has members that version %s does not know: "
                             "initialise it by the names of its members, or use a newer "
                             "library",
                             call, what, weft_version());
    return weft_check(device);
}

weft_status weft_need_no_memory(weft_device *device, const char *call) {
    weft_memory_trim(device);
    if (device->pool->buffers)
        weft_fail(device, WEFT_E_ARGUMENT,
                  "%s: comes before the device's first array, but %zu bytes are in use",
                  call, (size_t)device->pool->use.used);
    return weft_check(device);
}

static weft_status check_allocator(weft_device *device, const weft_allocator *allocator) {
    static const char call[] = "weft_use_allocator";
    if (!device->backend->in_host_memory)
        return weft_fail(device, WEFT_E_BACKEND,
                         "%s: arrays of backend '%s' do not lie in memory of the host",
                         call, device->backend->name);
    if (!allocator)
        return WEFT_OK;
    if (!allocator->allocate || !allocator->release)
        return weft_fail(device, WEFT_E_ARGUMENT, "%s: 'allocator' lacks a function", call);
    return weft_need_zeros(device, call, "allocator", allocator->reserved,
                           sizeof allocator->reserved);
}

weft_status weft_use_allocator(weft_device *device, const weft_allocator *allocator) {
    const weft_allocator own = {0};
    if (weft_check(device) == WEFT_OK && check_allocator(device, allocator) == WEFT_OK &&
        weft_need_no_memory(device, "weft_use_allocator") == WEFT_OK)
        device->allocator = allocator ? *allocator : own;
    return weft_check(device);
}
