/* Rows that read all and give little: reduce, min_element, count_if, histogram. */
#include "rows.h"
#include "rows.kernel.h"

#include <math.h>
#include <string.h>

WEFT_GENERATOR(rows_odd, u32, (in, u32, in))
WEFT_GENERATOR(rows_top_byte, u32, (in, u32, in))

enum { BINS = 256 };

static bool make(const struct bench *bench, struct task *task) {
    (void)bench;
    return rows_random_u32(task, 0, 2);
}

static void run_reduce(weft_device *device, const weft_array *in, const weft_array *out,
                       struct task *task) {
    (void)out;
    u32 sum = 0;
    weft_reduce(device, in[0], weft_plus(WEFT_U32), &sum);
    task->value = sum;
}

static bool check_reduce(const struct task *task) {
    const u32 *in = task->in[0].data;
    u32 sum = 0;
    for (i64 i = 0; i < task->n; ++i)
        sum += in[i];
    return task->value == sum;
}

static void run_min(weft_device *device, const weft_array *in, const weft_array *out,
                    struct task *task) {
    (void)out;
    i64 index = -1;
    weft_min_element(device, in[0], &index);
    task->count = index;
}

static bool check_min(const struct task *task) {
    const u32 *in = task->in[0].data;
    i64 least = 0;
    for (i64 i = 1; i < task->n; ++i)
        least = in[i] < in[least] ? i : least;
    return task->count == least;
}

static void run_count(weft_device *device, const weft_array *in, const weft_array *out,
                      struct task *task) {
    (void)out;
    i64 count = 0;
    weft_count_if(device, weft_lazy(task->n, rows_odd, .in = in[0]), &count);
    task->count = count;
}

static bool check_count(const struct task *task) {
    const u32 *in = task->in[0].data;
    i64 count = 0;
    for (i64 i = 0; i < task->n; ++i)
        count += in[i] & 1;
    return task->count == count;
}

static bool make_histogram(const struct bench *bench, struct task *task) {
    return make(bench, task) && task_output(task, 0, WEFT_U32, BINS);
}

static void run_histogram(weft_device *device, const weft_array *in, const weft_array *out,
                          struct task *task) {
    weft_histogram(device, weft_lazy(task->n, rows_top_byte, .in = in[0]), out[0]);
}

static bool check_histogram(const struct task *task) {
    const u32 *in = task->in[0].data, *out = task->out[0].data;
    u32 counts[BINS] = {0};
    for (i64 i = 0; i < task->n; ++i)
        counts[in[i] >> 24]++;
    return memcmp(out, counts, sizeof counts) == 0;
}

static void run_even(weft_device *device, const weft_array *in, const weft_array *out,
                     struct task *task) {
    (void)task;
    const u32 low = 1000, high = 4000000000u;
    weft_histogram_even(device, in[0], &low, &high, out[0]);
}

static bool check_even(const struct task *task) {
    const u32 *in = task->in[0].data, *out = task->out[0].data;
    u32 counts[BINS] = {0};
    for (i64 i = 0; i < task->n; ++i)
        if (1000 <= in[i] && in[i] < 4000000000u)
            counts[(u64)(in[i] - 1000) * BINS / (4000000000u - 1000)]++;
    return memcmp(out, counts, sizeof counts) == 0;
}

/* Edges at squares. */
static bool make_ranges(const struct bench *bench, struct task *task) {
    u32 *edges =
        make_histogram(bench, task) ? task_input(task, 1, WEFT_U32, BINS + 1) : NULL;
    for (u32 b = 0; edges && b <= BINS; ++b)
        edges[b] = b < BINS ? b * b << 16 : UINT32_MAX;
    return edges != NULL;
}

static void run_ranges(weft_device *device, const weft_array *in, const weft_array *out,
                       struct task *task) {
    (void)task;
    weft_histogram_ranges(device, in[0], in[1], out[0]);
}

static bool check_ranges(const struct task *task) {
    const u32 *in = task->in[0].data, *out = task->out[0].data;
    u32 counts[BINS] = {0};
    for (i64 i = 0; i < task->n; ++i)
        if (in[i] < UINT32_MAX)
            counts[(u32)sqrt(in[i] >> 16)]++;
    return memcmp(out, counts, sizeof counts) == 0;
}

const struct row rows_reduce[] = {
    {"reduce", "u32", make, run_reduce, check_reduce, .item_bytes = 4, .reads = true},
    {"min_element", "u32", make, run_min, check_min, .item_bytes = 4, .reads = true},
    {"count_if", "u32", make, run_count, check_count, .item_bytes = 4, .reads = true},
    {"histogram:256", "u32", make_histogram, run_histogram, check_histogram,
     .item_bytes = 4, .reads = true},
    {"histogram_even:256", "u32", make_histogram, run_even, check_even, .item_bytes = 4,
     .reads = true},
    {"histogram_ranges:256", "u32", make_ranges, run_ranges, check_ranges, .item_bytes = 4,
     .reads = true},
    {0},
};
