/* Devices: where arrays lie and launches run. A device belongs to one thread at a time. */
#ifndef WEFT_DEVICE_H
#define WEFT_DEVICE_H

#include <stddef.h>
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_device weft_device;

/* What a call returns. The first error sticks to its device: later calls on it do nothing
 * and return it again, until weft_clear. */
typedef enum weft_status {
    WEFT_OK = 0,
    WEFT_E_ARGUMENT, /* a value that the call does not take */
    WEFT_E_TYPE,     /* an array of another element type */
    WEFT_E_SHAPE,    /* an array too short, or lengths that do not agree */
    WEFT_E_MEMORY,   /* not enough of it, on the host or on the device */
    WEFT_E_BACKEND,  /* not built in, or it has no such device */
    WEFT_E_BUILD,    /* a kernel that a device's compiler refuses */
    WEFT_E_DEVICE,   /* the device or its driver failed */
    WEFT_E_CHECK     /* the checking backend caught a kernel breaking its registration */
} weft_status;

/* Opens a device.
 *   name   "BACKEND" or "BACKEND:WHICH"; NULL is $WEFT_BACKEND, else the build's default.
 *          serial            one thread, no vectors by hand: the definition
 *          pthreads[:N]      N threads; else $WEFT_NUM_THREADS, else the affinity mask
 *          opencl[:N|:NAME]  device number N as weft_devices lists them, or the first whose
 *                            name contains NAME; else $WEFT_DEVICE, else a GPU before a CPU
 *          checking          serial, and catches what a registration forbids
 * Never NULL but where the host is out of memory; a failed open gives a device on which
 * every call returns its error. Free it with weft_close in each case.
 * Errors: WEFT_E_BACKEND, WEFT_E_DEVICE, WEFT_E_MEMORY. */
WEFT_API weft_device *weft_open(const char *name);

/* Waits, frees every array that is left, and closes. NULL does nothing. */
WEFT_API void weft_close(weft_device *device);

/* The sticky status, and its sentence ("" for WEFT_OK). NULL counts as out of memory. The
 * text stays until the next weft_clear or weft_close. Neither waits for running work. */
WEFT_API weft_status weft_check(const weft_device *device);
WEFT_API const char *weft_error(const weft_device *device);

/* Forgets the error. Arrays and open scopes stay; their contents are what the calls before
 * the error left. */
WEFT_API void weft_clear(weft_device *device);

/* For algorithms of your own: reports an error as the library does, in one sentence
 * (printf's format). The first one stays. Returns the sticky status. */
WEFT_API weft_status weft_fail(weft_device *device, weft_status status, const char *format,
                               ...) __attribute__((format(printf, 3, 4)));

/* Waits for all work that was asked for. Only timing needs it. */
WEFT_API weft_status weft_synchronize(weft_device *device);

/* "serial", ..., and what was chosen: "2 threads", "NVIDIA H200 (NVIDIA CUDA)". */
WEFT_API const char *weft_backend_name(const weft_device *device);
WEFT_API const char *weft_device_name(const weft_device *device);

/* How many kernels run at once, roughly: threads, or compute units. */
WEFT_API i64 weft_concurrency(const weft_device *device);

/* A backend's device, as `weft devices` shows it. Sizes in bytes, 0 where unknown. */
typedef struct weft_device_info {
    char backend[16], name[128], platform[96], driver[96];
    i64 number; /* for weft_open("BACKEND:NUMBER") */
    u64 memory, largest_allocation, local_memory;
    u32 compute_units, largest_group;
    u8 has_f64, has_u64_atomics, is_gpu, is_default;
} weft_device_info;

/* Fills in at most `capacity` devices of all backends that are built in.
 * Returns how many there are. */
WEFT_API i64 weft_devices(weft_device_info *info, i64 capacity);

/* The name of backend number k of this build, the default first; NULL past the last. */
WEFT_API const char *weft_backend_built_in(i64 k);

/* "0.1.0" */
WEFT_API const char *weft_version(void);

#ifdef __cplusplus
}
#endif
#endif
