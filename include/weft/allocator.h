/* The caller's allocator for what a device holds in memory of the host. */
#ifndef WEFT_ALLOCATOR_H
#define WEFT_ALLOCATOR_H

#include "device.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_allocator {
    /* At least `bytes` bytes at a multiple of `alignment`, a power of 2; NULL: there is no
     * more. The library asks once more after it has released what it does not use. */
    void *(*allocate)(void *user, size_t bytes, size_t alignment);
    /* Ends memory of `allocate`; the same number of bytes. */
    void (*release)(void *user, void *memory, size_t bytes);
    void *user;           /* handed to both */
    uint64_t reserved[5]; /* 0 */
} weft_allocator;

/* From now on all memory of the device's arrays and scratch comes from `allocator`, which
 * is copied; NULL: from the library's own again. The pool stands before it as before: it
 * asks for multiples of 256 bytes, and for several arrays of 64 KiB to 1 MiB at once where
 * that is no more than an eighth of what it holds; keeps what is freed for later arrays,
 * and releases it in weft_memory_trim, where memory is short, and in weft_close, which
 * releases all. Both functions are called by the thread that uses the device, within calls
 * on it, and must not use it. Backend `checking` asks for more, for the bytes beside
 * arrays that it watches, and has no guard pages there. Some kilobytes of bookkeeping come
 * from malloc, as do the plans of FFTW. Errors: WEFT_E_ARGUMENT (a function is missing; an
 * array, scratch or a loan is there already), WEFT_E_BACKEND (opencl: see
 * <weft/opencl.h>). Later, where `allocate` returns NULL: WEFT_E_MEMORY; memory that is
 * not aligned: WEFT_E_ARGUMENT. */
WEFT_API weft_status weft_use_allocator(weft_device *device,
                                        const weft_allocator *allocator);

#ifdef __cplusplus
}
#endif
#endif
