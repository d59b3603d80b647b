/* The two halves of a scan of one block; between them what precedes it becomes known. */
#ifndef WEFT_BACKENDS_HOST_SCAN_BLOCK_H
#define WEFT_BACKENDS_HOST_SCAN_BLOCK_H

#include "scan_lanes.h"

typedef struct scan_call {
    const weft_input *in, *heads; /* heads may be NULL */
    const weft_operator *op;
    int exclusive;
    weft_span out;
    scan_lanes *lanes; /* where they are scanned in registers */
    i64 length;        /* elements of a block */
    int plainly; /* in registers: with ordinary stores always, nothing fetched ahead */
} scan_call;

scan_call scan_call_of(const weft_input *in, const weft_input *heads,
                       const weft_operator *op, int exclusive, weft_span out);

/* Elements of a block that is kept, and bytes of memory that any takes on its way. */
i64 scan_block_length(weft_type type);
size_t scan_block_memory(weft_type type);

/* Before what precedes block b is known: *total = the fold of its elements, from the last
 * head on where there is one, which is returned. */
int scan_block_within(const scan_call *scan, i64 b, void *memory, void *total);
/* Writes its elements, given the fold of all before it (the identity at first), and fetches
 * block `next`, unless that is -1. */
void scan_block_finish(const scan_call *scan, i64 b, void *memory, const void *prefix,
                       i64 next);
/* Both at once, as if there were none before it, into memory, and where they lie there; the
 * block is one that is kept, and not scanned in registers. */
const void *scan_block_alone(const scan_call *scan, i64 b, void *memory, void *total);

#endif
