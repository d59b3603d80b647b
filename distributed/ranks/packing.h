/* Rows on their way to other ranks, put side by side. */
#ifndef WEFT_DISTRIBUTED_PACKING_H
#define WEFT_DISTRIBUTED_PACKING_H

#include "comm.h"

/* Puts rows first .. first + n, of so many bytes each, into `out`: as `pack` gives them,
 * or, where it is NULL, as they lie at `context`. */
void packing_put(comm_pack *pack, const void *context, int64_t first, int64_t n,
                 size_t row_bytes, void *out);

/* The same by several threads. */
void packing_run(int threads, comm_pack *pack, const void *context, int64_t first,
                 int64_t n, size_t row_bytes, void *out);

#endif
