/* Rows whose output's length depends on the values. */
#include "rows.h"
#include "rows.kernel.h"

WEFT_GENERATOR(rows_odd, u32, (in, u32, in))

enum { RUN = 16 }; /* elements, where the row's name does not say */

static bool make_random(const struct bench *bench, struct task *task) {
    (void)bench;
    return rows_random_u32(task, 0, 4) && task_output(task, 0, WEFT_U32, task->n);
}

/* in[k]: numbers of which one of `length` differs from the one before. */
static bool make_runs(struct task *task, int k, u32 length) {
    u32 *in = task_input(task, k, WEFT_U32, task->n);
    u32 now = 0;
    for (i64 i = 0; in && i < task->n; ++i)
        in[i] = now += rows_random((u64)i) % length == 0;
    return in != NULL;
}

static bool make_pairs(const struct bench *bench, struct task *task) {
    (void)bench;
    return make_runs(task, 0, 2) && task_output(task, 0, WEFT_U32, task->n);
}

static bool make_keys(const struct bench *bench, struct task *task) {
    (void)bench;
    return make_runs(task, 0, (u32)rows_length(task, RUN)) && rows_random_u32(task, 1, 4) &&
           task_output(task, 0, WEFT_U32, task->n) &&
           task_output(task, 1, WEFT_U32, task->n);
}

static void run_copy_if(weft_device *device, const weft_array *in, const weft_array *out,
                        struct task *task) {
    i64 count = 0;
    weft_copy_if(device, in[0], weft_lazy(task->n, rows_odd, .in = in[0]), out[0], &count);
    task->count = count;
}

static void run_partition(weft_device *device, const weft_array *in, const weft_array *out,
                          struct task *task) {
    i64 count = 0;
    weft_partition(device, in[0], weft_lazy(task->n, rows_odd, .in = in[0]), out[0],
                   &count);
    task->count = count;
}

static void run_unique(weft_device *device, const weft_array *in, const weft_array *out,
                       struct task *task) {
    i64 count = 0;
    weft_unique(device, in[0], out[0], &count);
    task->count = count;
}

static void run_reduce_by_key(weft_device *device, const weft_array *in,
                              const weft_array *out, struct task *task) {
    i64 count = 0;
    weft_reduce_by_key(device, in[0], in[1], weft_plus(WEFT_U32), out[0], out[1], &count);
    task->count = count;
}

/* The elements with that lowest bit stand at out[at ...] in order; where they end. */
static i64 follow(const struct task *task, u32 bit, i64 at) {
    const u32 *in = task->in[0].data, *out = task->out[0].data;
    for (i64 i = 0; i < task->n; ++i) {
        if ((in[i] & 1) == bit && out[at++] != in[i])
            return -1;
    }
    return at;
}

static bool check_copy_if(const struct task *task) {
    return follow(task, 1, 0) == task->count;
}

static bool check_partition(const struct task *task) {
    return follow(task, 1, 0) == task->count && follow(task, 0, task->count) == task->n;
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

static bool check_reduce_by_key(const struct task *task) {
    const u32 *key = task->in[0].data, *in = task->in[1].data;
    const u32 *keys = task->out[0].data, *sums = task->out[1].data;
    i64 count = 0;
    for (i64 i = 0, end; i < task->n; i = end, ++count) {
        u32 sum = 0;
        for (end = i; end < task->n && key[end] == key[i]; ++end)
            sum += in[end];
        if (keys[count] != key[i] || sums[count] != sum)
            return false;
    }
    return count == task->count;
}

const struct row rows_select[] = {
    {"copy_if:half", "u32", make_random, run_copy_if, check_copy_if, .item_bytes = 4,
     .count_bytes = 4},
    {"partition", "u32", make_random, run_partition, check_partition, .item_bytes = 8},
    {"unique", "u32", make_pairs, run_unique, check_unique, .item_bytes = 4,
     .count_bytes = 4},
    {"reduce_by_key", "u32/u32", make_keys, run_reduce_by_key, check_reduce_by_key,
     .item_bytes = 8, .count_bytes = 8},
    {"reduce_by_key:1", "u32/u32", make_keys, run_reduce_by_key, check_reduce_by_key,
     .item_bytes = 8, .count_bytes = 8},
    {"reduce_by_key:1000000", "u32/u32", make_keys, run_reduce_by_key, check_reduce_by_key,
     .item_bytes = 8, .count_bytes = 8},
    {0},
};
