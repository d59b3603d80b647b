/* The pthreads backend: a persistent team of threads. */
#ifndef WEFT_BACKENDS_PTHREADS_PTHREADS_H
#define WEFT_BACKENDS_PTHREADS_PTHREADS_H

#include "core/backend.h"
#include "team.h"

extern const weft_backend weft_backend_pthreads;

i64 pthreads_devices(weft_device_info *info, i64 capacity);
weft_status pthreads_open_beside(weft_device *device, weft_device *other);
weft_status pthreads_open(weft_device *device, const char *which);
void pthreads_close(weft_device *device);

#endif
