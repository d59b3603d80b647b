/* Just enough to write JSON. */
#ifndef WEFT_BENCH_JSON_H
#define WEFT_BENCH_JSON_H

#include <stdio.h>

/* "key": "text", which is UTF-8, and "key": number; NaN and infinities become null. */
void json_member(FILE *stream, const char *key, const char *text);
void json_number(FILE *stream, const char *key, double number);

#endif
