/* Set operations on n numbers, half of them on either side, of which half have a partner;
 * one of them also by a comparison. */
#include "rows.h"
#include "order.kernel.h"

#include <string.h>

WEFT_COMPARISON(order_below, u32)

static bool make_sets(const struct bench *bench, struct task *task) {
    (void)bench;
    u32 *a = task_input(task, 0, WEFT_U32, task->n / 2),
        *b = task_input(task, 1, WEFT_U32, task->n - task->n / 2);
    if (!a || !b)
        return false;
    for (i64 i = 0; i < task->in[0].length; ++i)
        a[i] = (u32)(2 * i) + (u32)(rows_random((u64)i) & 1);
    for (i64 i = 0; i < task->in[1].length; ++i)
        b[i] = (u32)(2 * i) + (u32)(rows_random((u64)i + 1000000007) & 1);
    return task_output(task, 0, WEFT_U32, task->n) != NULL;
}

static bool is(const struct task *task, const char *name) {
    return strcmp(task->name, name) == 0;
}

static void run_sets(weft_device *device, const weft_array *in, const weft_array *out,
                     struct task *task) {
    if (is(task, "set_union_with"))
        weft_set_union_with(device, in[0], in[1], weft_comparison_of(order_below), out[0],
                            &task->count);
    else if (is(task, "set_union"))
        weft_set_union(device, in[0], in[1], out[0], &task->count);
    else if (is(task, "set_intersection"))
        weft_set_intersection(device, in[0], in[1], out[0], &task->count);
    else if (is(task, "set_difference"))
        weft_set_difference(device, in[0], in[1], out[0], &task->count);
    else
        weft_set_symmetric_difference(device, in[0], in[1], out[0], &task->count);
}

/* Keys are there once on either side. */
static bool check_sets(const struct task *task) {
    const u32 *a = task->in[0].data, *b = task->in[1].data, *out = task->out[0].data;
    const u32 *const a_end = a + task->in[0].length, *const b_end = b + task->in[1].length;
    const bool pairs =
                   strncmp(task->name, "set_union", 9) == 0 || is(task, "set_intersection"),
               of_a = !is(task, "set_intersection"),
               of_b = of_a && !is(task, "set_difference");
    i64 count = 0;
    while (a < a_end || b < b_end) {
        const bool from_a = b == b_end || (a < a_end && *a <= *b),
                   from_b = a == a_end || (b < b_end && *b <= *a);
        const u32 key = from_a ? *a : *b;
        if ((from_a && from_b ? pairs
             : from_a         ? of_a
                              : of_b) &&
            (count >= task->count || out[count++] != key))
            return false;
        a += from_a;
        b += from_b;
    }
    return count == task->count;
}

const struct row rows_sets[] = {
    {"set_union", "u32", make_sets, run_sets, check_sets, .item_bytes = 4,
     .count_bytes = 4},
    {"set_union_with", "u32", make_sets, run_sets, check_sets, .item_bytes = 4,
     .count_bytes = 4},
    {"set_intersection", "u32", make_sets, run_sets, check_sets, .item_bytes = 4,
     .count_bytes = 4},
    {"set_difference", "u32", make_sets, run_sets, check_sets, .item_bytes = 4,
     .count_bytes = 4},
    {"set_symmetric_difference", "u32", make_sets, run_sets, check_sets, .item_bytes = 4,
     .count_bytes = 4},
    {0},
};
