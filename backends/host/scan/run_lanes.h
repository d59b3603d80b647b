/* Sums over runs of equal keys in registers: one pass over keys and values. */
#ifndef WEFT_BACKENDS_HOST_RUN_LANES_H
#define WEFT_BACKENDS_HOST_RUN_LANES_H

#include "backends/host/host.h"

/* Elements side by side: the key after the last is there too, unless a run ends with that.
 */
typedef struct run_part {
    const char *keys, *in;
    i64 n;
    int begins, ends; /* a run begins with the first element, and ends with the last */
} run_part;

/* For each run that ends in the part its key and what it has come to there, as scan_lanes
 * has it; both have room for 64 bytes more. Returns how many; *sum: what the last element's
 * has come to, unless it ends there. */
typedef i64 run_lanes(const run_part *part, void *keys_out, void *sums_out, void *sum);

/* The one for an operator and for keys that are equal where `key_bytes` of them are; NULL
 * where this processor has none. */
run_lanes *run_lanes_of(const weft_operator *op, i32 key_bytes);

#endif
