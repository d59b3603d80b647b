/* Scans of sums in registers. A group of 64 bytes is summed by a tree that is the same
 * whatever the width of the processor's vectors, and then what precedes it is put before
 * it: floats are the same bits on all of them. */
#ifndef WEFT_BACKENDS_HOST_SCAN_LANES_H
#define WEFT_BACKENDS_HOST_SCAN_LANES_H

#include "backends/host/host.h"

/* Scans in[0 .. n), anew from each head on (heads may be NULL); *sum = what precedes, and
 * then what it has come to. bypass: around the caches; `out` is aligned to 64 bytes. out
 * may be in. fetch: memory that is read next, which as many bytes are fetched of, or NULL:
 * with heads a little that is read at once, without a block, for the second cache. */
typedef void scan_lanes(const void *in, const u32 *heads, int exclusive, i64 n, void *sum,
                        void *out, int bypass, const void *fetch);

typedef struct scan_lanes_set {
    scan_lanes *plus_u32, *plus_u64, *plus_f32, *plus_f64;
} scan_lanes_set;

/* In vectors of 16 bytes, as every processor has them; NULL where the compiler has not. */
extern const scan_lanes_set scan_lanes_quarters;
/* In vectors of 64 bytes; NULL on other processors than x86-64. */
extern const scan_lanes_set scan_lanes_avx512;

/* The one for an operator on this processor, NULL if it has none. */
scan_lanes *scan_lanes_of(const weft_operator *op);

#endif
