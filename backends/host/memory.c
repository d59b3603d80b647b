/* Host memory as device memory. */
#define _DEFAULT_SOURCE
#include "host.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Huge pages pay where memory is used at random many times over; a process that touches it
 * once pays for them instead, on virtual machines three times as much as for small ones. */
enum { HUGE_PAGE = 2 << 20, HUGE_FROM = 64 << 20 };

enum { ALIGN = 64 };

/* Linux's MADV_POPULATE_WRITE, which older headers do not name and older kernels refuse. */
enum { POPULATE_WRITE = 23 };

/* One thread that fills memory page by page waits for the kernel a quarter less if it asks
 * for all pages at once. Several threads do better to touch each their own. */
static void touch(const weft_device *device, void *memory, size_t bytes) {
    if (device && device->concurrency == 1)
        madvise(memory, bytes, POPULATE_WRITE);
}

static void *allocate_by(weft_device *device, size_t bytes) {
    const weft_allocator *from = &device->allocator;
    void *memory = from->allocate(from->user, bytes, ALIGN);
    if ((uintptr_t)memory % ALIGN == 0)
        return memory;
    from->release(from->user, memory, bytes);
    weft_fail(device, WEFT_E_ARGUMENT,
              "weft_use_allocator: memory of 'allocate' is not aligned to %d bytes", ALIGN);
    return NULL;
}

void *host_allocate(weft_device *device, size_t bytes) {
    if (device && device->allocator.allocate)
        return allocate_by(device, bytes);
    const size_t align = bytes >= HUGE_PAGE ? HUGE_PAGE : ALIGN;
    if (bytes > SIZE_MAX - align)
        return NULL;
    const size_t rounded = (bytes + align - 1) / align * align;
    void *memory = aligned_alloc(align, rounded);
    if (memory && bytes >= HUGE_FROM)
        madvise(memory, rounded, MADV_HUGEPAGE); /* a hint: it may say no */
    else if (memory && align == HUGE_PAGE)
        touch(device, memory, bytes);
    return memory;
}

void host_release(weft_device *device, void *memory, size_t bytes) {
    if (device && device->allocator.allocate)
        device->allocator.release(device->allocator.user, memory, bytes);
    else
        free(memory);
}

void *host_borrow(weft_device *device, void *host, size_t bytes, int read_only) {
    (void)device, (void)bytes, (void)read_only;
    return host;
}

weft_status host_give_back(weft_device *device, void *memory, void *host, size_t bytes,
                           int read_only) {
    (void)device, (void)memory, (void)host, (void)bytes, (void)read_only;
    return WEFT_OK;
}

weft_status host_write(weft_device *device, void *memory, size_t offset, const void *host,
                       size_t bytes) {
    (void)device;
    memcpy((char *)memory + offset, host, bytes);
    return WEFT_OK;
}

weft_status host_read(weft_device *device, void *memory, size_t offset, void *host,
                      size_t bytes) {
    (void)device;
    memcpy(host, (const char *)memory + offset, bytes);
    return WEFT_OK;
}
