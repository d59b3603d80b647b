/* Sorts of random keys, alone and with their index as value; and a merge. */
#include "rows.h"

static bool make_u32(const struct bench *bench, struct task *task) {
    (void)bench;
    return rows_random_u32(task, 0, 5);
}

/* Keys of 16 bits: many are equal. */
static bool make_narrow(const struct bench *bench, struct task *task) {
    (void)bench;
    u32 *key = task_input(task, 0, WEFT_U32, task->n);
    for (i64 i = 0; key && i < task->n; ++i)
        key[i] = (u32)(rows_random((u64)i) >> 48);
    return key != NULL;
}

static bool add_values(struct task *task) {
    u32 *value = task_input(task, 1, WEFT_U32, task->n);
    for (i64 i = 0; value && i < task->n; ++i)
        value[i] = (u32)i;
    return value != NULL;
}

static bool make_u64(const struct bench *bench, struct task *task) {
    (void)bench;
    u64 *key = task_input(task, 0, WEFT_U64, task->n);
    for (i64 i = 0; key && i < task->n; ++i)
        key[i] = rows_random((u64)i);
    return key != NULL;
}

static bool make_f32(const struct bench *bench, struct task *task) {
    (void)bench;
    f32 *key = task_input(task, 0, WEFT_F32, task->n);
    for (i64 i = 0; key && i < task->n; ++i)
        key[i] = (f32)(i64)(rows_random((u64)i) >> 39) * 0x1p-24f - 0.5f;
    return key != NULL;
}

static bool make_pairs_u32(const struct bench *bench, struct task *task) {
    return make_u32(bench, task) && add_values(task);
}

static bool make_pairs_u64(const struct bench *bench, struct task *task) {
    return make_u64(bench, task) && add_values(task);
}

static bool make_pairs_f32(const struct bench *bench, struct task *task) {
    return make_f32(bench, task) && add_values(task);
}

static void run_sort(weft_device *device, const weft_array *in, const weft_array *out,
                     struct task *task) {
    (void)in, (void)task;
    weft_sort(device, out[0], WEFT_ASCENDING);
}

static void run_pairs(weft_device *device, const weft_array *in, const weft_array *out,
                      struct task *task) {
    (void)in, (void)task;
    weft_sort_by_key(device, out[0], out[1], WEFT_ASCENDING);
}

/* Element i as a number that keeps the order; keys here are no NaN and no -0. */
static f64 number(const struct task_array *array, i64 i) {
    return array->type == WEFT_F32 ? (f64)((const f32 *)array->data)[i]
                                   : (f64)((const u32 *)array->data)[i];
}

static bool before(const struct task_array *array, i64 i, i64 j) {
    if (array->type == WEFT_U64)
        return ((const u64 *)array->data)[i] < ((const u64 *)array->data)[j];
    return number(array, i) < number(array, j);
}

static u64 bits(const struct task_array *keys, i64 i) {
    return keys->type == WEFT_U64 ? ((const u64 *)keys->data)[i]
                                  : ((const u32 *)keys->data)[i];
}

/* A hash of a pair; sums of them tell multisets of pairs apart. */
static u64 mixed_pair(const struct task_array *keys, const struct task_array *values,
                      i64 i) {
    return rows_random(rows_random(bits(keys, i)) + ((const u32 *)values->data)[i]);
}

/* Rising, and the same pairs. Equal keys may stand in any order: not every peer is stable.
 */
static bool check_pairs(const struct task *task) {
    u64 mixed = 0;
    for (i64 i = 0; i < task->n; ++i) {
        if (i > 0 && before(&task->out[0], i, i - 1))
            return false;
        mixed += mixed_pair(&task->in[0], &task->in[1], i) -
                 mixed_pair(&task->out[0], &task->out[1], i);
    }
    return mixed == 0;
}

/* Rising, and the same numbers: their sum and the sum of their hashes agree. */
static bool check_sort(const struct task *task) {
    u64 sum = 0, mixed = 0;
    for (i64 i = 0; i < task->n; ++i) {
        if (i > 0 && before(&task->out[0], i, i - 1))
            return false;
        const u64 in = bits(&task->in[0], i), out = bits(&task->out[0], i);
        sum += in - out;
        mixed += rows_random(in) - rows_random(out);
    }
    return sum == 0 && mixed == 0;
}

static bool make_merge(const struct bench *bench, struct task *task) {
    (void)bench;
    const i64 n = task->n;
    task->n = n / 2;
    bool good = rows_rising_u32(task, 0, 8);
    task->n = n - n / 2;
    good = good && rows_rising_u32(task, 1, 1000000007);
    task->n = n;
    return good && task_output(task, 0, WEFT_U32, n);
}

static void run_merge(weft_device *device, const weft_array *in, const weft_array *out,
                      struct task *task) {
    (void)task;
    weft_merge(device, in[0], in[1], out[0]);
}

static bool check_merge(const struct task *task) {
    const u32 *a = task->in[0].data, *b = task->in[1].data, *out = task->out[0].data;
    const u32 *const a_end = a + task->in[0].length, *const b_end = b + task->in[1].length;
    for (i64 i = 0; i < task->n; ++i) {
        const bool first = b == b_end || (a < a_end && *a <= *b);
        if (out[i] != (first ? *a++ : *b++))
            return false;
    }
    return true;
}

const struct row rows_sort[] = {
    {"sort", "u32", make_u32, run_sort, check_sort, .item_bytes = 8, .in_place = true},
    {"sort", "u64", make_u64, run_sort, check_sort, .item_bytes = 16, .in_place = true},
    {"sort", "f32", make_f32, run_sort, check_sort, .item_bytes = 8, .in_place = true},
    {"sort:narrow", "u32", make_narrow, run_sort, check_sort, .item_bytes = 8,
     .in_place = true},
    {"sort_by_key", "u32/u32", make_pairs_u32, run_pairs, check_pairs, .item_bytes = 16,
     .in_place = true},
    {"sort_by_key", "u64/u32", make_pairs_u64, run_pairs, check_pairs, .item_bytes = 24,
     .in_place = true},
    {"sort_by_key", "f32/u32", make_pairs_f32, run_pairs, check_pairs, .item_bytes = 16,
     .in_place = true},
    {"merge", "u32", make_merge, run_merge, check_merge, .item_bytes = 8},
    {0},
};
