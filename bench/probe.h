/* What the memory of this machine can do, timed in turn with each row: a copy and a read.
 */
#ifndef WEFT_BENCH_PROBE_H
#define WEFT_BENCH_PROBE_H

#include "race.h"

#include <stddef.h>
#include <weft/device.h>

/* On CPU backends a copy as memcpy does it, and a sum, by `threads` threads with a part
 * each; on OpenCL a kernel. Two arrays of `bytes` each. */
struct probe *probe_new(weft_device *device, int threads, size_t bytes);
void probe_free(struct probe *probe);

/* Bytes that a copy moves, and a read. */
double probe_copy_bytes(const struct probe *probe);
double probe_read_bytes(const struct probe *probe);

struct runner probe_copy_runner(struct probe *probe);
struct runner probe_read_runner(struct probe *probe);

#endif
