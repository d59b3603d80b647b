/* Arrays and the memory they lie in.
 *
 * An array is a small value: pass and copy it freely; all copies and slices name the same
 * memory. Lengths count elements and may exceed 2^32. An array whose memory is gone (freed,
 * returned, of a closed scope or device) or is another device's is WEFT_E_ARGUMENT in every
 * call. */
#ifndef WEFT_ARRAY_H
#define WEFT_ARRAY_H

#include "device.h"
#include "typed.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_array {
    struct weft_buffer *buffer;             /* NULL for lazy arrays */
    int64_t first, length;                  /* in elements */
    weft_type type;                         /* 0: no array at all */
    uint32_t read_only : 1;                 /* 1: any write to it is an error */
    uint32_t turn : 31;                     /* tells whose memory or arguments are gone */
    const struct weft_generator *generator; /* lazy arrays: computed as they are read, */
    const void *arguments;                  /*   from these (see weft_lazy) */
} weft_array;

/* A new array, contents undefined. Free it with weft_array_free; weft_close frees it too.
 * After an error the result is an array without memory, which every call accepts; the same
 * holds for the calls below that return arrays.
 * Errors: WEFT_E_ARGUMENT (length below 0, no such type), WEFT_E_MEMORY with the number of
 * bytes. */
WEFT_API weft_array weft_array_new(weft_device *device, weft_type type, int64_t length);

/* Returns the memory of the array, and so of all its slices, to the pool, without waiting.
 * Does nothing for scratch, borrowed, lazy and empty arrays. */
WEFT_API void weft_array_free(weft_device *device, weft_array array);

/* The caller's own memory as an array. Nothing is copied, except by discrete OpenCL
 * devices, which copy in here and copy back in weft_return.
 *   host      [length] T, aligned for T; remains the caller's, and must outlive the array
 * While it is lent, the caller may read it only after weft_synchronize, and not write it.
 * weft_return waits, makes the changes of kernels visible in `host`, and ends the array.
 * Nothing can write to an array of weft_borrow_const: such a launch is refused. What was
 * not lent weft_return leaves as it is. Errors: WEFT_E_ARGUMENT (NULL with length > 0;
 * numbers at an address that is no multiple of their size), WEFT_E_MEMORY. */
WEFT_API weft_array weft_borrow(weft_device *device, weft_type type, void *host,
                                int64_t length);
WEFT_API weft_array weft_borrow_const(weft_device *device, weft_type type, const void *host,
                                      int64_t length);
WEFT_API weft_status weft_return(weft_device *device, weft_array array);

/* Elements [first, first + length) of an array, as an array: the same memory.
 * Errors: WEFT_E_SHAPE where they are not all inside. Not for lazy arrays. */
WEFT_API weft_array weft_slice(weft_device *device, weft_array array, int64_t first,
                               int64_t length);

/* The same memory seen as elements of another type; the bytes must divide evenly.
 * Errors: WEFT_E_TYPE. Not for lazy arrays. */
WEFT_API weft_array weft_as(weft_device *device, weft_array array, weft_type type);

/* Copies all of `host` [array.length] T to the array, or the array to `host`. weft_read
 * waits; weft_write does until `host` may be used again. After an error weft_read fills
 * `host` with zeros. Parts: read or write a slice. */
WEFT_API weft_status weft_write(weft_device *device, weft_array array, const void *host);
WEFT_API weft_status weft_read(weft_device *device, weft_array array, void *host);

/* The same copies, for which nobody waits: they are part of the device's work, in order
 * with it, and done when an event that was recorded behind them is, or with
 * weft_synchronize; until then `host` is left alone. On OpenCL they go beside the work of
 * other queues where `host` is memory that one of the queues has pinned. After an error
 * weft_read_later fills `host` with zeros at once. */
WEFT_API weft_status weft_write_later(weft_device *device, weft_array array,
                                      const void *host);
WEFT_API weft_status weft_read_later(weft_device *device, weft_array array, void *host);

/* Memory of the caller's that the device is to reach by itself. Discrete OpenCL devices pin
 * its pages: weft_write from any part of it and weft_read to it then go at the bus's own
 * rate, without another copy on the way. To pin takes as long as a copy or two, and as much
 * memory of the device, which weft_memory_use does not tell: it pays for what is used again
 * and again. What a device cannot pin, and all memory on other devices, is used as before.
 *   host   [bytes], whole pages at best; may be shared with other processes, none of which
 *          writes there during weft_pin
 * It remains the caller's, to read and write between calls, and must last until weft_unpin,
 * which waits, or weft_close. Errors: WEFT_E_ARGUMENT (NULL with bytes > 0; nothing is
 * pinned that begins at `host`), WEFT_E_MEMORY. */
WEFT_API weft_status weft_pin(weft_device *device, void *host, size_t bytes);
WEFT_API weft_status weft_unpin(weft_device *device, void *host);

/* Where the first element of an array in memory lies, for other libraries, on backends
 * whose memory is the host's (serial, pthreads, checking): aligned to 64 bytes, but for
 * slices and memory that was lent. The address holds as long as the array. Between calls
 * the caller may read and write there; array.read_only: only read. NULL of an empty array.
 * Errors: WEFT_E_BACKEND (opencl: see <weft/opencl.h>), WEFT_E_ARGUMENT (lazy). */
WEFT_API void *weft_address(weft_device *device, weft_array array);

/* Scratch memory, contents undefined. Scopes nest. Closing one returns all scratch taken
 * since it was opened to the device's pool, without waiting. The pool keeps the memory, so
 * a second run of the same step allocates nothing. Closing works after errors, too.
 * Errors: WEFT_E_ARGUMENT (closing, or scratch, where no scope is open; as weft_array_new),
 * WEFT_E_MEMORY. */
WEFT_API void weft_scope_open(weft_device *device);
WEFT_API void weft_scope_close(weft_device *device);
WEFT_API weft_array weft_scratch(weft_device *device, weft_type type, int64_t length);

/* Bytes that arrays and scratch use now, the most that they used since the last reset, and
 * the bytes that the pool holds. Borrowed memory is not counted; copies of it on a discrete
 * device are. weft_memory_trim frees what the pool holds and nothing uses. */
typedef struct weft_memory {
    uint64_t used, peak, held;
    uint64_t reserved[5]; /* 0 */
} weft_memory;
WEFT_API weft_memory weft_memory_use(const weft_device *device);
WEFT_API void weft_memory_reset_peak(weft_device *device);
WEFT_API void weft_memory_trim(weft_device *device);

#ifndef __cplusplus /* see typed.h */
static inline weft_array weft_borrow_of(weft_device *device, weft_type type, void *host,
                                        int64_t length, weft_type pointed) {
    const int64_t many = length < 0 ? 0 : length;
    weft_typed(device, "weft_borrow: 'host'", pointed, type, many, NULL);
    return weft_borrow(device, type, host, length);
}
static inline weft_array weft_borrow_const_of(weft_device *device, weft_type type,
                                              const void *host, int64_t length,
                                              weft_type pointed) {
    const int64_t many = length < 0 ? 0 : length;
    weft_typed(device, "weft_borrow_const: 'host'", pointed, type, many, NULL);
    return weft_borrow_const(device, type, host, length);
}
static inline weft_status weft_write_of(weft_device *device, weft_array array,
                                        const void *host, weft_type pointed) {
    weft_typed(device, "weft_write: 'host'", pointed, array.type, array.length, NULL);
    return weft_write(device, array, host);
}
static inline weft_status weft_read_of(weft_device *device, weft_array array, void *host,
                                       weft_type pointed) {
    if (!weft_typed(device, "weft_read: 'host'", pointed, array.type, array.length, host))
        return weft_check(device);
    return weft_read(device, array, host);
}
#define weft_borrow(device, type, host, length)                                            \
    weft_borrow_of((device), (type), (host), (length), WEFT_POINTED(host))
#define weft_borrow_const(device, type, host, length)                                      \
    weft_borrow_const_of((device), (type), (host), (length), WEFT_POINTED(host))
#define weft_write(device, array, ...)                                                     \
    weft_write_of((device), (array), (__VA_ARGS__), WEFT_POINTED(__VA_ARGS__))
#define weft_read(device, array, ...)                                                      \
    weft_read_of((device), (array), (__VA_ARGS__), WEFT_POINTED(__VA_ARGS__))
#endif

#ifdef __cplusplus
}
#endif
#endif
