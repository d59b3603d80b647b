/* How long the blocks of scans are. */
#include "scan_sums.h"
#include "backends/host/tuning.h"

enum { LEAST_ELEMENTS = WEFT_ROWS * WEFT_STEP };

i64 scan_block_length(weft_type type) {
    const i64 length = HOST_SCAN_BYTES / (i64)WEFT_SIZE(type);
    return length < LEAST_ELEMENTS   ? LEAST_ELEMENTS
           : length < HOST_SCAN_MOST ? length
                                     : HOST_SCAN_MOST;
}

/* Those of a generator are kept, and so need memory. */
i64 scan_sums_length(const weft_input *in, weft_type type) {
    i64 length = scan_block_length(type);
    const i64 most = HOST_SCAN_LONG / (i64)WEFT_SIZE(type);
    while (!in->generator && length < most &&
           in->span.length / HOST_SCAN_MANY >= 2 * length)
        length *= 2;
    return length;
}
