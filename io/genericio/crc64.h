/* CRC-64/XZ: the reflected polynomial 0xC96C5795D7870F42, begun and ended with all ones. */
#ifndef WEFT_IO_GENERICIO_CRC64_H
#define WEFT_IO_GENERICIO_CRC64_H

#include <stddef.h>
#include <stdint.h>

/* The CRC of the bytes that gave `crc` (0: none) and these n after them.
 * Source: Kounavis and Berry, "A systematic approach to building high performance,
 * software-based, CRC generators", 2005: eight bytes a step. */
uint64_t crc64(uint64_t crc, const void *bytes, size_t n);

/* The CRC of bytes that gave `crc` and, after them, n bytes that gave `after` alone. */
uint64_t crc64_join(uint64_t crc, uint64_t after, uint64_t n);

#endif
