/* Names of files are any bytes; what is said of them is text. */
#ifndef WEFT_IO_FILES_VISIBLE_H
#define WEFT_IO_FILES_VISIBLE_H

#include <stddef.h>

/* Writes `text` as valid UTF-8 without control characters into out [room]: what is neither
 * is shown as \x1b, and what does not fit is left out. Returns `out`. */
char *visible(const char *text, char *out, size_t room);

#endif
