/* One row of the table: the race, the checks after it, and what is reported. */
#include "bench/memory.h"
#include "bench/ours.h"
#include "bench/probe.h"
#include "bench/report.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

/* Rows of up to SMALL elements are too short to time one by one. */
enum { MOST_PEERS = 10, PROBES = 2, SMALL = 1 << 16, BATCH = 64 };

struct rival {
    const struct peer *peer;
    void *state;
    struct task task;
    bool owns; /* the task's arrays */
};

struct sides {
    struct ours ours;
    struct rival rivals[MOST_PEERS];
    int n_rivals;
    struct probe *probe;
};

bool bench_lists(const char *list, const char *name) {
    char copy[1024], *rest = copy;
    snprintf(copy, sizeof copy, "%s", list);
    for (char *word; (word = strsep(&rest, ",")) != NULL;) {
        if (fnmatch(word, name, 0) == 0)
            return true;
    }
    return false;
}

bool bench_wants(const struct bench *bench, const char *suite, const struct row *row) {
    if (strcmp(bench->options.suite, "all") != 0 &&
        strcmp(bench->options.suite, suite) != 0)
        return false;
    if (bench->options.rows == NULL)
        return true;
    char typed[64];
    snprintf(typed, sizeof typed, "%s %s", row->name, row->types);
    return bench_lists(bench->options.rows, row->name) ||
           bench_lists(bench->options.rows, typed);
}

static bool reset_rival(void *state) {
    const struct rival *rival = state;
    return rival->peer->reset(rival->state) != 0;
}

static bool run_rival(void *state) {
    const struct rival *rival = state;
    return rival->peer->run(rival->state) != 0;
}

/* What an earlier run left must not pass for a result. */
static void spoil(const struct row *row, struct task *task) {
    task->count = -1;
    task->value = 0x5a5a5a5a5a5a5a5a;
    for (int k = 0; k < TASK_OUTPUTS && !row->in_place; ++k) {
        if (task->out[k].data)
            memset(task->out[k].data, 0x5a, task_bytes(&task->out[k]));
    }
}

static bool spoil_ours(struct ours *ours) {
    spoil(ours->row, ours->task);
    for (int k = 0; k < TASK_OUTPUTS && !ours->row->in_place; ++k) {
        if (ours->out[k].type)
            weft_write(ours->device, ours->out[k], ours->task->out[k].data);
    }
    return weft_check(ours->device) == WEFT_OK;
}

/* One run more, whose result is looked at. */
static bool verify(struct sides *sides, struct runner *runner, int k) {
    struct ours *ours = &sides->ours;
    if (runner->failed)
        return false;
    if (k == 0)
        return spoil_ours(ours) && runner->reset(ours) && runner->run(ours) &&
               ours_fetch(ours) && ours->row->check(ours->task);
    struct rival *rival = &sides->rivals[k - 1];
    spoil(ours->row, &rival->task);
    return rival->peer->reset(rival->state) && rival->peer->run(rival->state) &&
           rival->peer->fetch(rival->state) && ours->row->check(&rival->task);
}

static void close_rival(struct rival *rival) {
    rival->peer->close(rival->state);
    if (rival->owns)
        task_free(&rival->task);
}

/* Who works where the task lies gets arrays of its own, as ours has. */
static bool open_rival(struct rival *rival, const struct peer *peer, int threads,
                       const struct task *task) {
    *rival = (struct rival){.peer = peer, .task = *task};
    rival->state = peer->open(&rival->task, threads);
    if (rival->state == NULL || peer->on_gpu || peer->on_weft)
        return rival->state != NULL;
    rival->owns = task_own(&rival->task);
    if (!rival->owns)
        close_rival(rival);
    return rival->owns;
}

static void open_rivals(struct sides *sides, const struct bench *bench,
                        const struct task *task) {
    for (int k = 0; k < bench->n_peers && sides->n_rivals < MOST_PEERS; ++k)
        sides->n_rivals += open_rival(&sides->rivals[sides->n_rivals], bench->peers[k],
                                      bench->threads, task);
}

static struct share part_of(double bytes, const struct timing *timing, double probe_bytes,
                            const struct timing *probe) {
    return (struct share){
        .wall = bytes / timing->median / (probe_bytes / probe->median),
        .processor = bytes / timing->processor / (probe_bytes / probe->processor),
    };
}

static bool report(struct bench *bench, struct sides *sides, struct runner *runners,
                   int64_t peak) {
    const struct ours *ours = &sides->ours;
    const struct row *row = ours->row;
    const struct runner *probes = &runners[1 + sides->n_rivals];
    const double copy = probe_copy_bytes(sides->probe),
                 read = probe_read_bytes(sides->probe);
    report_bandwidth(bench->report, copy / probes[0].timing.median,
                     read / probes[1].timing.median);
    for (int k = 0; k <= sides->n_rivals; ++k) {
        const struct peer *peer = k > 0 ? sides->rivals[k - 1].peer : NULL;
        struct result result = {
            .suite = bench->halos     ? "halos"
                     : bench->sheet   ? "sheet"
                     : bench->gravity ? "gravity"
                                      : "primitives",
            .name = row->name,
            .types = row->types,
            .n = ours->task->n,
            .by = peer ? peer->name : "weft",
            .backend = peer ? peer->backend : weft_backend_name(bench->device),
            .threads = peer && peer->one_thread ? 1 : bench->threads,
            .checked = !bench->options.no_check,
            .verified = !bench->options.no_check && verify(sides, &runners[k], k),
            .timing = runners[k].timing,
            .pairs = row->all_pairs ? ours->task->pairs : 0,
            .cells = ours->task->cells,
            .bytes_a_particle = -1,
        };
        result.error = ours->task->error ? *ours->task->error : 0;
        const int64_t count = ours->task->count > 0 ? ours->task->count : 0;
        result.bytes = row->item_bytes * result.n + row->count_bytes * count;
        const double bytes = (double)result.bytes;
        result.copy = part_of(bytes, &result.timing, copy, &probes[0].timing);
        if (row->reads)
            result.read = part_of(bytes, &result.timing, read, &probes[1].timing);
        if (bench->halos && k == 0 && result.n > 0)
            result.bytes_a_particle = (double)peak / (double)result.n;
        bench->all_verified &= !result.checked || result.verified;
        if (!report_add(bench->report, &result))
            return false;
    }
    return true;
}

static bool fail(const struct bench *bench, const struct row *row) {
    if (weft_check(bench->device) != WEFT_OK)
        fprintf(stderr, "weft-bench: %s %s: %s\n", row->name, row->types,
                weft_error(bench->device));
    return false;
}

static bool race_task(struct bench *bench, const struct row *row, struct task *task) {
    struct sides sides = {0};
    struct runner runners[1 + MOST_PEERS + PROBES];
    sides.probe = probe_new(bench->device, bench->threads, (size_t)task->n * sizeof(u32));
    ours_open(&sides.ours, bench, row, task);
    open_rivals(&sides, bench, task);
    int64_t peak = 0;
    bool good = sides.probe && weft_check(bench->device) == WEFT_OK;
    if (good) {
        const int batch = row->in_place || task->n > SMALL ? 1 : BATCH;
        int count = 0;
        runners[count++] = ours_runner(&sides.ours);
        for (int k = 0; k < sides.n_rivals; ++k)
            runners[count++] = (struct runner){.reset = reset_rival,
                                               .run = run_rival,
                                               .state = &sides.rivals[k],
                                               .may_be_few = true};
        runners[count++] = probe_copy_runner(sides.probe);
        runners[count++] = probe_read_runner(sides.probe);
        const bool prime = strcmp(weft_backend_name(bench->device), "opencl") == 0;
        good = race(runners, count, (int)bench->options.repeat, batch, prime) &&
               !runners[0].failed;
        peak = (int64_t)sides.ours.peak;
    }
    good = good && report(bench, &sides, runners, peak);
    for (int k = 0; k < sides.n_rivals; ++k)
        close_rival(&sides.rivals[k]);
    probe_free(sides.probe);
    ours_close(&sides.ours);
    return good || fail(bench, row);
}

bool bench_row(struct bench *bench, const struct row *row, int64_t n) {
    struct task task = {.name = row->name,
                        .types = row->types,
                        .n = n,
                        .in_place = row->in_place,
                        .device = bench->device};
    bool good = row->make(bench, &task);
    for (int k = 0; good && row->in_place && k < TASK_OUTPUTS; ++k) {
        if (task.in[k].data)
            good = task_output(&task, k, task.in[k].type, task.in[k].length) != NULL;
    }
    good = good && race_task(bench, row, &task);
    task_free(&task);
    return good;
}
