/* Rows that look for the first of a kind: near the front, in the middle, everywhere. */
#include "rows.h"
#include "rows.kernel.h"

#include <string.h>

WEFT_GENERATOR(rows_odd, u32, (in, u32, in))

/* in[0]: even numbers, and one that is odd. */
static bool make_even(struct task *task, i64 at) {
    if (!rows_random_u32(task, 0, 9))
        return false;
    u32 *in = task->in[0].data;
    for (i64 i = 0; i < task->n; ++i)
        in[i] &= ~1u;
    if (at < task->n)
        in[at] = 3;
    task->value = 3;
    return true;
}

static bool make_front(const struct bench *bench, struct task *task) {
    (void)bench;
    return make_even(task, task->n / 1000);
}

static bool make_middle(const struct bench *bench, struct task *task) {
    (void)bench;
    return make_even(task, task->n / 2);
}

static bool make_last(const struct bench *bench, struct task *task) {
    (void)bench;
    return make_even(task, task->n - 1);
}

/* `count` are the elements up to the one that is found. */
static void run_find(weft_device *device, const weft_array *in, const weft_array *out,
                     struct task *task) {
    (void)out;
    const u32 value = 3;
    int64_t index = 0;
    weft_find(device, in[0], &value, &index);
    task->count = index + 1;
}

static void run_find_if(weft_device *device, const weft_array *in, const weft_array *out,
                        struct task *task) {
    (void)out;
    int64_t index = 0;
    weft_find_if(device, weft_lazy(task->n, rows_odd, .in = in[0]), &index);
    task->count = index + 1;
}

static bool check_find(const struct task *task) {
    const u32 *in = task->in[0].data;
    i64 i = 0;
    while (i < task->n && !(in[i] & 1))
        ++i;
    return task->count == i + 1;
}

static bool make_rising(const struct bench *bench, struct task *task) {
    (void)bench;
    return rows_rising_u32(task, 0, 10);
}

static void run_is_sorted(weft_device *device, const weft_array *in, const weft_array *out,
                          struct task *task) {
    (void)out;
    int result = -1;
    weft_is_sorted(device, in[0], &result);
    task->count = result;
}

static bool check_is_sorted(const struct task *task) {
    return task->count == 1;
}

const struct row rows_find[] = {
    {"find:front", "u32", make_front, run_find, check_find, .count_bytes = 4},
    {"find:middle", "u32", make_middle, run_find, check_find, .count_bytes = 4,
     .reads = true},
    {"find:last", "u32", make_last, run_find, check_find, .count_bytes = 4, .reads = true},
    {"find_if:last", "u32", make_last, run_find_if, check_find, .count_bytes = 4,
     .reads = true},
    {"is_sorted", "u32", make_rising, run_is_sorted, check_is_sorted, .item_bytes = 4,
     .reads = true},
    {0},
};
