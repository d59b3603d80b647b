/* Sorts by a comparison: of numbers, and of structs of 16 bytes, these also by a number. */
#include "rows.h"
#include "order.kernel.h"

WEFT_COMPARISON(order_below, u32)
WEFT_COMPARISON(order_lighter, order_body)
WEFT_GENERATOR(order_weight, f64, (in, order_body, x))

static bool make_numbers(const struct bench *bench, struct task *task) {
    (void)bench;
    return rows_random_u32(task, 0, 5);
}

static bool make_bodies(const struct bench *bench, struct task *task) {
    (void)bench;
    order_body *x = task_input(task, 0, WEFT_STRUCT(order_body), task->n);
    for (i64 i = 0; x && i < task->n; ++i)
        x[i] = (order_body){(f64)(rows_random((u64)i) >> 20), (u64)i};
    return x != NULL;
}

static void run_numbers(weft_device *device, const weft_array *in, const weft_array *out,
                        struct task *task) {
    (void)in, (void)task;
    weft_sort_with(device, out[0], weft_comparison_of(order_below));
}

static void run_bodies(weft_device *device, const weft_array *in, const weft_array *out,
                       struct task *task) {
    (void)in, (void)task;
    weft_sort_with(device, out[0], weft_comparison_of(order_lighter));
}

static void run_weights(weft_device *device, const weft_array *in, const weft_array *out,
                        struct task *task) {
    (void)in;
    weft_sort_by(device, out[0], weft_lazy(task->n, order_weight, .x = out[0]),
                 WEFT_ASCENDING);
}

/* Rising, and the same numbers, by the sum of their hashes. */
static bool check_numbers(const struct task *task) {
    const u32 *in = task->in[0].data, *out = task->out[0].data;
    u64 mixed = 0;
    for (i64 i = 0; i < task->n; ++i) {
        if (i > 0 && out[i] < out[i - 1])
            return false;
        mixed += rows_random(in[i]) - rows_random(out[i]);
    }
    return mixed == 0;
}

static bool check_bodies(const struct task *task) {
    const order_body *out = task->out[0].data;
    u64 mixed = 0;
    for (i64 i = 0; i < task->n; ++i) {
        if (i > 0 && (out[i].weight < out[i - 1].weight ||
                      (out[i].weight == out[i - 1].weight && out[i].id < out[i - 1].id)))
            return false;
        mixed += rows_random((u64)i) - rows_random(out[i].id);
    }
    return mixed == 0;
}

const struct row rows_order[] = {
    {"sort_with", "u32", make_numbers, run_numbers, check_numbers, .item_bytes = 8,
     .in_place = true},
    {"sort_with", "16 bytes", make_bodies, run_bodies, check_bodies, .item_bytes = 32,
     .in_place = true},
    {"sort_by", "16 bytes", make_bodies, run_weights, check_bodies, .item_bytes = 32,
     .in_place = true},
    {0},
};
