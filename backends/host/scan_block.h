/* The two halves of a scan of one block; between them what precedes it becomes known. */
#ifndef WEFT_BACKENDS_HOST_SCAN_BLOCK_H
#define WEFT_BACKENDS_HOST_SCAN_BLOCK_H

#include "host.h"

typedef struct scan_call {
    const weft_input *in, *heads; /* heads may be NULL */
    const weft_operator *op;
    int exclusive;
    weft_span out;
} scan_call;

/* Elements of a block, and bytes of memory that one takes on its way. */
i64 scan_block_length(weft_type type);
size_t scan_block_memory(weft_type type);

/* Scans block b within itself. *total = the fold of its elements, from the last head on
 * where there is one, which is returned. */
int scan_block_within(const scan_call *scan, i64 b, void *memory, void *total);
/* Writes its elements, given the fold of all before it (the identity at first); */
void scan_block_finish(const scan_call *scan, const void *memory, const void *prefix);
/* or scans them in place, as if there were none before it, and returns where they lie. */
const void *scan_block_alone(const scan_call *scan, const void *memory);

#endif
