/* n searches in n sorted numbers. */
#include "rows.h"

static bool make_random(const struct bench *bench, struct task *task) {
    (void)bench;
    return rows_rising_u32(task, 0, 6) && rows_random_u32(task, 1, 7) &&
           task_output(task, 0, WEFT_U32, task->n);
}

static bool make_sorted(const struct bench *bench, struct task *task) {
    (void)bench;
    return rows_rising_u32(task, 0, 6) && rows_rising_u32(task, 1, 1000000007) &&
           task_output(task, 0, WEFT_U32, task->n);
}

static void run_lower(weft_device *device, const weft_array *in, const weft_array *out,
                      struct task *task) {
    (void)task;
    weft_lower_bound(device, in[0], in[1], out[0]);
}

static void run_upper(weft_device *device, const weft_array *in, const weft_array *out,
                      struct task *task) {
    (void)task;
    weft_upper_bound(device, in[0], in[1], out[0]);
}

static bool check_lower(const struct task *task) {
    const u32 *sorted = task->in[0].data, *query = task->in[1].data,
              *place = task->out[0].data;
    for (i64 i = 0; i < task->n; ++i) {
        const i64 k = place[i];
        if (k > task->n || (k > 0 && sorted[k - 1] >= query[i]) ||
            (k < task->n && sorted[k] < query[i]))
            return false;
    }
    return true;
}

static bool check_upper(const struct task *task) {
    const u32 *sorted = task->in[0].data, *query = task->in[1].data,
              *place = task->out[0].data;
    for (i64 i = 0; i < task->n; ++i) {
        const i64 k = place[i];
        if (k > task->n || (k > 0 && sorted[k - 1] > query[i]) ||
            (k < task->n && sorted[k] <= query[i]))
            return false;
    }
    return true;
}

const struct row rows_search[] = {
    {"lower_bound:random", "u32", make_random, run_lower, check_lower, .item_bytes = 12},
    {"lower_bound:sorted", "u32", make_sorted, run_lower, check_lower, .item_bytes = 12},
    {"upper_bound:random", "u32", make_random, run_upper, check_upper, .item_bytes = 12},
    {"upper_bound:sorted", "u32", make_sorted, run_upper, check_upper, .item_bytes = 12},
    {0},
};
