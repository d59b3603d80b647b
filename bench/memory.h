/* Host memory for tasks: for all sides alike. */
#ifndef WEFT_BENCH_MEMORY_H
#define WEFT_BENCH_MEMORY_H

#include "bench.h"

/* Room for an input or output of the task; its memory, or NULL as above. */
void *task_input(struct task *task, int k, weft_type type, int64_t length);
void *task_output(struct task *task, int k, weft_type type, int64_t length);

/* Gives the task copies of its arrays, so that its runs do not find in the caches what
 * somebody else's left there. False after a failure, and it has none of them then. */
bool task_own(struct task *task);

size_t task_bytes(const struct task_array *array);
void task_free(struct task *task);

#endif
