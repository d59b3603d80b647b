/* Running sums. */
#include "rows.h"

enum { SEGMENT = 64 };

static bool make_u32(const struct bench *bench, struct task *task) {
    (void)bench;
    return rows_random_u32(task, 0, 3) && task_output(task, 0, WEFT_U32, task->n);
}

/* Steps of -1, 0 and 1: such sums stay far below 2^24, and so are exact in f32 whatever the
 * association, of which no two libraries have the same. */
static bool make_f32(const struct bench *bench, struct task *task) {
    (void)bench;
    f32 *in = task_input(task, 0, WEFT_F32, task->n);
    for (i64 i = 0; in && i < task->n; ++i)
        in[i] = (f32)(i64)(rows_random((u64)i) % 3) - 1;
    return in && task_output(task, 0, WEFT_F32, task->n);
}

static bool make_keys(const struct bench *bench, struct task *task) {
    if (!make_u32(bench, task))
        return false;
    u32 *key = task_input(task, 1, WEFT_U32, task->n);
    for (i64 i = 0; key && i < task->n; ++i)
        key[i] = (u32)(i / SEGMENT);
    return key != NULL;
}

static void run_inclusive(weft_device *device, const weft_array *in, const weft_array *out,
                          struct task *task) {
    (void)task;
    weft_scan(device, in[0], weft_plus(in[0].type), WEFT_INCLUSIVE, out[0]);
}

static void run_exclusive(weft_device *device, const weft_array *in, const weft_array *out,
                          struct task *task) {
    (void)task;
    weft_scan(device, in[0], weft_plus(in[0].type), WEFT_EXCLUSIVE, out[0]);
}

static void run_by_key(weft_device *device, const weft_array *in, const weft_array *out,
                       struct task *task) {
    (void)task;
    weft_scan_by_key(device, in[1], in[0], weft_plus(WEFT_U32), WEFT_INCLUSIVE, out[0]);
}

static bool check_inclusive(const struct task *task) {
    const u32 *in = task->in[0].data, *out = task->out[0].data;
    u32 sum = 0;
    i64 i = 0;
    while (i < task->n && out[i] == (sum += in[i]))
        ++i;
    return i == task->n;
}

static bool check_exclusive(const struct task *task) {
    const u32 *in = task->in[0].data, *out = task->out[0].data;
    u32 sum = 0;
    i64 i = 0;
    for (; i < task->n && out[i] == sum; ++i)
        sum += in[i];
    return i == task->n;
}

static bool check_by_key(const struct task *task) {
    const u32 *in = task->in[0].data, *out = task->out[0].data;
    u32 sum = 0;
    for (i64 i = 0; i < task->n; ++i) {
        sum = i % SEGMENT ? sum + in[i] : in[i];
        if (out[i] != sum)
            return false;
    }
    return true;
}

static bool check_f32(const struct task *task) {
    const f32 *in = task->in[0].data, *out = task->out[0].data;
    f64 sum = 0;
    i64 i = 0;
    while (i < task->n && (f64)out[i] == (sum += (f64)in[i]))
        ++i;
    return i == task->n;
}

const struct row rows_scan[] = {
    {"inclusive_scan", "u32", make_u32, run_inclusive, check_inclusive, .item_bytes = 8},
    {"exclusive_scan", "u32", make_u32, run_exclusive, check_exclusive, .item_bytes = 8},
    {"inclusive_scan", "f32", make_f32, run_inclusive, check_f32, .item_bytes = 8},
    {"inclusive_scan_by_key:64", "u32/u32", make_keys, run_by_key, check_by_key,
     .item_bytes = 12},
    {0},
};
