/* Arrays and the memory they lie in.
 *
 * An array is a small value: pass and copy it freely; all copies and slices name the same
 * memory. Lengths count elements and may exceed 2^32. */
#ifndef WEFT_ARRAY_H
#define WEFT_ARRAY_H

#include "device.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_array {
    struct weft_buffer *buffer;             /* NULL for lazy arrays */
    i64 first, length;                      /* in elements */
    weft_type type;                         /* 0: no array at all */
    u32 read_only;                          /* 1: any write to it is an error */
    const struct weft_generator *generator; /* lazy arrays: computed as they are read, */
    const void *arguments;                  /*   from these (see weft_lazy) */
} weft_array;

/* A new array, contents undefined. Free it with weft_array_free; weft_close frees it too.
 * After an error it is an array without memory, which every call takes and ignores.
 * Errors: WEFT_E_ARGUMENT (length below 0), WEFT_E_MEMORY with the number of bytes. */
WEFT_API weft_array weft_array_new(weft_device *device, weft_type type, i64 length);

/* Waits for work that uses it, then gives the memory of `array`, and so of all its slices,
 * back to the pool. Does nothing for scratch, lazy and empty values. */
WEFT_API void weft_array_free(weft_device *device, weft_array array);

/* The caller's own memory as an array, without a copy where the device can reach it (all
 * but discrete OpenCL devices, which copy in here and copy back in weft_return).
 *   host      [length] T, aligned for T; stays the caller's, and must outlive the array
 * While it is lent, touch it only after weft_synchronize (read) or not at all (write).
 * End with weft_return, which waits, writes what kernels changed back to `host`, and ends
 * the array. weft_borrow_const promises that nothing writes: a launch that would is
 * refused. Errors: WEFT_E_ARGUMENT (NULL with length > 0), WEFT_E_MEMORY. */
WEFT_API weft_array weft_borrow(weft_device *device, weft_type type, void *host,
                                i64 length);
WEFT_API weft_array weft_borrow_const(weft_device *device, weft_type type, const void *host,
                                      i64 length);
WEFT_API weft_status weft_return(weft_device *device, weft_array array);

/* Elements [first, first + length) of an array, as an array: the same memory.
 * Errors: WEFT_E_SHAPE where they are not all inside. Not for lazy arrays. */
WEFT_API weft_array weft_slice(weft_device *device, weft_array array, i64 first,
                               i64 length);

/* The same memory seen as elements of another type; the bytes must divide evenly.
 * Errors: WEFT_E_TYPE. Not for lazy arrays. */
WEFT_API weft_array weft_as(weft_device *device, weft_array array, weft_type type);

/* Copies all of `host` [array.length] T to the array, or the array to `host`; waits. After
 * an error weft_read fills `host` with zeros. Parts: read or write a slice. */
WEFT_API weft_status weft_write(weft_device *device, weft_array array, const void *host);
WEFT_API weft_status weft_read(weft_device *device, weft_array array, void *host);

/* Scratch memory. Scopes nest; closing one returns all scratch taken since it was opened
 * to the device's pool, at once and without waiting, and the pool keeps it for the next:
 * a second run of the same step allocates nothing. Close works after errors too. */
WEFT_API void weft_scope_open(weft_device *device);
WEFT_API void weft_scope_close(weft_device *device);
WEFT_API weft_array weft_scratch(weft_device *device, weft_type type, i64 length);

/* Bytes that arrays and scratch use now, the most they used since the last reset, and the
 * bytes that the pool holds from the system. Borrowed memory is not counted, copies of it
 * on a discrete device are. weft_memory_trim frees what the pool holds and nobody uses. */
typedef struct weft_memory {
    u64 used, peak, held;
} weft_memory;
WEFT_API weft_memory weft_memory_use(const weft_device *device);
WEFT_API void weft_memory_reset_peak(weft_device *device);
WEFT_API void weft_memory_trim(weft_device *device);

#ifdef __cplusplus
}
#endif
#endif
