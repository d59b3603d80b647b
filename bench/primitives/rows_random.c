/* Random numbers into memory, and a shuffle. */
#include "rows.h"

#include <math.h>
#include <string.h>

static weft_distribution distribution(const struct task *task) {
    return strcmp(task->name, "random:normal") == 0 ? WEFT_NORMAL_F32 : WEFT_UNIFORM_U32;
}

static bool make_uniform(const struct bench *bench, struct task *task) {
    (void)bench;
    return task_output(task, 0, WEFT_U32, task->n) != NULL;
}

static bool make_normal(const struct bench *bench, struct task *task) {
    (void)bench;
    return task_output(task, 0, WEFT_F32, task->n) != NULL;
}

static void run_random(weft_device *device, const weft_array *in, const weft_array *out,
                       struct task *task) {
    (void)in;
    weft_copy(device, weft_random(task->n, distribution(task), .seed = 1), out[0]);
}

/* The sum of the numbers of either half of all bits: about the mean. */
static bool check_uniform(const struct task *task) {
    const u32 *out = task->out[0].data;
    f64 sum = 0;
    for (i64 i = 0; i < task->n; ++i)
        sum += (f64)out[i] * 0x1p-32 - 0.5;
    return fabs(sum) < 5 * sqrt((f64)task->n / 12);
}

static bool check_normal(const struct task *task) {
    const f32 *out = task->out[0].data;
    f64 sum = 0, squares = 0;
    for (i64 i = 0; i < task->n; ++i) {
        sum += out[i];
        squares += (f64)out[i] * out[i] - 1;
    }
    return fabs(sum) < 5 * sqrt((f64)task->n) && fabs(squares) < 8 * sqrt((f64)task->n);
}

static bool make_shuffle(const struct bench *bench, struct task *task) {
    (void)bench;
    u32 *x = task_input(task, 0, WEFT_U32, task->n);
    for (i64 i = 0; x && i < task->n; ++i)
        x[i] = (u32)i;
    return x != NULL;
}

static void run_shuffle(weft_device *device, const weft_array *in, const weft_array *out,
                        struct task *task) {
    (void)in, (void)task;
    weft_shuffle(device, out[0], 1);
}

/* The same numbers, by the sum of their hashes, and few where they were. */
static bool check_shuffle(const struct task *task) {
    const u32 *out = task->out[0].data;
    u64 mixed = 0;
    i64 stayed = 0;
    for (i64 i = 0; i < task->n; ++i) {
        mixed += rows_random((u64)i) - rows_random(out[i]);
        stayed += out[i] == (u32)i;
    }
    return mixed == 0 && (stayed < 20 || task->n < 20);
}

const struct row rows_numbers[] = {
    {"random", "u32", make_uniform, run_random, check_uniform, .item_bytes = 4},
    {"random:normal", "f32", make_normal, run_random, check_normal, .item_bytes = 4},
    {"shuffle", "u32", make_shuffle, run_shuffle, check_shuffle, .item_bytes = 8,
     .in_place = true},
    {0},
};
