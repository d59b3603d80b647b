/* Numbers as text, the same as printf gives in the locale C, and several times as fast. */
#ifndef WEFT_IO_PRINT_H
#define WEFT_IO_PRINT_H

#include <stdint.h>

/* Characters that one takes at most. */
enum { IO_PRINT_MOST = 32 };

/* "%lld" and "%.17g", without a 0 at the end; returns the end. */
char *io_print_i64(char *at, int64_t value);
char *io_print_f64(char *at, double value);

#endif
