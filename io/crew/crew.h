/* Threads that share a pass over rows in the host's memory, each an even part of it. */
#ifndef WEFT_IO_CREW_H
#define WEFT_IO_CREW_H

#include <stdint.h>

/* Does the rows [begin, end), as number `part`; several threads call it at once. */
typedef void crew_work(void *context, int64_t begin, int64_t end, int part);

/* In how many parts n rows are done: `threads` at most, and fewer where rows are few. */
int crew_parts(int threads, int64_t n);

/* Does [0, n) in crew_parts(threads, n) parts, numbered in ascending order, and waits for
 * all. The caller works too, and does the parts that get no thread of their own. */
void crew_run(int threads, int64_t n, crew_work *work, void *context);

#endif
