/* Host memory for tasks: for all sides alike. */
#ifndef WEFT_BENCH_MEMORY_H
#define WEFT_BENCH_MEMORY_H

#include "bench.h"

/* Zeroed memory, aligned to 2 MiB and advised to be huge pages where it is that large, as
 * the library's own pool does. NULL and a sentence on standard error after a failure. */
void *memory_new(size_t bytes);

/* Room for an input or output of the task; its memory, or NULL as above. */
void *task_input(struct task *task, int k, weft_type type, int64_t length);
void *task_output(struct task *task, int k, weft_type type, int64_t length);

size_t task_bytes(const struct task_array *array);
void task_free(struct task *task);

#endif
