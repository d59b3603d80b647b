/* The pthreads backend: a persistent team of threads. */
#ifndef WEFT_BACKENDS_PTHREADS_PTHREADS_H
#define WEFT_BACKENDS_PTHREADS_PTHREADS_H

#include "backends/host/host.h"
#include "team.h"

/* The state of a device. */
typedef struct pthreads_state {
    thread_team *team;
    host_choices choices;
} pthreads_state;

extern const weft_backend weft_backend_pthreads;

i64 pthreads_devices(weft_device_info *info, i64 capacity);
weft_status pthreads_open_beside(weft_device *device, weft_device *other);
weft_status pthreads_open(weft_device *device, const char *which);
void pthreads_close(weft_device *device);

/* As host_write and host_read. */
weft_status pthreads_write(weft_device *device, void *memory, size_t offset,
                           const void *host, size_t bytes);
weft_status pthreads_read(weft_device *device, void *memory, size_t offset, void *host,
                          size_t bytes);

#endif
