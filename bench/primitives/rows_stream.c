/* Rows that touch each element once: copy, fill, transform, gather, scatter. */
#include "rows.h"
#include "rows.kernel.h"

#include <string.h>

WEFT_GENERATOR(rows_sum, u32, (in, u32, a), (in, u32, b))

enum { FILL = 0x12345678 };

static bool make_copy(const struct bench *bench, struct task *task) {
    (void)bench;
    return rows_random_u32(task, 0, 1) && task_output(task, 0, WEFT_U32, task->n);
}

static void run_copy(weft_device *device, const weft_array *in, const weft_array *out,
                     struct task *task) {
    (void)task;
    weft_copy(device, in[0], out[0]);
}

static bool check_copy(const struct task *task) {
    return memcmp(task->out[0].data, task->in[0].data, task_bytes(&task->in[0])) == 0;
}

static bool make_fill(const struct bench *bench, struct task *task) {
    (void)bench;
    return task_output(task, 0, WEFT_U32, task->n) != NULL;
}

static void run_fill(weft_device *device, const weft_array *in, const weft_array *out,
                     struct task *task) {
    (void)in, (void)task;
    const u32 value = FILL;
    weft_fill(device, out[0], &value);
}

static bool check_fill(const struct task *task) {
    const u32 *out = task->out[0].data;
    i64 i = 0;
    while (i < task->n && out[i] == FILL)
        ++i;
    return i == task->n;
}

static bool make_sum(const struct bench *bench, struct task *task) {
    return make_copy(bench, task) && rows_random_u32(task, 1, 1000000007);
}

static void run_sum(weft_device *device, const weft_array *in, const weft_array *out,
                    struct task *task) {
    weft_transform(device, task->n, out[0], rows_sum, .a = in[0], .b = in[1]);
}

static bool check_sum(const struct task *task) {
    const u32 *a = task->in[0].data, *b = task->in[1].data, *out = task->out[0].data;
    i64 i = 0;
    while (i < task->n && out[i] == a[i] + b[i])
        ++i;
    return i == task->n;
}

/* in[1]: 0 .. n-1 mixed up; one to one, since n is a power of two and each step can be
 * undone modulo 2^k. */
static bool make_mixed(const struct bench *bench, struct task *task) {
    if (!make_copy(bench, task))
        return false;
    u32 *map = task_input(task, 1, WEFT_U32, task->n);
    const u32 mask = (u32)(task->n - 1);
    int half = 1;
    while (half < 31 && ((u32)1 << 2 * half) <= mask)
        ++half;
    for (i64 i = 0; map && i < task->n; ++i) {
        u32 x = (u32)i & mask;
        for (int round = 0; round < 3; ++round) {
            x = (x * 0x9e3779b1u + 0x7f4a7c15u) & mask;
            x ^= x >> half;
        }
        map[i] = x;
    }
    return map != NULL;
}

/* in[1]: what is left of 0 .. n-1 after random choices, about every other twice: rising. */
static bool make_rising(const struct bench *bench, struct task *task) {
    if (!make_copy(bench, task))
        return false;
    u32 *map = task_input(task, 1, WEFT_U32, task->n);
    for (i64 i = 0; map && i < task->n; ++i)
        map[i] = (u32)(i & ~(i64)(rows_random((u64)i / 2) & 1));
    return map != NULL;
}

static void run_gather(weft_device *device, const weft_array *in, const weft_array *out,
                       struct task *task) {
    (void)task;
    weft_gather(device, in[0], in[1], out[0]);
}

static bool check_gather(const struct task *task) {
    const u32 *in = task->in[0].data, *map = task->in[1].data, *out = task->out[0].data;
    i64 i = 0;
    while (i < task->n && out[i] == in[map[i]])
        ++i;
    return i == task->n;
}

static void run_scatter(weft_device *device, const weft_array *in, const weft_array *out,
                        struct task *task) {
    (void)task;
    weft_scatter(device, in[0], in[1], out[0]);
}

static bool check_scatter(const struct task *task) {
    const u32 *in = task->in[0].data, *map = task->in[1].data, *out = task->out[0].data;
    i64 i = 0;
    while (i < task->n && out[map[i]] == in[i])
        ++i;
    return i == task->n;
}

const struct row rows_stream[] = {
    {"copy", "u32", make_copy, run_copy, check_copy, .item_bytes = 8},
    {"fill", "u32", make_fill, run_fill, check_fill, .item_bytes = 4},
    {"transform", "u32", make_sum, run_sum, check_sum, .item_bytes = 12},
    {"gather:sorted", "u32", make_rising, run_gather, check_gather, .item_bytes = 12},
    {"gather:random", "u32", make_mixed, run_gather, check_gather, .item_bytes = 12},
    {"scatter", "u32", make_mixed, run_scatter, check_scatter, .item_bytes = 12},
    {0},
};
