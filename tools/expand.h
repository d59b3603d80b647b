/* What the parts of weft-embed share: texts, and loops over types in kernel files. */
#ifndef WEFT_TOOLS_EXPAND_H
#define WEFT_TOOLS_EXPAND_H

#include <stddef.h>

typedef struct text {
    char *bytes;
    size_t length, room;
} text;

void die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
void append(text *t, const char *bytes, size_t length);
void append_line(text *t, int line, const char *file);

/* The lines of a kernel file, each of those between
 *   #pragma weft for T in u32 u64
 *   #pragma weft end
 * once for each type, in which the word T, and each T between underscores of a longer one
 * (sum_T), is replaced by it. Several names change together: for T:U in i32:u32 i64:u64.
 * Loops may lie in loops. Lines that do not follow the one before begin with a #line. */
text expand(const char *file, const char *lines);

#endif
