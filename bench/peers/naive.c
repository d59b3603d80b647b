/* What a plain C loop takes, at sizes so small that a call's own cost counts. One thread.
 * Sorts by insertion up to 64 elements, by qsort beyond. */
#include "naive.h"

#include <stdlib.h>
#include <string.h>
#include <weft/short_names.h>
#include <weft/types.h>

enum { LARGEST = 1 << 16, FILL = 0x12345678, INSERTION = 64 };

typedef void loop(struct task *task, const u32 *a, const u32 *b, u32 *out);

static void copy(struct task *task, const u32 *a, const u32 *b, u32 *out) {
    (void)b;
    for (i64 i = 0; i < task->n; ++i)
        out[i] = a[i];
}

static void fill(struct task *task, const u32 *a, const u32 *b, u32 *out) {
    (void)a, (void)b;
    for (i64 i = 0; i < task->n; ++i)
        out[i] = FILL;
}

static void transform(struct task *task, const u32 *a, const u32 *b, u32 *out) {
    for (i64 i = 0; i < task->n; ++i)
        out[i] = a[i] + b[i];
}

static void gather(struct task *task, const u32 *a, const u32 *b, u32 *out) {
    for (i64 i = 0; i < task->n; ++i)
        out[i] = a[b[i]];
}

static void scatter(struct task *task, const u32 *a, const u32 *b, u32 *out) {
    for (i64 i = 0; i < task->n; ++i)
        out[b[i]] = a[i];
}

static void reduce(struct task *task, const u32 *a, const u32 *b, u32 *out) {
    (void)b, (void)out;
    u32 sum = 0;
    for (i64 i = 0; i < task->n; ++i)
        sum += a[i];
    task->value = sum;
}

static void min_element(struct task *task, const u32 *a, const u32 *b, u32 *out) {
    (void)b, (void)out;
    i64 least = 0;
    for (i64 i = 1; i < task->n; ++i)
        least = a[i] < a[least] ? i : least;
    task->count = least;
}

static void count_if(struct task *task, const u32 *a, const u32 *b, u32 *out) {
    (void)b, (void)out;
    i64 count = 0;
    for (i64 i = 0; i < task->n; ++i)
        count += a[i] & 1;
    task->count = count;
}

static void histogram(struct task *task, const u32 *a, const u32 *b, u32 *out) {
    (void)b;
    memset(out, 0, (size_t)task->out[0].length * sizeof *out);
    for (i64 i = 0; i < task->n; ++i)
        out[a[i] >> 24]++;
}

static void inclusive_scan(struct task *task, const u32 *a, const u32 *b, u32 *out) {
    (void)b;
    u32 sum = 0;
    for (i64 i = 0; i < task->n; ++i)
        out[i] = sum += a[i];
}

static void exclusive_scan(struct task *task, const u32 *a, const u32 *b, u32 *out) {
    (void)b;
    u32 sum = 0;
    for (i64 i = 0; i < task->n; ++i) {
        out[i] = sum;
        sum += a[i];
    }
}

static void scan_by_key(struct task *task, const u32 *a, const u32 *b, u32 *out) {
    u32 sum = 0;
    for (i64 i = 0; i < task->n; ++i) {
        sum = i > 0 && b[i] == b[i - 1] ? sum + a[i] : a[i];
        out[i] = sum;
    }
}

static void copy_if(struct task *task, const u32 *a, const u32 *b, u32 *out) {
    (void)b;
    i64 count = 0;
    for (i64 i = 0; i < task->n; ++i) {
        if (a[i] & 1)
            out[count++] = a[i];
    }
    task->count = count;
}

static void unique(struct task *task, const u32 *a, const u32 *b, u32 *out) {
    (void)b;
    i64 count = 0;
    for (i64 i = 0; i < task->n; ++i) {
        if (i == 0 || a[i] != a[i - 1])
            out[count++] = a[i];
    }
    task->count = count;
}

static void reduce_by_key(struct task *task, const u32 *a, const u32 *b, u32 *out) {
    u32 *sum = task->out[1].data;
    i64 count = 0;
    for (i64 i = 0; i < task->n; ++i) {
        if (i > 0 && a[i] == a[i - 1]) {
            sum[count - 1] += b[i];
        } else {
            out[count] = a[i];
            sum[count++] = b[i];
        }
    }
    task->count = count;
}

static int ascending(const void *a, const void *b) {
    const u32 x = *(const u32 *)a, y = *(const u32 *)b;
    return (x > y) - (x < y);
}

static void sort(struct task *task, const u32 *a, const u32 *b, u32 *out) {
    (void)a, (void)b;
    if (task->n > INSERTION) {
        qsort(out, (size_t)task->n, sizeof *out, ascending);
        return;
    }
    for (i64 i = 1; i < task->n; ++i) {
        const u32 key = out[i];
        i64 k = i;
        for (; k > 0 && out[k - 1] > key; --k)
            out[k] = out[k - 1];
        out[k] = key;
    }
}

static void lower_bound(struct task *task, const u32 *a, const u32 *b, u32 *out) {
    for (i64 i = 0; i < task->n; ++i) {
        i64 first = 0, last = task->n;
        while (first < last) {
            const i64 middle = (first + last) / 2;
            if (a[middle] < b[i])
                first = middle + 1;
            else
                last = middle;
        }
        out[i] = (u32)first;
    }
}

static void merge(struct task *task, const u32 *a, const u32 *b, u32 *out) {
    const u32 *const a_end = a + task->in[0].length, *const b_end = b + task->in[1].length;
    for (i64 i = 0; i < task->n; ++i)
        out[i] = b == b_end || (a < a_end && *a <= *b) ? *a++ : *b++;
}

static const struct {
    const char *name, *types;
    loop *loop;
} loops[] = {
    {"copy", "u32", copy},
    {"fill", "u32", fill},
    {"transform", "u32", transform},
    {"gather:sorted", "u32", gather},
    {"gather:random", "u32", gather},
    {"scatter", "u32", scatter},
    {"reduce", "u32", reduce},
    {"min_element", "u32", min_element},
    {"count_if", "u32", count_if},
    {"histogram:256", "u32", histogram},
    {"inclusive_scan", "u32", inclusive_scan},
    {"exclusive_scan", "u32", exclusive_scan},
    {"inclusive_scan_by_key:1", "u32/u32", scan_by_key},
    {"inclusive_scan_by_key:64", "u32/u32", scan_by_key},
    {"inclusive_scan_by_key:1000000", "u32/u32", scan_by_key},
    {"copy_if:half", "u32", copy_if},
    {"unique", "u32", unique},
    {"reduce_by_key", "u32/u32", reduce_by_key},
    {"reduce_by_key:1", "u32/u32", reduce_by_key},
    {"reduce_by_key:1000000", "u32/u32", reduce_by_key},
    {"sort", "u32", sort},
    {"lower_bound:random", "u32", lower_bound},
    {"lower_bound:sorted", "u32", lower_bound},
    {"merge", "u32", merge},
};

struct state {
    struct task *task;
    loop *loop;
};

static const char *describe(void) {
    return "plain C loops, up to 65536 elements";
}

static void *open_loop(struct task *task, int threads) {
    (void)threads;
    for (size_t k = 0; k < sizeof loops / sizeof *loops && task->n <= LARGEST; ++k) {
        if (strcmp(loops[k].name, task->name) != 0 ||
            strcmp(loops[k].types, task->types) != 0)
            continue;
        struct state *state = malloc(sizeof *state);
        if (state)
            *state = (struct state){task, loops[k].loop};
        return state;
    }
    return NULL;
}

static int reset(void *pointer) {
    const struct task *task = ((struct state *)pointer)->task;
    if (task->in_place)
        memcpy(task->out[0].data, task->in[0].data,
               (size_t)task->n * WEFT_SIZE(task->in[0].type));
    return 1;
}

static int run(void *pointer) {
    const struct state *state = pointer;
    struct task *task = state->task;
    state->loop(task, task->in[0].data, task->in[1].data, task->out[0].data);
    return 1;
}

static int fetch(void *pointer) {
    (void)pointer;
    return 1;
}

const struct peer peer_naive = {
    .name = "naive",
    .backend = "c",
    .one_thread = 1,
    .describe = describe,
    .open = open_loop,
    .reset = reset,
    .run = run,
    .fetch = fetch,
    .close = free,
};
