/* Expansion: each element as often as its count says, one after the other. Inputs may be
 * lazy. An exclusive scan of the counts tells where each begins.
 *
 * *count is the number of elements that there are, the sum of the counts, or 0 after an
 * error. The call waits for it; if `count` is NULL it does not wait. Elements that do not
 * fit an output are counted, but not written; the rest of an output stays as it was.
 *
 * Cost: two passes over the counts, one over what is written; work is shared out evenly,
 * however the counts differ (on GPUs each element looks for its source). Scratch of 8 bytes
 * per 128 counts (on GPUs per 8), and for a copy of each lazy input. Repeats: bit for bit
 * everywhere.
 * Errors: WEFT_E_ARGUMENT (missing, read-only, or an output that overlaps an input, what a
 * lazy one reads, or the other), WEFT_E_TYPE, WEFT_E_SHAPE, WEFT_E_MEMORY.
 * Source: Blelloch, "Prefix sums and their applications", 1990, section 1.4 (allocation);
 * the way is shared out as in Odeh, Green, Mwassi, Shmueli and Birk, "Merge path", 2012. */
#ifndef WEFT_EXPAND_H
#define WEFT_EXPAND_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* in[0] counts[0] times, then in[1] counts[1] times, ...
 *   in       [n] T, any type
 *   counts   [>= n] u32
 *   out      T, of any length */
WEFT_API weft_status weft_expand(weft_device *device, weft_array in, weft_array counts,
                                 weft_array out, int64_t *count);

/* For each of these elements where it comes from, the i of in[i], and the how-manieth of
 * its kind it is, 0 .. counts[i] - 1.
 *   counts    [n] u32
 *   sources   u32 or i64, of any length
 *   places    u32 or i64, of any length
 * Either may be (weft_array){0}: not asked for; without both the sum of counts remains. */
WEFT_API weft_status weft_expand_sources(weft_device *device, weft_array counts,
                                         weft_array sources, weft_array places,
                                         int64_t *count);

#ifdef __cplusplus
}
#endif
#endif
