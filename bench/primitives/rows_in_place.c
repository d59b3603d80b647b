/* Rows that change an array where it lies. */
#include "rows.h"
#include "rows.kernel.h"

WEFT_GENERATOR(rows_odd, u32, (in, u32, in))

static bool make_random(const struct bench *bench, struct task *task) {
    (void)bench;
    return rows_random_u32(task, 0, 4);
}

/* Numbers of which every other differs from the one before. */
static bool make_pairs(const struct bench *bench, struct task *task) {
    (void)bench;
    u32 *in = task_input(task, 0, WEFT_U32, task->n);
    u32 now = 0;
    for (i64 i = 0; in && i < task->n; ++i)
        in[i] = now += rows_random((u64)i) % 2 == 0;
    return in != NULL;
}

static void run_remove_if(weft_device *device, const weft_array *in, const weft_array *out,
                          struct task *task) {
    (void)in;
    int64_t count = 0;
    weft_remove_if(device, out[0], weft_lazy(task->n, rows_odd, .in = out[0]), out[0],
                   &count);
    task->count = count;
}

static bool check_remove_if(const struct task *task) {
    const u32 *in = task->in[0].data, *out = task->out[0].data;
    i64 count = 0;
    for (i64 i = 0; i < task->n; ++i) {
        if (!(in[i] & 1) && out[count++] != in[i])
            return false;
    }
    return count == task->count;
}

static void run_unique(weft_device *device, const weft_array *in, const weft_array *out,
                       struct task *task) {
    (void)in;
    int64_t count = 0;
    weft_unique(device, out[0], out[0], &count);
    task->count = count;
}

static bool check_unique(const struct task *task) {
    const u32 *in = task->in[0].data, *out = task->out[0].data;
    i64 count = 0;
    for (i64 i = 0; i < task->n; ++i) {
        if ((i == 0 || in[i] != in[i - 1]) && out[count++] != in[i])
            return false;
    }
    return count == task->count;
}

static void run_partition(weft_device *device, const weft_array *in, const weft_array *out,
                          struct task *task) {
    (void)in;
    int64_t count = 0;
    weft_partition(device, out[0], weft_lazy(task->n, rows_odd, .in = out[0]), out[0],
                   &count);
    task->count = count;
}

static bool check_partition(const struct task *task) {
    const u32 *in = task->in[0].data, *out = task->out[0].data;
    i64 yes = 0, no = task->count;
    for (i64 i = 0; i < task->n; ++i) {
        const bool odd = in[i] & 1;
        if (out[odd ? yes : no] != in[i])
            return false;
        yes += odd;
        no += !odd;
    }
    return yes == task->count;
}

static void run_replace_if(weft_device *device, const weft_array *in, const weft_array *out,
                           struct task *task) {
    (void)in;
    const u32 value = 8;
    weft_replace_if(device, out[0], weft_lazy(task->n, rows_odd, .in = out[0]), &value);
}

static bool check_replace_if(const struct task *task) {
    const u32 *in = task->in[0].data, *out = task->out[0].data;
    i64 i = 0;
    while (i < task->n && out[i] == (in[i] & 1 ? 8 : in[i]))
        ++i;
    return i == task->n;
}

static void run_reverse(weft_device *device, const weft_array *in, const weft_array *out,
                        struct task *task) {
    (void)in, (void)task;
    weft_reverse(device, out[0]);
}

static bool check_reverse(const struct task *task) {
    const u32 *in = task->in[0].data, *out = task->out[0].data;
    i64 i = 0;
    while (i < task->n && out[i] == in[task->n - 1 - i])
        ++i;
    return i == task->n;
}

const struct row rows_in_place[] = {
    {"remove_if:in_place", "u32", make_random, run_remove_if, check_remove_if,
     .item_bytes = 4, .count_bytes = 4, .in_place = true},
    {"unique:in_place", "u32", make_pairs, run_unique, check_unique, .item_bytes = 4,
     .count_bytes = 4, .in_place = true},
    {"partition:in_place", "u32", make_random, run_partition, check_partition,
     .item_bytes = 8, .in_place = true},
    {"replace_if", "u32", make_random, run_replace_if, check_replace_if, .item_bytes = 8,
     .in_place = true},
    {"reverse", "u32", make_random, run_reverse, check_reverse, .item_bytes = 8,
     .in_place = true},
    {0},
};
