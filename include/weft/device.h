/* Devices hold arrays and run launches.
 *
 * Threads. Different devices, also of one backend, share nothing that a program could see,
 * but for arrays of queues (queue.h): each may be used by a thread of its own. weft_open,
 * weft_devices, and all that takes no device, may be called by any thread at any time;
 * weft_open reads the environment, which no thread may change meanwhile. One device, with
 * its arrays, scopes and error, belongs to one thread at a time: two calls on it at once,
 * even weft_check, are a data race. A program may hand it over, also with scopes open, by
 * whatever orders one thread's calls before the other's (a mutex, a join): the library
 * keeps nothing in a thread. A child of fork may use none of its parent's devices. */
#ifndef WEFT_DEVICE_H
#define WEFT_DEVICE_H

#include <stddef.h>
#include "types.h"
#include "version.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_device weft_device;

/* What a call returns. A device keeps its first error: until weft_clear, later calls on it
 * do nothing and return that error again. */
typedef enum weft_status {
    WEFT_OK = 0,
    WEFT_E_ARGUMENT, /* a value that the call does not take */
    WEFT_E_TYPE,     /* an array of another element type */
    WEFT_E_SHAPE,    /* an array too short, or lengths that do not agree */
    WEFT_E_MEMORY,   /* not enough of it, on the host or on the device */
    WEFT_E_BACKEND,  /* not built in, or it has no such device */
    WEFT_E_BUILD,    /* a kernel that a device's compiler refuses */
    WEFT_E_DEVICE,   /* the device or its driver failed */
    WEFT_E_CHECK,    /* the checking backend caught a kernel breaking its registration, or a
                        result fails a check that was asked for */
    WEFT_E_STOPPED   /* a listener ended the call (listener.h) */
} weft_status;

/* Opens a device.
 *   name   "BACKEND" or "BACKEND:WHICH"; NULL and "" are $WEFT_BACKEND, else the build's
 *          default
 *          serial            one thread: the reference
 *          pthreads[:N]      N threads; else $WEFT_NUM_THREADS, else as many as the
 *                            affinity mask and the quotas of control groups allow
 *          opencl[:N|:NAME]  device number N as weft_devices lists them, or the first whose
 *                            name contains NAME; else $WEFT_DEVICE, else a GPU before a CPU
 *          checking          one thread; reports kernels that break their registration
 * $WEFT_STYLE is for tests: see weft_device_style.
 * Returns NULL only if the host is out of memory. If opening fails for another reason, the
 * result is a device on which every call returns the error. Free it with weft_close in
 * either case.
 * Errors: WEFT_E_BACKEND, WEFT_E_DEVICE, WEFT_E_MEMORY. */
WEFT_API weft_device *weft_open(const char *name);

/* Waits for running work, frees all remaining arrays, and closes. NULL does nothing. */
WEFT_API void weft_close(weft_device *device);

/* For programs that run the same calls each time: those compiled kernels that the last
 * process needed which called this with the same text are loaded from the cache by a thread
 * meanwhile (NVIDIA's driver takes half a millisecond for each), and those that this one
 * needs are noted there for the next when the device is closed. The text is any, say the
 * program's name and options. Results are the same. Once a device; to be called first.
 * Nothing where nothing is compiled at run time, or the style is WEFT_SIMD: a CPU's cores
 * have better to do. Errors: WEFT_E_ARGUMENT (NULL), WEFT_E_MEMORY. */
WEFT_API weft_status weft_load_ahead(weft_device *device, const char *task);

/* The status that the device keeps, and the sentence for it ("" for WEFT_OK). A NULL device
 * counts as out of memory. The text is valid until the next weft_clear or weft_close.
 * Neither call waits for running work. */
WEFT_API weft_status weft_check(const weft_device *device);
WEFT_API const char *weft_error(const weft_device *device);

/* Resets the error. Arrays and open scopes stay as the calls before the error left them. */
WEFT_API void weft_clear(weft_device *device);

/* For algorithms of your own: reports an error as the library does, in one sentence
 * (printf's format). An earlier error is kept. Returns the status of the device. */
WEFT_API weft_status weft_fail(weft_device *device, weft_status status, const char *format,
                               ...) __attribute__((format(printf, 3, 4)));

/* Waits for all work of the device. Needed only for timing, and before the host reads
 * memory that is lent (weft_borrow). */
WEFT_API weft_status weft_synchronize(weft_device *device);

/* The backend ("serial", ...) and the device ("2 threads", "NVIDIA H200 (NVIDIA CUDA)").
 * Valid until weft_close. */
WEFT_API const char *weft_backend_name(const weft_device *device);
WEFT_API const char *weft_device_name(const weft_device *device);

/* How a device works, by which primitives and algorithms choose among their kernels. */
typedef enum weft_style {
    WEFT_SIMD, /* cores, each with vectors and a cache of its own: a work-item takes a block
                  of elements, in loops that a compiler makes vectors of */
    WEFT_SIMT  /* work-items in lock step, neighbours on neighbouring elements: each takes
                  one or a few, and others hide how long it waits for memory */
} weft_style;

/* GPUs and accelerators are WEFT_SIMT; all else, CPUs through OpenCL too, is WEFT_SIMD.
 * With $WEFT_STYLE, "simd" or "simt", weft_open gives each device that style: this is meant
 * for tests, and changes how fast results come, and weft_potential's within their error. */
WEFT_API weft_style weft_device_style(const weft_device *device);

/* How many work at once: threads, or compute units. A thread takes one work-item at a time;
 * a compute unit of a WEFT_SIMT device has thousands in flight, and is idle with fewer than
 * some hundreds. For balance give each several times as many. */
WEFT_API int64_t weft_concurrency(const weft_device *device);

/* A backend's device, as `weft devices` shows it. Sizes in bytes, 0 where unknown. */
typedef struct weft_device_info {
    char backend[16], name[128], platform[96], driver[96];
    int64_t number; /* for weft_open("BACKEND:NUMBER"); of pthreads, how many threads */
    uint64_t memory, largest_allocation, local_memory;
    uint32_t compute_units, largest_group;
    uint8_t has_f64, has_u64_atomics, is_gpu, is_default;
    uint64_t reserved[16]; /* 0 */
} weft_device_info;

/* Fills in at most `capacity` devices of all backends that are built in.
 * Returns how many there are. */
WEFT_API int64_t weft_devices(weft_device_info *info, int64_t capacity);

/* The name of backend number k of this build, the default first; NULL past the last. */
WEFT_API const char *weft_backend_built_in(int64_t k);

#ifdef __cplusplus
}
#endif
#endif
