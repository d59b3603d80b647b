/* Stream compaction of elements of 4 bytes, four at a time, for processors without vectors
 * that compress. */
#ifndef WEFT_BACKENDS_HOST_SCAN_COMPACT_QUADS_H
#define WEFT_BACKENDS_HOST_SCAN_COMPACT_QUADS_H

#include "backends/host/host.h"

int compact_has_quads(void); /* whether this processor can */
/* As host_compact. */
i64 compact_quads(const char *in, const u32 *flags, u32 keep, i64 n, char *out,
                  char *others);

#endif
