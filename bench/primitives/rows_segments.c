/* Rows whose inputs say how much comes of each element: expansion, sums over segments. */
#include "rows.h"

#include <string.h>

enum { OFTEN = 4, SEGMENT = 16 };

/* in[0]: n / 4 numbers; in[1]: how often each comes, 0 to 7 times, n times in all. */
static bool make_counts(const struct bench *bench, struct task *task) {
    (void)bench;
    const i64 sources = task->n / OFTEN > 0 ? task->n / OFTEN : 1;
    u32 *in = task_input(task, 0, WEFT_U32, sources),
        *counts = task_input(task, 1, WEFT_U32, sources);
    i64 left = task->n;
    for (i64 i = 0; in && counts && i < sources; ++i) {
        const i64 count = (i64)(rows_random((u64)i) % 8);
        in[i] = (u32)rows_random(77 + (u64)i);
        counts[i] = (u32)(i == sources - 1 || count > left ? left : count);
        left -= counts[i];
    }
    return in && counts && task_output(task, 0, WEFT_U32, task->n);
}

static void run_expand(weft_device *device, const weft_array *in, const weft_array *out,
                       struct task *task) {
    int64_t count = 0;
    weft_expand(device, in[0], in[1], out[0], &count);
    task->count = count;
}

static bool check_expand(const struct task *task) {
    const u32 *in = task->in[0].data, *counts = task->in[1].data, *out = task->out[0].data;
    i64 at = 0;
    for (i64 i = 0; i < task->in[0].length; ++i) {
        for (u32 k = 0; k < counts[i]; ++k) {
            if (out[at++] != in[i])
                return false;
        }
    }
    return at == task->n;
}

/* in[0]: n numbers; in[1]: offsets of segments of 1 to 31; in[2]: whose each element is. */
static bool make_segments(const struct bench *bench, struct task *task) {
    (void)bench;
    const i64 most = 2 * rows_length(task, SEGMENT) - 1;
    u32 *keys = task_input(task, 2, WEFT_U32, task->n);
    i64 segments = 0;
    for (i64 i = 0, end = 0; keys && i < task->n; ++i) {
        if (i == end) {
            end += 1 + (i64)(rows_random((u64)segments) % (u64)most);
            segments++;
        }
        keys[i] = (u32)segments;
    }
    i64 *offsets = task_input(task, 1, WEFT_I64, segments + 1);
    for (i64 i = 0; keys && offsets && i < task->n; ++i)
        offsets[keys[i]] = i + 1;
    if (offsets)
        offsets[0] = 0;
    return keys && offsets && rows_random_u32(task, 0, 8) &&
           task_output(task, 0, WEFT_U32, segments);
}

static void run_segments(weft_device *device, const weft_array *in, const weft_array *out,
                         struct task *task) {
    weft_reduce_segments(device, in[0], in[1], weft_plus(WEFT_U32), out[0]);
    task->count = out[0].length;
}

static bool check_segments(const struct task *task) {
    const u32 *in = task->in[0].data, *out = task->out[0].data;
    const i64 *offsets = task->in[1].data;
    for (i64 s = 0; s < task->out[0].length; ++s) {
        u32 sum = 0;
        for (i64 i = offsets[s]; i < offsets[s + 1]; ++i)
            sum += in[i];
        if (out[s] != sum)
            return false;
    }
    return true;
}

const struct row rows_segments[] = {
    {"expand", "u32", make_counts, run_expand, check_expand, .item_bytes = 6},
    {"reduce_segments:16", "u32", make_segments, run_segments, check_segments,
     .item_bytes = 4, .count_bytes = 12},
    {"reduce_segments:1000", "u32", make_segments, run_segments, check_segments,
     .item_bytes = 4, .count_bytes = 12},
    {0},
};
