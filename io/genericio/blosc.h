/* Blosc's buffers, where libblosc was there at build time. */
#ifndef WEFT_IO_GENERICIO_BLOSC_H
#define WEFT_IO_GENERICIO_BLOSC_H

#include <stdint.h>

/* Unpacks exactly `size` bytes. NULL, or why it cannot. */
const char *genericio_blosc(const void *packed, uint64_t packed_size, void *plain,
                            uint64_t size);

#endif
