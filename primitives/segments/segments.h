/* Where segments begin, as the primitives on them share it. */
#ifndef WEFT_PRIMITIVES_SEGMENTS_H
#define WEFT_PRIMITIVES_SEGMENTS_H

#include "primitives/primitives.h"

/* A bit for each of n elements: whether a segment begins there. In scratch. */
weft_array weft_segment_bits(weft_device *device, weft_array offsets, i64 n);

/* The same as a lazy array of u32, which lives as long as *of. */
typedef struct weft_segment_heads_of {
    weft_array bits;
} weft_segment_heads_of;

weft_array weft_segment_heads(weft_array bits, i64 n, weft_segment_heads_of *of);

#endif
