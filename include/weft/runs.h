/* Runs of equal adjacent keys: sums over them, and their lengths. Inputs may be lazy. Keys
 * are of any type. Two are equal if neither comes before the other in the order of
 * weft_sort (all NaNs are equal, -0 is not +0), structs if their bytes are equal.
 *
 * *count is the number of runs, or 0 after an error. The call waits for it; if `count` is
 * NULL it does not wait. Outputs have room for as many runs as there are keys; what follows
 * the runs stays as it was. An output that is not wanted is (weft_array){0}; inputs must be
 * there all the same.
 * Errors: WEFT_E_ARGUMENT (missing, read-only, op is NULL, or an output that overlaps an
 * input), WEFT_E_TYPE, WEFT_E_SHAPE, WEFT_E_MEMORY. */
#ifndef WEFT_RUNS_H
#define WEFT_RUNS_H

#include "operators.h"

#ifdef __cplusplus
extern "C" {
#endif

/* For each run its key (of several NaNs the last) and the sum of its values.
 *   keys       [n] K
 *   in         [>= n] T
 *   op         on T, of at most 4096 bytes; associative
 *   keys_out   [>= n] K;  out   [>= n] T
 * Cost: one pass over keys and in; scratch for a copy of lazy keys. On OpenCL CPUs two
 * passes; on OpenCL GPUs other than NVIDIA's a scan within runs and a selection, with
 * scratch of one T per element. Without keys_out, scratch in its place. Repeats: integers
 * bit for bit everywhere; floats on one backend. */
WEFT_API weft_status weft_reduce_by_key(weft_device *device, weft_array keys, weft_array in,
                                        const weft_operator *op, weft_array keys_out,
                                        weft_array out, int64_t *count);

/* For each run its key and its length.
 *   in         [n] K
 *   values     [>= n] K
 *   lengths    [>= n] i64, or u32 for n below 2^32 (else WEFT_E_TYPE)
 * Cost: as weft_reduce_by_key. Repeats: bit for bit everywhere. */
WEFT_API weft_status weft_run_length_encode(weft_device *device, weft_array in,
                                            weft_array values, weft_array lengths,
                                            int64_t *count);

#ifdef __cplusplus
}
#endif
#endif
