/* Numbers in files: of either byte order, at any address. */
#ifndef WEFT_IO_BYTES_H
#define WEFT_IO_BYTES_H

#include <stdbool.h>
#include <stdint.h>

enum io_order { IO_LITTLE, IO_BIG };

uint32_t io_get_u32(const void *bytes, enum io_order order);
uint64_t io_get_u64(const void *bytes, enum io_order order);
double io_get_f64(const void *bytes, enum io_order order);

void io_put_u32(void *bytes, uint32_t value, enum io_order order);
void io_put_u64(void *bytes, uint64_t value, enum io_order order);
void io_put_f64(void *bytes, double value, enum io_order order);

/* Turns n numbers of `width` bytes (1, 2, 4 or 8) from `order` into the machine's, or back.
 */
void io_swap(void *values, int width, int64_t n, enum io_order order);

/* n integers of `width` bytes in the machine's order, as int64. */
void io_widen(const void *values, int width, bool is_signed, int64_t n, int64_t *out);

#endif
