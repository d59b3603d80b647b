/* How long the blocks of scans are. */
#include "scan_sums.h"

enum {
    BLOCK_BYTES = 1 << 14,
    LEAST_ELEMENTS = WEFT_ROWS * WEFT_STEP,
    MOST_ELEMENTS = 1 << 13,
    LONG_BYTES = 1 << 17, /* long enough that the processor reads ahead */
    MANY = 256            /* blocks that there are before they become longer */
};

i64 scan_block_length(weft_type type) {
    const i64 length = BLOCK_BYTES / (i64)WEFT_SIZE(type);
    return length < LEAST_ELEMENTS  ? LEAST_ELEMENTS
           : length < MOST_ELEMENTS ? length
                                    : MOST_ELEMENTS;
}

/* Those of a generator are kept, and so need memory. */
i64 scan_sums_length(const weft_input *in, weft_type type) {
    i64 length = scan_block_length(type);
    const i64 most = LONG_BYTES / (i64)WEFT_SIZE(type);
    while (!in->generator && length < most && in->span.length / MANY >= 2 * length)
        length *= 2;
    return length;
}
