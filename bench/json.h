/* Just enough to write JSON. */
#ifndef WEFT_BENCH_JSON_H
#define WEFT_BENCH_JSON_H

#include <stdio.h>

/* "text", escaped; a byte that is no UTF-8 text is the caller's to avoid. */
void json_text(FILE *stream, const char *text);
/* "key": "text" and "key": number; NaN and infinities become null. */
void json_member(FILE *stream, const char *key, const char *text);
void json_number(FILE *stream, const char *key, double number);

#endif
