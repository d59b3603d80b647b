/* Rows of the element at a rank, and of the first elements in order. */
#include "rows.h"

#include <string.h>

enum { FIRST = 1000 };

static bool make(const struct bench *bench, struct task *task) {
    (void)bench;
    return rows_random_u32(task, 0, 6);
}

/* The value is the one at the middle. */
static void run_nth(weft_device *device, const weft_array *in, const weft_array *out,
                    struct task *task) {
    (void)out;
    int64_t index = 0;
    weft_nth_element(device, in[0], task->n / 2, WEFT_ASCENDING, &index);
    task->value = ((const u32 *)task->in[0].data)[index];
}

static bool check_nth(const struct task *task) {
    const u32 *in = task->in[0].data;
    i64 below = 0, equal = 0;
    for (i64 i = 0; i < task->n; ++i) {
        below += in[i] < task->value;
        equal += in[i] == task->value;
    }
    return below <= task->n / 2 && task->n / 2 < below + equal;
}

static bool make_top(const struct bench *bench, struct task *task) {
    return make(bench, task) &&
           task_output(task, 0, WEFT_U32, rows_length(task, FIRST)) != NULL;
}

/* The greatest keys. */
static void run_top(weft_device *device, const weft_array *in, const weft_array *out,
                    struct task *task) {
    const i64 k = rows_length(task, FIRST), n = task->n;
    weft_top_k(device, in[0], (weft_array){0}, k < n ? k : n, WEFT_DESCENDING, out[0],
               (weft_array){0});
}

/* They fall, and as many of the input are above the last as there are above it here. */
static bool check_top(const struct task *task) {
    const u32 *in = task->in[0].data, *out = task->out[0].data;
    const i64 k = task->out[0].length;
    if (k > task->n)
        return true;
    i64 above = 0, found = 0;
    u64 mixed = 0;
    for (i64 i = 0; i < k; ++i) {
        if (i > 0 && out[i] > out[i - 1])
            return false;
        above += out[i] > out[k - 1];
        mixed += out[i] > out[k - 1] ? rows_random(out[i]) : 0;
    }
    for (i64 i = 0; i < task->n; ++i) {
        found += in[i] > out[k - 1];
        mixed -= in[i] > out[k - 1] ? rows_random(in[i]) : 0;
    }
    return found == above && mixed == 0;
}

const struct row rows_nth[] = {
    {"nth_element", "u32", make, run_nth, check_nth, .item_bytes = 4, .reads = true},
    {"top_k:1000", "u32", make_top, run_top, check_top, .item_bytes = 4, .reads = true},
    {0},
};
