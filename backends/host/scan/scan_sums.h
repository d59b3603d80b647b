/* The two halves of a scan of one block, for sums that are scanned in registers: as
 * scan_block.h says, which hands over to these. */
#ifndef WEFT_BACKENDS_HOST_SCAN_SUMS_H
#define WEFT_BACKENDS_HOST_SCAN_SUMS_H

#include "scan_block.h"

/* Elements of a block; its memory is as that of other blocks. */
i64 scan_sums_length(const weft_input *in, weft_type type);
int scan_sums_within(const scan_call *scan, i64 b, void *memory, void *total);
void scan_sums_finish(const scan_call *scan, i64 b, void *memory, const void *prefix,
                      i64 next);

#endif
