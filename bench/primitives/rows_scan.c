/* Running sums, of all and of segments of equal length. */
#include "rows.h"

enum { FROM = 1000 };

static bool make_u32(const struct bench *bench, struct task *task) {
    (void)bench;
    return rows_random_u32(task, 0, 3) && task_output(task, 0, WEFT_U32, task->n);
}

static bool make_u64(const struct bench *bench, struct task *task) {
    (void)bench;
    u64 *in = task_input(task, 0, WEFT_U64, task->n);
    for (i64 i = 0; in && i < task->n; ++i)
        in[i] = rows_random((u64)i);
    return in && task_output(task, 0, WEFT_U64, task->n);
}

/* Steps of -1, 0 and 1: such sums stay far below 2^24, and so are exact in f32 whatever the
 * association, of which no two libraries have the same. */
static i64 step(i64 i) {
    return (i64)(rows_random((u64)i) % 3) - 1;
}

static bool make_f32(const struct bench *bench, struct task *task) {
    (void)bench;
    f32 *in = task_input(task, 0, WEFT_F32, task->n);
    for (i64 i = 0; in && i < task->n; ++i)
        in[i] = (f32)step(i);
    return in && task_output(task, 0, WEFT_F32, task->n);
}

static bool make_f64(const struct bench *bench, struct task *task) {
    (void)bench;
    f64 *in = task_input(task, 0, WEFT_F64, task->n);
    for (i64 i = 0; in && i < task->n; ++i)
        in[i] = (f64)step(i);
    return in && task_output(task, 0, WEFT_F64, task->n);
}

static bool make_keys(const struct bench *bench, struct task *task) {
    if (!make_u32(bench, task))
        return false;
    const i64 segment = rows_length(task, 1);
    u32 *key = task_input(task, 1, WEFT_U32, task->n);
    for (i64 i = 0; key && i < task->n; ++i)
        key[i] = (u32)(i / segment);
    return key != NULL;
}

static void run_inclusive(weft_device *device, const weft_array *in, const weft_array *out,
                          struct task *task) {
    (void)task;
    weft_scan(device, in[0], weft_plus(in[0].type), WEFT_INCLUSIVE, out[0]);
}

static void run_exclusive(weft_device *device, const weft_array *in, const weft_array *out,
                          struct task *task) {
    (void)task;
    weft_scan(device, in[0], weft_plus(in[0].type), WEFT_EXCLUSIVE, out[0]);
}

static void run_by_key(weft_device *device, const weft_array *in, const weft_array *out,
                       struct task *task) {
    (void)task;
    weft_scan_by_key(device, in[1], in[0], weft_plus(WEFT_U32), WEFT_INCLUSIVE, out[0]);
}

static u64 whole(const struct task_array *array, i64 i) {
    return array->type == WEFT_U64 ? ((const u64 *)array->data)[i]
                                   : ((const u32 *)array->data)[i];
}

static f64 real(const struct task_array *array, i64 i) {
    return array->type == WEFT_F64 ? ((const f64 *)array->data)[i]
                                   : (f64)((const f32 *)array->data)[i];
}

static bool check_whole(const struct task *task, bool exclusive) {
    const u64 bits = task->out[0].type == WEFT_U64 ? ~0ull : ~0u;
    u64 sum = 0;
    for (i64 i = 0; i < task->n; ++i) {
        const u64 before = sum;
        sum = (sum + whole(&task->in[0], i)) & bits;
        if (whole(&task->out[0], i) != (exclusive ? before : sum))
            return false;
    }
    return true;
}

static bool check_real(const struct task *task, bool exclusive) {
    f64 sum = 0;
    for (i64 i = 0; i < task->n; ++i) {
        const f64 before = sum;
        sum += real(&task->in[0], i);
        if (real(&task->out[0], i) != (exclusive ? before : sum))
            return false;
    }
    return true;
}

static bool check(const struct task *task, bool exclusive) {
    const weft_type type = task->out[0].type;
    return type == WEFT_F32 || type == WEFT_F64 ? check_real(task, exclusive)
                                                : check_whole(task, exclusive);
}

static bool check_inclusive(const struct task *task) {
    return check(task, false);
}

static bool check_exclusive(const struct task *task) {
    return check(task, true);
}

static void run_from(weft_device *device, const weft_array *in, const weft_array *out,
                     struct task *task) {
    (void)task;
    const u32 initial = FROM;
    weft_scan_from(device, in[0], weft_plus(WEFT_U32), &initial, WEFT_EXCLUSIVE, out[0]);
}

static bool check_from(const struct task *task) {
    const u32 *in = task->in[0].data, *out = task->out[0].data;
    u32 sum = FROM;
    i64 i = 0;
    for (; i < task->n && out[i] == sum; ++i)
        sum += in[i];
    return i == task->n;
}

static bool check_by_key(const struct task *task) {
    const u32 *in = task->in[0].data, *out = task->out[0].data;
    const i64 segment = rows_length(task, 1);
    u32 sum = 0;
    for (i64 i = 0; i < task->n; ++i) {
        sum = i % segment ? sum + in[i] : in[i];
        if (out[i] != sum)
            return false;
    }
    return true;
}

const struct row rows_scan[] = {
    {"inclusive_scan", "u32", make_u32, run_inclusive, check_inclusive, .item_bytes = 8},
    {"inclusive_scan", "u64", make_u64, run_inclusive, check_inclusive, .item_bytes = 16},
    {"inclusive_scan", "f32", make_f32, run_inclusive, check_inclusive, .item_bytes = 8},
    {"inclusive_scan", "f64", make_f64, run_inclusive, check_inclusive, .item_bytes = 16},
    {"exclusive_scan", "u32", make_u32, run_exclusive, check_exclusive, .item_bytes = 8},
    {"exclusive_scan", "u64", make_u64, run_exclusive, check_exclusive, .item_bytes = 16},
    {"exclusive_scan", "f32", make_f32, run_exclusive, check_exclusive, .item_bytes = 8},
    {"exclusive_scan", "f64", make_f64, run_exclusive, check_exclusive, .item_bytes = 16},
    {"exclusive_scan_from", "u32", make_u32, run_from, check_from, .item_bytes = 8},
    {"inclusive_scan_by_key:1", "u32/u32", make_keys, run_by_key, check_by_key,
     .item_bytes = 12},
    {"inclusive_scan_by_key:64", "u32/u32", make_keys, run_by_key, check_by_key,
     .item_bytes = 12},
    {"inclusive_scan_by_key:1000000", "u32/u32", make_keys, run_by_key, check_by_key,
     .item_bytes = 12},
    {0},
};
