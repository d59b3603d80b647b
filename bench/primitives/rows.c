#include "rows.h"

#include <stdlib.h>
#include <string.h>

i64 rows_length(const struct task *task, i64 otherwise) {
    const char *colon = strchr(task->name, ':');
    return colon ? strtoll(colon + 1, NULL, 10) : otherwise;
}

bool rows_random_u32(struct task *task, int k, u64 seed) {
    u32 *in = task_input(task, k, WEFT_U32, task->n);
    for (i64 i = 0; in && i < task->n; ++i)
        in[i] = (u32)rows_random(seed + (u64)i);
    return in != NULL;
}

bool rows_rising_u32(struct task *task, int k, u64 seed) {
    u32 *in = task_input(task, k, WEFT_U32, task->n);
    const f64 step = 4294967296.0 / (f64)(task->n > 0 ? task->n : 1);
    for (i64 i = 0; in && i < task->n; ++i) {
        const f64 fraction = (f64)(rows_random(seed + (u64)i) >> 11) * 0x1p-53;
        const f64 value = ((f64)i + fraction) * step;
        in[i] = value < 4294967295.0 ? (u32)value : 4294967295u;
    }
    return in != NULL;
}
