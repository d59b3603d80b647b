/* Rows on their way to other ranks, put side by side by several threads. */
#ifndef WEFT_DISTRIBUTED_PACKING_H
#define WEFT_DISTRIBUTED_PACKING_H

#include "comm.h"

/* Asks `pack` for rows first .. first + n, of so many bytes each, into `out`. */
void packing_run(int threads, comm_pack *pack, const void *context, int64_t first,
                 int64_t n, size_t row_bytes, void *out);

#endif
